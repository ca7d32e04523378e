import { MoneyError } from '../../errors.ts';
import { addUnits } from '../../money/index.ts';
import { formatUnits } from '../present/money.ts';
import { findMerchant } from '../store/merchants.ts';
import type { Store } from '../store/store.ts';
import { OperatorError } from './errors.ts';

/** The number of the first invoice of a new service; the next ones count up from it. */
const FIRST_NUMBER = 10_001;

/** Delivered, or handed back: a return is billed for its fee. An order that any invoice lists is never billed again. */
const BILLABLE = `o.merchant_id = ? and o.delivery_state in ('DELIVERED', 'DELIVERED_AT_WAREHOUSE')
  and o.merchant_invoice is null and not exists (select 1 from invoice_row r where r.order_id = o.order_id)`;

/** An invoice as it was issued; amounts are decimal texts. */
export interface IssuedInvoice {
  number: number;
  issued_at: string;
  order_count: number;
  totals: { currency: string; cod: string; delivery_fee: string; net_due_to_merchant: string }[];
}

/** How many orders of a merchant wait for an invoice. */
export function countBillable(store: Store, merchantId: number): number {
  return store.get<{ n: number }>(`select count(*) as n from delivery_order o where ${BILLABLE}`, merchantId)?.n ?? 0;
}

/**
 * Issues one invoice for everything of a merchant that is delivered and not yet billed: delivered orders with their COD
 * and fee, returned ones with their fee. Their payments then stand at PENDING_PAYMENT_TO_MERCHANT.
 *
 * @param merchant the merchant's name
 * @param at when it is issued, as `timestamp()` writes it
 * @throws OperatorError when there is no such merchant, or nothing to bill
 * @throws MoneyError when a total is beyond what the service can hold
 */
export function issueInvoice(store: Store, merchant: string, at: string): IssuedInvoice {
  return store.write(() => {
    const owner = findMerchant(store, merchant);
    if (!owner) {
      const names = store
        .all<{ name: string }>('select name from merchant order by id limit 20')
        .map(({ name }) => name);
      throw new OperatorError(
        'not-found',
        `there is no merchant named ${JSON.stringify(merchant)}`,
        names.length > 0 ? `The merchants are ${names.join(', ')}.` : 'Make one with: remit sandbox key create',
      );
    }
    if (countBillable(store, owner.id) === 0) {
      throw new OperatorError(
        'refused',
        `${merchant} has no delivered order that is not billed yet`,
        'Deliver or return an order first; an invoice never stands empty.',
      );
    }
    const billable = store.all<{ order_id: string }>(
      `select o.order_id from delivery_order o where ${BILLABLE} order by o.seq`,
      owner.id,
    );
    const { number, totals } = billOrders(
      store,
      owner.id,
      billable.map(({ order_id }) => order_id),
      at,
    );
    moveRowsTo(store, number, 'PENDING_PAYMENT_TO_MERCHANT', at);
    return { number, issued_at: at, order_count: billable.length, totals };
  });
}

/**
 * Writes an invoice for these orders, whatever their states, with their money as it stands, and makes them name it. Their
 * payments are left as they are; the next number is taken.
 *
 * @param at when it is issued, as `timestamp()` writes it
 */
export function billOrders(
  store: Store,
  merchantId: number,
  orderIds: readonly string[],
  at: string,
): Pick<IssuedInvoice, 'number' | 'totals'> {
  const last = store.get<{ number: number | null }>('select max(number) as number from invoice')?.number;
  const number = last == null ? FIRST_NUMBER : last + 1;
  store.run(
    `insert into invoice (number, merchant_id, status, issued_at) values (?, ?, 'PENDING_PAYMENT', ?)`,
    number,
    merchantId,
    at,
  );
  for (const [position, orderId] of orderIds.entries()) {
    store.run(
      'insert into invoice_row (invoice_number, position, order_id) values (?, ?, ?)',
      number,
      position,
      orderId,
    );
    store.run('update delivery_order set merchant_invoice = ? where order_id = ?', number, orderId);
  }
  store.run(
    `insert into invoice_row_money (invoice_number, row_position, position, currency, cod, delivery_fee)
     select r.invoice_number, r.position, m.position, m.currency, m.cod, m.delivery_fee
     from invoice_row r join order_money m on m.order_id = r.order_id where r.invoice_number = ?`,
    number,
  );
  return { number, totals: writeHeader(store, number) };
}

/** Takes the payment of every order on an invoice to a state, with a stamp each. */
export function moveRowsTo(store: Store, number: number, paymentState: string, at: string): void {
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at)
     select o.order_id, s.position + 1, o.delivery_state, ?, max(s.stamped_at, ?)
     from delivery_order o join statestamp s on s.order_id = o.order_id
     where o.order_id in (select order_id from invoice_row where invoice_number = ?)
       and s.position = (select max(position) from statestamp l where l.order_id = o.order_id)`,
    paymentState,
    at,
    number,
  );
  store.run(
    `update delivery_order set payment_state = ?
     where order_id in (select order_id from invoice_row where invoice_number = ?)`,
    paymentState,
    number,
  );
}

/** Writes an invoice's header: the sums of its rows, per currency. @returns what it wrote */
export function writeHeader(store: Store, number: number): IssuedInvoice['totals'] {
  store.run(`delete from invoice_money where invoice_number = ? and view = 'detail'`, number);
  return sumRows(store, number).map(({ currency, cod, delivery_fee }, position) => {
    const net = addUnits(BigInt(cod), -BigInt(delivery_fee));
    store.run(
      `insert into invoice_money (invoice_number, view, position, currency, cod, delivery_fee, net_due_to_merchant)
       values (?, 'detail', ?, ?, ?, ?, ?)`,
      number,
      position,
      currency,
      BigInt(cod),
      BigInt(delivery_fee),
      net,
    );
    return {
      currency,
      cod: formatUnits(cod),
      delivery_fee: formatUnits(delivery_fee),
      net_due_to_merchant: formatUnits(net),
    };
  });
}

function sumRows(store: Store, number: number): { currency: string; cod: string; delivery_fee: string }[] {
  try {
    return store.all(
      `select currency, cast(coalesce(sum(cod), 0) as text) as cod,
         cast(coalesce(sum(delivery_fee), 0) as text) as delivery_fee
       from invoice_row_money where invoice_number = ? group by currency order by currency`,
      number,
    );
  } catch (cause) {
    // SQLite refuses an integer sum that overflows instead of rounding it.
    if (!(cause instanceof Error && cause.message.includes('integer overflow'))) throw cause;
    throw new MoneyError(
      `the orders to bill on invoice ${number} come to more than the service can hold exactly`,
      'One currency of an invoice holds up to 922,337,203,685,477.5807.',
      { cause },
    );
  }
}
