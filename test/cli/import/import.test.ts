import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CASH, ORDERS, ownBooks } from '../../helpers/own-books.ts';
import { query } from '../../helpers/sync.ts';

interface Summary {
  readonly import: number | null;
  readonly kind: string;
  readonly rows: number;
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly totals: unknown;
  readonly statements: unknown;
}

const TARIFF = `workflow,district,area,merchant_location,from,to,currency,fee
STANDARD,,,,,,USD,3.00
STANDARD,Tyre,,,,,USD,4.50
`;

/** As a French bank writes it. */
const FRENCH = Buffer.from('Date;Libell\xe9;Montant\n13/10/2026;Re\xe7u de SOUK;12,50\n', 'latin1');
const FRENCH_MAP = `[maps.fr]
kind = "receipts"
encoding = "windows-1252"
columns = { date = "Date", text = "Libellé", amount = "Montant" }
currency = "EUR"
date = "DD/MM/YYYY"
decimal = ","
`;

describe('remit import', () => {
  it('reads a file that does not say its encoding by the saved map whose columns it has', async () => {
    const books = ownBooks(FRENCH_MAP);
    const file = books.file('bank.csv', FRENCH);
    const explained = await books.json<{ map: string }>(['import', 'receipts', file, '--explain']);
    expect(explained).toMatchObject({ map: 'fr' });
    await books.json(['import', 'receipts', file]);
    const { stdout } = await books.remit(['show', 'receipt', '1']);
    expect(stdout).toContain('Reçu de SOUK');
    await books.verify();

    // Nothing says the encoding where no saved map has the columns.
    const others = ownBooks(FRENCH_MAP.replace('Montant', 'Crédit'));
    const refused = await others.remit(['import', 'receipts', others.file('bank.csv', FRENCH)]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing says which encoding it has')]);
  });

  it('brings in orders, says what it brought, and keeps file, actor and hash as evidence', async () => {
    const books = ownBooks();
    const file = books.file('shop.csv', ORDERS);
    const summary = await books.json<Summary>(['import', 'orders', file, '--by', 'Rana']);
    expect(summary).toEqual({
      import: 2,
      kind: 'orders',
      format: 'csv',
      file: 'shop.csv',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: 2,
      new: 2,
      changed: 0,
      unchanged: 0,
      skipped: [],
      totals: [
        { currency: 'LBP', count: 1, cod: '100000.00' },
        { currency: 'USD', count: 2, cod: '25.00' },
      ],
      statements: [],
    });
    const { imports } = await books.json<{ imports: object[] }>(['import', 'list']);
    expect(imports).toMatchObject([{ id: 2, actor: 'Rana', source: 'shop.csv', kind: 'orders', undone_at: null }]);
    await books.verify();
  });

  it('before any sync: what is checked then leaves a sound ledger', async () => {
    const books = ownBooks();
    await books.json(['import', 'orders', books.file('shop.csv', ORDERS)]);
    expect(await books.remit(['check', '2026-10'])).toMatchObject({ code: 1 });
    await books.verify();
  });

  it('knows the same file again, and changes nothing', async () => {
    const books = ownBooks();
    const file = books.file('shop.csv', ORDERS);
    await books.json(['import', 'orders', file]);
    expect(await books.json<Summary>(['import', 'orders', file])).toMatchObject({ import: 2, new: 0, unchanged: 2 });
    const said = await books.remit(['import', 'orders', file]);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('already imported') });
    expect(query(path.join(books.folder, 'ledger.db'), "select id from evidence where kind = 'import'")).toHaveLength(
      1,
    );
  });

  it('a dry run says what would change and leaves nothing behind, not even a ledger', async () => {
    const books = ownBooks();
    const file = books.file('shop.csv', ORDERS);
    expect(await books.json<Summary>(['import', 'orders', file, '--dry-run'])).toMatchObject({ import: null, new: 2 });
    expect((await books.remit(['import', 'list'])).code).toBe(1);
    await books.json(['import', 'orders', file]);
    const more = books.file('more.csv', `${ORDERS}SO-3,2026-10-03,open,USD,9.00,,\n`);
    expect(await books.json<Summary>(['import', 'orders', more, '--dry-run'])).toMatchObject({ new: 1, unchanged: 2 });
    expect(await books.json<Summary>(['import', 'orders', more])).toMatchObject({ import: 3, new: 1, unchanged: 2 });
  });

  it('a later file of orders changes what it names, keeps what was, and an undo brings that back', async () => {
    const books = ownBooks();
    const ledger = path.join(books.folder, 'ledger.db');
    await books.json(['import', 'orders', books.file('shop.csv', ORDERS)]);
    const before = query(ledger, 'select reference, status, note from own_order order by reference');
    const later = 'reference,ordered_on,status,currency,cod\nSO-1,2026-10-01,cancelled,USD,20.00\n';
    const summary = await books.json<Summary>(['import', 'orders', books.file('later.csv', later)]);
    expect(summary).toMatchObject({ new: 0, changed: 1, unchanged: 0 });
    expect(query(ledger, 'select field, currency, before, after from own_order_change order by field')).toEqual([
      { field: 'cod', currency: 'USD', before: '25.00', after: '20.00' },
      { field: 'status', currency: '', before: 'handed_over', after: 'cancelled' },
    ]);
    await books.verify();
    await books.json(['import', 'undo', '3', '--reason', 'wrong file']);
    expect(query(ledger, 'select reference, status, note from own_order order by reference')).toEqual(before);
    await books.verify();
    const again = await books.remit(['import', 'undo', '3', '--reason', 'wrong file']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('import 3 was undone already') });
  });

  it('files that overlap hold each line once, two equal lines are two, and an undo takes what no other file holds', async () => {
    const books = ownBooks('[receipts]\npayers = ["courier"]');
    const ledger = path.join(books.folder, 'ledger.db');
    const count = () => query<{ n: number }>(ledger, 'select count(*) as n from receipt')[0]!.n;
    expect(await books.json<Summary>(['import', 'receipts', books.file('a.csv', CASH)])).toMatchObject({
      rows: 3,
      new: 3,
    });
    const wider = `${CASH}2026-11-02,40.00,USD,COD of the courier,\n`;
    const said = await books.json<Summary>(['import', 'receipts', books.file('b.csv', wider)]);
    expect(said).toMatchObject({ rows: 4, new: 1, unchanged: 3 });
    expect(count()).toBe(4);
    await books.json(['import', 'undo', '2', '--reason', 'a part only']);
    expect(count()).toBe(4);
    await books.verify();
    await books.json(['import', 'undo', '3', '--reason', 'all of it']);
    expect(count()).toBe(0);
    await books.json(['import', 'receipts', 'a.csv']);
    // No id of a receipt is given twice.
    expect(query(ledger, 'select id from receipt order by id')).toEqual([{ id: 5 }, { id: 6 }, { id: 7 }]);
    await books.verify();
  });

  it('a statement that does not add up is refused with its three figures, unless the gap is taken', async () => {
    const books = ownBooks();
    const text = readFileSync('test/fixtures/books/month.sta', 'utf8');
    const file = books.file('gap.sta', text.replace(/:62F:C(\d{6}[A-Z]{3})\d+,/, ':62F:C$11,'));
    const refused = await books.remit(['import', 'receipts', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/does not add up: it opens with .*, its lines come to .*, and it closes with/);
    expect((await books.remit(['import', 'list', '--json'])).stdout).toBe('{"imports":[]}\n');
    const taken = await books.json<Summary>(['import', 'receipts', file, '--allow-gap']);
    expect(taken.statements).toMatchObject([{ balanced: true }, { balanced: false }]);
    await books.verify();
  });

  it('two lines of the rate card that tie are refused, and both are named, also across files', async () => {
    const books = ownBooks();
    await books.json(['import', 'tariff', books.file('card.csv', TARIFF)]);
    const other = books.file('other.csv', `${TARIFF.split('\n')[0]}\nSTANDARD,Tyre,,,2026-10-01,,USD,5.00\n`);
    const refused = await books.remit(['import', 'tariff', other]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('card.csv:3 and other.csv:2 cover the same orders in USD');
    const same = books.file('same.csv', `${TARIFF}EXCHANGE,,,,,,USD,6.00\n`);
    expect(await books.json<Summary>(['import', 'tariff', same])).toMatchObject({ new: 1, unchanged: 2 });
    await books.json(['import', 'undo', '2', '--reason', 'replaced by the longer one']);
    expect(query(path.join(books.folder, 'ledger.db'), 'select line from tariff_line')).toHaveLength(3);
    await books.verify();
  });

  it('rates that contradict each other are refused', async () => {
    const books = ownBooks();
    const rates = 'date,from,to,rate\n2026-10-01,USD,LBP,89500\n';
    await books.json(['import', 'rates', books.file('r.csv', rates)]);
    const refused = await books.remit(['import', 'rates', books.file('s.csv', rates.replace('89500', '90000'))]);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('two rates of USD to LBP for 2026-10-01'),
    });
    await books.verify();
  });

  it('of several files all or none are imported', async () => {
    const books = ownBooks();
    const [good, bad] = [books.file('good.csv', ORDERS), books.file('bad.csv', 'reference,ordered_on\nSO,x\n')];
    const refused = await books.remit(['import', 'orders', good, bad]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('bad.csv') });
    expect((await books.remit(['import', 'list'])).code).toBe(1);
  });

  it('an ambiguous date is refused with the map to add; with that map the file is read; an unknown map is wrong use', async () => {
    const bank = 'Date,Amount,Details\n03/04/2026,"1,234",COD\n';
    const books = ownBooks();
    const file = books.file('bank.csv', bank);
    const refused = await books.remit(['import', 'receipts', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('[maps.mine]');
    expect(await books.remit(['import', 'receipts', file, '--map', 'bank'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no map "bank"'),
    });
    const mapped = ownBooks(
      '[maps.bank]\nkind = "receipts"\ndate = "DD/MM/YYYY"\nthousands = ","\ndecimal = "."\ncurrency = "USD"\ncolumns = { date = "Date", amount = "Amount", text = "Details" }',
    );
    const summary = await mapped.json<Summary>(['import', 'receipts', mapped.file('bank.csv', bank), '--map', 'bank']);
    expect(summary.totals).toEqual([{ currency: 'USD', count: 1, debits: '0.00', credits: '1234.00' }]);
    await mapped.verify();
  });

  it('on a terminal the map is shown with the first rows, confirmed, and saved', async () => {
    const books = ownBooks();
    const file = books.file('bank.csv', 'Date,Amount,Currency,Details\n25/10/2026,1234.50,USD,COD\n');
    const typed = [
      ['save the map in remit.toml? y/n', 'yes'],
      ['Name of the map', 'bank'],
    ] as const;
    const outcome = await books.remit(['import', 'receipts', file], { typed, terminal: true });
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('1 new') });
    expect(outcome.stderr).toContain('25/10/2026 | 1234.50 | USD | COD');
    expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).toContain('[maps.bank]');
    expect(await books.json<Summary>(['import', 'receipts', file, '--map', 'bank'])).toMatchObject({ unchanged: 1 });
  });

  it('on a terminal what the file leaves open is asked before the map is confirmed: columns, dates, decimals, the currency', async () => {
    const books = ownBooks();
    const file = books.file('shop.csv', 'When,Paid,Who\n03/04/2026,"1,234",Rana\n04/05/2026,"2,500",Omar\n');
    const typed = [
      ['Which column holds the amount', 'paid'],
      ['Which column holds the date', 'When'],
      ['Which currency', 'lbp'],
      ['How are its dates written', 'MM/DD/YYYY'],
      ['Which sign stands before its decimals', '.'],
      ['Read it so', 'y'],
      ['Name of the map', 'till'],
    ] as const;
    const outcome = await books.remit(['import', 'receipts', file], { typed, terminal: true });
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('2 new') });
    const toml = readFileSync(path.join(books.folder, 'remit.toml'), 'utf8');
    for (const line of ['[maps.till]', 'date = "MM/DD/YYYY"', 'decimal = "."', 'currency = "LBP"'])
      expect(toml).toContain(line);
    const known = await books.json<Summary>(['import', 'receipts', file, '--map', 'till']);
    expect(known.totals).toEqual([{ currency: 'LBP', count: 2, debits: '0.00', credits: '3734.00' }]);
  });

  it('on a terminal an empty answer gives the file up, and no map is kept', async () => {
    const books = ownBooks();
    const file = books.file('bank.csv', 'Date,Amount,Details\n03/04/2026,1234.50,COD\n');
    const outcome = await books.remit(['import', 'receipts', file], {
      typed: [['Which currency', '']],
      terminal: true,
    });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('no column says the currency') });
    expect(readFileSync(path.join(books.folder, 'remit.toml'), 'utf8')).not.toContain('[maps.');
  });

  it('standard input is a file too', async () => {
    const books = ownBooks();
    const outcome = await books.remit(['import', 'orders', '-', '--json']);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('standard input: it is empty') });
  });

  it('a fault in a table of remit.toml is named with its line', async () => {
    const books = ownBooks('[receipts]\npayer = ["x"]');
    const { code, stderr } = await books.remit(['import', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('remit.toml:2: [receipts] has no setting "payer"');
  });

  it('a map with faults is an error where it is used, and nowhere else', async () => {
    const books = ownBooks('[maps.bank]\nkind = "receits"\nsheet = 3');
    const file = books.file('bank.csv', 'date,amount,currency,text,invoice\n2026-10-01,1.00,USD,a,\n');
    expect((await books.remit(['import', 'receipts', file])).code).toBe(0);
    expect((await books.remit(['import', 'list'])).code).toBe(0);
    const { code, stderr } = await books.remit(['import', 'receipts', file, '--map', 'bank']);
    expect(code).toBe(2);
    expect(stderr).toContain('the map "bank" cannot be used: maps.bank.kind must be one of orders');
    expect(stderr).toContain("maps.bank.sheet must be a sheet's name");
  });
});
