import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { syncInto } from '../../helpers/sync.ts';

let courier: FakeCourier;
let books: OwnBooks;

/** Nets 97 and 47 dollars. */
beforeEach(async () => {
  const order = (id: string, cod: string) => ({
    order_id: id,
    cod: [['USD', cod]] as [string, string][],
    delivery_fee: [['USD', '3.00']] as [string, string][],
  });
  const unpaid = { status: 'PENDING_PAYMENT' };
  courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', '100.00')], unpaid),
      invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', '50.00')], unpaid),
    ],
  });
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), courier);
});
afterEach(() => courier.close());

const receive = (...lines: string[]) =>
  books.json(['import', 'receipts', books.file('a.csv', `date,amount,currency,text,invoice\n${lines.join('\n')}\n`)]);
const rates = () =>
  books.json(['import', 'rates', books.file('r.csv', 'date,from,to,rate\n2026-10-05,USD,LBP,89500\n')]);
const refusal = async (...argv: string[]) => {
  const { code, stderr } = await books.remit(['match', 'add', ...argv]);
  expect(code).toBe(2);
  return stderr;
};
interface Totals {
  readonly rows: readonly Record<string, string>[];
}
const outstanding = async () => {
  const { rows } = await books.json<Totals>(['report', 'invoices', '2026-10']);
  return rows.map(({ number, currency, outstanding: open }) => [number, currency, open]);
};
interface Listed {
  readonly matches: readonly Record<string, unknown>[];
  readonly unmatched: { readonly receipts: number[] };
}

describe('a receipt in another currency', () => {
  it('that names an invoice is left to people, and pays it at the imported rate of its day', async () => {
    await rates();
    await receive('2026-10-06,8681500,LBP,Cedar Road INV 10001,', '2026-10-07,47.00,USD,Cedar Road,');
    expect((await books.json<Listed>(['match', 'list'])).unmatched.receipts).toEqual([1]);
    expect(await refusal('1', '10001')).toContain('--rate table');
    const added = await books.json(['match', 'add', '1', '10001', '--rate', 'table']);
    expect(added).toEqual({
      receipt: 1,
      invoices: [10001],
      invoices_text: ['10001'],
      currency: 'USD',
      receipts_amount: '97.00',
      invoices_amount: '97.00',
      difference: '0.00',
      difference_kind: null,
      rate: '89500',
      paid_currency: 'LBP',
      paid_amount: '8681500.00',
    });
    expect(await outstanding()).toEqual([
      [10001, 'USD', '0.00'],
      [10002, 'USD', '0.00'],
    ]);
    await books.verify();
  });

  it('leaves a realised exchange difference on record, and a journal that balances in each currency', async () => {
    await receive('2026-10-06,8600000,LBP,Cedar Road,');
    const { matches } = await (async () => {
      await books.json(['match', 'add', '1', '10001', '--rate', '89500']);
      return books.json<Listed>(['match', 'list']);
    })();
    // 8,600,000 / 89,500 = 96.0893...
    expect(matches).toMatchObject([
      {
        receipts_amount: '96.09',
        difference: '-0.91',
        difference_kind: 'fx',
        rate: '89500',
        paid_amount: '8600000.00',
      },
    ]);
    expect((await outstanding())[0]).toEqual([10001, 'USD', '0.00']);
    const journal = await books.json<Totals>(['report', 'journal', '2026-10..2026-11']);
    const sums = new Map<string, bigint>();
    const cents = (text: string | null | undefined) => BigInt((text ?? '0.00').replace('.', ''));
    for (const { transaction, account, currency, debit, credit } of journal.rows) {
      if (!/^(REC|FX|DIF)/.test(transaction ?? '')) continue;
      const key = `${account} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + cents(debit) - cents(credit));
    }
    // With the 0.91 that are left, booked on the day of the decision though its month was never synced.
    expect(Object.fromEntries(sums)).toEqual({
      'Cash or bank LBP': 860_000_000n,
      'Currency conversion LBP': -860_000_000n,
      'Currency conversion USD': 9_609n,
      'Exchange differences USD': 91n,
      'Courier receivable USD': -9_700n,
    });
    await books.verify();
    await books.json(['match', 'remove', '1', '--reason', 'another rate was agreed']);
    expect(await books.json<Listed>(['match', 'list'])).toMatchObject({ matches: [], unmatched: { receipts: [1] } });
    expect((await outstanding())[0]).toEqual([10001, 'USD', '97.00']);
    await books.verify();
  });

  it('pays in part where the person says so, and what is too much for an exchange difference needs a name', async () => {
    await receive('2026-10-06,4475000,LBP,دفعة أولى Cedar Road,');
    expect(await refusal('1', '10001', '--rate', '89500')).toContain('47.00 USD is more than an exchange difference');
    await books.json(['match', 'add', '1', '10001', '--rate', '89500', '--part']);
    expect((await outstanding())[0]).toEqual([10001, 'USD', '47.00']);
    await books.verify();
  });

  it('says what is left, by what name, and at which rate it pays, also where somebody wrote a note', async () => {
    await receive('2026-10-06,8600000,LBP,Cedar Road,');
    const argv = ['match', 'add', '1', '10001', '--rate', '89500', '--difference', 'bank-charge', '--note', 'wire fee'];
    expect((await books.remit(argv)).stdout).toBe(
      'receipt 1 is matched to invoice 10001: 96.09 USD (8,600,000.00 LBP at 89500), 0.91 less than the invoice (bank-charge)\n',
    );
    expect((await books.remit(['show', 'receipt', '1'])).stdout).toMatch(
      /\(manual\), at 89500 LBP for 1 USD +10001 +96\.09 +USD +\w+ +wire fee\n/,
    );
    expect((await books.remit(['show', 'invoice', '10001'])).stdout).toMatch(
      /\(manual\), at 89500 LBP for 1 USD +1 +96\.09 +USD +\w+ +wire fee\n/,
    );
  });

  it('names each invoice that it settles, also one of which the exchange difference takes all', async () => {
    await books.json(['settle', '10002', '--as', 'write-off', '--amount', '43.00', '--note', 'agreed', '--yes']);
    await receive('2026-10-06,8681500,LBP,Cedar Road,');
    const argv = ['match', 'add', '1', '10001', '10002', '--rate', '89500'];
    expect((await books.remit(argv)).stdout).toBe(
      'receipt 1 is matched to invoice 10001, 10002: 97.00 USD (8,681,500.00 LBP at 89500), 4.00 less than the invoices (fx)\n',
    );
    const { matches } = await books.json<{ matches: readonly { id: number }[] }>(['match', 'list']);
    await books.json(['match', 'remove', String(matches[0]!.id), '--reason', 'once more']);
    expect(await books.json(argv)).toMatchObject({
      invoices: [10001, 10002],
      invoices_text: ['10001', '10002'],
      receipts_amount: '97.00',
      invoices_amount: '101.00',
      difference: '-4.00',
      difference_kind: 'fx',
    });
    expect(await outstanding()).toEqual([
      [10001, 'USD', '0.00'],
      [10002, 'USD', '0.00'],
    ]);
    await books.verify();
  });

  it('is refused where it is worth nothing at the rate: it would be used up, and pay no invoice', async () => {
    await books.json(['settle', '10001', '--as', 'write-off', '--note', 'agreed', '--yes']);
    await receive('2026-10-06,400,LBP,Cedar Road,');
    expect(await refusal('1', '10001', '--rate', '89500')).toContain('receipt 1 is worth 0.00 USD at 89500');
    expect(await refusal('1', '10002', '--rate', '89500', '--difference', 'bank-charge')).toContain(
      'would pay nothing',
    );
    expect(await books.json<Listed>(['match', 'list'])).toMatchObject({ unmatched: { receipts: [1] } });
  });

  it('is refused where the day has no rate, the rate is none, or both sides are in one currency', async () => {
    await receive('2026-10-06,8681500,LBP,Cedar Road,', '2026-10-07,12.00,USD,Cedar Road,');
    expect(await refusal('1', '10001', '--rate', 'table')).toContain(
      'no rate of USD to LBP is imported for 2026-10-06',
    );
    expect(await refusal('1', '10001', '--rate', '0')).toContain('a rate of 0');
    expect(await refusal('1', '10001', '--rate', 'about 90000')).toContain('is not a rate');
    expect(await refusal('2', '10001', '--rate', '89500')).toContain('invoice 10001 asks for USD alone');
    expect(await refusal('2', '10001', '--part', '--difference', 'rounding')).toContain(
      'a part payment leaves the rest open',
    );
    expect(await refusal('2', '10001', '--difference', 'fx')).toContain('needs two currencies');
  });

  it('that is a debit is beyond the rate only where it pays more than it is worth', async () => {
    courier.world.invoices = [
      invoiceOf(10003, '2026-10-03T10:00:00+03:00', [
        { order_id: 'C', cod: [], delivery_fee: [['USD', '100.00']] },
        { order_id: 'D', cod: [], delivery_fee: [['USD', '10.00']] },
      ]),
    ];
    await syncInto(path.join(books.folder, 'ledger.db'), courier);
    const settings = path.join(books.folder, 'remit.toml');
    writeFileSync(settings, `rate_tolerance = "0.02"\n${readFileSync(settings, 'utf8')}`);
    await rates();
    await receive('2026-10-06,-8950000,LBP,Cedar Road INV 10003,', '2026-10-06,-895000,LBP,Cedar Road INV 10003,');
    const beyond = async () => {
      const { mismatches } = await books.json<{ mismatches: { amount: string }[] }>([
        'check',
        '--only',
        'implied-rate',
      ]);
      return mismatches.map(({ amount }) => amount);
    };
    // 8,950,000 pounds are worth 100.00 at the rate of the day.
    await books.json(['match', 'add', '1', '10003', '--rate', '89500', '--difference', 'fx', '--note', 'x']);
    expect(await beyond()).toEqual([]);
    await books.json(['match', 'remove', '1', '--reason', 'wrong rate']);
    await books.json(['match', 'add', '1', '10003', '--rate', '85000', '--difference', 'fx', '--note', 'x']);
    expect(await beyond()).toEqual(['-5.29']);
  });
});
