import { isOver } from '../../base/states.ts';
import { compareText } from '../../base/text.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { namedDifferences } from '../../checks/facts/receipts/flows.ts';
import { type MatchBooks, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { readSettlements, type SettlementSettings } from '../../checks/facts/receipts/settlements.ts';
import { type LetterRecord, readLetters } from '../../ledger/queries/evidence/decided.ts';
import { type Claim, type OrderDates, readClaims, readOrderDates } from '../../ledger/queries/findings/claims.ts';
import { findMismatchesBy, type Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { matchReceipts } from '../../matching/match-receipts.ts';
import { namedElsewhere } from '../../matching/open-items.ts';
import type { Units } from '../../money/units.ts';
import { addTo, type NothingOwed, type Owed, owedOf, type PossibleReceipt } from './owed.ts';

/** The checks whose findings the courier can be asked to correct, in the order of the catalogue. */
export const CLAIMABLE_CODES: ReadonlySet<string> = new Set(
  CHECKS.flatMap(({ code, claim }) => (claim === undefined ? [] : [code])),
);

/**
 * Whether a finding can be claimed. For an order that is not delivered yet nothing was collected, so nothing is
 * claimed.
 */
export function isClaimable({ code, severity }: Pick<Mismatch, 'code' | 'severity'>): boolean {
  return CLAIMABLE_CODES.has(code) && (code !== 'book-cod-differs' || severity === 'error');
}

/**
 * What all unresolved findings and the receipts together say is owed. Maps are by finding, unless they say otherwise.
 */
export interface Gathered {
  readonly owed: ReadonlyMap<string, Owed>;
  readonly whyNothing: ReadonlyMap<string, NothingOwed>;
  /** The courier's receipts that pay no invoice yet, and that took no invoice out of the claim, the oldest first. */
  readonly unallocated: readonly Unallocated[];
  /** The open balance with the courier today, by currency, with the corrections that receipts cover already. */
  readonly open: ReadonlyMap<string, Units>;
  /** The claims on these findings that are not over, and all letters. */
  readonly claimed: readonly Claim[];
  readonly letters: readonly LetterRecord[];
  /** The dates and invoices of the orders that the findings are about, by order. */
  readonly orders: ReadonlyMap<string, OrderDates>;
}

/** The rest of a receipt that pays no invoice yet. */
export interface Unallocated extends PossibleReceipt {
  /** The couriers that may have paid it, if several may: it is taken off the claim on each until somebody decides. */
  readonly couriers: readonly string[];
}

/**
 * Reads what is owed by all findings and receipts, whichever of them are then claimed.
 *
 * @param includePossible claims also what a receipt may have paid, though nobody knows what it pays
 */
export async function gatherOwed(
  db: LedgerReader,
  settings: SettlementSettings,
  includePossible = false,
): Promise<Gathered> {
  const unresolved = await findMismatchesBy(db, { statuses: ['open', 'acknowledged'] });
  const findings = unresolved.filter(isClaimable);
  const orderIds = [...new Set(findings.flatMap(({ order_id }) => order_id ?? []))];
  const orders = await readOrderDates(db, orderIds);
  const ids = findings.map(({ id }) => id);
  const inForce = [...(await readClaims(db, ids)).values()].filter(({ state }) => !isOver(state));
  const books = await readMatchBooks(db, settings);
  const { of: settled, invoices } = await readSettlements(db, settings, { books });
  const { owed, whyNothing, covered } = owedOf(findings, {
    settled,
    invoicesOf: (order) => orders.get(order)?.invoices ?? [],
    writtenOff: writeOffs(books),
    possible: possibleReceipts(books),
    claimed: new Set(inForce.map(({ mismatch_id }) => mismatch_id)),
    includePossible,
  });
  const unallocated = unallocatedOf(books, owed, settings.name ?? '');
  const open = new Map<string, Units>();
  for (const { currency, outstanding } of invoices) addTo(open, currency, outstanding);
  // A correction of 20.00 that a receipt paid has left its invoice at -20.00: the two come to nothing.
  for (const { currency, amount } of covered) addTo(open, currency, amount);
  // The courier owes less by what it paid for no invoice yet.
  for (const id of books.courierReceipts.keys()) {
    const { currency, left } = books.receipts.get(id)!;
    addTo(open, currency, -left);
  }
  const owedBy = new Map(owed.map((one) => [one.mismatch.id, one]));
  return { owed: owedBy, whyNothing, unallocated, open, claimed: inForce, letters: await readLetters(db), orders };
}

/**
 * Receipts that pay no invoice, without those that may pay an invoice which the courier is asked to confirm. Each is
 * this courier's, or another one's that this courier may claim too.
 *
 * @param name this courier's
 */
function unallocatedOf(
  { receipts, courierReceipts, undecided, elsewhere }: MatchBooks,
  owed: readonly Owed[],
  name: string,
): Unallocated[] {
  const toConfirm = owed.filter(({ section }) => section === 'confirm').flatMap(({ possible }) => possible);
  const idsToConfirm = new Set(toConfirm.map(({ receipt }) => receipt));
  const mayBeOurs = (id: number) => courierReceipts.has(id) || elsewhere.get(id)?.isShared === true;
  return [...receipts.values()]
    .filter(({ id, left }) => left > 0n && mayBeOurs(id) && !idsToConfirm.has(id))
    .map(({ id: receipt, date, left: amount, currency }): Unallocated => {
      // A receipt that several couriers can claim is listed with one: with this one, or with the `other`.
      const other = elsewhere.get(receipt)?.other;
      const couriers = undecided.get(receipt) ?? (other === undefined ? [] : [other, name]);
      return { receipt, date, amount, currency, couriers };
    })
    .sort((a, b) => compareText(a.date, b.date) || a.receipt - b.receipt);
}

/** Makes a function that sums what was written off an invoice. */
function writeOffs(books: MatchBooks): (number: number, currency: string) => Units {
  const all = namedDifferences(books).filter(({ kind }) => kind === 'write-off');
  return (number, currency) =>
    all.reduce((sum, one) => (one.number === number && one.currency === currency ? sum + one.amount : sum), 0n);
}

/** Makes a function that finds the receipts that may pay an invoice, where a person must say whether they do. */
function possibleReceipts(books: MatchBooks): (number: number, currency: string) => PossibleReceipt[] {
  const { input, sharedReceipts, receipts } = books;
  const all = [...input.receipts, ...sharedReceipts];
  // What the rules would match if the receipts that several couriers can claim were this courier's alone.
  const { ambiguous, matches } = matchReceipts({ ...input, receipts: all });
  const receiptOf = (id: string, amount: Units, currency: string): PossibleReceipt => {
    return { receipt: Number(id), date: receipts.get(Number(id))!.date, amount, currency };
  };
  const shared = new Set(sharedReceipts.map(({ id }) => id));
  // `paysIn`: the currency of the invoices that the receipt may pay; null for any.
  const withSeveralWays = ambiguous.map(({ receipt: id, currency, amount, ways, tooMany }) => {
    // Not all ways are known if there are too many: it may pay any invoice.
    const invoices = tooMany ? ('any' as const) : ways.flatMap((way) => way.invoices);
    return { receipt: receiptOf(id, amount, currency), invoices, paysIn: currency };
  });
  const sharedAndMatched = matches.flatMap(({ currency, receipts: matched, invoices: paid }) => {
    const invoices = paid.map(({ number }) => number);
    return matched
      .filter(({ id }) => shared.has(id))
      .map(({ id, amount }) => ({ receipt: receiptOf(id, amount, currency), invoices, paysIn: currency }));
  });
  const named = [...namedElsewhere({ ...input, receipts: all })];
  const inAnotherCurrency = named.map(([{ id, currency, left }, invoices]) => {
    return { receipt: receiptOf(id, left, currency), invoices, paysIn: null };
  });
  const possible = [...withSeveralWays, ...sharedAndMatched, ...inAnotherCurrency];
  return (number, currency) =>
    possible
      .filter(({ paysIn }) => paysIn === null || paysIn === currency)
      .filter(({ invoices }) => invoices === 'any' || invoices.includes(number))
      .map(({ receipt }) => receipt);
}
