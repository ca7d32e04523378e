import { dayIn } from '../../../base/day.ts';
import { addMonths } from '../../../base/period.ts';
import { readClosedSettings } from '../../../ledger/queries/closes/closes.ts';
import {
  readInvoicePlaces,
  readIssueTimes,
  readListedMonths,
} from '../../../ledger/queries/closes/invoices-at-close.ts';
import type { InvoiceHistory } from '../../../ledger/queries/invoices/history.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../../ledger/schema.ts';
import { readSettlements, type Settlements } from '../receipts/settlements.ts';

/** An invoice's history as far as it was known at a close. */
export function knownAt(history: InvoiceHistory, { id }: PeriodCloseTable): InvoiceHistory {
  return { ...history, events: history.events.filter(({ evidence_id }) => evidence_id < id) };
}

/** An invoice with its month, and the day of its date in the books' time zone. */
type Placed = Pick<InvoiceHistory, 'number' | 'period' | 'issued_on'>;

/**
 * Gives a function that puts an invoice into its month and on its day as they were at a close. An invoice that the
 * close froze has the frozen month and day. Any other has the day of its last detail before the close, or else the day
 * that it has now; and the month in which the lists before the close have it, or else the first open month.
 */
export async function placingAt(db: LedgerReader, close: PeriodCloseTable, zone: string) {
  const frozenPlaces = await readInvoicePlaces(db, close);
  const issuedAtByNumber = await readIssueTimes(db, close);
  const listedMonths = await readListedMonths(db, close, issuedAtByNumber);
  const firstOpenMonth = addMonths(close.period, 1);
  return <I extends Placed>(invoice: I): I => {
    const { number } = invoice;
    const frozen = frozenPlaces.get(number);
    const issuedAt = frozen?.issued_at ?? issuedAtByNumber.get(number);
    return {
      ...invoice,
      issued_on: issuedAt === undefined ? invoice.issued_on : dayIn(issuedAt, zone),
      period: frozen?.period ?? listedMonths.get(number) ?? firstOpenMonth,
    };
  };
}

/** What balances are computed from: the invoices' histories, and what was paid of them. */
export type KnownMoney = { readonly histories: readonly InvoiceHistory[]; readonly settlements: Settlements };

/** Reads what was known when a month was closed, by the settings of then. @param histories all, as known now */
export async function readKnownAt(db: LedgerReader, histories: readonly InvoiceHistory[], close: PeriodCloseTable) {
  const settings = await readClosedSettings(db, close.id);
  const inPlaceAtClose = await placingAt(db, close, settings.timeZone);
  const known = histories.map((history) => inPlaceAtClose(knownAt(history, close)));
  const settlements = await readSettlements(db, settings, { atClose: close, histories: known });
  return { histories: known, settlements: { ...settlements, invoices: settlements.invoices.map(inPlaceAtClose) } };
}
