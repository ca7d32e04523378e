import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { line, measure } from './measure.ts';
import { startOrderBook } from './order-book-server.ts';

const remit = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'main.js');

/** What a night may add to the ledger, in MB, at 100,000 orders. */
const MOST = { identical: 0.25, hundred: 0.3, onePercent: 0.5 };

/** How much the ledger grows by a night's sync of an order book that is as it was, has 100 new orders, or in which 1% changed. */
export async function benchNights(orders: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-bench-'));
  const ledger = path.join(folder, 'ledger.db');
  const book = await startOrderBook(orders);
  const env = { REMIT_API_URL: book.url, REMIT_API_KEY: 'bench', REMIT_LEDGER: ledger };
  const size = () => statSync(ledger).size / 1e6;
  const night = async () => {
    const before = size();
    const { seconds } = await measure(remit, ['sync', '2026-10', '--orders', '--quiet'], { cwd: folder, env });
    return { grown: size() - before, seconds };
  };
  const show = async (what: string, most: number) => {
    const { grown, seconds } = await night();
    const figure = `${grown.toFixed(3)} MB in ${seconds.toFixed(0)} s`;
    line(`  ${what}`, figure, `≤ ${most} MB`, grown <= most);
  };
  try {
    await measure(remit, ['sync', '2026-10', '--orders', '--quiet'], { cwd: folder, env });
    const text = `${size().toFixed(0)} MB`;
    process.stdout.write(
      `ledger of ${orders.toLocaleString('en')} orders of ${book.orderBytes()} bytes each: ${text}\n`,
    );
    await show('grows by a night in which nothing changed', MOST.identical);
    book.add(100);
    await show('grows by a night with 100 new orders', MOST.hundred);
    book.change(Math.round(orders / 100));
    await show('grows by a night with 1% of them changed', MOST.onePercent);
    await show('and by an identical one after that', MOST.identical);
  } finally {
    await book.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
