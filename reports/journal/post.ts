import type { Units } from '../../src/money/index.ts';
import type { JournalAccount, JournalLine, JournalTransaction } from './model.ts';

/** One currency of an order's COD that the courier collected. */
export interface DeliveredRow {
  readonly order_id: string;
  readonly reference_id: string | null;
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
}

/** One currency of an invoice's header, or of what a restatement changed of it. */
export interface InvoicedRow {
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
  readonly net_due_to_merchant: Units;
}

/** A receipt, and what of it invoices got. */
export interface ReceivedRow {
  readonly receipt: string;
  readonly date: string;
  readonly currency: string;
  /** Negative where money was taken back. */
  readonly amount: Units;
  readonly allocated: Units;
  readonly invoices: readonly number[];
}

/** Money that came in before the invoice that it pays: what of it the invoice gets once it is issued. */
export interface AllocatedRow {
  readonly receipt: string;
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly amount: Units;
  /** Of the match, where it was made after the month in which the money came was closed. */
  readonly mark?: string;
}

/** A difference that a person named on an invoice: money that is no longer asked for. */
export interface NamedDifferenceRow {
  readonly id: string;
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly amount: Units;
  readonly kind: string;
}

/** Delivered: Dr uninvoiced COD / Cr receivables. Null where nothing was to be collected. */
export function postDelivered(row: DeliveredRow): JournalTransaction | null {
  return transaction(
    row,
    `DEL-${row.order_id}-${row.currency}`,
    `Delivered: order ${row.order_id}`,
    [
      ['uninvoiced_cod', row.cod],
      ['receivables', -row.cod],
    ],
    { order: row.order_id, ...(row.reference_id?.trim() ? { reference: row.reference_id } : {}) },
  );
}

/** One currency of what was delivered on a day. */
export interface DeliveredDayRow {
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
  readonly orders: number;
}

/** Delivered, a day and currency in one transaction: for programs that take few lines. */
export function postDeliveredDay({ date, currency, cod, orders }: DeliveredDayRow): JournalTransaction | null {
  const narration = `Delivered: ${orders} ${orders === 1 ? 'order' : 'orders'}`;
  return transaction({ date, currency }, `DEL-${date}-${currency}`, narration, [
    ['uninvoiced_cod', cod],
    ['receivables', -cod],
  ]);
}

/**
 * Invoiced: Dr courier receivable, Dr delivery fees / Cr uninvoiced COD. The receivable is the net that the invoice
 * states; where that is not its COD less its fee, the rest is a difference (`invoice-net`).
 *
 * @param restated the day's mark of a restatement, whose amounts are the changes; absent for the invoice itself
 */
export function postInvoiced(row: InvoicedRow, restated?: string): JournalTransaction | null {
  const { number, currency, cod, delivery_fee, net_due_to_merchant } = row;
  const id = restated === undefined ? `INV-${number}-${currency}` : `RES-${number}-${restated}-${currency}`;
  return transaction(
    row,
    id,
    `${restated === undefined ? 'Invoiced' : 'Restated'}: invoice ${number}`,
    [
      ['courier_receivable', net_due_to_merchant],
      ['delivery_fees', delivery_fee],
      ['uninvoiced_cod', -cod],
      ['differences', cod - delivery_fee - net_due_to_merchant],
    ],
    { invoice: number },
  );
}

/**
 * Received: Dr bank / Cr courier receivable, so that the receivable is net due less received at every date. What no
 * invoice is known for waits in `unallocated`.
 */
export function postReceived(row: ReceivedRow): JournalTransaction | null {
  const { receipt, currency, amount, allocated, invoices } = row;
  const whose = invoices.length === 0 ? 'no invoice' : `invoice ${invoices.join(', ')}`;
  return transaction(
    row,
    `REC-${receipt}-${currency}`,
    `${amount < 0n ? 'Taken back' : 'Received'}: ${whose}`,
    [
      ['bank', amount],
      ['courier_receivable', -allocated],
      ['unallocated', allocated - amount],
    ],
    { receipt, ...(invoices.length === 1 ? { invoice: invoices[0]! } : {}) },
  );
}

/** Allocated: Dr unallocated / Cr courier receivable, of a receipt that came before its invoice or was matched after a close. */
export function postAllocated(row: AllocatedRow): JournalTransaction | null {
  const { receipt, number, currency, amount, mark } = row;
  return transaction(
    row,
    `ALC-${receipt}-${number}-${mark ? `${mark}-` : ''}${currency}`,
    `${mark ? 'Matched later' : 'Received before'}: invoice ${number}`,
    [
      ['unallocated', amount],
      ['courier_receivable', -amount],
    ],
    { receipt, invoice: number },
  );
}

/** An invoice's net that was seen marked paid; negative where it was marked unpaid again. */
export interface SeenPaidRow {
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly amount: Units;
  /** Tells this sight from another of the same invoice. */
  readonly mark: string;
}

/** Seen paid, where no receipt says more: Dr bank / Cr courier receivable. */
export function postSeenPaid(row: SeenPaidRow): JournalTransaction | null {
  const { number, currency, amount, mark } = row;
  return transaction(
    row,
    `PAY-${number}-${mark}-${currency}`,
    `${amount < 0n ? 'Marked unpaid again' : 'Marked paid by the courier'}: invoice ${number}`,
    [
      ['bank', amount],
      ['courier_receivable', -amount],
    ],
    { invoice: number },
  );
}

/** A named difference: Dr differences / Cr courier receivable. */
export function postNamedDifference(row: NamedDifferenceRow): JournalTransaction | null {
  return transaction(
    row,
    `DIF-${row.id}-${row.currency}`,
    `Difference (${row.kind}): invoice ${row.number}`,
    [
      ['differences', row.amount],
      ['courier_receivable', -row.amount],
    ],
    { invoice: row.number },
  );
}

function transaction(
  { date, currency }: { readonly date: string; readonly currency: string },
  id: string,
  narration: string,
  amounts: readonly (readonly [JournalAccount, Units])[],
  references: JournalTransaction['references'] = {},
): JournalTransaction | null {
  const lines = amounts
    .map(([account, amount]): JournalLine => ({ account, amount }))
    .filter(({ amount }) => amount !== 0n);
  return lines.length === 0 ? null : { id, date, currency, narration, references, lines };
}
