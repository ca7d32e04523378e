import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Measured, measure, median, REMIT, serve, usingFolder } from '../measure.ts';
import { bankText, ordersText } from '../world/own-files.ts';
import { environment, type Job, ledgerIn, roundsFor } from './job.ts';

const MONTH = '2026-10';
const ROWS_AN_INVOICE = 40;
const LINES = 5_000;
/** Seconds by the clock, of 100,000 own orders: to bring both files in and match them, and what they add to a check. */
const MOST = { imports: 10, check: 3 };

/** The shop's own book and its bank come in and are matched, and what that adds to a check of the month. */
export const benchOwnFiles: Job = async (results, { sizes, rounds }) => {
  for (const orders of sizes.filter((size) => size <= 100_000)) {
    const invoices = Math.ceil(orders / ROWS_AN_INVOICE);
    const world = { months: [MONTH], invoicesAMonth: invoices, rowsAnInvoice: ROWS_AN_INVOICE, orders: true };
    const { line, child } = await serve('world/courier-server', [JSON.stringify(world)]);
    try {
      await usingFolder(async (folder) => {
        const env = { ...environment(line.url!, ledgerIn(folder)), REMIT_HOME: folder };
        writeFileSync(path.join(folder, 'remit.toml'), '[receipts]\npayers = ["Bench Courier"]\n');
        writeFileSync(path.join(folder, 'orders.csv'), ordersText(MONTH, orders));
        writeFileSync(path.join(folder, 'bank.csv'), bankText(MONTH, invoices, ROWS_AN_INVOICE, LINES));
        const run = (...args: string[]) => measure(REMIT, [...args, '--quiet'], { cwd: folder, env });
        const add = (who: string, runs: readonly Measured[], goal: Pick<Goal, 'figure' | 'goal' | 'reached'> = NONE) =>
          results.add({
            job: 'own files',
            rows: orders,
            who: `remit, ${who}`,
            cpu: median(runs.map(({ cpu }) => cpu)),
            wall: median(runs.map(({ wall }) => wall)),
            megabytes: Math.max(...runs.map(({ megabytes }) => megabytes)),
            ...goal,
          });
        const isAsked = orders === 100_000;
        const checks = async () => {
          await run('check', MONTH);
          const runs: Measured[] = [];
          for (let round = 0; round < roundsFor(orders, rounds); round += 1) runs.push(await run('check', MONTH));
          return runs;
        };
        await run('sync', MONTH, '--orders');
        const before = await checks();
        add('check without them', before);
        const own = await run('import', 'orders', 'orders.csv');
        add('import of the own book', [own]);
        const bank = await run('import', 'receipts', 'bank.csv');
        const took = own.wall + bank.wall;
        add(`import of ${LINES.toLocaleString('en')} lines, matched`, [bank], {
          figure: `${took.toFixed(1)} s for both files`,
          goal: isAsked ? `≤ ${MOST.imports} s` : null,
          reached: isAsked ? took <= MOST.imports : null,
        });
        const after = await checks();
        const more = median(after.map(({ wall }) => wall)) - median(before.map(({ wall }) => wall));
        add('check with them', after, {
          figure: `${more.toFixed(2)} s more`,
          goal: isAsked ? `≤ ${MOST.check} s` : null,
          reached: isAsked ? more <= MOST.check : null,
        });
      });
    } finally {
      child.kill();
    }
  }
};

interface Goal {
  readonly figure: string | null;
  readonly goal: string | null;
  readonly reached: boolean | null;
}

const NONE: Goal = { figure: null, goal: null, reached: null };
