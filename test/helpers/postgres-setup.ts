import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDER, findPrograms } from './postgres.ts';

/**
 * The run's own PostgreSQL: made by the first test that needs it, in a folder that this names, and stopped here when all have ended.
 * Where no server program is installed this says so, once.
 */
export default function setUp(): () => Promise<void> {
  if (findPrograms() === null) {
    process.stderr.write(
      'No PostgreSQL server is installed here (initdb was not found): the tests of a ledger on PostgreSQL are skipped.\n',
    );
    return async () => {};
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-pg-'));
  process.env[FOLDER] = folder;
  return async () => {
    const pidFile = path.join(folder, 'data', 'postmaster.pid');
    if (existsSync(pidFile)) {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
      process.kill(pid, 'SIGINT');
      for (let waited = 0; waited < 100 && existsSync(pidFile); waited += 1) await sleep(50);
    }
    rmSync(folder, { recursive: true, force: true });
  };
}
