import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayNumber } from '../../src/base/day.ts';
import { matchReceipts } from '../../src/matching/match-receipts.ts';
import type { Invoice, MatchOutcome, MoneyToMatch } from '../../src/matching/model.ts';
import { namesIn } from '../../src/matching/open-items.ts';
import { type Candidate, type Subject, Tried, type TriedRule } from '../../src/matching/tried-log.ts';
import { parseUnits } from '../../src/money/units.ts';
import { invoice, nextRun, receipt } from './sides.ts';

const RUNS = Number(process.env.REMIT_PROPERTY_RUNS ?? 400);
const date = fc.integer({ min: 1, max: 31 }).map((day) => `2026-10-${String(day).padStart(2, '0')}`);
const units = (min: number, max: number) => fc.integer({ min, max }).map((count) => BigInt(count) * 10_000n);
const text = fc.oneof(
  fc.constant('Transfer'),
  fc.array(fc.integer({ min: 10_001, max: 10_010 }), { minLength: 1, maxLength: 3 }).map((all) => all.join(', ')),
);
const world = fc
  .record({
    receipts: fc.array(
      fc.record({ date, currency: fc.constantFrom('USD', 'USD', 'LBP'), amount: units(-9, 25), text }),
      {
        maxLength: 9,
      },
    ),
    invoices: fc.array(fc.record({ date, currency: fc.constantFrom('USD', 'USD', 'LBP'), net: units(-4, 18) }), {
      maxLength: 9,
    }),
    matchDays: fc.constantFrom(5, 21),
  })
  .map(
    ({ receipts, invoices, matchDays }): MoneyToMatch => ({
      receipts: receipts
        .filter(({ amount }) => amount !== 0n)
        .map((one, at) => ({ ...one, id: `r${at}`, left: one.amount })),
      invoices: invoices.map((one, at): Invoice => ({ ...one, number: 10_001 + at, matched: 0n })),
      options: { matchDays },
    }),
  );

function explain(input: MoneyToMatch, subject: Subject): { tried: readonly TriedRule[]; outcome: MatchOutcome } {
  const tried = new Tried(subject);
  const outcome = matchReceipts(input, tried);
  return { tried: tried.rules, outcome };
}

const winners = (tried: readonly TriedRule[]) =>
  tried.flatMap(({ rule, candidates }) =>
    candidates
      .filter(({ why }) => why.id === 'tried-matched')
      .map(({ invoices, receipts }) => `${rule} ${[...receipts].sort().join('+')} → ${[...invoices].sort().join('+')}`),
  );

it('what is explained as matched is what was matched, of every receipt and invoice, and explaining changes nothing', () => {
  fc.assert(
    fc.property(world, (input) => {
      const plain = matchReceipts(input);
      const made = (of: MatchOutcome['matches']) =>
        of.map(({ rule, receipts, invoices, reverses }) => {
          const ids = new Set([...receipts.map(({ id }) => id), ...(reverses === undefined ? [] : [reverses])]);
          return `${rule} ${[...ids].sort().join('+')} → ${invoices
            .map(({ number }) => number)
            .sort()
            .join('+')}`;
        });
      for (const { id } of input.receipts) {
        const { tried, outcome } = explain(input, { receipt: id });
        expect(outcome).toEqual(plain);
        const own = plain.matches.filter(
          ({ receipts, reverses }) => reverses === id || receipts.some((share) => share.id === id),
        );
        // A part match may give nothing to some of the invoices that the text names.
        const isPart = own.some(({ rule }) => rule === 'named-part');
        if (isPart) expect(winners(tried)).toHaveLength(own.length);
        else expect(winners(tried)).toEqual(made(own));
        for (const { candidates } of tried) for (const { receipts } of candidates) expect(receipts).toContain(id);
      }
      for (const { number } of input.invoices) {
        const { tried } = explain(input, { invoice: number });
        const own = plain.matches.filter(
          ({ rule, invoices }) => rule !== 'named-part' && invoices.some((share) => share.number === number),
        );
        expect(winners(tried).filter((one) => !one.startsWith('named-part'))).toEqual(made(own));
      }
    }),
    { numRuns: RUNS },
  );
});

/** What is left of each side once all is matched: what the last pass saw. */
function leftOver(input: MoneyToMatch, outcome: MatchOutcome) {
  const after = nextRun(input, outcome.matches);
  return {
    receipts: new Map(after.receipts.map((one) => [one.id, one])),
    invoices: new Map(
      after.invoices.map((one) => [`${one.number} ${one.currency}`, { ...one, open: one.net - one.matched }]),
    ),
  };
}

/** Whether the reason is true of what is left. */
function holds(
  input: MoneyToMatch,
  outcome: MatchOutcome,
  rule: string,
  { invoices, receipts, currency, why }: Candidate,
) {
  const left = leftOver(input, outcome);
  const its = invoices.map((number) => left.invoices.get(`${number} ${currency}`)!);
  const theirs = receipts.map((id) => left.receipts.get(id)!);
  const asked = its.reduce((total, { open }) => total + open, 0n);
  const [first] = theirs;
  const days = its.map((one) => dayNumber(first!.date) - dayNumber(one.date));
  const named = namesIn(first!, (number) => left.invoices.has(`${number} ${currency}`));
  const ambiguous = outcome.ambiguous.find((one) => receipts.includes(one.receipt));
  switch (why.id) {
    case 'tried-amount':
      expect([parseUnits(why.asked), parseUnits(why.left)]).toEqual([
        asked,
        theirs.reduce((all, one) => all + one.left, 0n),
      ]);
      return asked !== first!.left;
    case 'tried-paid':
      return asked === 0n;
    case 'tried-issued-later':
      return days[0] === -why.days && why.days > 0;
    case 'tried-issued-long-before':
      return days[0] === why.days && why.days > why.most;
    case 'tried-names-none':
      return named.strong.length + named.weak.length === 0;
    case 'tried-names-unclear':
      return named.strong.length === 0 && invoices.length > 0 && invoices.every((one) => named.weak.includes(one));
    case 'tried-names-by-name':
      return named.strong.length > 0;
    case 'tried-names-other-currency':
      return namesIn(theirs.at(-1)!, (number) => input.invoices.some((one) => one.number === number)).strong.length > 0;
    case 'tried-several':
    case 'tried-contested':
    case 'tried-too-many':
    case 'tried-names-others':
      // A debit that names another invoice than the receipt of its amount paid has no way at all.
      return ambiguous !== undefined || (rule === 'taken-back' && why.id === 'tried-names-others');
    case 'tried-no-set':
      return parseUnits(why.left) === first!.left && subsets(input, left, first!).every((one) => one !== first!.left);
    case 'tried-no-parts':
      return (
        parseUnits(why.asked) === asked &&
        (theirs.length < 2 ||
          !sums(
            theirs.map((one) => one.left),
            2,
          ).includes(asked))
      );
    case 'tried-nothing-to-take-back':
      return ![...left.receipts.values()].some((one) => one.currency === currency && one.amount === -first!.amount);
    case 'tried-received-later':
    case 'tried-received-long-before':
    case 'tried-taken-back-already':
    case 'tried-used-in-part':
      return theirs[0]!.amount === -theirs[1]!.amount;
    default:
      return false;
  }
}

function sums(amounts: readonly bigint[], least: number): bigint[] {
  const all: bigint[] = [];
  for (let mask = 0; mask < 2 ** amounts.length; mask += 1) {
    const chosen = amounts.filter((_, at) => (mask & (1 << at)) !== 0);
    if (chosen.length >= least) all.push(chosen.reduce((total, each) => total + each, 0n));
  }
  return all;
}

/** The sums of every set of open invoices that were issued by the receipt's day; those that it names are in each. */
function subsets(
  input: MoneyToMatch,
  left: ReturnType<typeof leftOver>,
  of: { currency: string; date: string; text: string },
) {
  const open = [...left.invoices.values()].filter(
    (one) => one.currency === of.currency && one.open !== 0n && one.date <= of.date,
  );
  const { strong } = namesIn(of, (number) => left.invoices.has(`${number} ${of.currency}`));
  // Named invoices keep those that are paid in part out.
  if (strong.length > 0 || input.invoices.length > 12) return [];
  return sums(
    open.map((one) => one.open),
    2,
  );
}

it('where nothing was matched, every reason is true of what is left', () => {
  fc.assert(
    fc.property(world, (input) => {
      for (const { id } of input.receipts) {
        const { tried, outcome } = explain(input, { receipt: id });
        if (winners(tried).length > 0) continue;
        expect(tried.map(({ rule }) => rule)[0]).toBe('named');
        for (const { rule, candidates } of tried) {
          for (const one of candidates) {
            expect(holds(input, outcome, rule, one), JSON.stringify([rule, one.why, one.receipts, one.invoices])).toBe(
              true,
            );
          }
        }
      }
    }),
    { numRuns: RUNS },
  );
});

it('a receipt is told which invoice asks for almost its amount, and which was issued too early', () => {
  const input = {
    receipts: [receipt('r1', '100')],
    invoices: [invoice(1, '99.95'), invoice(2, '100', { date: '2026-08-01' }), invoice(3, '7')],
    options: { matchDays: 21 },
  };
  const { tried } = explain(input, { receipt: 'r1' });
  expect(tried.map(({ rule }) => rule)).toEqual([
    'named',
    'equal',
    'set',
    'several-receipts',
    'taken-back',
    'named-part',
  ]);
  expect(tried[1]!.candidates.map(({ invoices, why }) => [invoices[0], why])).toEqual([
    [2, { id: 'tried-issued-long-before', days: 69, most: 21 }],
    [1, { id: 'tried-amount', asked: '99.95', left: '100.00', currency: 'USD' }],
    [3, { id: 'tried-amount', asked: '7.00', left: '100.00', currency: 'USD' }],
  ]);
});

it('a receipt with a bare short number is told that it names the invoice only where the amounts tally', () => {
  const input = {
    receipts: [receipt('r1', '60', { text: 'ACE COURIER 102' })],
    invoices: [invoice(102, '67.33')],
    options: { matchDays: 21 },
  };
  const { tried } = explain(input, { receipt: 'r1' });
  const saidBy = (name: string) =>
    tried.find(({ rule }) => rule === name)!.candidates.map(({ invoices, why }) => [...invoices, why.id]);
  expect(saidBy('named')).toEqual([[102, 'tried-amount']]);
  expect(saidBy('named-part')).toEqual([[102, 'tried-names-unclear']]);
});
