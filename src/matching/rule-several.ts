import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { bookUnambiguous } from './book-unambiguous.ts';
import { type MatchWay, MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import {
  type Ambiguous,
  markAmbiguous,
  type Rule,
  receiptsByAmount,
  sayInvoices,
  whyAmountDiffers,
  whySeveral,
  whyTooFarApart,
  withNamed,
} from './rule.ts';
import { SubsetSearch, type SubsetsFound } from './subset-sum.ts';
import { plainAmount } from './tried-log.ts';

/**
 * `equal`: one receipt is exactly what is outstanding of one invoice, within `match_days` after its date. A debit is
 * what one invoice was overpaid, or what you owe on it, however late. A receipt that clearly names an invoice is not
 * matched to another by its amount.
 */
export const equalRule: Rule = (items, ambiguous) => {
  const byOutstanding = groupBy(
    items.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  const whyNot = (receipt: OpenReceipt, invoice: OpenInvoice) => {
    if (invoice.outstanding !== receipt.left) return whyAmountDiffers(items.currency, [invoice], [receipt]);
    const most = receipt.left < 0n ? Number.POSITIVE_INFINITY : items.options.matchDays;
    return whyTooFarApart(receipt, invoice, most);
  };
  const creditsThenDebits = [1, -1] as const;
  const receipts = creditsThenDebits
    .flatMap((sign) => receiptsByAmount(items, ambiguous, { rule: 'equal', sign }))
    .filter((receipt) => {
      const isNamed = receipt.names.strong.length > 0;
      const invoices = isNamed ? items.invoicesOf(receipt.names.strong) : [];
      if (isNamed) items.tried?.say('equal', { receipts: [receipt], invoices }, { id: 'tried-names-by-name' });
      return !isNamed;
    });
  for (const [receipt, invoice] of items.tried?.nearestPairs(receipts, [...byOutstanding.values()].flat()) ?? []) {
    const why = whyNot(receipt, invoice);
    if (why !== null) items.tried!.say('equal', { receipts: [receipt], invoices: [invoice] }, why);
  }
  const receiptChoices = receipts.map((receipt) => {
    const sameAmount = byOutstanding.get(receipt.left) ?? [];
    const equal = sameAmount.filter((invoice) => whyNot(receipt, invoice) === null);
    const choices = equal.slice(0, MOST_WAYS).map((invoice) => ({ rule: 'equal' as const, invoices: [invoice] }));
    return { receipt, choices, tooMany: equal.length > MOST_WAYS };
  });
  return bookUnambiguous(items, ambiguous, receiptChoices, ({ invoices }, { left }) => {
    const invoice = sayInvoices(invoices.map(({ number }) => number));
    return left > 0n
      ? `the amount is what ${invoice} alone asks for within ${items.options.matchDays} days`
      : `the amount is what ${invoice} alone was overpaid, or is owed on it`;
  });
};

const MOST_RECEIPTS = 12;
/** Smaller than for sets of invoices: every outstanding invoice is searched. */
const WORK = 2 ** 16;

/**
 * `several-receipts`: two to twelve receipts together are exactly what is outstanding of one invoice. Each names it, or
 * was booked within `match_days` after its date, because nothing else ties a part payment to it. A receipt that clearly
 * names an invoice is part of no other; if one may name another, all are ambiguous.
 *
 * @returns the rule; it keeps an invoice's last search until the invoice or its receipts change
 */
export function severalReceiptsRule(): Rule {
  const search = new SubsetSearch();
  const lastSearches = new Map<number, { readonly key: string; readonly sets: SubsetsFound }>();
  const setsOf = (invoice: OpenInvoice, pool: readonly OpenReceipt[]) => {
    const key = `${invoice.outstanding} ${pool.map(({ id, left }) => `${id}:${left}`).join()}`;
    const last = lastSearches.get(invoice.number);
    if (last?.key === key) return last.sets;
    const amounts = pool.map(({ left }) => left);
    const limits = { least: 2, most: MOST_RECEIPTS, ways: MOST_WAYS, work: WORK };
    const sets = search.find(amounts, invoice.outstanding, limits);
    lastSearches.set(invoice.number, { key, sets });
    return sets;
  };
  return (items, ambiguous) => bookParts(items, ambiguous, setsOf);
}

function bookParts(
  items: OpenItems,
  ambiguous: Ambiguous,
  setsOf: (invoice: OpenInvoice, pool: readonly OpenReceipt[]) => SubsetsFound,
): boolean {
  const receipts = receiptsByAmount(items, ambiguous, { rule: 'several-receipts', sign: 1 });
  const { tried } = items;
  const waysOf = new Map<OpenReceipt, MatchWay[]>();
  /** Receipts for which a search stopped at its limit of work. */
  const undecided = new Set<OpenReceipt>();
  const candidates: { readonly invoice: OpenInvoice; readonly parts: readonly OpenReceipt[] }[] = [];
  for (const invoice of items.invoices) {
    if (invoice.outstanding <= 0n) continue;
    const pool = receipts.filter((receipt) => mayBePart(items, receipt, invoice));
    if (pool.length < 2) {
      if (pool.length === 1)
        tried?.say('several-receipts', { receipts: pool, invoices: [invoice] }, whyNone(items, invoice, pool));
      continue;
    }
    const { sets, tooMany } = setsOf(invoice, pool);
    if (tried?.isAbout({ receipts: pool, invoices: [invoice] }) && sets.length === 0) {
      const why: TriedSentence = tooMany ? { id: 'tried-too-many' } : whyNone(items, invoice, pool);
      tried.say('several-receipts', { receipts: pool, invoices: [invoice] }, why);
    }
    if (tooMany) {
      for (const receipt of pool) if (receipt.left < invoice.outstanding) undecided.add(receipt);
    }
    for (const set of sets) {
      const parts = set.map((index) => pool[index]!);
      candidates.push({ invoice, parts });
      const way = { receipts: parts.map(({ id }) => id), invoices: [invoice.number] };
      for (const part of parts) waysOf.set(part, [...(waysOf.get(part) ?? []), way]);
    }
  }
  const byInvoice = groupBy(candidates, ({ invoice }) => invoice);
  let booked = false;
  for (const { invoice, parts } of candidates) {
    const mostWays = Math.max(byInvoice.get(invoice)!.length, ...parts.map((part) => waysOf.get(part)!.length));
    const isUndecided = parts.some((part) => undecided.has(part));
    const namesOthers = parts.some((part) => items.namesOthers(part, [invoice.number]));
    let why: TriedSentence = { id: 'tried-matched', rule: 'several-receipts' };
    if (mostWays > 1 || isUndecided) why = whySeveral(mostWays, isUndecided);
    else if (namesOthers) why = { id: 'tried-names-others' };
    tried?.say('several-receipts', { receipts: parts, invoices: [invoice] }, why);
    if (why.id !== 'tried-matched') continue;
    const shares = parts.map(({ id, left }) => ({ id, amount: left }));
    items.book('several-receipts', shares, [{ number: invoice.number, amount: invoice.outstanding }], {
      evidence: `${parts.length} receipts together are what ${sayInvoices([invoice.number])} asks for`,
    });
    booked = true;
  }
  for (const receipt of receipts) {
    const ways = waysOf.get(receipt) ?? [];
    const isUndecided = undecided.has(receipt);
    if (receipt.left === 0n || (ways.length === 0 && !isUndecided)) continue;
    const listed = withNamed(items, receipt, ways);
    markAmbiguous(items, ambiguous, receipt, { rule: 'several-receipts', ways: listed, tooMany: isUndecided });
  }
  return booked;
}

function mayBePart(items: OpenItems, receipt: OpenReceipt, invoice: OpenInvoice): boolean {
  const { strong } = receipt.names;
  if (strong.length > 0) return strong.length === 1 && strong[0] === invoice.number;
  const days = receipt.day - invoice.day;
  return days >= 0 && days <= items.options.matchDays;
}

function whyNone({ currency }: OpenItems, { outstanding }: OpenInvoice, pool: readonly OpenReceipt[]): TriedSentence {
  return { id: 'tried-no-parts', receipts: pool.length, asked: plainAmount(outstanding), currency };
}
