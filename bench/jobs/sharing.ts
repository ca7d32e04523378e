import path from 'node:path';
import { measure, REMIT, serve, usingFolder } from '../measure.ts';
import { startPostgres } from '../world/postgres.ts';
import { environment, type Job, monthOf, roundsFor } from './job.ts';

/** Sync, check and backup of a month and its order book, in a file and in a database of the same machine. */
export const benchSharing: Job = async (results, { sizes, rounds }) => {
  const server = await startPostgres();
  if (server === null) {
    results.skip('PostgreSQL', 'not installed');
    return;
  }
  try {
    for (const rows of sizes.filter((size) => size <= 100_000)) {
      const courier = await serve('world/courier-server', [JSON.stringify(monthOf(rows, true))]);
      await usingFolder(async (folder) => {
        let round = 0;
        const env = (ledger: string) => environment(courier.line.url!, ledger);
        const run = (ledger: string, ...args: string[]) =>
          measure(REMIT, [...args, '--quiet'], { cwd: folder, env: env(ledger) });
        const file = () => path.join(folder, `ledger-${round}.db`);
        const database = () => server.ledger(`bench_${rows}_${round}`);
        const sync = (place: () => string) => run(place(), 'sync', '2026-10', '--orders');
        const postgres = {
          who: 'PostgreSQL',
          run: () => {
            round += 1;
            return sync(database);
          },
        };
        const sqlite = { who: 'SQLite', run: () => sync(file) };
        const goals = (most: number) => (rows === 100_000 ? [{ of: 'wall', against: 'SQLite', most } as const] : []);
        const few = Math.min(3, roundsFor(rows, rounds));
        await results.contest('sync into PostgreSQL', rows, [postgres, sqlite], goals(1.5), {
          rounds: few,
          warm: false,
        });
        const far = {
          who: '5 ms away',
          run: () => {
            round += 1;
            return sync(() => server.far(`bench_${rows}_${round}`));
          },
        };
        const near = [{ of: 'wall', against: 'PostgreSQL', most: 1.3 } as const];
        await results.contest('sync into PostgreSQL 5 ms away', rows, [far, postgres], rows === 100_000 ? near : [], {
          rounds: few,
          warm: false,
        });
        await sqlite.run();
        const checks = [
          { who: 'PostgreSQL', run: () => run(database(), 'check', '2026-10') },
          { who: 'SQLite', run: () => run(file(), 'check', '2026-10') },
        ];
        await results.contest('check on PostgreSQL', rows, checks, goals(2), { rounds: few });
        const backups = [
          { who: 'PostgreSQL', run: () => run(database(), 'backup', 'backup.db', '--force') },
          { who: 'SQLite', run: () => run(file(), 'backup', 'backup.db', '--force') },
        ];
        await results.contest('backup of PostgreSQL', rows, backups, goals(3), { rounds: few });
      }).finally(() => courier.child.kill());
    }
  } finally {
    await server.stop();
  }
};
