import { groupBy } from '../group.ts';
import type { CurrencyBooks, OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { MOST_WAYS, type Way } from './model.ts';
import { openReceipts, type Rule, type Stuck, sayInvoices, setAside } from './rule.ts';
import { SubsetSearch, type SubsetsFound } from './subset-search.ts';

const MOST_RECEIPTS = 12;
/** Smaller than for one receipt: it is searched for every outstanding invoice. */
const WORK = 2 ** 16;

/**
 * Rule 4: several receipts, two to twelve, are what one invoice still asks for. Each must lie within `match_days` after
 * the invoice's date, because nothing else ties a part of a payment to it; one that surely names an invoice is a part
 * of no other.
 *
 * @returns the rule; it remembers what it searched while nothing that an invoice depends on has changed
 */
export function severalReceiptsRule(): Rule {
  const search = new SubsetSearch();
  const before = new Map<number, { readonly key: string; readonly sets: SubsetsFound }>();
  const setsOf = (invoice: OpenInvoice, pool: readonly OpenReceipt[]) => {
    const key = `${invoice.outstanding} ${pool.map(({ id, left }) => `${id}:${left}`).join()}`;
    const known = before.get(invoice.number);
    if (known?.key === key) return known.sets;
    const amounts = pool.map(({ left }) => left);
    const limits = { least: 2, most: MOST_RECEIPTS, ways: MOST_WAYS, work: WORK };
    const sets = search.find(amounts, invoice.outstanding, limits);
    before.set(invoice.number, { key, sets });
    return sets;
  };
  return (books, stuck) => bookParts(books, stuck, setsOf);
}

function bookParts(
  books: CurrencyBooks,
  stuck: Stuck,
  setsOf: (invoice: OpenInvoice, pool: readonly OpenReceipt[]) => SubsetsFound,
): boolean {
  const receipts = openReceipts(books, stuck, 1);
  const ways = new Map<OpenReceipt, Way[]>();
  const tooMany = new Set<OpenReceipt>();
  const found: { readonly invoice: OpenInvoice; readonly parts: readonly OpenReceipt[] }[] = [];
  for (const invoice of books.invoices) {
    if (invoice.outstanding <= 0n) continue;
    const pool = receipts.filter((receipt) => mayBePart(books, receipt, invoice));
    if (pool.length < 2) continue;
    const { sets, tooMany: stopped } = setsOf(invoice, pool);
    if (stopped) for (const receipt of pool.filter(({ left }) => left < invoice.outstanding)) tooMany.add(receipt);
    for (const set of sets) {
      const parts = set.map((index) => pool[index]!);
      found.push({ invoice, parts });
      const way = { receipts: parts.map(({ id }) => id), invoices: [invoice.number] };
      for (const part of parts) ways.set(part, [...(ways.get(part) ?? []), way]);
    }
  }
  const waysOfInvoice = groupBy(found, ({ invoice }) => invoice);
  let booked = false;
  for (const { invoice, parts } of found) {
    const clear =
      waysOfInvoice.get(invoice)!.length === 1 &&
      parts.every((part) => ways.get(part)!.length === 1 && !tooMany.has(part));
    if (!clear) continue;
    const shares = parts.map(({ id, left }) => ({ id, amount: left }));
    books.book('several-receipts', shares, [{ number: invoice.number, amount: invoice.outstanding }], {
      evidence: `${parts.length} receipts together are what ${sayInvoices([invoice.number])} asks for`,
    });
    booked = true;
  }
  for (const receipt of receipts) {
    const all = ways.get(receipt) ?? [];
    if (receipt.left === 0n || (all.length === 0 && !tooMany.has(receipt))) continue;
    const listed = all.slice(0, MOST_WAYS);
    setAside(books, stuck, receipt, 'several-receipts', listed, tooMany.has(receipt) || all.length > MOST_WAYS);
  }
  return booked;
}

function mayBePart(books: CurrencyBooks, receipt: OpenReceipt, invoice: OpenInvoice): boolean {
  const { strong } = receipt.names;
  if (strong.length > 0) return strong.length === 1 && strong[0] === invoice.number;
  const days = receipt.day - invoice.day;
  return days >= 0 && days <= books.options.matchDays;
}
