import { describe, expect, it } from 'vitest';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar, PAYOUT_118, sheetBooks, TOTAL_118 } from '../../helpers/settlements.ts';

interface Summary {
  readonly import: number | null;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
}

interface Checked {
  readonly skipped: readonly { readonly code: string; readonly why: string }[];
  readonly coverage: readonly { readonly code: string; readonly compared: number; readonly not_comparable: number }[];
  readonly mismatches: readonly { readonly code: string; readonly effect: string | null; readonly message: string }[];
}

const take = (books: OwnBooks, name: string, ...lines: string[]) =>
  books.json<Summary>(['import', 'settlement', books.file(name, cedar(...lines)), '--map', 'cedar']);

/** What a check prints, whatever it finds. */
async function checked(books: OwnBooks): Promise<Checked> {
  return JSON.parse((await books.remit(['check', '2026-10', '--json'])).stdout);
}

async function rowsOf(books: OwnBooks, report: string): Promise<readonly Record<string, unknown>[]> {
  return (await books.json<{ rows: Record<string, unknown>[] }>(['report', report, '2026-10'])).rows;
}

describe('remit import settlement', () => {
  it('brings payouts as invoices, with charges and taxes by kind', async () => {
    const books = sheetBooks();
    const sheet = books.file('october.csv', cedar(...PAYOUT_118, TOTAL_118));
    const argv = ['import', 'settlement', sheet, '--map', 'cedar'];
    expect(await books.json([...argv, '--dry-run'])).toMatchObject({ import: null, new: 3 });
    expect(await books.json(argv)).toMatchObject({
      kind: 'settlement',
      rows: 3,
      new: 3,
      changed: 0,
      unchanged: 0,
      totals: [
        {
          currency: 'USD',
          invoices: 1,
          orders: 3,
          cod: '130.00',
          charges: '9.50',
          taxes: '0.19',
          net_due_to_merchant: '120.31',
        },
      ],
    });
    expect(await rowsOf(books, 'invoices')).toMatchObject([
      { number: 118, status: 'PAID', orders: 3, cod: '130.00', delivery_fee: '9.69', net_due_to_merchant: '120.31' },
    ]);
    expect(await rowsOf(books, 'charges')).toMatchObject([
      { kind: 'charge', name: 'delivery', orders: 3, charged: '8.00', order_charged: '8.00', difference: '0.00' },
      { kind: 'charge', name: 'handling', orders: 2, charged: '1.50' },
      { kind: 'tax', name: 'wht', orders: 3, charged: '0.19' },
    ]);
    const again = await books.remit(argv);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('already imported') });
    await books.verify();
  });

  it('says which checks it cannot feed, and why', async () => {
    const books = sheetBooks();
    await take(books, 'computed.csv', ...PAYOUT_118.map((line) => line.replace(/[^,]+$/, '')));
    const { skipped, mismatches, coverage } = await checked(books);
    const why = (code: string) => skipped.find((one) => one.code === code)?.why;
    expect(why('invoice-cod-total')).toContain('states no total of the COD');
    expect(why('invoice-fee-total')).toContain('states no total of the delivery fee');
    expect(why('invoice-net')).toContain('states no total of the net due');
    expect(why('invoice-list-detail')).toContain('has no list beside it');
    for (const code of ['paid-state-conflict', 'cod-without-delivery', 'fee-on-cancelled'])
      expect(why(code)).toContain('does not say in which states');
    expect(coverage.find(({ code }) => code === 'invoice-net')).toMatchObject({ compared: 0, not_comparable: 0 });
    expect(mismatches).toEqual([]);
  });

  it('books each charge and tax in an account of its own, and what a restatement changes of it', async () => {
    const books = sheetBooks();
    await take(books, 'first.csv', ...PAYOUT_118, TOTAL_118);
    const hledger = async () => {
      const { stdout, stderr } = await books.remit(['report', 'journal', '2026-10..2026-11', '--format', 'hledger']);
      expect(stderr).toBe('');
      return stdout;
    };
    expect(await hledger()).toMatch(
      /Expenses:Delivery fees {2}8\.00 [\s\S]*Expenses:Delivery fees:Handling {2}1\.50 [\s\S]*Assets:Taxes withheld:Wht {2}0\.19 /,
    );
    const other = PAYOUT_118.map((line) => line.replace('3.00,1.00,', '3.00,1.25,'));
    await take(books, 'second.csv', ...other, 'Total,,,,,,130.00,8.00,1.75,0.19,120.06');
    expect(await hledger()).toMatch(/RES-118-[\s\S]*Expenses:Delivery fees:Handling {2}0\.25 /);
    const beancount = await books.remit(['report', 'journal', '2026-10', '--format', 'beancount']);
    expect(beancount.stdout).toContain('open Expenses:DeliveryFees:Handling');
    const { rows } = await books.json<{ rows: { account: string }[] }>(['report', 'journal', '2026-10']);
    expect(rows.map(({ account }) => account)).toContain('Taxes withheld: wht');
    await books.verify();
  });

  it('counts a payout as paid on its own date, whenever its sheet is imported, and one that is pending not', async () => {
    const books = sheetBooks();
    const pending = '119,2026-10-31,Pending,C-9,SO-9,Delivery,10.00,3.00,0.00,0.00,7.00';
    await take(books, 'october.csv', ...PAYOUT_118, pending);
    expect(await rowsOf(books, 'roll-forward')).toMatchObject([
      { invoiced: '127.31', already_paid: '-120.31', closing: '7.00' },
    ]);
    expect(await rowsOf(books, 'open-items')).toMatchObject([{ number: 119, open: '7.00' }]);
    expect(await rowsOf(books, 'ageing')).toMatchObject([{ number: 119, open: '7.00', received_since: '0.00' }]);
  });

  it('closes a month whose courier shows no order book', async () => {
    const books = sheetBooks();
    await take(books, 'october.csv', ...PAYOUT_118, TOTAL_118);
    const { skipped } = await checked(books);
    expect(skipped.find(({ code }) => code === 'order-unknown')?.why).toBe(
      'the courier sends settlement sheets, and shows no order book',
    );
    const november = '130,2026-11-20,Paid,C-30,SO-30,Delivery,10.00,3.00,0.00,0.00,7.00';
    const { import: later } = await take(books, 'november.csv', november);
    const closed = await books.json(['close', '2026-10', '--by', 'rana', '--first']);
    expect(closed).toMatchObject({ status: 'closed', with_open: null });
    const undo = await books.remit(['import', 'undo', '3', '--reason', 'no']);
    expect(undo.stderr).toContain('2026-10 is closed and rests on it');
    // The close does not rest on a sheet of a later month, though that came before it.
    expect((await books.remit(['import', 'undo', String(later), '--reason', 'wrong file', '--by', 'rana'])).code).toBe(
      0,
    );
    await books.verify();
  });

  it('finds totals that do not tie, charge by charge, an order twice and a status that is not known', async () => {
    const books = sheetBooks(`returns = "as-stated"\n${CEDAR}`);
    const rows = [...PAYOUT_118, PAYOUT_118[1]!].map((line) => line.replace('Paid', 'Batch 3'));
    // Against the rows: COD 40.00 too little, delivery 1.00 too much, handling 1.00 too little, net 0.10 too little.
    await take(books, 'wrong.csv', ...rows, 'Total,,,,,,140.00,12.00,1.00,0.26,126.64');
    const { mismatches } = await checked(books);
    const found = mismatches.map(({ code, effect }) => [code, effect]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['invoice-cod-total', '-40.00'],
        ['invoice-fee-total', '-1.00'],
        ['invoice-fee-total', '1.00'],
        ['invoice-net', '-0.10'],
        ['order-repeated', '46.43'],
        ['status-unknown', null],
      ]),
    );
    expect(found).toHaveLength(6);
    expect(mismatches.map(({ message }) => message).join('\n')).toContain('handling');
  });

  it('restates a payout that a later sheet shows otherwise, and once more by the earlier one', async () => {
    const books = sheetBooks();
    const first = await take(books, 'first.csv', ...PAYOUT_118, TOTAL_118);
    const other = [...PAYOUT_118.slice(0, 2), 'Total,,,,,,150.00,6.00,1.50,0.15,142.35'];
    const wider = cedar(...PAYOUT_118, TOTAL_118, '119,2026-10-31,Pending,C-9,SO-9,,10.00,1.00,0.00,0.00,9.00');
    const later = { now: new Date('2026-11-11T09:00:00Z') };
    const more = (name: string, text: string) =>
      books.json<Summary>(['import', 'settlement', books.file(name, text), '--map', 'cedar'], later);
    expect(await more('wider.csv', wider)).toMatchObject({ new: 1, changed: 0, unchanged: 3 });
    expect(await more('second.csv', cedar(...other))).toMatchObject({ new: 0, changed: 2, unchanged: 0 });
    const restated = async () =>
      (await checked(books)).mismatches.filter(({ code }) => code === 'invoice-restated').length;
    expect(await restated()).toBeGreaterThan(0);
    expect(await rowsOf(books, 'invoices')).toMatchObject([
      { number: 118, net_due_to_merchant: '142.35' },
      { number: 119, status: 'PENDING_PAYMENT', net_due_to_merchant: '9.00' },
    ]);
    const back = await more('first.csv', cedar(...PAYOUT_118, TOTAL_118));
    expect(back).toMatchObject({ changed: 3, unchanged: 0 });
    expect(back.import).not.toBe(first.import);
    expect(await restated()).toBe(0);
    await books.verify();
    const asOf = await books.json<{ rows: object[] }>(['report', 'invoices', '2026-10', '--as-of', '2026-11-10']);
    expect(asOf.rows).toMatchObject([{ number: 118, net_due_to_merchant: '120.31' }]);

    await books.json(['import', 'undo', String(back.import), '--reason', 'an old one']);
    expect(await rowsOf(books, 'invoices')).toMatchObject([{ net_due_to_merchant: '142.35' }, { number: 119 }]);
    await books.verify();
  });

  it('keeps a payout number that is no integer, pays it by that number, and takes all of it back with its import', async () => {
    const books = sheetBooks(`${sheetMap}[receipts]\npayers = ["Cedar"]\n`);
    const payout = 'PAY-31/10,2026-10-31,Batch 3,C-1,SO-1,Delivery,100.00,3.00,1.00,0.08,95.92';
    const taken = await take(books, 'text.csv', payout);
    expect(await rowsOf(books, 'invoices')).toMatchObject([{ number: 900000001, number_text: 'PAY-31/10' }]);
    const cash =
      'date,amount,currency,text,invoice\n2026-11-02,95.92,USD,Cedar PAY-31/10,\n2026-11-05,1.00,USD,Shop,\n';
    await books.json(['import', 'receipts', books.file('bank.csv', cash)]);
    const { matches } = await books.json<{ matches: object[] }>(['match', 'list']);
    expect(matches).toMatchObject([{ invoices: [900000001], receipts_amount: '95.92' }]);
    expect((await books.remit(['show', 'invoice', 'PAY-31/10'])).stdout).toContain('PAY-31/10');
    expect((await checked(books)).mismatches).not.toEqual([]);
    const undone = await books.json<{ resolved: number }>(['import', 'undo', String(taken.import), '--reason', 'no']);
    expect(undone.resolved).toBeGreaterThan(0);
    expect(await books.json(['match', 'list'])).toMatchObject({ matches: [] });
    expect(await books.json(['mismatch', 'list'])).toMatchObject({ mismatches: [] });
    await books.verify();
    // The number is never given to another payout.
    await take(books, 'other.csv', payout.replace('PAY-31/10', 'PAY-30/10'));
    expect(await rowsOf(books, 'invoices')).toMatchObject([{ number: 900000002, number_text: 'PAY-30/10' }]);
  });

  it('computes a header by the courier’s convention for RETURN rows, where a setting says which', async () => {
    const books = sheetBooks(`returns = "deducted"\n${sheetMap}`);
    const columns = (line: string) => line.replace('-20.00', '20.00');
    await take(books, 'october.csv', ...PAYOUT_118.map(columns));
    // 150.00 less the 20.00 paid on the return; the fees of the deliveries alone.
    expect(await rowsOf(books, 'invoices')).toMatchObject([
      { cod: '130.00', delivery_fee: '7.65', net_due_to_merchant: '122.35' },
    ]);
    expect((await checked(books)).mismatches).toEqual([]);
    await books.verify();
  });

  it('refuses a wrong sheet whole', async () => {
    const books = sheetBooks();
    await take(books, 'good.csv', ...PAYOUT_118);
    const sheet = books.file('bad.csv', cedar(...PAYOUT_118, '119,2026-10-31,Paid,C-4,,,NaN,0,0,0,0'));
    const refused = await books.remit(['import', 'settlement', sheet, '--map', 'cedar']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('bad.csv, line 5, COD: "NaN" is not an amount');
    expect(await books.json(['import', 'list'])).toMatchObject({ imports: [{ source: 'good.csv' }] });
  });
});

const sheetMap = `[maps.cedar]
kind = "settlement"
currency = "USD"
columns = { invoice = "Payout", issued_on = "Paid on", status = "Status", order = "AWB", reference = "Your ref", workflow = "Type", cod = "COD" }
charges = { delivery = "Delivery Fee", handling = "COD %" }
taxes = { wht = "WHT 2%" }
`;
