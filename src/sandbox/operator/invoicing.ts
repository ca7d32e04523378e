import { MoneyError } from '../../base/errors.ts';
import { DELIVERED_STATES } from '../../base/states.ts';
import { eachField, MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../../money/fields.ts';
import { formatUnits, isInRange, MAX_AMOUNT } from '../../money/units.ts';
import { dateText, HOUR, parseDay, timestamp } from '../calendar.ts';
import { findMerchant } from '../store/merchants.ts';
import { latestEvent } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import { OperatorError } from './moves.ts';
import { headerOf, readReturnsRule, type SumsOfRows } from './returns.ts';

/** The number of the first invoice of a new service; later numbers count up from it. */
const FIRST_NUMBER = 10_001;

/** The SQL condition for an order that is delivered and on no invoice: an order is billed once. */
const BILLABLE = `o.merchant_id = ? and o.delivery_state in (${DELIVERED_STATES.map((state) => `'${state}'`).join(', ')})
  and o.merchant_invoice is null and not exists (select 1 from invoice_row r where r.order_id = o.order_id)`;

/** How many of a merchant's orders an invoice would bill now. */
export function countBillable(store: Store, merchantId: number): number {
  return store.count(`delivery_order o where ${BILLABLE}`, merchantId);
}

/**
 * Issues one invoice for all orders of a merchant that are delivered and not yet billed. Their payment
 * state becomes PENDING_PAYMENT_TO_MERCHANT.
 *
 * @param merchant the merchant's name
 * @param at when it is issued, as `timestamp()` writes it
 * @returns the invoice as it was issued; amounts are decimal texts
 * @throws OperatorError when there is no such merchant, or nothing to bill
 * @throws MoneyError when a total is beyond what the service can hold
 */
export function issueInvoice(store: Store, merchant: string, at: string) {
  return store.write(() => {
    const owner = findMerchant(store, merchant);
    if (!owner) {
      const merchants = store.all<{ name: string }>('select name from merchant order by id limit 20');
      const names = merchants.map(({ name }) => name);
      throw new OperatorError(
        'not-found',
        `there is no merchant named ${JSON.stringify(merchant)}`,
        names.length > 0 ? `The merchants are ${names.join(', ')}.` : 'Make one with: remit sandbox key create',
      );
    }
    const sql = `select o.order_id from delivery_order o where ${BILLABLE} order by o.seq`;
    const billable = store.all<{ order_id: string }>(sql, owner.id);
    if (billable.length === 0) {
      const what = `${merchant} has no delivered order that is not billed yet`;
      throw new OperatorError('refused', what, 'Deliver an order first.');
    }
    const orderIds = billable.map(({ order_id }) => order_id);
    const { number, totals } = billOrders(store, owner.id, orderIds, at);
    setPaymentState(store, number, 'PENDING_PAYMENT_TO_MERCHANT', at);
    return { number, issued_at: at, order_count: billable.length, totals };
  });
}

/**
 * Writes an invoice for these orders, in any state, with the money of their records, and links the orders to it. It
 * takes the next number and leaves the orders' payment states as they are.
 *
 * @param at when it is issued, as `timestamp()` writes it
 */
export function billOrders(store: Store, merchantId: number, orderIds: readonly string[], at: string) {
  const next = `select coalesce(max(number) + 1, ${FIRST_NUMBER}) as number from invoice`;
  const { number } = store.get<{ number: number }>(next)!;
  store.insert('invoice', { number, merchant_id: merchantId, status: 'PENDING_PAYMENT', issued_at: at });
  for (const [position, orderId] of orderIds.entries()) {
    store.insert('invoice_row', { invoice_number: number, position, order_id: orderId });
    store.run('update delivery_order set merchant_invoice = ? where order_id = ?', number, orderId);
  }
  store.run(
    `insert into invoice_row_money (invoice_number, row_position, position, currency, ${ORDER_MONEY_FIELDS.join(', ')})
     select r.invoice_number, r.position, m.position, m.currency, ${ORDER_MONEY_FIELDS.map((field) => `m.${field}`).join(', ')}
     from invoice_row r join order_money m on m.order_id = r.order_id where r.invoice_number = ?`,
    number,
  );
  return { number, totals: writeHeader(store, number) };
}

/**
 * Pays an invoice: it becomes PAID, and each of its orders PAID_TO_MERCHANT.
 *
 * @param at when it is paid, as `timestamp()` writes it
 * @throws OperatorError when there is no such invoice, or it is already paid
 */
export function payInvoice(store: Store, number: number, at: string) {
  return store.write(() => {
    const sql = 'select status, paid_at, issued_at from invoice where number = ?';
    const invoice = store.get<{ status: string; paid_at: string | null; issued_at: string }>(sql, number);
    if (!invoice) {
      const hint = 'Check the number: it is the one the API lists.';
      throw new OperatorError('not-found', `there is no invoice ${number}`, hint);
    }
    if (invoice.status === 'PAID') {
      const what = `invoice ${number} was paid already${invoice.paid_at ? `, at ${invoice.paid_at}` : ''}`;
      throw new OperatorError('refused', what, 'An invoice is paid once; nothing was changed.');
    }
    // An invoice of a world that is ahead of the clock is paid when it is issued, not before.
    const paidAt = at > invoice.issued_at ? at : invoice.issued_at;
    store.run(`update invoice set status = 'PAID', paid_at = ? where number = ?`, paidAt, number);
    setPaymentState(store, number, 'PAID_TO_MERCHANT', paidAt);
    return { number, status: 'PAID', paid_at: paidAt };
  });
}

/** Sets the payment state of every order on an invoice, and stamps each change, never before the order's last stamp. */
export function setPaymentState(store: Store, number: number, paymentState: string, at: string): void {
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at)
     select o.order_id, s.position + 1, o.delivery_state, ?, max(s.stamped_at, ?)
     from delivery_order o join statestamp s on s.order_id = o.order_id
     where o.order_id in (select order_id from invoice_row where invoice_number = ?)
       and s.position = (select max(position) from statestamp l where l.order_id = o.order_id)`,
    [paymentState, at, number],
  );
  store.run(
    `update delivery_order set payment_state = ?
     where order_id in (select order_id from invoice_row where invoice_number = ?)`,
    [paymentState, number],
  );
}

/**
 * Writes an invoice's header from its rows, per currency, with RETURN orders counted by the service's convention. It is
 * the view `detail`; a view `list` is a planted mismatch, and stays as it is.
 *
 * @returns the header
 */
export function writeHeader(store: Store, number: number) {
  store.run(`delete from invoice_money where invoice_number = ? and view = 'detail'`, number);
  const returns = readReturnsRule(store);
  const sums = sumRows(store, number);
  return [...new Set(sums.map(({ currency }) => currency))].map((currency, position) => {
    const sumsOf = (workflow: string) =>
      sums.find((sum) => sum.currency === currency && sum.workflow === workflow) ?? ZERO_SUMS;
    const header = headerOf(sumsOf('STANDARD'), sumsOf('RETURN'), returns);
    store.insert('invoice_money', { invoice_number: number, view: 'detail', position, currency, ...header });
    return { currency, ...eachField(MONEY_FIELDS, (field) => formatUnits(header[field])) };
  });
}

const ZERO_SUMS: SumsOfRows = eachField(ORDER_MONEY_FIELDS, () => 0n);

/** SQL sums whole units of the currency and remainders separately, so that no sum of an invoice overflows. */
const UNITS_A_WHOLE = 10_000n;

/** Sums an invoice's rows, by currency and workflow. @throws MoneyError if a sum is beyond the service's range */
function sumRows(store: Store, number: number): (SumsOfRows & { currency: string; workflow: string })[] {
  const parts = ORDER_MONEY_FIELDS.flatMap((field) => [
    `cast(coalesce(sum(m.${field} / ${UNITS_A_WHOLE}), 0) as text) as ${field}_whole`,
    `cast(coalesce(sum(m.${field} % ${UNITS_A_WHOLE}), 0) as text) as ${field}_remainder`,
  ]);
  const sums = store.all<{ currency: string; workflow: string } & Record<string, string>>(
    `select m.currency, o.workflow, ${parts.join(', ')}
     from invoice_row_money m
     join invoice_row r on r.invoice_number = m.invoice_number and r.position = m.row_position
     join delivery_order o on o.order_id = r.order_id
     where m.invoice_number = ? group by m.currency, o.workflow order by m.currency`,
    number,
  );
  return sums.map(({ currency, workflow, ...texts }) => {
    const units = eachField(ORDER_MONEY_FIELDS, (field) => {
      return BigInt(texts[`${field}_whole`]!) * UNITS_A_WHOLE + BigInt(texts[`${field}_remainder`]!);
    });
    if (Object.values(units).every(isInRange)) return { currency, workflow, ...units };
    const what = `the orders to bill on invoice ${number} come to more than the service can hold exactly`;
    throw new MoneyError(what, `One currency of an invoice holds up to ${MAX_AMOUNT}.`);
  });
}

/**
 * The moment at which an invoice is issued: now, or the latest event, if a simulated world is ahead of the clock.
 *
 * @param date another day, past or future, such as `2026-10-31`: at noon UTC
 * @returns the moment as `timestamp()` writes it
 * @throws UsageError when the date is not a day of the calendar
 */
export function momentOfIssue(store: Store, now: Date, date?: string): string {
  if (date !== undefined) {
    const day = parseDay(date);
    if (date !== dateText(now.getTime())) return timestamp(day + 12 * HOUR);
  }
  const at = timestamp(now);
  const latest = latestEvent(store);
  return latest !== undefined && latest > at ? latest : at;
}
