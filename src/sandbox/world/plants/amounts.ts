import { formatUnits } from '../../../money/units.ts';
import type { Store } from '../../store/store.ts';

/** The COD less fee in USD of an order's record, in units. */
export function worthOfOrder(store: Store, orderId: string): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(coalesce(cod, 0) - coalesce(delivery_fee, 0)), 0) as text) as units
     from order_money where order_id = ? and currency = 'USD'`,
    orderId,
  );
}

/** The net in USD that an invoice's detail states, in units. */
export function headerNet(store: Store, invoice: number): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(net_due_to_merchant), 0) as text) as units
     from invoice_money where invoice_number = ? and view = 'detail' and currency = 'USD'`,
    invoice,
  );
}

/** The fee of an order in USD, in units. */
export function feeOf(store: Store, orderId: string): bigint {
  return unitsOf(
    store,
    `select cast(coalesce(sum(delivery_fee), 0) as text) as units from order_money where order_id = ? and currency = 'USD'`,
    orderId,
  );
}

/** The currencies in which an order's fee is charged. */
export function feeCurrencies(store: Store, orderId: string): string[] {
  const sql = 'select currency from order_money where order_id = ? and delivery_fee <> 0 order by currency';
  return store.all<{ currency: string }>(sql, orderId).map(({ currency }) => currency);
}

/** An effect in USD, as a planted mismatch states it. */
export function inDollars(units: bigint): { currency: 'USD'; effect: string } {
  return { currency: 'USD', effect: formatUnits(units) };
}

function unitsOf(store: Store, sql: string, key: string | number): bigint {
  return BigInt(store.get<{ units: string }>(sql, key)?.units ?? '0');
}
