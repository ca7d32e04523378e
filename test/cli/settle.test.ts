import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { syncInto } from '../helpers/sync.ts';

const order = (id: string, ...cod: [string, string][]) => ({
  order_id: id,
  cod,
  delivery_fee: [['USD', '3.00']] as [string, string][],
});

let courier: FakeCourier;
let books: OwnBooks;

/** Nets 97.00 USD; 47.00 USD and 900,000.00 LBP. */
beforeEach(async () => {
  courier = await startFakeCourier({
    invoices: [
      { ...invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', ['USD', '100.00'])]), status: 'PENDING_PAYMENT' },
      {
        ...invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', ['USD', '50.00'], ['LBP', '900000'])]),
        status: 'PENDING_PAYMENT',
      },
    ],
  });
  books = ownBooks('rounding_limit = { USD = "0.05" }\n[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), courier, {
    periods: ['2026-10', '2026-11'],
    now: () => new Date('2026-11-05T09:00:00Z'),
  });
});
afterEach(() => courier.close());

const settle = (...argv: string[]) => books.json<{ settled: unknown[] }>(['settle', ...argv, '--by', 'Rana']);
const refused = async (...argv: string[]) => {
  const { code, stderr } = await books.remit(['settle', ...argv]);
  return { code, stderr };
};
/** What is left of the balance at the end of a month. */
const closing = async (month: string, currency: string) => {
  const { rows } = await books.json<{ rows: Record<string, string>[] }>(['report', 'roll-forward', month]);
  return rows.find((row) => row.currency === currency)!.closing;
};

describe('remit settle', () => {
  it('takes a part or all off what is open, without any receipt', async () => {
    expect(await settle('10001', '--as', 'bank-charge', '--amount', '7.5', '--note', 'wire fee')).toEqual({
      settled: [
        {
          id: 1,
          invoice_number: 10001,
          invoice_number_text: '10001',
          currency: 'USD',
          amount: '7.50',
          kind: 'bank-charge',
          open: '89.50',
        },
      ],
    });
    expect(await settle('10001', '--as', 'write-off', '--note', 'given up')).toEqual({
      settled: [
        {
          id: 2,
          invoice_number: 10001,
          invoice_number_text: '10001',
          currency: 'USD',
          amount: '89.50',
          kind: 'write-off',
          open: '0.00',
        },
      ],
    });
    expect(await closing('2026-10', 'USD')).toBe('144.00');
    expect(await closing('2026-11', 'USD')).toBe('47.00');
    await books.verify();
  });

  it('settles several invoices at once, each all that is open of it', async () => {
    const { settled } = await settle('10001', '10002', '--currency', 'usd', '--as', 'other', '--note', 'barter');
    expect(settled).toMatchObject([
      { invoice_number: 10001, amount: '97.00', open: '0.00' },
      { invoice_number: 10002, amount: '47.00', open: '0.00' },
    ]);
  });

  it('refuses more than is open, what is not open, and an open currency that is not named', async () => {
    const more = await refused('10001', '--as', 'fx', '--amount', '97.01', '--note', 'x');
    expect(more.code).toBe(2);
    expect(more.stderr).toContain('97.00 USD is open of invoice 10001: 97.01 USD cannot be settled');
    const two = await refused('10002', '--as', 'fx', '--note', 'x');
    expect(two.code).toBe(2);
    expect(two.stderr).toContain('invoice 10002 is open in LBP and USD');
    expect(two.stderr).toContain('--currency LBP');
    expect((await refused('10009', '--as', 'fx', '--note', 'x')).code).toBe(2);
    expect((await refused('10001', '--as', 'fx', '--note', ' ')).code).toBe(2);
    expect((await refused('10001', '--as', 'fx')).code).toBe(2);
    expect((await refused('10001', '--note', 'x')).code).toBe(2);
    await settle('10001', '--as', 'write-off', '--note', 'given up');
    const none = await refused('10001', '--as', 'fx', '--note', 'x');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('nothing is open of invoice 10001 in USD');
    expect(await books.json(['settle', 'list'])).toMatchObject({ settlements: [{ id: 1 }] });
  });

  it('calls no more than the limit rounding: what is set for the currency, else its smallest coin', async () => {
    const usd = await refused('10001', '--as', 'rounding', '--amount', '0.06', '--note', 'cents');
    expect(usd.code).toBe(2);
    expect(usd.stderr).toContain('whose limit is 0.05 USD');
    await settle('10001', '--as', 'rounding', '--amount', '0.05', '--note', 'cents');
    const lbp = await refused('10002', '--as', 'rounding', '--currency', 'LBP', '--amount', '1.01', '--note', 'x');
    expect(lbp.code).toBe(2);
    await settle('10002', '--as', 'rounding', '--currency', 'LBP', '--amount', '1', '--note', 'x');
  });

  it('names a faulty limit with its line', async () => {
    writeFileSync(path.join(books.folder, 'remit.toml'), 'rounding_limit = { USD = 0.05 }\n');
    const { code, stderr } = await refused('10001', '--as', 'rounding', '--note', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain('remit.toml:1: rounding_limit.USD must be');
  });

  it('asks on a terminal before it writes', async () => {
    const typed = (answer: string) => ({ typed: [['settle 1', answer]] as const });
    const argv = ['settle', '10001', '--as', 'write-off', '--note', 'given up'];
    const no = await books.remit(argv, typed('n'));
    expect(no.stderr).toContain('write-off invoice 10001: 97.00 USD, open afterwards 0.00');
    expect(await books.json(['settle', 'list'])).toEqual({ settlements: [] });
    await books.remit(argv, typed('y'));
    expect(await books.json(['settle', 'list'])).toMatchObject({ settlements: [{ amount: '97.00' }] });
  });

  it('is listed, and undone on record', async () => {
    await settle('10001', '--as', 'write-off', '--note', 'given up');
    expect(await books.json(['settle', 'undo', '1', '--reason', 'it came', '--by', 'Rana'])).toEqual({
      settlement: 1,
      reason: 'it came',
      by: 'Rana',
    });
    expect((await refused('undo', '1', '--reason', 'again')).code).toBe(2);
    expect((await refused('undo', '7', '--reason', 'none')).code).toBe(2);
    expect(await books.json(['settle', 'list', '2026-11'])).toEqual({
      settlements: [
        {
          courier: 'zahra-store',
          id: 1,
          at: '2026-11-10T09:00:00.000Z',
          by: 'Rana',
          invoice_number: 10001,
          invoice_number_text: '10001',
          currency: 'USD',
          amount: '97.00',
          kind: 'write-off',
          note: 'given up',
          claim: null,
          command: 'settle',
          undone_at: '2026-11-10T09:00:00.000Z',
          undone_by: 'Rana',
          undone_reason: 'it came',
        },
      ],
    });
    expect(await books.json(['settle', 'list', '2026-10'])).toEqual({ settlements: [] });
    expect(await closing('2026-11', 'USD')).toBe('144.00');
    await books.verify();
  });

  it('is no match: it is not listed among them, and `match remove` names the way', async () => {
    await settle('10001', '--as', 'write-off', '--note', 'given up');
    expect(await books.json(['match', 'list'])).toMatchObject({ matches: [], unmatched: { invoices: [10002] } });
    const { code, stderr } = await books.remit(['match', 'remove', '1', '--reason', 'x']);
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('remit settle undo 1');
  });

  it('leaves the rest to the Paid flag where no receipts were imported', async () => {
    await settle('10001', '--as', 'other', '--amount', '7', '--note', 'barter');
    courier.world.invoices[0]!.status = 'PAID';
    writeFileSync(path.join(books.folder, 'remit.toml'), `api_url = "${courier.url}"\n`);
    const later = { now: new Date('2026-11-12T09:00:00Z'), env: { REMIT_API_KEY: KEY } };
    await books.json(['sync', '2026-10', '--accept-account', '--quiet'], later);
    expect(await closing('2026-11', 'USD')).toBe('47.00');
    const { code, stderr } = await refused('10001', '--as', 'other', '--note', 'x');
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('nothing is open');
  });

  it('settles the rest of what a receipt paid', async () => {
    await books.json([
      'import',
      'receipts',
      books.file('a.csv', 'date,amount,currency,text,invoice\n2026-10-20,90.00,USD,Cedar Road 10001,\n'),
    ]);
    expect((await settle('10001', '--as', 'bank-charge', '--note', 'wire fee')).settled).toMatchObject([
      { amount: '7.00', open: '0.00' },
    ]);
    const { stdout } = await books.remit(['check', '2026-10', '--only', 'remittance-short', '--json']);
    expect(JSON.parse(stdout).mismatches).toEqual([]);
    await books.verify();
  });
});

describe('remit dispute write-off', () => {
  const find = async () => {
    const { stdout } = await books.remit(['check', '2026-10', '--json']);
    return JSON.parse(stdout).mismatches as { id: string; code: string; effect: string }[];
  };

  it('settles what the claim says is open, and reopening it opens that again', async () => {
    await books.json([
      'import',
      'receipts',
      books.file(
        'a.csv',
        'date,amount,currency,text,invoice\n2026-10-01,-9.00,USD,Rent,\n2026-10-20,90.00,USD,Cedar Road 10001,\n2026-11-30,-9.00,USD,Rent,\n',
      ),
    ]);
    const { id } = (await find()).find(({ code }) => code === 'remittance-short')!;
    expect((await books.remit(['dispute', id, '--out', 'claim.txt'])).code).toBe(0);
    await books.json(['dispute', 'write-off', id, '--by', 'Rana', '--reason', 'not worth it']);
    expect(await books.json(['settle', 'list'])).toMatchObject({
      settlements: [{ invoice_number: 10001, amount: '7.00', kind: 'write-off', note: 'not worth it', claim: id }],
    });
    expect(await closing('2026-11', 'USD')).toBe('47.00');
    await books.json(['mismatch', 'reopen', id, '--note', 'they will pay', '--by', 'Rana']);
    expect(await books.json(['settle', 'list'])).toMatchObject({
      settlements: [{ id: 2, undone_by: 'Rana', undone_reason: 'they will pay' }],
    });
    expect(await closing('2026-11', 'USD')).toBe('54.00');
    await books.verify();
  });
});
