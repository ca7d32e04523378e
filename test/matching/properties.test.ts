import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedNumbers } from '../../src/matching/invoice-numbers.ts';
import { matchReceipts } from '../../src/matching/match-receipts.ts';
import type { Invoice, MatchOutcome, MoneyToMatch } from '../../src/matching/model.ts';
import { nextRun, sum } from './sides.ts';

const RUNS = Number(process.env.REMIT_PROPERTY_RUNS ?? 400);
const date = fc.integer({ min: 1, max: 28 }).map((day) => `2026-10-${String(day).padStart(2, '0')}`);
const currency = fc.constantFrom('USD', 'USD', 'LBP');
/** Few amounts, so that sums meet by chance again and again. */
const units = (min: number, max: number) => fc.integer({ min, max }).map((count) => BigInt(count) * 10_000n);
const textOf = (first: number) => {
  const number = fc.integer({ min: first, max: first + 9 });
  return fc.oneof(
    fc.constant('Transfer'),
    fc.array(number, { minLength: 1, maxLength: 3 }).map((all) => all.join(', ')),
    number.map((one) => `ref ${one} of 41`),
    number.map((one) => `payout ${one} of 31/10/2005`),
  );
};

/** The invoices have numbers from the first on. */
const worldOf = (first: number) =>
  fc
    .record({
      receipts: fc.array(fc.record({ date, currency, amount: units(-9, 25), text: textOf(first) }), { maxLength: 9 }),
      invoices: fc.array(fc.record({ date, currency, net: units(-4, 18) }), { maxLength: 9 }),
    })
    .map(
      ({ receipts, invoices }): MoneyToMatch => ({
        receipts: receipts
          .filter(({ amount }) => amount !== 0n)
          .map((one, at) => ({ ...one, id: `r${at}`, left: one.amount })),
        invoices: invoices.map((one, at): Invoice => ({ ...one, number: first + at, matched: 0n })),
        options: { matchDays: 21 },
      }),
    );
/** Numbers like any, or such that could be years. */
const world = fc.oneof(worldOf(10_001), worldOf(2001));

const amountOf = (input: MoneyToMatch, id: string) => input.receipts.find((one) => one.id === id)!.amount;
const shuffled = <T>(items: readonly T[], keys: readonly number[]): T[] =>
  items
    .map((item, at) => ({ item, key: keys[at % keys.length]! * 7919 * (at + 1) }))
    .sort((a, b) => (a.key % 104_729) - (b.key % 104_729))
    .map(({ item }) => item);

describe('whatever the receipts and invoices', () => {
  it('no match uses more than either side holds, and both sides of a match are equal', () => {
    fc.assert(
      fc.property(world, (input) => {
        const { matches } = matchReceipts(input);
        for (const match of matches) {
          expect(sum(match.receipts)).toBe(sum(match.invoices));
          expect(match.difference).toBe(sum(match.receipts) - match.due);
          if (match.rule !== 'named-part' && match.rule !== 'taken-back') expect(match.difference).toBe(0n);
        }
        for (const one of input.receipts) {
          const used = sum(matches.flatMap(({ receipts }) => receipts).filter(({ id }) => id === one.id));
          expect(used === 0n || used === one.amount).toBe(true);
        }
        for (const one of input.invoices) {
          const own = matches.filter((match) => match.currency === one.currency);
          const received = sum(own.flatMap(({ invoices }) => invoices).filter(({ number }) => number === one.number));
          const special = own.some(
            ({ rule, invoices }) =>
              (rule === 'named-part' || rule === 'taken-back') && invoices.some(({ number }) => number === one.number),
          );
          // Only a text that names an invoice can pay it too much.
          if (!special)
            expect(received === 0n || received === one.net || (received > 0n && received < one.net)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('every receipt is matched, ambiguous or unmatched, and only one of them', () => {
    fc.assert(
      fc.property(world, (input) => {
        const { matches, ambiguous, unmatched } = matchReceipts(input);
        const told = [
          ...matches.flatMap(({ receipts }) => receipts.map(({ id }) => id)),
          ...ambiguous.map(({ receipt }) => receipt),
          ...unmatched.receipts,
        ];
        expect(told.sort()).toEqual(input.receipts.map(({ id }) => id).sort());
        for (const { receipt, amount } of ambiguous) expect(amount).toBe(amountOf(input, receipt));
      }),
      { numRuns: RUNS },
    );
  });

  it('never crosses currencies, and one currency changes nothing of another', () => {
    fc.assert(
      fc.property(world, (named) => {
        // A text that names an invoice of the other currency keeps its receipt from an invoice of its own.
        const input = { ...named, receipts: named.receipts.map((one) => ({ ...one, text: 'Transfer' })) };
        const both = matchReceipts(input);
        for (const code of ['USD', 'LBP']) {
          const only = <T extends { readonly currency: string }>(rows: readonly T[]) =>
            rows.filter((row) => row.currency === code);
          const alone = matchReceipts({ ...input, receipts: only(input.receipts), invoices: only(input.invoices) });
          expect(alone.matches).toEqual(only(both.matches));
          expect(alone.ambiguous).toEqual(only(both.ambiguous));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('the order of rows does not matter', () => {
    fc.assert(
      fc.property(world, fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), (input, keys) => {
        const moved = {
          ...input,
          receipts: shuffled(input.receipts, keys),
          invoices: shuffled(input.invoices, keys.toReversed()),
        };
        expect(matchReceipts(moved)).toEqual(matchReceipts(input));
      }),
      { numRuns: RUNS },
    );
  });

  it('the ids that an import happened to give do not matter', () => {
    const content = (input: MoneyToMatch, { matches }: MatchOutcome) => {
      const of = (id: string) => {
        const { date: day, amount, text: words } = input.receipts.find((one) => one.id === id)!;
        return `${day} ${amount} ${words}`;
      };
      return matches.map(({ rule, receipts, invoices }) => [rule, receipts.map(({ id }) => of(id)), invoices]);
    };
    fc.assert(
      fc.property(world, (input) => {
        const renamed = { ...input, receipts: input.receipts.map((one, at) => ({ ...one, id: `x${99 - at}` })) };
        expect(content(renamed, matchReceipts(renamed))).toEqual(content(input, matchReceipts(input)));
      }),
      { numRuns: RUNS },
    );
  });

  it('a receipt whose text names an open invoice is never booked on one that it does not name', () => {
    /** 41 is no more than a possible name in some of the texts; 10001 is a clear one. */
    const numbers = [41, 42, 10_001, 10_002, 2003, 2004, 10_005];
    const number = fc.constantFrom(...numbers);
    const said = fc.oneof(
      fc.constant('Transfer'),
      fc.array(number, { minLength: 1, maxLength: 3 }).map((all) => `INV ${all.join(', ')}`),
      number.map((one) => `payment for ${one} orders`),
      number.map((one) => `part payment of invoice ${one}`),
      number.map((one) => `part of payout ${one}`),
      number.map((one) => `دفعة من فاتورة ${String(one).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)}`),
    );
    const named = fc
      .record({
        receipts: fc.array(fc.record({ date, currency, amount: units(-6, 25), text: said }), { maxLength: 9 }),
        invoices: fc.array(fc.record({ date, currency, net: units(-4, 18) }), { maxLength: numbers.length }),
      })
      .map(
        ({ receipts, invoices }): MoneyToMatch => ({
          receipts: receipts
            .filter(({ amount }) => amount !== 0n)
            .map((one, at) => ({ ...one, id: `r${at}`, left: one.amount })),
          invoices: invoices.map((one, at): Invoice => ({ ...one, number: numbers[at]!, matched: 0n })),
          options: { matchDays: 21 },
        }),
      );
    let booked = 0;
    fc.assert(
      fc.property(named, (input) => {
        const known = (one: number) => input.invoices.some((invoice) => invoice.number === one);
        const { matches } = matchReceipts(input);
        const debits = input.receipts.some(({ amount }) => amount < 0n);
        for (const match of matches) {
          const received = (invoice: Invoice) =>
            sum(
              matches
                .filter((one) => one.currency === invoice.currency)
                .flatMap(({ invoices }) => invoices)
                .filter((share) => share.number === invoice.number),
            );
          // Something is still asked for; one that was overpaid later was not open when a possible name of it was read.
          const asks = (each: Invoice) => (each.net > 0n ? received(each) < each.net : received(each) > each.net);
          const isOpen = (one: number) =>
            input.invoices.some(
              (each) => each.number === one && each.currency === match.currency && each.net !== 0n && asks(each),
            );
          for (const { id } of match.receipts) {
            const { strong, weak } = namedNumbers(input.receipts.find((one) => one.id === id)!.text, known);
            // An invoice that was paid when a possible name of it was read is open again where that was taken back.
            const possible = debits ? [] : weak.filter(isOpen);
            if (strong.length === 0 && possible.length === 0) continue;
            booked += 1;
            for (const share of match.invoices) expect([...strong, ...weak]).toContain(share.number);
          }
        }
      }),
      { numRuns: RUNS * 5 },
    );
    expect(booked).toBeGreaterThan(RUNS);
  });

  it('a second run changes nothing', () => {
    fc.assert(
      fc.property(world, (input) => {
        const first = matchReceipts(input);
        const second = matchReceipts(nextRun(input, first.matches));
        expect(second).toEqual({ ...first, matches: [] });
      }),
      { numRuns: RUNS },
    );
  });
});
