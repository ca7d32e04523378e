import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDesk } from '../../helpers/desk.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { PAYOUT_MAP, payoutPdf, STATEMENT_MAP, statementPdf, writtenPdf } from '../../helpers/pdf/write.ts';

const PROTECTED = readFileSync('test/fixtures/pdf/protected.pdf');
const PASSWORD = 'open-sesame';
const CEDAR = '[couriers.cedar]\nkind = "files"\nmap = "cedar"\n';
const bank = (more = '') => ownBooks(`${CEDAR}${STATEMENT_MAP}${PAYOUT_MAP}${more}`);
const ofBank = (file: string, ...more: string[]) => ['import', 'receipts', file, '--map', 'bank', ...more];

/** What a file is refused with. */
async function refused(books: OwnBooks, argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await books.remit(argv);
  expect([code, stdout]).toEqual([1, '']);
  expect(existsSync(path.join(books.folder, 'ledger.db'))).toBe(false);
  return stderr;
}

/** Books with a month, of which reports tell. */
async function withMonth(books: OwnBooks): Promise<void> {
  books.file('payout.pdf', payoutPdf());
  await books.json(['import', 'settlement', 'payout.pdf', '--courier', 'cedar']);
}

/** A row of a payout without the columns of its number and day. */
const withoutNumber = ([label, , order, ...amounts]: readonly string[]) => ['', '', order || label!, ...amounts];

/** A cell with another text. */
const instead = (from: string, to: string) => (row: readonly string[]) =>
  row.map((cell) => (cell === from ? to : cell));

describe("a bank's PDF", () => {
  it('is read where its balance proves it, kept as it came, and derived again without being read', async () => {
    const books = bank();
    await withMonth(books);
    books.file('october.pdf', statementPdf());
    const taken = await books.json<{ import: number }>(ofBank('october.pdf'));
    expect(taken).toMatchObject({
      format: 'pdf',
      new: 3,
      totals: [{ currency: 'USD', count: 3, debits: '5.50', credits: '350.00' }],
      statements: [{ opening: '1000.00', closing: '1344.50', balanced: true }],
    });
    expect(await books.json(['report', 'receipts'])).toMatchObject({
      rows: [
        { date: '2026-10-13', amount: '250.00', text: 'EXAMPLE DELIVERY 10009' },
        { date: '2026-10-14', amount: '-5.50' },
        { date: '2026-10-20', amount: '100.00' },
      ],
    });
    await books.verify();
    expect(await books.json(['rebuild'])).toMatchObject({ changed: 0 });
    expect(await books.json(ofBank('october.pdf'))).toMatchObject({ import: taken.import, new: 0, unchanged: 3 });
    await books.json(['import', 'undo', String(taken.import), '--reason', 'wrong account']);
    expect(await books.json(['report', 'receipts'])).toMatchObject({ rows: [] });
    await books.verify();
  });

  it('holds what its CSV holds, once', async () => {
    const books = bank();
    books.file('october.pdf', statementPdf());
    books.file(
      'october.csv',
      'Date,Description,Debit,Credit,Balance\n13/10/2026,EXAMPLE DELIVERY 10009,,250.00,1250.00\n14/10/2026,Fees,5.50,,1244.50\n20/10/2026,EXAMPLE DELIVERY 10011,,100.00,1344.50\n',
    );
    expect(await books.json(ofBank('october.csv'))).toMatchObject({ new: 3 });
    expect(await books.json(ofBank('october.pdf'))).toMatchObject({ new: 0, unchanged: 3 });
    await books.verify();
  });

  it.each([
    [
      'a balance that does not follow',
      instead('1,244.50', '1,245.50'),
      'on page 1 the balance of "14/10/2026 Fees 5.50 1,245.50" should be 1,244.50 USD and is 1,245.50 USD, 1.00 USD apart',
    ],
    [
      'an amount that is another one',
      instead('250.00', '2,250.00'),
      'should be 3,250.00 USD and is 1,250.00 USD, 2,000.00 USD apart',
    ],
    [
      'no balance at all',
      (row: readonly string[]) => row.slice(0, 4),
      'neither a running balance, nor an opening and a closing balance, nor totals of all its lines',
    ],
  ])('with %s is refused, whatever a person accepts', async (_, change, why) => {
    const books = bank();
    books.file('october.pdf', statementPdf(change));
    for (const more of [[], ['--allow-gap']])
      expect(await refused(books, ofBank('october.pdf', ...more))).toContain(why);
  });

  it('whose numbers of invoices may stand in either of two columns is refused', async () => {
    const books = ownBooks(`[maps.bank]
kind = "receipts"
currency = "USD"
date = "DD/MM/YYYY"
columns = { date = "Date", invoice = "Ref", text = "Description", amount = "Amount", balance = "Balance" }
`);
    const withNumbersAt = (left: number) =>
      writtenPdf([
        [
          ...['Date', 'Ref', 'Description', 'Amount', 'Balance'].map(
            (head, i) => [[40, 110, 260, 420, 500][i]!, 90, head] as const,
          ),
          ...[
            ['13/10/2026', '10009', '250.00', '1,250.00'],
            ['14/10/2026', '10010', '-5.50', '1,244.50'],
            ['15/10/2026', '10011', '100.00', '1,344.50'],
          ].flatMap((cells, row) => cells.map((text, i) => [[40, left, 420, 500][i]!, 106 + row * 16, text] as const)),
        ],
      ]);
    books.file('october.pdf', withNumbersAt(150));
    expect(await refused(books, ofBank('october.pdf'))).toContain('can be read in two ways that both add up');
    books.file('october.pdf', withNumbersAt(112));
    expect(await books.json(ofBank('october.pdf'))).toMatchObject({ new: 3 });
  });

  it('that is a scan is refused by its page', async () => {
    const books = bank();
    const drawn = Buffer.from(
      statementPdf()
        .toString('latin1')
        .replace(
          /stream\n[\s\S]*?\nendstream/,
          (stream) => `stream\n0 0 m 500 500 l S\n${' '.repeat(stream.length - 34)}\nendstream`,
        ),
      'latin1',
    );
    books.file('scan.pdf', drawn);
    expect(await refused(books, ofBank('scan.pdf'))).toContain(
      'its page 1 holds no text: it is a picture (a scan), or empty',
    );
    books.file('no-table.pdf', writtenPdf([[[40, 40, 'Dear customer']]]));
    expect(await refused(books, ['import', 'receipts', 'no-table.pdf'])).toContain('like the header of a table');
    books.file('orders.pdf', statementPdf());
    expect(await refused(books, ['import', 'orders', 'orders.pdf'])).toContain('orders are not read from one');
  });

  it('that is protected needs its password, which is kept nowhere, and no replay asks for it', async () => {
    const books = bank();
    books.file('protected.pdf', PROTECTED);
    expect(await refused(books, ofBank('protected.pdf'))).toContain(
      'protected by a password: save it without one, or import it with `--password-file FILE`',
    );
    books.file('wrong', 'sesame-wrong\n');
    const wrong = await refused(books, ofBank('protected.pdf', '--password-file', 'wrong'));
    expect(wrong).toContain('the password is not that of the PDF');
    expect(wrong).not.toContain('sesame-wrong');
    expect((await books.remit(ofBank('protected.pdf', '--password-file', PASSWORD))).stderr).not.toContain(PASSWORD);
    await withMonth(books);
    books.file('password', `${PASSWORD}\r\nmore\n`);
    const taken = await books.json<{ import: number }>(ofBank('protected.pdf', '--password-file', 'password'));
    expect(taken).toMatchObject({ new: 2, statements: [{ opening: '1000.00', closing: '1244.50', balanced: true }] });
    await books.verify();
    expect(await books.json(['rebuild'])).toMatchObject({ changed: 0 });
    expect((await books.remit(['report', 'receipts', '--as-of', '2026-11-10T09:00:00Z'])).stdout).toContain('250.00');
    expect(readFileSync(path.join(books.folder, 'ledger.db')).includes(PASSWORD)).toBe(false);
    await books.json(['import', 'undo', String(taken.import), '--reason', 'again']);
    await books.verify();
  });

  it('may wait for a second person, who needs no password', async () => {
    const books = bank('[approvals]\nimports = true\n');
    books.file('protected.pdf', PROTECTED);
    books.file('password', PASSWORD);
    const waiting = await books.json<{ id: number }>(
      ofBank('protected.pdf', '--password-file', 'password', '--by', 'rana'),
    );
    expect(waiting).toMatchObject({ waiting: true, new: 2 });
    expect(await books.json(ofBank('protected.pdf', '--password-file', 'password', '--by', 'rana'))).toMatchObject({
      id: waiting.id,
    });
    expect(await books.json(['import', 'list'])).toEqual({
      imports: [expect.not.objectContaining({ table: expect.anything() })],
    });
    const approved = await books.json(['approvals', 'approve', String(waiting.id), '--by', 'karim']);
    expect(approved).toMatchObject({ result: { new: 2 } });
    await books.verify();
  });
});

describe("a courier's PDF", () => {
  it('is read where its totals prove it, and another form of a payout restates it', async () => {
    const books = bank();
    books.file('payout.pdf', payoutPdf());
    const taken = await books.json<{ import: number }>(['import', 'settlement', 'payout.pdf', '--courier', 'cedar']);
    expect(taken).toMatchObject({ format: 'pdf', new: 2, totals: [{ currency: 'USD' }] });
    await books.verify();
    books.file('payout.csv', 'Payout,Paid on,AWB,COD,Fee,Net\nES-902,31/10/2026,CE-10001,50.00,3.00,47.00\n');
    const later = await books.json<{ import: number }>(['import', 'settlement', 'payout.csv', '--courier', 'cedar']);
    expect(later).toMatchObject({ changed: 1 });
    await books.json(['import', 'undo', String(later.import), '--reason', 'the PDF holds']);
    await books.verify();
    expect(JSON.stringify(await books.json(['show', 'invoice', 'ES-902']))).toContain('CE-10002');
  });

  it.each([
    [
      'after their labels',
      [
        [40, 30, 'Payout ES-902'],
        [200, 30, 'Paid on: 31/10/2026'],
      ],
    ],
    [
      'beside them',
      [
        [40, 20, 'Payout'],
        [200, 20, 'ES-902'],
        [40, 40, 'Paid on'],
        [200, 40, '31/10/2026'],
      ],
    ],
    [
      'below them',
      [
        [40, 20, 'PAYOUT'],
        [300, 20, 'Paid on'],
        [40, 36, 'ES-902'],
        [300, 36, '31/10/2026'],
      ],
    ],
  ] as const)('states its number and day once, above the table, %s', async (_, above) => {
    const books = bank();
    books.file('payout.pdf', payoutPdf(withoutNumber, above));
    await books.json(['import', 'settlement', 'payout.pdf', '--courier', 'cedar']);
    expect(await books.json(['report', 'invoices', '2026-10'])).toMatchObject({
      rows: [{ number_text: 'ES-902', issued_at: '2026-10-31T12:00:00Z', cod: '70.00' }],
    });
    await books.verify();
    expect(await books.json(['rebuild'])).toMatchObject({ changed: 0 });
  });

  it('that states two numbers above its table is refused', async () => {
    const books = bank();
    const two = [
      [40, 20, 'Payout ES-902'],
      [300, 20, 'Payout ES-903'],
      [40, 36, 'Paid on 31/10/2026'],
    ] as const;
    books.file('payout.pdf', payoutPdf(withoutNumber, two));
    const said = await refused(books, ['import', 'settlement', 'payout.pdf', '--courier', 'cedar']);
    expect(said).toContain('state "Payout" outside the table as "ES-902" and as "ES-903"');
  });

  it.each([
    ['a total that is not its rows', instead('70.00', '71.00'), 'states 71.00 and its rows come to 70.00, 1.00 apart'],
    [
      'a net that is not what is left',
      (row: readonly string[]) => instead('47.00', '46.00')(instead('64.00', '63.00')(row)),
      'should be 47.00 USD and is 46.00 USD, 1.00 USD apart',
    ],
    [
      'no totals',
      (row: readonly string[]) => (row[0] === 'Total' ? row.map(() => '') : row),
      'no row of totals states the USD of payout "ES-902"',
    ],
  ])('with %s is refused, where a CSV of the same is imported with findings', async (_, change, why) => {
    const books = bank();
    books.file('payout.pdf', payoutPdf(change));
    expect(await refused(books, ['import', 'settlement', 'payout.pdf', '--courier', 'cedar'])).toContain(why);
  });
});

it('at the desk a PDF is recognised and shown before it is taken, and a protected one says what to do', async () => {
  const books = bank();
  books.file('one.csv', 'date,amount,currency,text,invoice\n2026-09-01,1.00,USD,x,\n');
  await books.json(['import', 'receipts', 'one.csv']);
  const desk = await startDesk([], { cwd: books.folder });
  const upload = async (file: Buffer) => {
    const head = (about: string) => `--x\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(`${head('name="map"')}bank\r\n${head('name="file"; filename="october.pdf"')}`),
      file,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const headers = {
      cookie: desk.cookie,
      origin: desk.origin,
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      'content-type': 'multipart/form-data; boundary=x',
    };
    const answer = await fetch(`${desk.origin}/api/v1/imports?preview=1`, { method: 'POST', headers, body });
    return answer.json();
  };
  try {
    await desk.enter();
    expect(await upload(statementPdf())).toMatchObject({
      kind: 'receipts',
      format: 'pdf',
      lines: 3,
      new: 3,
      balanced: true,
    });
    expect(JSON.stringify(await upload(PROTECTED))).toContain('protected by a password: save it without one');
  } finally {
    await desk.stop();
  }
});
