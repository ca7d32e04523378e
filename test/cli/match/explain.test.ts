import { expect, it } from 'vitest';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';

interface Explained {
  readonly subject: string;
  readonly said: readonly string[];
  readonly tried: readonly {
    readonly rule: string;
    readonly candidates: readonly {
      readonly invoices: readonly number[];
      readonly receipts: readonly number[];
      readonly amount: string;
      readonly why: string;
    }[];
  }[];
}

const TOML = `${CEDAR}
[couriers.cedar]
kind = "files"
map = "cedar"
payers = ["Cedar Cash"]
[couriers.swift]
kind = "files"
map = "cedar"
payers = ["Swift Cash"]
`;

const NOW = new Date('2026-11-20T09:00:00Z');
const explain = (books: OwnBooks, ...words: readonly string[]) => books.json<Explained>(['match', 'explain', ...words]);
const whys = ({ tried }: Explained) =>
  tried.flatMap(({ rule, candidates }) => candidates.map(({ invoices, why }) => `${rule} ${invoices}: ${why}`));
const payout = (number: number, day: string, net: string) =>
  cedar(`${number},2026-10-${day},Unpaid,C-${number},SO-${number},Delivery,${net},0.00,0.00,0.00,${net}`);

async function twoCouriers(): Promise<OwnBooks> {
  const books = ownBooks(TOML, NOW);
  for (const [courier, number, day, net] of [
    ['cedar', 118, '12', '90.00'],
    ['cedar', 119, '13', '40.00'],
    ['cedar', 120, '14', '40.00'],
    ['swift', 501, '12', '77.00'],
  ] as const) {
    await books.json([
      'import',
      'settlement',
      books.file(`${number}.csv`, payout(number, day, net)),
      '--courier',
      courier,
    ]);
  }
  const lines = [
    '2026-10-20,90.00,USD,Cedar Cash,LB1',
    '2026-10-21,40.00,USD,Cedar Cash,LB1',
    '2026-10-22,77.00,USD,Swift Cash,LB1',
    '2026-10-22,12.00,USD,Somebody,LB1',
    '2026-10-23,5.00,USD,Cedar Cash and Swift Cash,LB1',
  ];
  await books.json([
    'import',
    'receipts',
    books.file('bank.csv', ['date,amount,currency,text,account', ...lines, ''].join('\n')),
  ]);
  return books;
}

it('says which rule matched a receipt, as it stood then, and why the others did not', async () => {
  const books = await twoCouriers();
  const before = (await books.remit(['report', 'evidence', '--json'])).stdout;
  const first = await explain(books, '1');
  expect([first.subject, first.said[0]]).toEqual([
    'receipt 1',
    'Match 1 was made by the rules, as they stood before it:',
  ]);
  expect(whys(first)).toEqual([
    'named : The text of the receipt clearly names no invoice.',
    'equal 119: The amounts differ: 40.00 USD is asked for, and 90.00 USD is left to match.',
    'equal 120: The amounts differ: 40.00 USD is asked for, and 90.00 USD is left to match.',
    'equal 118: It is the only invoice of this amount: matched.',
  ]);
  expect(first.tried[1]!.candidates.at(-1)).toMatchObject({ invoices: [118], receipts: [1], amount: '90.00' });
  expect(whys(await explain(books, 'invoice', '501')).at(-1)).toBe(
    'equal 501: It is the only invoice of this amount: matched.',
  );
  expect((await books.remit(['match', 'explain', '1'])).stdout).toContain('Why this match');
  expect((await books.remit(['show', 'receipt', '1'])).stdout).toContain(
    'It is the only invoice of this amount: matched.',
  );
  expect((await books.remit(['report', 'evidence', '--json'])).stdout).toBe(before);
});

it('says why nothing was matched: several ways, nobody’s, several couriers’, no longer by rules', async () => {
  const books = await twoCouriers();
  const ambiguous = await explain(books, '2');
  expect(ambiguous.said).toEqual(['It can be explained in more ways than one; nothing is booked.']);
  const each = 'It is one of 2 ways that fit, and nothing says which is right: a person decides.';
  expect(whys(ambiguous).slice(1)).toEqual([`equal 119: ${each}`, `equal 120: ${each}`]);
  expect(await explain(books, '002')).toEqual(ambiguous);
  const nobodys = await explain(books, '4');
  expect(nobodys).toMatchObject({ said: ['It is not from the courier, so that no rule looks at it.'], tried: [] });
  const shared = await explain(books, '5');
  expect(shared.said[0]).toMatch(/^Several couriers can claim it \(/);
  expect(shared.tried).toEqual([]);
  await books.json(['match', 'add', '2', '119', '--by', 'Rana']);
  expect((await explain(books, '2')).said).toEqual([
    'Match 2 was made by hand, by Rana: no rule decided.',
    'Nothing of it is left to match.',
  ]);
  await books.json(['match', 'remove', '1', '--reason', 'not this one', '--courier', 'cedar']);
  expect((await explain(books, '1')).said).toEqual(['A match of it was taken away: only a person matches it.']);
  // The other of the two payouts has its receipt now, and none is left for it.
  expect((await explain(books, '120')).said).toEqual(['No rule matched what is left of it.']);
});

it('shows a match alone where what the rules looked at has changed, and names the months that are closed', async () => {
  const books = await twoCouriers();
  await books.json(['close', '2026-10', '--first', '--with-open', 'we know', '--by', 'Rana']);
  expect((await explain(books, '1')).said.at(-1)).toMatch(/^Invoices of a closed month are among them \(2026-10\)/);
  // Whose the receipt was is not what it was.
  const settings = (payer: string) => `time_zone = "UTC"\n${TOML.replace('Cedar Cash', payer)}`;
  books.file('remit.toml', settings('Other Cash'));
  const { said, tried } = await explain(books, '1');
  expect(said[0]).toMatch(/^Match 1 was made by the rules\. What they looked at has changed since/);
  expect(tried.map(({ rule, candidates }) => [rule, candidates.map(({ invoices }) => invoices)])).toEqual([
    ['equal', [[118]]],
  ]);
});

it('shows the rules of a match beside another of the same run that they would not make again', async () => {
  const settings = (payers: string) => `time_zone = "UTC"
[maps.both]
kind = "settlement"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", cod = { USD = "$", LBP = "LL" } }
[couriers.cedar]
kind = "files"
map = "both"
payers = ${payers}
`;
  const books = ownBooks(settings('["Cedar Cash", "Cedar Bank"]'), NOW);
  const sheet = 'Payout,Date,Status,AWB,$,LL\n118,2026-10-12,Unpaid,C-1,90.00,900000\n';
  await books.json(['import', 'settlement', books.file('118.csv', sheet), '--courier', 'cedar']);
  const lines = ['2026-10-20,90.00,USD,Cedar Cash,LB1', '2026-10-20,900000,LBP,Cedar Bank,LB2'];
  await books.json([
    'import',
    'receipts',
    books.file('bank.csv', `date,amount,currency,text,account\n${lines.join('\n')}\n`),
  ]);
  for (const payer of ['Cedar Bank', 'Cedar Cash']) {
    books.file('remit.toml', settings(`["${payer}"]`));
    const { said, tried } = await explain(books, 'invoice', '118');
    expect(said.filter((text) => text.includes('What they looked at has changed since'))).toHaveLength(1);
    const amounts = tried.flatMap(({ candidates }) => candidates.map(({ amount }) => amount));
    expect(amounts.sort()).toEqual(['90.00', '900000.00']);
  }
});

it('of what it does not know, or what is both, it says so', async () => {
  const books = await twoCouriers();
  expect(await books.remit(['match', 'explain', '999'])).toMatchObject({ code: 2 });
  expect((await books.remit(['match', 'explain', '999'])).stderr).toContain('knows no receipt and no invoice "999"');
  await books.json(['import', 'settlement', books.file('1.csv', payout(1, '15', '7.00')), '--courier', 'cedar']);
  expect((await books.remit(['match', 'explain', '1'])).stderr).toContain('remit match explain invoice 1');
  expect((await explain(books, 'receipt', '1')).subject).toBe('receipt 1');
  expect((await explain(books, 'invoice', '1')).subject).toBe('invoice 1');
});
