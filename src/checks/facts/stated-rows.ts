/** Invoices' rows and the records of their orders: what differs, and what cannot be compared. */
import type { RowState } from '../../ledger/queries/rows/money.ts';
import {
  readRowsOff,
  readUncomparedRows,
  readUnlinkedRows,
  type UncomparedRow,
  type UnlinkedRow,
} from '../../ledger/queries/rows/row-differences.ts';
import type { CheckContext, GoneMismatch, NotComparable, UncomparedSentence } from '../check.ts';
import type { Lacking } from '../requirement.ts';
import { billedOrders, type RowPlace, rowPlaces } from './billed-orders.ts';
import { ourSource } from './sources.ts';

/** An invoice's row, with the state of its order by the row and by the order's record. */
export interface StatedRow extends RowState, RowPlace {
  /** Whether the order was ever delivered: by its record, or without an order book by any invoice's row. */
  readonly wasDelivered: boolean;
}

/** Makes the function that adds to a row its place, and whether its order was ever delivered. */
export async function statedRows(context: CheckContext): Promise<(row: RowState) => StatedRow> {
  const placeOf = await rowPlaces(context);
  const billed = ourSource(context.sources) === 'own-book' ? await billedOrders(context) : null;
  return (row) => {
    const wasDelivered = billed ? billed.get(row.order_id)!.wasDelivered : row.delivered_seen_at !== null;
    return { ...row, ...placeOf(row), wasDelivered };
  };
}

type MonthsRead = Pick<CheckContext, 'db' | 'periods' | 'facts'>;

/** The rows of these months whose amounts differ from their order's record, one entry per currency that differs. */
export function differingRows({ db, periods, facts }: MonthsRead) {
  return facts.once('rows-off', () => readRowsOff(db, periods));
}

/** Whether an order's record has a currency that its row on an invoice of the month lacks. */
export async function hasRecordAlone(context: MonthsRead, month: string): Promise<boolean> {
  return (await differingRows(context)).some((row) => row.period === month && row.row_cod === null);
}

/**
 * The ids of orders on these months' invoices that the order book does not confirm. Both kinds are read in one go, for
 * the checks `order-invoice-link` and `order-unknown`.
 */
export function unlinkedOrders({ db, periods, sources, facts }: CheckContext) {
  return facts.once('unlinked', async () => {
    const rows = await readUnlinkedRows(db, periods, sources.book.lastWholeWalk);
    const idsOf = (kind: (row: UnlinkedRow) => boolean) =>
      [...new Set(rows.filter(kind).map(({ order_id }) => order_id))].sort();
    return {
      /**
       * Those with a record that does not name the invoice, which has not vanished. That may be right: the record may
       * name another invoice that lists the order too.
       */
      recorded: idsOf(({ has_record, invoice_vanished_at }) => has_record === 1 && invoice_vanished_at === null),
      /** Those without a record, although the book was read whole after their invoice; on vanished invoices too. */
      unrecorded: idsOf(({ has_record }) => has_record === 0),
    };
  });
}

/**
 * The rows that cannot be compared with the order book, because their invoice is newer, or the order's record absent or
 * unreadable. None if there is no order book at all: then no row is compared with anything.
 */
export function uncomparedRows({ db, periods, sources, facts }: CheckContext): Promise<readonly UncomparedRow[]> {
  return facts.once('uncompared', async () =>
    sources.book.hasOrders ? readUncomparedRows(db, periods, sources.book.lastWholeWalk) : [],
  );
}

/** Why a row cannot be compared, and the command that mends it. */
export const WHY_UNCOMPARED: Readonly<Record<UncomparedRow['why'], Lacking<UncomparedSentence>>> = {
  older: { why: { id: 'order-book-older-than-invoice' }, commands: ['remit sync --orders'] },
  absent: { why: { id: 'order-book-older-and-lacks-order' }, commands: ['remit sync --orders'] },
  unread: { why: { id: 'order-record-unreadable' }, commands: [] },
};

/** The reasons why these rows could not be compared, each with the number of rows, for a check's coverage. */
export function whyUncompared(rows: readonly UncomparedRow[]): NotComparable[] {
  return (['older', 'absent', 'unread'] as const).map((why) => {
    return { ...WHY_UNCOMPARED[why], count: rows.filter((row) => row.why === why).length };
  });
}

/** Makes the function that says whether a mismatch's row cannot be compared now. */
export async function unseenRows(context: CheckContext) {
  const rows = new Set((await uncomparedRows(context)).map(({ number, order_id }) => `${number} ${order_id}`));
  return ({ invoice_number, order_id }: GoneMismatch) => rows.has(`${invoice_number} ${order_id}`);
}

/**
 * As {@link unseenRows}, but true only for mismatches that the order's record alone shows (`byRecord`): what the row
 * itself states can still be read.
 */
export async function unseenRecords(context: CheckContext) {
  const isUnseen = await unseenRows(context);
  const isByRecord = ({ sentence }: GoneMismatch) => (JSON.parse(sentence) as { byRecord?: boolean }).byRecord === true;
  return (mismatch: GoneMismatch) => isUnseen(mismatch) && isByRecord(mismatch);
}
