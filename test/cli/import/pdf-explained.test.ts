import { expect, it } from 'vitest';
import { ownBooks } from '../../helpers/own-books.ts';
import { payoutPdf, writtenPdf } from '../../helpers/pdf/write.ts';

/** Headers that remit cannot guess: it knows them by the map alone. */
const BANK =
  '[maps.banque]\nkind = "receipts"\ncurrency = "USD"\naccount = "A"\ncolumns = { date = "Wann", text = "Wofür", debit = "Soll", credit = "Haben", balance = "Stand" }\n';
const SHEET = `[couriers.cedar]\nkind = "files"\nmap = "cedar"\n[maps.cedar]\nkind = "settlement"\ncurrency = "USD"\ncolumns = { invoice = "Lauf", issued_on = "Wann", order = "Sendung", cod = "Eingezogen", fee = "Lohn", net = "Rest" }\n`;
const HEADERS: Record<string, string> = {
  Payout: 'Lauf',
  'Paid on': 'Wann',
  AWB: 'Sendung',
  COD: 'Eingezogen',
  Fee: 'Lohn',
  Net: 'Rest',
};
const renamed = (row: readonly string[]) => row.map((cell) => HEADERS[cell] ?? cell);

const ROWS = [
  ['Wann', 'Wofür', 'Soll', 'Haben', 'Stand'],
  ['01/10/2026', 'Opening balance', '', '', '1,000.00'],
  ['13/10/2026', 'EXAMPLE DELIVERY 10009', '', '250.00', '1,250.00'],
  ['14/10/2026', 'Fees', '5.50', '', '1,244.50'],
];
const PLACES = [40, 110, 330, 420, 500];
const texts = ROWS.flatMap((cells, row) =>
  cells.flatMap((text, at) => (text === '' ? [] : [[PLACES[at]!, 90 + row * 16, text] as const])),
);

interface Explained {
  readonly columns: readonly { readonly field: string; readonly header: string; readonly values: readonly string[] }[];
  readonly unused: readonly object[];
}

/** `date "Wann": 13/10/2026, 14/10/2026` of each field. */
const said = ({ columns }: Explained) =>
  columns.map(({ field, header, values }) => `${field} "${header}": ${values.join(', ')}`);

it('a bank’s PDF is explained with the values of each column, by a map whose headers cannot be guessed', async () => {
  const books = ownBooks(BANK);
  books.file('bank.pdf', writtenPdf([texts]));
  const argv = ['import', 'receipts', 'bank.pdf', '--map', 'banque'];
  const explained = await books.json<Explained>([...argv, '--explain']);
  expect(said(explained)).toEqual([
    'date "Wann": 13/10/2026, 14/10/2026',
    'text "Wofür": EXAMPLE DELIVERY 10009, Fees',
    'debit "Soll": 5.50',
    'credit "Haben": 250.00',
    'balance "Stand": 1,250.00, 1,244.50',
  ]);
  expect((await books.remit([...argv, '--explain'])).stdout).not.toContain('empty');
  expect(await books.json(argv)).toMatchObject({ new: 2 });
});

it.each([
  ['in columns', renamed, []],
  [
    'outside the table',
    (row: readonly string[]) => renamed(['', '', row[2] || row[0]!, ...row.slice(3)]),
    [
      [40, 30, 'Lauf ES-902'],
      [200, 30, 'Wann: 31/10/2026'],
    ],
  ],
] as const)('a courier’s PDF is explained with its number and day %s', async (_, change, above) => {
  const books = ownBooks(SHEET);
  books.file('payout.pdf', payoutPdf(change, above));
  const argv = ['import', 'settlement', 'payout.pdf', '--courier', 'cedar'];
  const explained = await books.json<Explained>([...argv, '--explain']);
  expect(said(explained)).toEqual([
    'invoice "Lauf": ES-902',
    'issued_on "Wann": 31/10/2026',
    'order "Sendung": CE-10001, CE-10002',
    'cod "Eingezogen": 50.00, 20.00',
    'fee "Lohn": 3.00',
    'net "Rest": 47.00, 17.00',
  ]);
  expect(explained.unused).toEqual([]);
  expect(await books.json(argv)).toMatchObject({ new: 2 });
});
