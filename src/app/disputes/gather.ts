import { type MatchBooks, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { readSettlements, type SettlementSettings } from '../../checks/facts/receipts/settlements.ts';
import { findMismatchesBy, type LedgerReader, type OrderDates, readOrderDates } from '../../ledger/queries/index.ts';
import { matchReceipts } from '../../matching/index.ts';
import { GROUNDS } from './grounds.ts';
import { type NothingOwed, type Owed, owedOf, type PossibleReceipt } from './owed.ts';

/** What is owed by all findings that are not resolved, by finding. */
export interface Gathered {
  readonly owed: ReadonlyMap<string, Owed>;
  readonly nothing: ReadonlyMap<string, NothingOwed>;
  /** The dates and invoices of the orders that they are about. */
  readonly orders: ReadonlyMap<string, OrderDates>;
}

/** Reads what the findings and the receipts say is owed, whichever of them are then claimed. */
export async function gatherOwed(
  db: LedgerReader,
  settings: SettlementSettings,
  includePossible: boolean,
): Promise<Gathered> {
  const standing = await findMismatchesBy(db, { statuses: ['open', 'acknowledged'] });
  const findings = standing.filter(({ code }) => GROUNDS.has(code));
  const ids = [...new Set(findings.flatMap(({ order_id }) => order_id ?? []))];
  const orders = await readOrderDates(db, ids);
  const books = await readMatchBooks(db, settings);
  const { of } = await readSettlements(db, settings, { books });
  const { owed, nothing } = owedOf(findings, {
    settled: of,
    invoicesOf: (order) => orders.get(order)?.invoices ?? [],
    possible: possibleReceipts(books),
    includePossible,
  });
  return { owed: new Map(owed.map((one) => [one.mismatch.id, one])), nothing, orders };
}

/** The receipts that can be explained in several ways, by the invoices that they may pay; one with too many ways may pay any. */
function possibleReceipts({ input, receipts }: MatchBooks): (number: number, currency: string) => PossibleReceipt[] {
  const ambiguous = matchReceipts(input).ambiguous.map(({ receipt, currency, amount, ways, tooMany }) => {
    const invoices = new Set(ways.flatMap((way) => way.invoices));
    return { date: receipts.get(Number(receipt))!.date, amount, currency, invoices, isOfAny: tooMany };
  });
  return (number, currency) =>
    ambiguous
      .filter((one) => one.currency === currency && (one.isOfAny || one.invoices.has(number)))
      .map(({ date, amount }) => ({ date, amount, currency }));
}
