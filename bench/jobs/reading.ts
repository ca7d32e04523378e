import { Writable } from 'node:stream';
import { decode } from '../../src/api/decode.ts';
import { InvoiceDetail } from '../../src/api/wire.ts';
import { renderReport } from '../../src/render/report.ts';
import { rowOf } from '../world/records.ts';
import type { Job } from './job.ts';

/**
 * Parts that a hostile or a large answer could make slow: decoding, and a table of huge texts. Milliseconds of the
 * fastest round.
 */
export const benchReading: Job = async (results, { rounds }) => {
  const orders = Array.from({ length: 500 }, (_, index) => rowOf(index));
  const money = { cod: [['USD', '10.00']], delivery_fee: [['USD', '3.00']] };
  const header = { number: 1, status: 'PAID', status_display: 'Paid', issued_at: '2026-10-05T10:00:00.000000+00:00' };
  const invoice = { ...header, ...money, net_due_to_merchant: [['USD', '7.00']], orders };
  const decoding = await fastest(rounds, async () => {
    for (let count = 0; count < 200; count += 1) decode(InvoiceDetail, invoice);
  });
  results.figure('decoding of invoice rows', 100_000, `${decoding.toFixed(0)} ms`, '≤ 1 s', decoding <= 1_000);

  const model = {
    report: 'orders',
    title: 'Orders',
    period: '2026-10',
    columns: [{ name: 'text', title: 'text', type: 'text' as const }],
    rows: Array.from({ length: 10 }, () => ({ text: 'ل'.repeat(100_000) })),
    totals: () => [],
    notes: () => [],
  };
  const printing = await fastest(rounds, async () => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await renderReport(model, 'table', nowhere, { generatedAt: new Date(0), width: 80 });
  });
  results.figure('table of texts of 100,000 letters', 10, `${printing.toFixed(0)} ms`, '≤ 500 ms', printing <= 500);
};

async function fastest(rounds: number, work: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await work();
    took.push(performance.now() - started);
  }
  return Math.min(...took);
}
