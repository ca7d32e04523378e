import { describe, expect, it } from 'vitest';
import { CEDAR, cedar, sheetBooks } from '../../helpers/settlements.ts';

interface Matched {
  readonly matches: readonly {
    readonly rule: string;
    readonly receipts: readonly number[];
    readonly invoices: readonly number[];
  }[];
  readonly ambiguous: readonly {
    readonly receipt: number;
    readonly ways: readonly (readonly number[])[];
  }[];
  readonly unmatched: { readonly receipts: readonly number[] };
}

const DUE = [100, 50, 30, 70];
const sheetOf = (first: number) =>
  cedar(
    ...DUE.map(
      (due, at) =>
        `${first + at},2026-10-0${at + 1},Pending,C-${at},S-${at},Delivery,${due}.00,0.00,0.00,0.00,${due}.00`,
    ),
  );

/** What the payouts from a number on are paid by, where the bank says these texts. */
async function booksOf(first: number, ...lines: (readonly [amount: string, text: string])[]) {
  const books = sheetBooks(`${CEDAR}[receipts]\npayers = ["CEDAR"]\n`);
  await books.json(['import', 'settlement', books.file('sheet.csv', sheetOf(first)), '--map', 'cedar']);
  const rows = lines.map(([amount, text], at) => `2026-10-${20 + at},${amount},USD,${text}\n`).join('');
  await books.json(['import', 'receipts', books.file('bank.csv', `date,amount,currency,text\n${rows}`)]);
  const { matches, ambiguous, unmatched } = await books.json<Matched>(['match', 'list']);
  return {
    books,
    matches: matches.map(({ rule, receipts, invoices }) => `${rule} ${receipts} ${invoices}`),
    ambiguous: ambiguous.map(({ receipt, ways }) => `${receipt} ${ways.join(' or ')}`),
    unmatched: unmatched.receipts,
  };
}

describe('a payout whose number could be a year', () => {
  it('is named after a word for it, as any other number is', async () => {
    for (const first of [5001, 2001]) {
      const { matches } = await booksOf(
        first,
        ['148.00', `CEDAR payouts ${first} ${first + 1} less bank fee`],
        ['12.00', `CEDAR payout ${first + 2}`],
        ['10.00', `CEDAR الدفعة ${first + 3}`],
        ['20.00', `CEDAR invoice ${first + 3}`],
      );
      expect(matches).toEqual([
        `named-part 1 ${first},${first + 1}`,
        `named-part 2 ${first + 2}`,
        `named-part 3 ${first + 3}`,
        `named-part 4 ${first + 3}`,
      ]);
    }
  });

  it('is paid by a bare number where the amounts tally, and is a candidate where they do not', async () => {
    const { books, matches, ambiguous, unmatched } = await booksOf(
      2001,
      ['50.00', 'CEDAR 2002'],
      ['20.00', 'CEDAR 2003'],
    );
    expect(matches).toEqual(['named 1 2002']);
    expect(ambiguous).toEqual(['2 2003']);
    expect(unmatched).toEqual([]);
    const found = await books.remit(['check', '2026-10']);
    expect(found.stdout).toContain('may pay invoice 2003, or 2003 is a year');
    expect((await books.remit(['match', 'explain', 'receipt', '2'])).stdout).toContain(
      'without a word such as "invoice" before it',
    );
    await books.json(['match', 'add', '2', '2003', '--part', '--note', 'a part', '--by', 'rana']);
    expect(await books.json<Matched>(['match', 'list'])).toMatchObject({ ambiguous: [] });
    await books.verify();
  });

  it('is not named by the year of a day or a month', async () => {
    const days = ['31/10/2026', '2026-10-31', '31 Oct 2026', '31-OCT-2026', '10/2026', '2026-10', 'payout 10/2026'];
    const lines = days.map((day, at) => [`0.${at + 11}`, `CEDAR ${day}`] as const);
    const { matches, ambiguous, unmatched } = await booksOf(2026, ...lines);
    expect([matches, ambiguous]).toEqual([[], []]);
    expect(unmatched).toHaveLength(days.length);
  });
});
