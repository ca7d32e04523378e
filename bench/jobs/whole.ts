import { statSync } from 'node:fs';
import { type Measured, measure, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const MONTH = '2026-10';
/** From here on: what a smaller size would tell, the other jobs tell. */
const LEAST = 1_000_000;

/**
 * One synthetic month of one merchant, all of whose orders are billed and in the order book: its nights, its check and
 * its questions.
 */
export const benchWhole: Job = async (results, { sizes }) => {
  for (const rows of sizes.filter((size) => size >= LEAST)) {
    const { line, child } = await serve('world/courier-server', [JSON.stringify(monthOf(rows, true))]);
    try {
      await usingFolder(async (folder) => {
        const ledger = ledgerIn(folder);
        const options = { cwd: folder, env: environment(line.url!, ledger), refusal: 2 };
        const run = (...args: string[]) => measure(REMIT, args, options);
        const add = (who: string, { cpu, wall, megabytes }: Measured) =>
          results.add({ job: 'whole month', rows, who, cpu, wall, megabytes, figure: null, goal: null, reached: null });
        add('remit, first night', await run('sync', MONTH, '--orders', '--quiet'));
        results.figure(
          'ledger of a whole month',
          rows,
          `${(statSync(ledger).size / rows).toFixed(0)} bytes an order`,
          null,
          null,
        );
        add('remit, identical night', await run('sync', MONTH, '--orders', '--quiet'));
        add('remit check', await run('check', MONTH, '--quiet'));
        add('remit report totals', await run('report', 'totals', MONTH));
        add('remit show order UNKNOWN', await run('show', 'order', 'UNKNOWN'));
        add('remit report custody', await run('report', 'custody', MONTH));
      });
    } finally {
      child.kill();
    }
  }
};
