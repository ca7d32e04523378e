import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPrograms } from './postgres-server.ts';

/** The environment variable that names the run's folder. */
export const FOLDER = 'REMIT_TEST_POSTGRES';

/**
 * The run's own PostgreSQL: made by the first test that needs it, in a folder that this names, and stopped when all
 * have ended, also where the run is killed. Where no server program is installed this says so, once.
 */
export default function setUp(): () => Promise<void> {
  if (findPrograms() === null) {
    process.stderr.write(
      'No PostgreSQL server is installed here (initdb was not found): the tests of a ledger on PostgreSQL are skipped.\n',
    );
    return async () => {};
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-pg-'));
  // Where the tests run as root, the servers below it are an ordinary user's.
  chmodSync(folder, 0o711);
  process.env[FOLDER] = folder;
  const watcher = spawn(process.execPath, [path.join(import.meta.dirname, 'stop-with-parent.mjs'), folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  watcher.unref();
  return async () => {
    const ended = new Promise((resolve) => watcher.on('close', resolve));
    watcher.ref();
    watcher.stdin.end();
    await ended;
  };
}
