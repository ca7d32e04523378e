import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { formatUnits } from '../money/units.ts';
import { type MatchWay, MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import { type Rule, receiptsByAmount, sayInvoices, whySeveral, withNamed } from './rule.ts';
import { KeptSearches } from './subset-sum.ts';

/** Less work than for sets of invoices: every outstanding invoice is searched. */
const LIMITS = { least: 2, most: 12, ways: MOST_WAYS, work: 2 ** 16 };

/**
 * `several-receipts`: two to twelve receipts together are exactly what is outstanding of one invoice. Each names it, or
 * was booked within `match_days` after its date, because nothing else ties a part payment to it. A receipt that clearly
 * names an invoice is part of no other; if one of the receipts may name another invoice, all of them are ambiguous.
 *
 * @returns the rule; it keeps an invoice's last search until the invoice or its receipts change
 */
export function severalReceiptsRule(): Rule {
  const searches = new KeptSearches<OpenInvoice>();
  return (items) => {
    // 1: receipts that came in, not those that were taken back.
    const receipts = receiptsByAmount(items, 'several-receipts', 1);
    const found = findParts(items, receipts, searches);
    const booked = bookParts(items, found);
    for (const receipt of receipts) {
      const ways = found.waysOf.get(receipt) ?? [];
      const isUndecided = found.undecided.has(receipt);
      if (receipt.left === 0n || (ways.length === 0 && !isUndecided)) continue;
      // It may also just pay what its text names, in part or too much: one more way.
      const listed = withNamed(items, receipt, ways);
      items.markAmbiguous(receipt, { rule: 'several-receipts', ways: listed, tooMany: isUndecided });
    }
    return booked;
  };
}

/** Receipts that may pay an invoice together, each a part of it. */
type PartsOfInvoice = { readonly invoice: OpenInvoice; readonly parts: readonly OpenReceipt[] };

function findParts(items: OpenItems, receipts: readonly OpenReceipt[], searches: KeptSearches<OpenInvoice>) {
  const { tried } = items;
  const candidates: PartsOfInvoice[] = [];
  /** The sets that each receipt is in. */
  const waysOf = new Map<OpenReceipt, MatchWay[]>();
  /** Receipts for which a search stopped at its limit of work. */
  const undecided = new Set<OpenReceipt>();
  for (const invoice of items.invoices) {
    if (invoice.outstanding <= 0n) continue;
    const pool = receipts.filter((receipt) => mayBePart(items, receipt, invoice));
    if (pool.length === 0) continue;
    const amounts = pool.map(({ left }) => left);
    const { sets, tooMany } = searches.find(invoice, amounts, invoice.outstanding, LIMITS);
    if (tried && sets.length === 0) {
      const why: TriedSentence = tooMany ? { id: 'tried-too-many' } : whyNone(items, invoice, pool);
      tried.say('several-receipts', pool, [invoice], why);
    }
    if (tooMany) {
      // A receipt of the invoice's whole amount or more is no part of it.
      for (const receipt of pool) if (receipt.left < invoice.outstanding) undecided.add(receipt);
    }
    for (const set of sets) {
      const parts = set.map((index) => pool[index]!);
      candidates.push({ invoice, parts });
      const way = { receipts: parts.map(({ id }) => id), invoices: [invoice.number] };
      for (const part of parts) waysOf.set(part, [...(waysOf.get(part) ?? []), way]);
    }
  }
  return { candidates, waysOf, undecided };
}

/** Books each set of parts that is the only one of its invoice, if each of its receipts is in no other set. */
function bookParts(items: OpenItems, { candidates, waysOf, undecided }: ReturnType<typeof findParts>): boolean {
  const byInvoice = groupBy(candidates, ({ invoice }) => invoice);
  let booked = false;
  for (const { invoice, parts } of candidates) {
    const setsOfInvoice = byInvoice.get(invoice)!.length;
    const mostSets = Math.max(setsOfInvoice, ...parts.map((part) => waysOf.get(part)!.length));
    const isUndecided = parts.some((part) => undecided.has(part));
    const namesOthers = parts.some((part) => items.namesOthers(part, [invoice.number]));
    let why: TriedSentence = { id: 'tried-matched', rule: 'several-receipts' };
    if (mostSets > 1 || isUndecided) why = whySeveral(mostSets, isUndecided);
    else if (namesOthers) why = { id: 'tried-names-others' };
    items.tried?.say('several-receipts', parts, [invoice], why);
    if (why.id !== 'tried-matched') continue;
    const shares = parts.map(({ id, left }) => ({ id, amount: left }));
    items.book('several-receipts', shares, [{ number: invoice.number, amount: invoice.outstanding }], {
      evidence: `${parts.length} receipts together are what ${sayInvoices([invoice])} asks for`,
    });
    booked = true;
  }
  return booked;
}

function mayBePart(items: OpenItems, receipt: OpenReceipt, invoice: OpenInvoice): boolean {
  const { strong } = receipt.names;
  if (strong.length > 0) return strong.length === 1 && strong[0] === invoice.number;
  const days = receipt.day - invoice.day;
  return days >= 0 && days <= items.matchDays;
}

function whyNone({ currency }: OpenItems, { outstanding }: OpenInvoice, pool: readonly OpenReceipt[]): TriedSentence {
  return { id: 'tried-no-parts', receipts: pool.length, asked: formatUnits(outstanding), currency };
}
