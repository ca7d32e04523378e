import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { query, syncInto } from '../../helpers/sync.ts';

let courier: FakeCourier;

/** Net 80 dollars. */
beforeAll(async () => {
  const order = { order_id: 'A', cod: [['USD', '83.00']] as [string, string][] };
  const fee = { delivery_fee: [['USD', '3.00']] as [string, string][] };
  courier = await startFakeCourier({
    invoices: [invoiceOf(10001, '2026-10-01T10:00:00+03:00', [{ ...order, ...fee }])],
  });
});
afterAll(() => courier.close());

/** Books with that invoice. */
async function syncedBooks(toml = '[receipts]\npayers = ["Cedar Road"]'): Promise<OwnBooks> {
  const books = ownBooks(toml);
  await syncInto(path.join(books.folder, 'ledger.db'), courier);
  return books;
}

const HEAD = 'date,amount,currency,text,invoice\n';
const csv = (...lines: string[]) => `${HEAD}${lines.join('\n')}\n`;
const LINES = ['2026-10-06,90.00,USD,Cedar Road,', '2026-10-08,80.00,USD,Cedar Road,'] as const;

/** The same two lines as the bank's OFX has them. */
function ofx(
  account = 'LB62 0999',
  lines: readonly (readonly [string, string])[] = [
    ['20261006', '90.00'],
    ['20261008', '80.00'],
  ],
) {
  const entries = lines.map(
    ([day, amount], at) =>
      `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>${amount}<FITID>F${at}<NAME>CEDAR ROAD SAL</STMTTRN>`,
  );
  return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n
<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20261031</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>0620<ACCTID>${account}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20261001<DTEND>20261031
${entries.join('\n')}
</BANKTRANLIST><LEDGERBAL><BALAMT>0.00<DTASOF>20261031</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
}

interface Summary {
  readonly import: number;
  readonly new: number;
  readonly unchanged: number;
  readonly account: string | null;
  readonly replaced: number;
  readonly held_not_in_file: readonly object[];
}

interface Matches {
  readonly matches: readonly { readonly rule: string; readonly invoices: number[] }[];
}

interface Receipts {
  readonly rows: readonly { readonly amount: string }[];
  readonly totals: readonly { readonly amount: string }[];
}

const received = async (books: OwnBooks) =>
  (await books.json<Receipts>(['report', 'receipts', '2026-10'])).totals.map(({ amount }) => amount);
const take = (books: OwnBooks, name: string, ...more: string[]) =>
  books.json<Summary>(['import', 'receipts', name, ...more]);

describe('one account, once', () => {
  it('names each account of a file that holds no lines', async () => {
    const books = ownBooks();
    const [one, other] = [ofx('111', []), ofx('222', [])];
    const second = other
      .slice(other.indexOf('<STMTTRNRS>'), other.indexOf('</BANKMSGSRSV1>'))
      .replace('<CURDEF>USD', '<CURDEF>LBP');
    const file = books.file('two.ofx', one.replace('</BANKMSGSRSV1>', `${second}</BANKMSGSRSV1>`));
    expect((await books.remit(['import', 'receipts', file])).stdout).toBe(
      [
        'two.ofx: import 2: receipts (ofx), 0 lines: 0 new',
        '  statement 111 2026-10-01 to 2026-10-31: no lines in USD',
        '  statement 222 2026-10-01 to 2026-10-31: no lines in LBP',
        '',
      ].join('\n'),
    );
  });

  it('a file that does not say its account is refused while a statement of one in its currency is held', async () => {
    const books = await syncedBooks();
    await take(books, books.file('bank.ofx', ofx()));
    const file = books.file('bank.csv', csv(...LINES, '2026-10-09,5.00,USD,كشف,'));
    const refused = await books.remit(['import', 'receipts', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'does not say whose account it is, while statements of "LB62 0999" in USD are held',
    );
    expect(refused.stderr).toContain('2 of its 3 lines stand there already: line 2 of 2026-10-06, 90.00 USD, is held');
    expect(refused.stderr).toContain('--account');
    expect(await received(books)).toEqual(['170.00']);
    const taken = await take(books, file, '--account', 'lb620999');
    expect(taken).toMatchObject({ account: 'lb620999', new: 1, unchanged: 2, replaced: 0, held_not_in_file: [] });
    expect(await received(books)).toEqual(['175.00']);
    await books.verify();
  });

  it('of the other order too: lines that are held without an account are not held again under one', async () => {
    const books = await syncedBooks();
    const first = await take(books, books.file('bank.csv', csv(...LINES)));
    expect(first.account).toBeNull();
    const file = books.file('bank.ofx', ofx());
    const refused = await books.remit(['import', 'receipts', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `line 12 of 2026-10-06, 90.00 USD, is held from bank.csv (import ${first.import})`,
    );
    expect(refused.stderr).toContain(`remit import undo ${first.import}`);
    expect(await received(books)).toEqual(['170.00']);
    await books.json(['import', 'undo', String(first.import), '--reason', 'no account']);
    await take(books, 'bank.csv', '--account', 'LB620999');
    expect(await take(books, file)).toMatchObject({ account: 'LB62 0999', new: 0, unchanged: 2 });
    expect(await received(books)).toEqual(['170.00']);
    await books.verify();
  });

  it('a map says whose account its files are, and another account shows the lines that stand under the first', async () => {
    const map = '[maps.till]\nkind = "receipts"\naccount = "Cash box"\n[receipts]\npayers = ["Cedar Road"]';
    const books = await syncedBooks(map);
    await take(books, books.file('bank.ofx', ofx()));
    const said = await books.remit(['import', 'receipts', books.file('till.csv', csv(...LINES)), '--map', 'till']);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('see that it is another account: 2 of its 2 lines stand there already');
    expect(said.stdout).toContain('is held under account "LB62 0999" from bank.ofx');
    expect(await received(books)).toEqual(['340.00']);
    await books.verify();
  });

  it('an account is refused where the file says its own, where it is empty, and where the file is held without it', async () => {
    const books = await syncedBooks();
    books.file('bank.ofx', ofx());
    books.file('bank.csv', csv(...LINES));
    const refusal = async (...argv: string[]) => {
      const { code, stderr } = await books.remit(['import', 'receipts', ...argv]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refusal('bank.ofx', '--account', 'X')).toContain('the files say whose account they are');
    expect(await refusal('bank.csv', '--account', ' ')).toContain('--account is empty');
    await take(books, 'bank.csv');
    expect(await refusal('bank.csv', '--account', 'X')).toMatch(/is import \d+ already, without an account/);
    expect(await books.remit(['import', 'tariff', 'bank.csv', '--account', 'X'])).toMatchObject({ code: 2 });
  });
});

describe('a corrected file', () => {
  const corrected = [LINES[0], '2026-10-08,85.00,USD,Cedar Road,'];
  const lacking = { line: 3, date: '2026-10-08', amount: '80.00', currency: 'USD' };

  it('lists the lines of its days that are held and not in it, and keeps them', async () => {
    const books = await syncedBooks();
    await take(books, books.file('a.csv', csv(...LINES)));
    const said = await take(books, books.file('b.csv', csv(...corrected)), '--dry-run');
    expect(said).toMatchObject({ new: 1, replaced: 0, held_not_in_file: [lacking] });
    const text = (await books.remit(['import', 'receipts', 'b.csv'])).stdout;
    expect(text).toContain('1 line of its days is held and not in this file');
    expect(text).toContain('line 3 of a.csv: 2026-10-08, 80.00 USD, "Cedar Road"');
    expect(await received(books)).toEqual(['255.00']);
    await take(books, books.file('next.csv', csv('2026-10-09,7.00,USD,Cedar Road,')));
    expect(
      (await take(books, books.file('later.csv', csv('2026-10-10,7.00,USD,Cedar Road,')))).held_not_in_file,
    ).toEqual([]);
  });

  it('replaces them on record with --replace, also afterwards; its undo brings them back', async () => {
    const books = await syncedBooks();
    const ledger = path.join(books.folder, 'ledger.db');
    const matches = async () =>
      (await books.json<Matches>(['match', 'list'])).matches.map(({ rule, invoices }) => [rule, invoices]);
    const first = await take(books, books.file('a.csv', csv(...LINES)));
    const second = await take(books, books.file('b.csv', csv(...corrected)));
    expect(await matches()).toEqual([['equal', [10001]]]);
    expect(await take(books, 'b.csv', '--replace')).toMatchObject({
      import: second.import,
      replaced: 1,
      held_not_in_file: [],
    });
    expect(await matches()).toEqual([]);
    const said = query(ledger, 'select removed_by, removed_why from receipt_match where removed_at is not null');
    expect(said).toEqual([{ removed_by: 'remit', removed_why: `import ${second.import} replaced its receipt` }]);
    expect(await received(books)).toEqual(['175.00']);
    await books.verify();
    const third = await take(
      books,
      books.file('c.csv', csv(LINES[0], '2026-10-08,86.00,USD,Cedar Road,')),
      '--replace',
    );
    expect(third).toMatchObject({ new: 1, unchanged: 1, replaced: 1, held_not_in_file: [] });
    expect(await received(books)).toEqual(['176.00']);
    await books.verify();
    // The third file stays the correction of what the second had replaced.
    await books.json(['import', 'undo', String(second.import), '--reason', 'not needed']);
    expect(await received(books)).toEqual(['176.00']);
    await books.verify();
    const { import: id } = third;
    await books.json(['import', 'undo', String(id), '--reason', 'the first was right']);
    expect(await received(books)).toEqual(['170.00']);
    await books.verify();
    await books.json(['import', 'undo', String(first.import), '--reason', 'all of it']);
    expect(await received(books)).toEqual([]);
    expect(query(ledger, 'select id from receipt')).toEqual([]);
    await books.verify();
  });

  it('a file that holds a replaced line again holds it once after the undo', async () => {
    const books = await syncedBooks();
    await take(books, books.file('a.csv', csv(...LINES)));
    const second = await take(books, books.file('b.csv', csv(...corrected)), '--replace');
    await take(books, books.file('wide.csv', csv(...LINES, '2026-10-12,1.00,USD,Cedar Road,')));
    await books.json(['import', 'undo', String(second.import), '--reason', 'it was wrong']);
    expect(await received(books)).toEqual(['171.00']);
    await books.verify();
  });
});
