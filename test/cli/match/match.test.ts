import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { query, syncInto } from '../../helpers/sync.ts';

interface Report {
  readonly matches: readonly {
    readonly id: number | null;
    readonly rule: string;
    readonly receipts: number[];
    readonly invoices: number[];
    readonly difference: string;
    readonly difference_kind: string | null;
  }[];
  readonly ambiguous: readonly { readonly receipt: number; readonly ways: number[][] }[];
  readonly unmatched: { readonly receipts: number[]; readonly invoices: number[] };
}

const order = (id: string, cod: string) => ({
  order_id: id,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
});

const HEAD = 'date,amount,currency,text,invoice\n';

let courier: FakeCourier;
let books: OwnBooks;

/** Nets 97, 47, 47 and 200 dollars. */
beforeEach(async () => {
  courier = await startFakeCourier({
    invoices: [
      invoiceOf(10001, '2026-10-01T10:00:00+03:00', [order('A', '100.00')]),
      invoiceOf(10002, '2026-10-02T10:00:00+03:00', [order('B', '50.00')]),
      invoiceOf(10003, '2026-10-02T11:00:00+03:00', [order('C', '50.00')]),
      invoiceOf(10004, '2026-10-09T10:00:00+03:00', [order('D', '203.00')]),
    ],
  });
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), courier);
});
afterEach(() => courier.close());

const receive = (name: string, ...lines: string[]) =>
  books.json(['import', 'receipts', books.file(name, `${HEAD}${lines.join('\n')}\n`)]);
const list = () => books.json<Report>(['match', 'list']);
const events = () =>
  query<{ n: number }>(
    path.join(books.folder, 'ledger.db'),
    "select count(*) as n from evidence where kind like 'match%'",
  )[0]!.n;

describe('remit match', () => {
  it('what the rules would match and have not yet is listed as unmatched: it is on neither side lost', async () => {
    await receive('a.csv', '2026-10-11,97.00,USD,Other Bank payment,');
    const settings = path.join(books.folder, 'remit.toml');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('Cedar Road', 'Other Bank'));
    expect((await list()).unmatched).toMatchObject({ receipts: [1], invoices: [10001, 10002, 10003, 10004] });
    await books.json(['match']);
    expect((await list()).unmatched).toMatchObject({ receipts: [], invoices: [10002, 10003, 10004] });
  });

  it.each(['part payment INV 10004', 'دفعة من فاتورة رقم ١٠٠٠٤'])(
    'books a part payment on the invoice that its text names, not on the one that asks for the amount: %s',
    async (text) => {
      await receive('a.csv', `2026-10-11,97.00,USD,${text},`);
      const { matches, unmatched } = await list();
      expect(matches).toMatchObject([{ rule: 'named-part', invoices: [10004], difference: '-103.00' }]);
      expect(unmatched.invoices).toEqual([10001, 10002, 10003]);
      await books.verify();
    },
  );

  it('asks whether somebody whose lines match invoices is the courier', async () => {
    const lines = [
      '2026-10-03,97.00,USD,BOB FINANCE 118,',
      '2026-10-10,200.00,USD,BOB FINANCE 120,',
      '2026-10-11,5.00,USD,BOB FINANCE 121,',
      '2026-10-11,6.00,USD,Card sales,',
      '2026-10-30,97.00,USD,حوالة قديمة,',
    ];
    const said = await books.remit(['import', 'receipts', books.file('a.csv', `${HEAD}${lines.join('\n')}\n`)]);
    expect(said.stdout).toContain('2 lines from "BOB FINANCE" match invoices: is this the courier?');
    expect(said.stdout).not.toContain('from Card sales');
    expect(await list()).toMatchObject({ matches: [], suggested_payers: [{ name: 'BOB FINANCE', lines: 2 }] });
    const settings = path.join(books.folder, 'remit.toml');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('Cedar Road', 'Bob Finance'));
    expect(await books.json(['match'])).toMatchObject({
      suggested_payers: [],
      unmatched: { invoices: [10002, 10003] },
    });
    expect((await books.remit(['match', 'list'])).stdout).not.toContain('is this the courier');
  });

  it('names the other receipts where one explains an invoice only beside them, and in more ways than one', async () => {
    await receive(
      'a.csv',
      '2026-10-11,90.00,USD,Cedar Road payment,',
      '2026-10-12,7.00,USD,Cedar Road payment,',
      '2026-10-13,7.00,USD,Cedar Road payment,',
    );
    const report = await list();
    expect(report.matches).toEqual([]);
    expect(report.ambiguous).toMatchObject([
      { receipt: 1, ways: [[10001], [10001]] },
      { receipt: 2, ways: [[10001]] },
      { receipt: 3, ways: [[10001]] },
    ]);
    const shown = (await books.remit(['match', 'list'])).stdout;
    expect(shown).toContain('receipt 1, 90.00 USD: 10001 (2 ways, beside other receipts)\n');
    const { stdout } = await books.remit(['check', '--only', 'receipt-ambiguous', '--all']);
    expect(stdout).toContain(
      'can be explained in 2 ways: invoice 10001 with receipt 2 and invoice 10001 with receipt 3:',
    );
    expect(stdout).toContain('may pay invoice 10001 with receipt 1, but so may other receipts:');
  });

  it('runs by itself after an import: by number, by amount; what has two explanations is listed and left', async () => {
    await receive(
      'a.csv',
      '2026-10-10,200.00,USD,Cedar Road 10004,',
      '2026-10-11,97.00,USD,Cedar Road payment,',
      '2026-10-12,47.00,USD,Cedar Road payment,',
      '2026-10-12,-9.00,USD,Rent,',
    );
    const report = await list();
    expect(report.matches).toMatchObject([
      { id: 1, rule: 'named', receipts: [1], invoices: [10004], difference: '0.00' },
      { id: 2, rule: 'equal', receipts: [2], invoices: [10001], difference: '0.00' },
    ]);
    expect(report.ambiguous).toMatchObject([{ receipt: 3, ways: [[10002], [10003]] }]);
    expect(report.unmatched).toMatchObject({ receipts: [], invoices: [10002, 10003] });
    await books.verify();
  });

  it('a second run changes nothing, and a dry run keeps nothing', async () => {
    await receive('a.csv', '2026-10-10,200.00,USD,Cedar Road 10004,');
    expect(events()).toBe(1);
    const first = await books.json<Report>(['match']);
    expect(await books.json<Report>(['match', '--dry-run'])).toEqual(first);
    expect(await books.json<Report>(['match', '2026-10'])).toEqual(first);
    expect(events()).toBe(1);
  });

  it('runs by itself after a sync: a receipt that came before its invoice meets it then', async () => {
    await receive('a.csv', '2026-10-20,17.00,USD,Cedar Road 10005,');
    expect((await list()).matches).toEqual([]);
    courier.world.invoices.push(invoiceOf(10005, '2026-10-19T10:00:00+03:00', [order('E', '20.00')]));
    const toml = `api_url = "${courier.url}"\n[receipts]\npayers = ["Cedar Road"]\n`;
    books.file('remit.toml', toml);
    await books.json(['sync', '2026-10', '--accept-account', '--quiet'], { env: { REMIT_API_KEY: KEY } });
    expect((await list()).matches).toMatchObject([{ rule: 'named', invoices: [10005] }]);
    await books.verify();
  });

  it('by hand: only what tallies or is named; what a person took away is left to people', async () => {
    await receive('a.csv', '2026-10-12,47.00,USD,Cedar Road payment,', '2026-10-13,90.00,USD,Cedar Road payment,');
    const refused = await books.remit(['match', 'add', '2', '10001', '--by', 'Rana']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(', 7.00 USD apart') });
    await books.json(['match', 'add', '2', '10001', '--difference', 'bank-charge', '--by', 'Rana']);
    await books.json(['match', 'add', '1', '10003', '--by', 'Rana']);
    const report = await list();
    expect(report.matches).toMatchObject([
      { id: 1, rule: 'manual', receipts: [2], invoices: [10001], difference: '-7.00', difference_kind: 'bank-charge' },
      { id: 2, rule: 'manual', receipts: [1], invoices: [10003] },
    ]);
    await books.json(['match', 'remove', '2', '--reason', 'it was 10002', '--by', 'Rana']);
    const after = await books.json<Report>(['match']);
    expect(after.matches.map(({ id }) => id)).toEqual([1]);
    expect(after.ambiguous).toEqual([]);
    expect(after.unmatched.receipts).toEqual([1]);
    await books.json(['match', 'add', '1', '10002']);
    expect(await books.remit(['match', 'remove', '2', '--reason', 'again'])).toMatchObject({ code: 2 });
    await books.verify();
  });

  it('an import that is undone takes its matches with it', async () => {
    await receive('a.csv', '2026-10-10,200.00,USD,Cedar Road 10004,');
    const { imports } = await books.json<{ imports: { id: number }[] }>(['import', 'list']);
    await books.json(['import', 'undo', String(imports[0]!.id), '--reason', 'another account']);
    expect((await list()).matches).toEqual([]);
    await books.verify();
    await receive('b.csv', '2026-10-10,200.00,USD,Cedar Road 10004,', '2026-10-10,1.00,USD,x,');
    expect((await list()).matches).toMatchObject([{ id: 2, receipts: [2], invoices: [10004] }]);
    await books.verify();
  });
});
