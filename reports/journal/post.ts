import type { EffectMove } from '../../src/ledger/queries/findings/effects.ts';
import type { ChargeKind } from '../../src/ledger/schema.ts';
import type { Units } from '../../src/money/units.ts';
import { accountOfKind } from './charges.ts';
import type { InvoiceShare, JournalAccount, JournalLine, JournalNarration, JournalTransaction } from './model.ts';

/** One currency of an order's COD that the courier collected. */
export interface DeliveredRow {
  readonly order_id: string;
  readonly reference_id: string | null;
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** One currency of an invoice's header, or of what a restatement changed of it. */
export interface InvoicedRow {
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
  readonly net_due_to_merchant: Units;
  /** What the fee is made of; the whole of it where absent. */
  readonly fees?: readonly (readonly [JournalAccount, Units])[];
  /** What of it is COD of RETURN orders. */
  readonly refunds?: Units;
}

/** A receipt, and what of it invoices got. */
export interface ReceivedRow {
  readonly receipt: string;
  readonly date: string;
  readonly currency: string;
  /** Negative where money was taken back. */
  readonly amount: Units;
  readonly allocated: Units;
  /** What of it paid invoices in another currency. */
  readonly exchanged?: Units;
  readonly invoices: readonly number[];
  /** What of `allocated` each of several invoices got. */
  readonly shares?: readonly InvoiceShare[];
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

/** A difference that a person agreed to on an invoice: money that is no longer asked for. */
export interface NamedDifferenceRow {
  readonly id: string;
  readonly number: number;
  readonly date: string;
  readonly currency: string;
  readonly amount: Units;
  readonly kind: string;
}

/** Delivered and not invoiced: Dr uninvoiced COD / Cr receivables, Dr delivery fees / Cr accrued fees. Null where there is neither. */
export function postDelivered(row: DeliveredRow): JournalTransaction | null {
  return transaction(
    row,
    `DEL-${row.order_id}-${row.currency}`,
    { id: 'booked-delivery', order: row.order_id },
    [...accrued(row)],
    { order: row.order_id, ...(row.reference_id?.trim() ? { reference: row.reference_id } : {}) },
  );
}

export interface DeliveredDayRow {
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
  readonly delivery_fee: Units;
  readonly orders: number;
}

/** What invoices took out of the accrual, negative; or positive where they no longer list it. */
export interface AccrualReversedRow extends DeliveredDayRow {
  readonly number: number;
  /** Tells a later change of the invoice's rows from the first; null for the first. */
  readonly mark: string | null;
}

/** Invoiced: what was accrued for its orders is taken back. */
export function postAccrualReversed(row: AccrualReversedRow): JournalTransaction | null {
  const { number, currency, mark } = row;
  return transaction(
    row,
    `ACR-${number}-${mark === null ? '' : `${mark}-`}${currency}`,
    { id: 'booked-accrual-reversed', number },
    accrued(row),
    { invoice: number },
  );
}

function accrued({ cod, delivery_fee }: Pick<DeliveredRow, 'cod' | 'delivery_fee'>) {
  return [
    ['uninvoiced_cod', cod],
    ['receivables', -cod],
    ['delivery_fees', delivery_fee],
    ['accrued_fees', -delivery_fee],
  ] as const;
}

/** Delivered, a day and currency in one transaction: for programs that take few lines. */
export function postDeliveredDay(row: DeliveredDayRow): JournalTransaction | null {
  const { date, currency, orders } = row;
  return transaction(row, `DEL-${date}-${currency}`, { id: 'booked-deliveries', count: orders }, accrued(row));
}

/**
 * Invoiced: Dr courier receivable, Dr delivery fees / Cr receivables. The receivable is the net that the invoice
 * states; where that is not its COD less its fee, the rest is a difference (`invoice-net`).
 *
 * @param restated the day's mark of a restatement, whose amounts are the changes; absent for the invoice itself
 */
export function postInvoiced(row: InvoicedRow, restated?: string): JournalTransaction | null {
  const { number, currency, cod, delivery_fee, net_due_to_merchant, refunds = 0n } = row;
  const id = restated === undefined ? `INV-${number}-${currency}` : `RES-${number}-${restated}-${currency}`;
  const narration = { id: 'booked-invoice', number, isRestated: restated !== undefined } as const;
  const posted = transaction(
    row,
    id,
    narration,
    [
      ['courier_receivable', net_due_to_merchant],
      ...(row.fees ?? ([['delivery_fees', delivery_fee]] as const)),
      ['receivables', -cod],
      ['other_differences', cod - delivery_fee - net_due_to_merchant],
    ],
    { invoice: number },
  );
  if (refunds === 0n) return posted;
  const { date } = row;
  return { ...(posted ?? { id, date, currency, narration, references: { invoice: number }, lines: [] }), refunds };
}

/**
 * Received: Dr bank / Cr courier receivable, so that the receivable is net due less received at every date. What no
 * invoice is known for waits in `unallocated_receipts`.
 */
export function postReceived(row: ReceivedRow): JournalTransaction | null {
  const { receipt, currency, amount, allocated, exchanged = 0n, invoices } = row;
  const posted = transaction(
    row,
    `REC-${receipt}-${currency}`,
    { id: 'booked-receipt', invoices, isTakenBack: amount < 0n },
    [
      ['bank', amount],
      ['courier_receivable', -allocated],
      ['currency_conversion', -exchanged],
      ['unallocated_receipts', allocated + exchanged - amount],
    ],
    { receipt, ...(invoices.length === 1 ? { invoice: invoices[0]! } : {}) },
  );
  const { shares = [] } = row;
  return posted && shares.length > 0 ? { ...posted, shares } : posted;
}

/** Allocated: Dr unallocated receipts / Cr courier receivable, of a receipt that came before its invoice or was matched after a close. */
export function postAllocated(row: AllocatedRow): JournalTransaction | null {
  const { receipt, number, currency, amount, mark } = row;
  return transaction(
    row,
    `ALC-${receipt}-${number}-${mark ? `${mark}-` : ''}${currency}`,
    { id: 'booked-allocation', number, isLater: mark !== undefined },
    [
      ['unallocated_receipts', amount],
      ['courier_receivable', -amount],
    ],
    { receipt, invoice: number },
  );
}

/** What an invoice got of a receipt in another currency. */
export interface ExchangedRow extends AllocatedRow {
  readonly paid: { readonly currency: string; readonly amount: Units };
  /** The receipt itself was booked earlier, so that its amount is unallocated until now. */
  readonly isLater: boolean;
}

/**
 * Paid in another currency: Dr currency conversion / Cr courier receivable in the invoice's currency. The receipt's own is credited to
 * currency conversion with the receipt, or here where it was unallocated until now.
 */
export function postExchanged(row: ExchangedRow): (JournalTransaction | null)[] {
  const { receipt, number, currency, amount, paid, isLater, mark = '0' } = row;
  const narration = { id: 'booked-exchange', number } as const;
  const references = { receipt, invoice: number };
  const id = (code: string) => `FX-${receipt}-${number}-${mark}-${code}`;
  const lines: [JournalAccount, Units][] = [
    ['currency_conversion', amount],
    ['courier_receivable', -amount],
  ];
  const paidRow = { ...row, currency: paid.currency };
  const ownLines: [JournalAccount, Units][] = [
    ['unallocated_receipts', paid.amount],
    ['currency_conversion', -paid.amount],
  ];
  const posted = transaction(row, id(currency), narration, lines, references);
  return [
    posted && { ...posted, converted: paid },
    isLater ? transaction(paidRow, id(paid.currency), narration, ownLines, references) : null,
  ];
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
    { id: 'booked-paid-flag', number, isPaid: amount >= 0n },
    [
      ['bank', amount],
      ['courier_receivable', -amount],
    ],
    { invoice: number },
  );
}

/** A mismatch's effect, or how it changed: negative where you are short. */
export interface DisputeRow
  extends Pick<EffectMove, 'mismatch_id' | 'evidence_id' | 'invoice_number' | 'order_id' | 'reference_id' | 'field'> {
  readonly date: string;
  readonly currency: string;
  readonly effect: Units;
  readonly moved: Units;
}

/** The account in which a mismatch leaves its money, by the field that is off; a whole row's is in `receivables`. */
function accountOfField(field: string | null): JournalAccount {
  if (field === 'delivery_fee') return 'delivery_fees';
  if (field === 'net_due_to_merchant') return 'other_differences';
  const [, kind, name] = /^(charge|tax) (.+)$/.exec(field ?? '') ?? [];
  return kind === undefined ? 'receivables' : accountOfKind(kind as ChargeKind, name!);
}

/** In dispute: Dr COD in dispute / Cr the account in which the invoice left it; the other way where you are ahead, and once it is over. */
export function postDispute(row: DisputeRow): JournalTransaction | null {
  const { mismatch_id, evidence_id, invoice_number: invoice, order_id: order, field, effect, moved } = row;
  return transaction(
    row,
    `DSP-${mismatch_id}-${evidence_id}`,
    { id: 'booked-dispute', invoice, order, isOver: effect === 0n },
    [
      ['cod_in_dispute', -moved],
      [accountOfField(field), moved],
    ],
    {
      ...(invoice === null ? {} : { invoice }),
      ...(order === null ? {} : { order }),
      ...(row.reference_id?.trim() ? { reference: row.reference_id } : {}),
    },
  );
}

/** Where an agreed difference or a settlement is booked, by its kind. */
const ACCOUNT_OF_KIND: ReadonlyMap<string, JournalAccount> = new Map([
  ['write-off', 'write_off'],
  ['bank-charge', 'bank_charges'],
  ['rounding', 'rounding'],
  ['fx', 'exchange_differences'],
]);

/** An agreed difference, or a settlement: Dr the account of its kind / Cr courier receivable. */
export function postNamedDifference(row: NamedDifferenceRow): JournalTransaction | null {
  return transaction(
    row,
    `DIF-${row.id}-${row.currency}`,
    { id: 'booked-difference', number: row.number, kind: row.kind },
    [
      [ACCOUNT_OF_KIND.get(row.kind) ?? 'other_differences', row.amount],
      ['courier_receivable', -row.amount],
    ],
    { invoice: row.number },
  );
}

function transaction(
  { date, currency }: { readonly date: string; readonly currency: string },
  id: string,
  narration: JournalNarration,
  amounts: readonly (readonly [JournalAccount, Units])[],
  references: JournalTransaction['references'] = {},
): JournalTransaction | null {
  const lines = amounts
    .map(([account, amount]): JournalLine => ({ account, amount }))
    .filter(({ amount }) => amount !== 0n);
  return lines.length === 0 ? null : { id, date, currency, narration, references, lines };
}
