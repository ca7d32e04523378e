import { receivedMoney } from '../../src/checks/receipts/flows.ts';
import { readSettlements, type SettlementSettings } from '../../src/checks/receipts/settlements.ts';
import {
  type InvoicePlace,
  readInvoicePlaces,
  readIssuedDays,
  readListedMonths,
} from '../../src/ledger/read/closes.ts';
import {
  type DeliveredDay,
  type InvoiceHistory,
  type LedgerReader,
  type Movement,
  movementsOf,
  readClosesInForce,
  readDeliveredDays,
  readDeliveries,
  readInvoiceHistories,
  sumDeliveriesBefore,
} from '../../src/ledger/read/index.ts';
import { readReceiptTimes } from '../../src/ledger/read/receipts.ts';
import type { PeriodCloseTable } from '../../src/ledger/schema.ts';
import { addMonths, lastDayOf } from '../../src/period.ts';
import { ClosedBook } from './closed-book.ts';
import { dayBefore, journalOf } from './journal.ts';
import type { Journal, JournalTransaction } from './model.ts';
import { postDelivered, postDeliveredDay, postInvoiced, postSeenPaid } from './post.ts';
import { postReceipts } from './receipts.ts';

/** How fine deliveries are booked: one transaction an order, or one a day. */
export type DeliveredBy = 'order' | 'day';

/**
 * The bookings of some months, from the ledger: delivered, invoiced with its restatements, received, and, where no receipts settle an
 * invoice, seen paid.
 *
 * @param periods the months, in order, at least one; what lies between them is in the journal too
 */
export async function buildJournal(
  db: LedgerReader,
  {
    settings,
    periods,
    period,
    deliveredBy,
  }: { settings: SettlementSettings; periods: readonly string[]; period: string; deliveredBy: DeliveredBy },
): Promise<Journal> {
  const [from, to] = [`${periods[0]}-01`, lastDayOf(periods.at(-1)!)];
  const closed = await readClosesInForce(db);
  const delivered = await (deliveredBy === 'order' ? byOrder : byDay)(db, from, to, closed);
  const moved = await readMoved(db, { settings, to, closed });
  return journalOf(
    { period, from, to },
    [...delivered, ...moved].filter((one) => one !== null),
  );
}

/** All that moved what the courier owes. A closed month has it as it was known at the close. */
async function readMoved(
  db: LedgerReader,
  { settings, to, closed }: { settings: SettlementSettings; to: string; closed: readonly PeriodCloseTable[] },
): Promise<JournalTransaction[]> {
  // One that stood in a closed month may have moved to a later one.
  const histories = await readInvoiceHistories(db, closed.length > 0 ? '9999-12' : to.slice(0, 7));
  const importedAt = await readReceiptTimes(db);
  const stateAt = async (then: PeriodCloseTable | null): Promise<JournalTransaction[]> => {
    const all = await readSettlements(db, settings, undefined, then ?? undefined);
    const earlier = then ? closed.filter(({ id }) => id < then.id) : closed;
    const placed = then ? await placesAt(db, then) : <P>(one: P) => one;
    const settlements = { ...all, invoices: all.invoices.map(placed) };
    const received = receivedMoney(settlements);
    const moved = histories
      .flatMap((history) => movementsOf(then ? placed(knownAt(history, then)) : history, received, earlier))
      .map(postMovement);
    return [...moved, ...postReceipts(settlements, { closed: earlier, importedAt })].filter((one) => one !== null);
  };
  const book = new ClosedBook();
  for (const close of closed) {
    if (lastDayOf(close.period) > to) break;
    book.close(await stateAt(close), close);
  }
  if (book.closedTo < to) book.add(await stateAt(null));
  return book.transactions;
}

function knownAt(history: InvoiceHistory, { id }: PeriodCloseTable): InvoiceHistory {
  return { ...history, events: history.events.filter(({ evidence_id }) => evidence_id < id) };
}

/** Puts invoices where they stood at a close. One that was in no list then counts from the first month that is open. */
async function placesAt(
  db: LedgerReader,
  then: PeriodCloseTable,
): Promise<<I extends InvoicePlace & { readonly number: number }>(invoice: I) => I> {
  const held = await readInvoicePlaces(db, then);
  const issued = await readIssuedDays(db, then);
  const listed = await readListedMonths(db, then, issued);
  const open = addMonths(then.period, 1);
  return (invoice) => {
    const { number } = invoice;
    const issued_at = issued.get(number) ?? invoice.issued_at;
    return { ...invoice, issued_at, period: listed.get(number) ?? open, ...held.get(number) };
  };
}

async function byOrder(db: LedgerReader, from: string, to: string, closed: readonly PeriodCloseTable[]) {
  const earlier = await sumDeliveriesBefore(db, from, closed);
  return [
    ...earlier.map((sum) => postDeliveredBefore(from, sum)),
    ...(await readDeliveries(db, from, to, closed)).map(postDelivered),
  ];
}

async function byDay(db: LedgerReader, from: string, to: string, closed: readonly PeriodCloseTable[]) {
  const days = await readDeliveredDays(db, from, to, closed);
  return days.map(({ date, ...day }) =>
    date === null ? postDeliveredBefore(from, day) : postDeliveredDay({ ...day, date }),
  );
}

/** All that was delivered before a day: it is in the opening balances, whatever its days. */
function postDeliveredBefore(day: string, { currency, cod }: Pick<DeliveredDay, 'currency' | 'cod'>) {
  return postDelivered({ order_id: 'before', reference_id: null, date: dayBefore(day), currency, cod });
}

/** A letter for each way in which an invoice changes after it was booked, for the transaction's id. */
const MARKS = { restated: 'R', vanished: 'V', back: 'B' } as const;

function postMovement({
  kind,
  number,
  date,
  currency,
  money,
  amount,
  evidence_id,
}: Movement): JournalTransaction | null {
  // Money of receipts is booked receipt by receipt, whatever it pays.
  if (kind === 'received' || kind === 'difference') return null;
  if (kind === 'paid' || kind === 'already-paid') {
    return postSeenPaid({ number, date, currency, amount: -amount, mark: String(evidence_id) });
  }
  const row = { number, date, currency, ...money };
  return kind === 'invoiced' ? postInvoiced(row) : postInvoiced(row, `${MARKS[kind]}${evidence_id}`);
}
