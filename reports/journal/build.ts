import { receivedMoney } from '../../src/checks/receipts/flows.ts';
import { readSettlements, type SettlementSettings } from '../../src/checks/receipts/settlements.ts';
import {
  type DeliveredDay,
  type LedgerReader,
  type Movement,
  movementsOf,
  readClosesInForce,
  readDeliveredDays,
  readDeliveries,
  readInvoiceHistories,
  sumDeliveriesBefore,
} from '../../src/ledger/read/index.ts';
import { lastDayOf } from '../../src/period.ts';
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
  const delivered = await (deliveredBy === 'order' ? byOrder : byDay)(db, from, to);
  const settlements = await readSettlements(db, settings);
  const received = receivedMoney(settlements);
  const histories = await readInvoiceHistories(db, to.slice(0, 7));
  const closed = await readClosesInForce(db);
  const moved = histories.flatMap((history) => movementsOf(history, received, closed)).map(postMovement);
  return journalOf(
    { period, from, to },
    [...delivered, ...moved, ...postReceipts(settlements)].filter((one) => one !== null),
  );
}

async function byOrder(db: LedgerReader, from: string, to: string) {
  const earlier = await sumDeliveriesBefore(db, from);
  return [
    ...earlier.map((sum) => postDeliveredBefore(from, sum)),
    ...(await readDeliveries(db, from, to)).map(postDelivered),
  ];
}

async function byDay(db: LedgerReader, from: string, to: string) {
  const days = await readDeliveredDays(db, from, to);
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
