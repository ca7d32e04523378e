import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

interface Checked {
  readonly mismatches: readonly Record<string, string | number | null>[];
  readonly bridge: readonly Record<string, string | number>[];
}

/** The own book asked for 10 dollars, and 895,000 pounds came. */
async function checked(rates: string, settings = ''): Promise<Checked> {
  const order = { order_id: 'A', cod: [['LBP', '895000.00']] as [string, string][], delivery_fee: [] };
  const courier = await startFakeCourier({
    invoices: [invoiceOf(10001, '2026-10-03T10:00:00+03:00', [{ ...order, reference_id: 'SO-1' }])],
  });
  try {
    const books = ownBooks(settings);
    await syncInto(path.join(books.folder, 'ledger.db'), courier);
    const orders = 'reference,ordered_on,status,currency,cod\nSO-1,2026-10-01,handed_over,USD,10.00\n';
    await books.json(['import', 'orders', books.file('shop.csv', orders)]);
    await books.json(['import', 'rates', books.file('rates.csv', `date,from,to,rate\n${rates}\n`)]);
    const { stdout } = await books.remit(['check', '2026-10', '--json'], { env: { REMIT_API_KEY: KEY } });
    await books.verify();
    return JSON.parse(stdout);
  } finally {
    await courier.close();
  }
}

describe('COD that was asked for in one currency and collected in another', () => {
  it('is worth the same at the imported rate: listed, and nothing is short', async () => {
    const { mismatches, bridge } = await checked('2026-10-01,USD,LBP,89500');
    expect(mismatches).toMatchObject([
      { code: 'paid-in-another-currency', severity: 'info', order_id: 'A', effect: null },
    ]);
    expect(mismatches[0]!.message).toContain('worth the same, at 89500 LBP for one USD (rates.csv:2)');
    for (const { unexplained, short } of bridge) expect([unexplained, short]).toEqual(['0.00', '0.00']);
    expect(bridge.length).toBeGreaterThan(0);
  });

  it('is worth the same within rate_tolerance, and two errors beyond it', async () => {
    const codes = async (...args: Parameters<typeof checked>) =>
      (await checked(...args)).mismatches.map(({ code }) => code);
    expect(await codes('2026-10-01,USD,LBP,90000', 'rate_tolerance = "0.01"')).toEqual(['paid-in-another-currency']);
    expect((await codes('2026-10-01,USD,LBP,90000')).sort()).toEqual([
      'book-cod-differs',
      'book-cod-differs',
      'implied-rate',
    ]);
    expect((await codes('2026-11-01,USD,LBP,89500')).sort()).toEqual(['book-cod-differs', 'book-cod-differs']);
  });
});
