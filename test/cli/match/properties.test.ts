import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FakeInvoice, invoiceOf, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { syncInto } from '../../helpers/sync.ts';

/** More by `REMIT_RECEIPT_RUNS=100`. */
const RUNS = Number(process.env.REMIT_RECEIPT_RUNS ?? 2);
/** Each run takes seconds: what fails is told as it is, and the same worlds come again. */
const SEED = Number(process.env.REMIT_RECEIPT_SEED ?? 1);

interface Line {
  readonly day: number;
  readonly amount: number;
  readonly text: string;
}

interface Report {
  readonly matches: readonly {
    readonly rule: string;
    readonly receipts: readonly number[];
    readonly invoices: readonly number[];
    readonly receipts_amount: string;
    readonly invoices_amount: string;
    readonly difference: string;
  }[];
  readonly ambiguous: readonly { readonly receipt: number; readonly amount: string; readonly ways: number[][] }[];
  readonly unmatched: { readonly receipts: readonly number[]; readonly invoices: readonly number[] };
}

const dateOf = (day: number) => `2026-10-${String(day).padStart(2, '0')}`;
const line = fc.record({
  day: fc.integer({ min: 8, max: 20 }),
  amount: fc.constantFrom(-20, 7, 10, 20, 30, 40, 60),
  text: fc.constantFrom('Cedar Road', 'Cedar Road', 'Cedar Road 1', 'Cedar Road 2, 3', 'Rent'),
});
/**
 * Nets of invoices, what came in, and the stretches of days that files were downloaded for: each day is in one at
 * least.
 */
const worlds = fc.record({
  nets: fc.array(fc.constantFrom(10, 20, 30, 40), { minLength: 1, maxLength: 5 }),
  lines: fc.array(line, { minLength: 1, maxLength: 7 }),
  until: fc.integer({ min: 8, max: 20 }),
  again: fc.integer({ min: 8, max: 20 }),
});

function invoicesOf(nets: readonly number[]): FakeInvoice[] {
  return nets.map((net, at) =>
    invoiceOf(at + 1, `${dateOf(at + 1)}T10:00:00+03:00`, [
      { order_id: `O${at}`, cod: [['USD', `${net + 3}.00`]], delivery_fee: [['USD', '3.00']] },
    ]),
  );
}

const textOf = ({ day, amount, text }: Line) => `${dateOf(day)},${amount}.00,USD,"${text}",`;

/** Books into which files of the bank are imported by one command, in this order. */
async function booksWith(url: string, files: readonly (readonly Line[])[]): Promise<OwnBooks> {
  const books = ownBooks('[receipts]\npayers = ["Cedar Road"]');
  await syncInto(path.join(books.folder, 'ledger.db'), { url });
  const names = files.map((lines, at) =>
    books.file(`${at}.csv`, `date,amount,currency,text,invoice\n${lines.map(textOf).join('\n')}\n`),
  );
  const { code, stderr } = await books.remit(['import', 'receipts', ...names, '--by', 'Rana', '--quiet']);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return books;
}

/** What was matched and what was not, by what receipts say and not by the ids that they happened to get. */
async function contentOf(books: OwnBooks) {
  const { rows } = await books.json<{ rows: Record<string, string | number>[] }>(['report', 'receipts']);
  const said = new Map(rows.map((row) => [row.receipt, `${row.date} ${row.amount} ${row.text}`]));
  const report = await books.json<Report>(['match', 'list']);
  const of = (ids: readonly number[]) => ids.map((id) => said.get(id)).sort();
  return {
    report,
    receipts: [...said.values()].sort(),
    matches: report.matches.map((match) => [match.rule, of(match.receipts), match.invoices, match.difference]).sort(),
    ambiguous: report.ambiguous.map(({ receipt, ways }) => [said.get(receipt), ways]).sort(),
    unmatched: [of(report.unmatched.receipts), report.unmatched.invoices],
  };
}

it(
  'whichever way its files come, each line of the bank is held once and matched to no more than either side holds; a second run changes nothing',
  async () => {
    const courier = await startFakeCourier();
    try {
      await fc.assert(
        fc.asyncProperty(worlds, async ({ nets, lines, until, again }) => {
          courier.world.invoices = invoicesOf(nets);
          const days = (from: number, to: number) => lines.filter(({ day }) => day >= from && day <= to);
          const files = [days(8, until), days(Math.min(again, until), 20)].filter((held) => held.length > 0);
          const books = await booksWith(courier.url, files);
          const first = await contentOf(books);
          expect(first.receipts).toEqual(lines.map((one) => `${dateOf(one.day)} ${one.amount}.00 ${one.text}`).sort());

          const perInvoice = new Map<number, number>();
          for (const match of first.report.matches) {
            expect(Number(match.receipts_amount) - Number(match.invoices_amount)).toBe(Number(match.difference));
            const only = match.invoices.length === 1 ? match.invoices[0]! : null;
            if (only !== null) perInvoice.set(only, (perInvoice.get(only) ?? 0) + Number(match.receipts_amount));
            // Exact, but where the text names the invoice, or money is taken back from what it had paid.
            if (!/named|taken-back/.test(match.rule)) expect(match.difference).toBe('0.00');
          }
          const once = first.report.matches.flatMap((match) => match.receipts);
          expect(new Set(once).size).toBe(once.length);
          for (const [number, received] of perInvoice) {
            const isLoose = first.report.matches.some(
              ({ rule, invoices }) => /named|taken-back/.test(rule) && invoices.includes(number),
            );
            if (!isLoose) expect(received).toBe(nets[number - 1]);
          }
          for (const { amount, ways } of first.report.ambiguous) {
            const sumOf = (way: readonly number[]) => way.reduce((sum, number) => sum + nets[number - 1]!, 0);
            // What it explains by itself; an invoice that it would pay with others is named as often as there are
            // others to do it with.
            const alone = ways.filter((way) => sumOf(way) === Number(amount));
            expect(new Set(alone.map(String)).size).toBe(alone.length);
            for (const way of ways.filter((way) => !alone.includes(way))) expect(way.length).toBeLessThan(2);
            expect(ways.length).toBeGreaterThan(alone.length === ways.length ? 1 : 0);
          }

          const head = async () => (await books.json<{ head: string }>(['verify'])).head;
          const before = await head();
          await books.json(['match']);
          expect(await head()).toBe(before);

          const moved = files.toReversed().map((held) => held.toReversed());
          const { report: _, ...other } = await contentOf(await booksWith(courier.url, moved));
          const { report: __, ...one } = first;
          expect(other).toEqual(one);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
    } finally {
      await courier.close();
    }
  },
  60_000 + RUNS * 10_000,
);

it(
  'one receipt without a name is matched where exactly one set of invoices is its amount, else listed or left',
  async () => {
    const courier = await startFakeCourier();
    const sets = (nets: readonly number[]) => {
      const all: number[][] = [[]];
      for (const [at] of nets.entries()) all.push(...all.map((set) => [...set, at + 1]));
      return all;
    };
    const cases = fc.record({
      nets: fc.array(fc.constantFrom(2, 3, 5, 9), { minLength: 2, maxLength: 6 }),
      amount: fc.constantFrom(2, 5, 7, 8, 10, 13),
    });
    try {
      await fc.assert(
        fc.asyncProperty(cases, async ({ nets, amount }) => {
          courier.world.invoices = invoicesOf(nets);
          const books = await booksWith(courier.url, [[{ day: 15, amount, text: 'Cedar Road' }]]);
          const { matches, ambiguous, unmatched } = await books.json<Report>(['match', 'list']);
          const fits = sets(nets).filter((set) => set.reduce((sum, number) => sum + nets[number - 1]!, 0) === amount);
          const alone = fits.filter(({ length }) => length === 1);
          const ways = (alone.length > 0 ? alone : fits).map(String).sort();
          const matched = matches.map(({ invoices }) => String([...invoices].sort()));
          const listed = ambiguous.flatMap((one) => one.ways.map((way) => String(way.toSorted()))).sort();
          expect([matched, listed]).toEqual(ways.length === 1 ? [ways, []] : [[], ways]);
          expect(unmatched.receipts.length).toBe(ways.length === 0 ? 1 : 0);
        }),
        { numRuns: 3 * RUNS },
      );
    } finally {
      await courier.close();
    }
  },
  60_000 + RUNS * 30_000,
);
