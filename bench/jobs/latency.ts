import { measure, median, REMIT, serve, usingFolder } from '../measure.ts';
import { environment, type Job, ledgerIn, monthOf } from './job.ts';

const LATENCY = 50;
const CONCURRENCY = 4;

/**
 * How near a sync over a slow network comes to the time that its requests alone would take, with every slot always
 * full.
 */
export const benchLatency: Job = async (results, { rounds }) => {
  const invoices = { ...monthOf(300, false), invoicesAMonth: 300, rowsAnInvoice: 1 };
  await over('sync of 300 invoices at 50 ms', 300, invoices, [], 1.2);
  const book = { ...monthOf(1, false), waiting: 10_000 };
  await over('order book of 100 pages at 50 ms', 10_000, book, ['--orders'], 1.6);

  async function over(job: string, rows: number, world: object, args: readonly string[], most: number): Promise<void> {
    const { line, child } = await serve('world/courier-server', [JSON.stringify({ ...world, latency: LATENCY })]);
    const ratios: number[] = [];
    const walls: number[] = [];
    let requests = 0;
    try {
      for (let round = 0; round < rounds; round += 1) {
        await usingFolder(async (folder) => {
          const env = environment(line.url!, ledgerIn(folder));
          const command = ['sync', '2026-10', ...args, '--concurrency', String(CONCURRENCY), '--json', '--quiet'];
          const { stdout } = await measure(REMIT, command, { cwd: folder, env });
          const run = JSON.parse(stdout) as { requests: number; seconds: number };
          requests = run.requests;
          walls.push(run.seconds);
          ratios.push(run.seconds / (((run.requests / CONCURRENCY) * LATENCY) / 1_000));
        });
      }
    } finally {
      child.kill();
    }
    const ratio = median(ratios);
    const figure = `${median(walls).toFixed(2)} s = ${ratio.toFixed(2)} × ${requests} ÷ ${CONCURRENCY} × ${LATENCY} ms`;
    results.figure(job, rows, figure, `≤ ${most} ×`, ratio <= most);
  }
};
