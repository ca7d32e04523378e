/** Each `post...` makes one kind of transaction; null if all amounts are zero. Dr: debit (positive), Cr: credit. */
import type { EffectMove } from '../../src/ledger/queries/findings/effects.ts';
import type { ChargeKind } from '../../src/ledger/schema.ts';
import type { Units } from '../../src/money/units.ts';
import { accountOfKind, type FeeParts } from './charges.ts';
import type { JournalAccount, JournalLine, JournalNarration, JournalTransaction, ReceivableShare } from './model.ts';

interface BookedRow {
  readonly date: string;
  readonly currency: string;
}

interface CollectedRow extends BookedRow {
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** What changes the receivable of an invoice. */
interface ReceivableRow extends BookedRow {
  readonly number: number;
  readonly amount: Units;
}

/** One currency of an order's COD that the courier collected. */
interface DeliveredRow extends CollectedRow {
  readonly order_id: string;
  readonly reference_id: string | null;
}

/**
 * An invoice's header in one currency, or what a restatement changed in it. Without `fees` the fee is not split.
 * `refunds` is the part of the fee that is COD of RETURN orders: it has no line, but it bears no tax.
 */
interface InvoicedRow extends CollectedRow, Partial<FeeParts> {
  readonly number: number;
  readonly net_due_to_merchant: Units;
}

/** A receipt, and how much of it pays invoices. */
interface ReceivedRow extends BookedRow {
  readonly receipt: string;
  /** Negative if money was taken back. */
  readonly amount: Units;
  readonly allocated: Units;
  /** How much of it paid invoices in another currency. */
  readonly exchanged?: Units;
  readonly invoices: readonly number[];
  /** How much of `allocated` each of several invoices got. */
  readonly shares?: readonly ReceivableShare[];
}

/** The part of an earlier receipt that an invoice gets when it is issued, or when the two are matched. */
interface AllocatedRow extends ReceivableRow {
  readonly receipt: string;
  /** The match (`M5`), if it was made after the receipt's month was closed. */
  readonly mark?: string;
}

/** A difference that a person agreed to on an invoice: money that the courier no longer owes. */
interface NamedDifferenceRow extends ReceivableRow {
  readonly id: string;
  readonly kind: string;
}

/** Delivered: Dr uninvoiced COD / Cr receivables, Dr delivery fees / Cr accrued fees. Null if both are zero. */
export function postDelivered(row: DeliveredRow): JournalTransaction | null {
  return transaction(
    row,
    `DEL-${row.order_id}-${row.currency}`,
    { id: 'booked-delivery', order: row.order_id },
    accrued(row),
    { order: row.order_id, ...(row.reference_id?.trim() ? { reference: row.reference_id } : {}) },
  );
}

interface DeliveredDayRow extends CollectedRow {
  readonly orders: number;
}

/** What an invoice takes out of the accrual (negative), or puts back because it no longer lists the orders. */
interface AccrualReversedRow extends DeliveredDayRow {
  readonly number: number;
  /** The evidence of a later change of the invoice's rows; null for the first version. */
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

/** The lines of an accrual; with negative amounts, those that take it back. */
function accrued({ cod, delivery_fee }: CollectedRow) {
  return [
    ...debitCredit('uninvoiced_cod', 'receivables', cod),
    ...debitCredit('delivery_fees', 'accrued_fees', delivery_fee),
  ];
}

/** Delivered, with one transaction per day and currency: for programs that take few lines. */
export function postDeliveredDay(row: DeliveredDayRow): JournalTransaction | null {
  const { date, currency, orders } = row;
  return transaction(row, `DEL-${date}-${currency}`, { id: 'booked-deliveries', count: orders }, accrued(row));
}

/**
 * Invoiced: Dr courier receivable, Dr delivery fees / Cr receivables. The receivable is the net that the invoice
 * states; if that is not its COD less its fee, the remainder is a difference (check `invoice-net`).
 *
 * @param change the mark of a change, whose amounts the row has: restated (`R12`), vanished (`V12`) or back (`B12`);
 *   absent for the invoice itself
 */
export function postInvoiced(row: InvoicedRow, change?: string): JournalTransaction | null {
  const { number, currency, cod, delivery_fee, net_due_to_merchant, refunds = 0n } = row;
  const id = change === undefined ? `INV-${number}-${currency}` : `RES-${number}-${change}-${currency}`;
  const narration = { id: 'booked-invoice', number, isRestated: change !== undefined } as const;
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
  // A restatement may change the refunds alone, and no amount. It has no line then, until tax gives it one.
  const { date } = row;
  return { ...(posted ?? { id, date, currency, narration, references: { invoice: number }, lines: [] }), refunds };
}

/**
 * Received: Dr bank / Cr courier receivable, so that the receivable is net due less received at every date. Money
 * without a known invoice waits in `unallocated_receipts`.
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

/** Allocated later than received (see {@link AllocatedRow}): Dr unallocated receipts / Cr courier receivable. */
export function postAllocated(row: AllocatedRow): JournalTransaction | null {
  const { receipt, number, currency, amount, mark } = row;
  return transaction(
    row,
    `ALC-${receipt}-${number}-${mark ? `${mark}-` : ''}${currency}`,
    { id: 'booked-allocation', number, isLater: mark !== undefined },
    debitCredit('unallocated_receipts', 'courier_receivable', amount),
    { receipt, invoice: number },
  );
}

/** The amount of an invoice that a receipt in another currency paid. */
interface ExchangedRow extends AllocatedRow {
  /** The match (`M5`). */
  readonly mark: string;
  readonly paid: { readonly currency: string; readonly amount: Units };
  /** The receipt itself was booked earlier, so that its amount is unallocated until now. */
  readonly isLater: boolean;
}

/**
 * Paid in another currency: Dr currency conversion / Cr courier receivable in the invoice's currency. The amount in the
 * receipt's currency is credited to currency conversion by `postReceived`, or here if it was unallocated until now.
 */
export function postExchanged(row: ExchangedRow): (JournalTransaction | null)[] {
  const { receipt, number, currency, amount, paid, isLater, mark } = row;
  const narration = { id: 'booked-exchange', number } as const;
  const references = { receipt, invoice: number };
  const id = (code: string) => `FX-${receipt}-${number}-${mark}-${code}`;
  const lines = debitCredit('currency_conversion', 'courier_receivable', amount);
  const paidRow = { ...row, currency: paid.currency };
  const receiptLines = debitCredit('unallocated_receipts', 'currency_conversion', paid.amount);
  const posted = transaction(row, id(currency), narration, lines, references);
  return [
    posted && { ...posted, converted: paid },
    isLater ? transaction(paidRow, id(paid.currency), narration, receiptLines, references) : null,
  ];
}

/** What an invoice that was seen marked paid, or unpaid again, changes in the receivable: its net may be negative. */
interface SeenPaidRow extends ReceivableRow {
  readonly isPaid: boolean;
  /** The evidence in which the flag was seen. */
  readonly mark: string;
}

/** Seen paid, for an invoice without receipts: Dr bank / Cr courier receivable. */
export function postSeenPaid(row: SeenPaidRow): JournalTransaction | null {
  const { number, currency, amount, isPaid, mark } = row;
  return transaction(
    row,
    `PAY-${number}-${mark}-${currency}`,
    { id: 'booked-paid-flag', number, isPaid },
    debitCredit('bank', 'courier_receivable', amount),
    { invoice: number },
  );
}

/** A mismatch's effect, or how it changed; negative: you are short. */
type DisputeRow = EffectMove & BookedRow;

/** The account of a mismatch's money, by the wrong field (`charge handling`); `receivables` for COD or a whole row. */
function accountOfField(field: string | null): JournalAccount {
  if (field === 'delivery_fee') return 'delivery_fees';
  if (field === 'net_due_to_merchant') return 'other_differences';
  const [, kind, name] = /^(charge|tax) (.+)$/.exec(field ?? '') ?? [];
  return kind === undefined ? 'receivables' : accountOfKind(kind as ChargeKind, name!);
}

/** In dispute: Dr COD in dispute / Cr the account with the money; the reverse if you are ahead, and when it is over. */
export function postDispute(row: DisputeRow): JournalTransaction | null {
  const { mismatch_id, evidence_id, invoice_number: invoice, order_id: order, field, effect, moved } = row;
  return transaction(
    row,
    `DSP-${mismatch_id}-${evidence_id}`,
    { id: 'booked-dispute', invoice, order, isOver: effect === 0n },
    debitCredit('cod_in_dispute', accountOfField(field), -moved),
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
    debitCredit(ACCOUNT_OF_KIND.get(row.kind) ?? 'other_differences', 'courier_receivable', row.amount),
    { invoice: row.number },
  );
}

function debitCredit(debit: JournalAccount, credit: JournalAccount, amount: Units): [JournalAccount, Units][] {
  return [
    [debit, amount],
    [credit, -amount],
  ];
}

/** A transaction with the lines whose amounts are not zero; null if none is left. */
function transaction(
  { date, currency }: BookedRow,
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
