import { rmSync } from 'node:fs';
import path from 'node:path';
import { measure, program, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf, roundsFor } from './job.ts';

/**
 * A month's invoices into a new ledger, beside the least that any program would do for it; and memory over twelve
 * months.
 */
export const benchSync: Job = async (results, { sizes, rounds }) => {
  for (const rows of sizes) {
    const { line, child } = await serve('world/courier-server', [JSON.stringify(monthOf(rows, false))]);
    await usingFolder(async (folder) => {
      const url = line.url!;
      const ledger = ledgerIn(folder);
      const remit = {
        who: 'remit',
        run: () => {
          clear(folder);
          return measure(REMIT, ['sync', '2026-10', '--quiet'], { cwd: folder, env: environment(url, ledger) });
        },
      };
      const floor = {
        who: 'floor',
        run: () => {
          clear(folder);
          return measure(program('peers/sync-floor'), [url, ledger, '2026-10'], { cwd: folder });
        },
      };
      const goals = rows === 100_000 ? [{ of: 'cpu', against: 'floor', most: 1.5 } as const] : [];
      const options = { rounds: roundsFor(rows, rounds), warm: rows < 1_000_000 };
      await results.contest('sync of invoice rows', rows, [remit, floor], goals, options);
    }).finally(() => child.kill());
  }
  await benchMonths();

  async function benchMonths(): Promise<void> {
    const peaks: number[] = [];
    for (const count of [1, 12]) {
      const months = Array.from({ length: count }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`);
      const world = { ...monthOf(25_000, false), months };
      const { line, child } = await serve('world/courier-server', [JSON.stringify(world)]);
      await usingFolder(async (folder) => {
        const env = environment(line.url!, ledgerIn(folder));
        const run = await measure(REMIT, ['sync', `2026-01..${months.at(-1)}`, '--quiet'], { cwd: folder, env });
        peaks.push(run.megabytes);
      }).finally(() => child.kill());
    }
    const [one = 0, twelve = 0] = peaks;
    const figure = `${one.toFixed(0)} MB, ${twelve.toFixed(0)} MB`;
    results.figure('peak of 1 and 12 months to sync', 25_000, figure, '≤ 1.3 ×', twelve <= one * 1.3);
  }
};

function clear(folder: string): void {
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.lock']) {
    rmSync(path.join(folder, name), { force: true });
  }
}
