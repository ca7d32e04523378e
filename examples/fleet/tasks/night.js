import { spawn } from 'node:child_process';
import path from 'node:path';

/** Seconds after which a night is ended: another merchant waits for its place. */
const LIMIT = Number(process.env.FLEET_LIMIT_SECONDS ?? 1_800);

/** What `remit night` exits with when it did its work: 3 means that mismatches are open, which is no failure of the fleet's. */
const DONE = [0, 3];

/**
 * Runs `remit night` for one merchant, in a process of its own, and keeps what it says in `fleet.night`.
 * A failure is thrown, so that the job is tried again later.
 */
export default async function night({ merchant }, { query, job, logger }) {
  // The name becomes part of a path: it is what the folder is called, and nothing else.
  if (path.basename(merchant) !== merchant) throw new Error(`${merchant} is no books folder`);
  const books = path.join(process.env.FLEET_BOOKS, merchant);
  const { code, signal, stdout, stderr } = await run('remit', ['-C', books, 'night', '--json', '--quiet']);
  await query('insert into fleet.night (merchant, attempt, exit_code, summary, stderr) values ($1, $2, $3, $4, $5)', [
    merchant,
    job.attempts,
    code,
    jsonOf(stdout),
    signal ? `ended after ${LIMIT} s` : stderr.slice(0, 10_000),
  ]);
  logger.info(`${merchant}: ${signal ?? code}`);
  if (signal || !DONE.includes(code)) throw new Error(`the night of ${merchant} ended with ${signal ?? code}`);
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        out[stream] += text;
      });
    }
    // First as Ctrl-C does it: the document in flight is finished, and what is done is kept. Then for good.
    const asked = setTimeout(() => child.kill('SIGTERM'), LIMIT * 1_000);
    const killed = setTimeout(() => child.kill('SIGKILL'), (LIMIT + 30) * 1_000);
    child.on('error', reject).on('close', (code, signal) => {
      clearTimeout(asked);
      clearTimeout(killed);
      resolve({ code, signal: signal ?? (code === 130 ? 'SIGTERM' : null), ...out });
    });
  });
}

/** The summary, or null where the night did not come to one. */
function jsonOf(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}
