import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchNow } from '../../src/app/match/run.ts';
import { HEADS, importText } from '../../src/app/selftest/own-files.ts';
import { readMatchBooks } from '../../src/checks/facts/receipts/match-books.ts';
import type { Config } from '../../src/config/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { type InvoiceSpec, withLedger } from '../helpers/ledger.ts';

const RUNS = Number(process.env.REMIT_RECEIPT_RUNS ?? 6);
const NOW = new Date('2026-11-20T12:00:00Z');

/** A line of the bank as it happened; equal ones are two. */
interface Line {
  readonly day: number;
  readonly amount: number;
  readonly text: string;
}

const line = fc.record({
  day: fc.integer({ min: 1, max: 12 }),
  amount: fc.constantFrom(-40, -20, 7, 20, 40, 60),
  text: fc.constantFrom('Cedar Road', 'Cedar Road 1', 'Cedar Road 2, 3', 'Rent'),
});
/** What happened, and the stretches of days that files were downloaded for. */
const downloads = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 10 }),
  files: fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 6 })), {
    minLength: 1,
    maxLength: 4,
  }),
});
const invoices = fc
  .array(fc.record({ day: fc.integer({ min: 1, max: 8 }), cod: fc.constantFrom(10, 23, 43, 63) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) =>
    all.map(({ day, cod }, i): InvoiceSpec => {
      const amounts = { USD: [`${cod}.00`, '3.00'] as const };
      return { number: i + 1, issued_at: `2026-10-0${day}T10:00:00+03:00`, rows: [{ order_id: `o${i}`, amounts }] };
    }),
  );

const textOf = ({ day, amount, text }: Line) => `2026-10-${String(day).padStart(2, '0')},${amount}.00,USD,"${text}",`;

/** The lines of each file, without those that hold none. */
function filesOf({
  lines,
  files,
}: {
  lines: readonly Line[];
  files: readonly (readonly [number, number])[];
}): Line[][] {
  return files
    .map(([from, more]) => lines.filter(({ day }) => day >= from && day <= from + more))
    .filter((held) => held.length > 0);
}

async function bring(ledger: Ledger, files: readonly (readonly Line[])[]): Promise<void> {
  for (const [at, held] of files.entries()) {
    const text = `${[HEADS.receipts, ...held.map(textOf)].join('\n')}\n`;
    await importText(ledger, { kind: 'receipts', text, at: new Date(NOW.getTime() + at) });
  }
}

const match = (ledger: Ledger) => matchNow(ledger, { config: DEFAULT_SETTINGS as Config, now: () => NOW });
const evidenceOf = async ({ db }: Ledger) => (await db.selectFrom('evidence').select('id').execute()).length;

/** What stands in the ledger, by what it says and not by the ids that it happened to get. */
async function stateOf({ db }: Ledger) {
  const { receipts, invoices: settled } = await readMatchBooks(db, DEFAULT_SETTINGS);
  const lines = [...receipts.values()].map(({ date, amount, text, left }) => `${date} ${amount} ${text} left ${left}`);
  return { lines: lines.sort(), invoices: settled.map(({ number, matched }) => `${number} ${matched}`) };
}

describe('files of the bank in a real ledger', () => {
  it('that overlap never double a line and never fold two real ones', async () => {
    await fc.assert(
      fc.asyncProperty(downloads, async (world) => {
        const files = filesOf(world);
        await withLedger({ periods: ['2026-10'] }, async (ledger) => {
          await bring(ledger, files);
          // Files hold whole days, so that a line that is in any of them is held as often as it happened.
          const covered = world.lines.filter((one) => files.some((held) => held.includes(one)));
          const rows = await ledger.db.selectFrom('receipt').select(['date', 'text']).execute();
          expect(rows.length).toBe(covered.length);
          const days = (dates: readonly string[]) => [...dates].sort();
          expect(days(rows.map(({ date, text }) => `${date} ${text}`))).toEqual(
            days(covered.map((one) => `2026-10-${String(one.day).padStart(2, '0')} ${one.text}`)),
          );
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('are matched to no more than either side holds, whatever their order; a second run changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(invoices, downloads, async (some, world) => {
        const files = filesOf(world);
        const outcomes: Awaited<ReturnType<typeof stateOf>>[] = [];
        for (const order of [files, files.toReversed()]) {
          await withLedger({ invoices: some }, async (ledger) => {
            await bring(ledger, order);
            await match(ledger);
            const before = await evidenceOf(ledger);
            await match(ledger);
            expect(await evidenceOf(ledger)).toBe(before);
            const { receipts, held } = await readMatchBooks(ledger.db, DEFAULT_SETTINGS);
            for (const { amount, left } of receipts.values()) {
              expect(amount > 0n ? left >= 0n && left <= amount : left <= 0n && left >= amount).toBe(true);
            }
            for (const one of held) {
              const sum = (shares: readonly { readonly amount: bigint }[]) =>
                shares.reduce((total, { amount }) => total + amount, 0n);
              expect(sum(one.receipts)).toBe(sum(one.invoices));
              expect(one.due + one.difference).toBe(sum(one.receipts));
            }
            outcomes.push(await stateOf(ledger));
          });
        }
        expect(outcomes[1]).toEqual(outcomes[0]);
      }),
      { numRuns: RUNS },
    );
  });
});
