import { statSync } from 'node:fs';
import { type Measured, measure, median, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf, roundsFor } from './job.ts';

/** What nights of 100,000 orders may add to the ledger, in MB. */
const MOST = { identical: 0.25, hundred: 0.3, onePercent: 0.5 };

interface Night {
  readonly run: Measured;
  readonly grown: number;
}

/** The first night of an order book, and nights in which nothing, a hundred orders, or one in a hundred changed. */
export const benchOrderBook: Job = async (results, { sizes, rounds }) => {
  for (const orders of sizes) {
    const world = { ...monthOf(1, false), waiting: orders };
    const { line, child } = await serve('world/courier-server', [JSON.stringify(world)]);
    const url = line.url!;
    const nights = new Map<string, Night[]>();
    const move = (what: object) => fetch(new URL('/world/', url), { method: 'POST', body: JSON.stringify(what) });
    try {
      for (let round = 0; round < Math.min(3, roundsFor(orders, rounds)); round += 1) {
        await usingFolder(async (folder) => {
          const ledger = ledgerIn(folder);
          const night = async (what: string) => {
            const before = statSync(ledger, { throwIfNoEntry: false })?.size ?? 0;
            const env = environment(url, ledger);
            const run = await measure(REMIT, ['sync', '2026-10', '--orders', '--quiet'], { cwd: folder, env });
            nights.set(what, [...(nights.get(what) ?? []), { run, grown: (statSync(ledger).size - before) / 1e6 }]);
          };
          await night('first night');
          await night('identical night');
          await move({ add: 100 });
          await night('night with 100 more');
          await move({ change: Math.round(orders / 100) });
          await night('night with 1% changed');
        });
      }
    } finally {
      child.kill();
    }
    report(orders, nights);
  }

  function report(orders: number, nights: ReadonlyMap<string, readonly Night[]>): void {
    const cpuOf = (what: string) => median(nights.get(what)!.map(({ run }) => run.cpu));
    const grownIn = (what: string) => median(nights.get(what)!.map(({ grown }) => grown));
    for (const [what, runs] of nights) {
      const isIdentical = what === 'identical night';
      const ratio = cpuOf(what) / cpuOf('first night');
      results.add({
        job: 'order book',
        rows: orders,
        who: `remit, ${what}`,
        cpu: cpuOf(what),
        wall: median(runs.map(({ run }) => run.wall)),
        megabytes: Math.max(...runs.map(({ run }) => run.megabytes)),
        figure: what === 'first night' ? null : `${ratio.toFixed(2)} × the first night`,
        goal: isIdentical && orders === 100_000 ? '≤ 0.5 ×' : null,
        reached: isIdentical && orders === 100_000 ? ratio <= 0.5 : null,
      });
    }
    const grown = [grownIn('identical night'), grownIn('night with 100 more'), grownIn('night with 1% changed')];
    const figure = `${grown.map((size) => size.toFixed(2)).join(' / ')} MB`;
    const most = [MOST.identical, MOST.hundred, MOST.onePercent];
    const isAsked = orders === 100_000;
    results.figure(
      'ledger grows: identical / +100 / 1%',
      orders,
      figure,
      isAsked ? `≤ ${most.join(' / ')}` : null,
      isAsked ? grown.every((size, index) => size <= most[index]!) : null,
    );
  }
};
