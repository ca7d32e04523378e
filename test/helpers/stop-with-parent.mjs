/**
 * Ends the PostgreSQL servers below a folder, and removes it, when its parent ends in whatever way: standard input closes then.
 * A test run that is killed leaves nothing behind.
 *
 * Usage: node stop-with-parent.mjs FOLDER
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PID_FILE = 'postmaster.pid';
const folder = process.argv[2];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume().on('end', end).on('error', end);

let isEnding = false;
async function end() {
  if (isEnding) return;
  isEnding = true;
  // Fast first; then without mercy: what is in the folder is thrown away all the same.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL']) {
    const running = servers();
    for (const { pid } of running) send(pid, signal);
    for (let waited = 0; waited < 60 && running.some(isThere); waited += 1) await sleep(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.exit(0);
}

/** The servers whose data lies in the folder, or in a folder of it. */
function servers() {
  if (!existsSync(folder)) return [];
  const data = [folder, ...readdirSync(folder).map((name) => path.join(folder, name))].map((at) =>
    path.join(at, 'data'),
  );
  return data
    .map((at) => path.join(at, PID_FILE))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, pid: Number(readFileSync(file, 'utf8').split('\n')[0]) }));
}

function isThere({ file, pid }) {
  return existsSync(file) && send(pid, 0);
}

function send(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
