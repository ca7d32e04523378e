import { clone, type InvoiceRow, type OrderDocument, type ServerState } from './documents.ts';

/** An empty server. */
export const emptyState = (): ServerState => ({
  months: new Map(),
  invoices: new Map(),
  orders: new Map(),
  orderFaults: new Set(),
  countOff: new Map(),
  down: false,
  made: 0,
  kept: new Map(),
  gone: [],
});

/** An invoice's row as the order stands. */
export function rowOf(order: OrderDocument, paid: boolean): InvoiceRow {
  const { order_id, reference_id, workflow, delivery_state, cod, delivery_fee } = clone(order);
  const payment_state = paid ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
  return { order_id, reference_id, workflow, delivery_state, payment_state, cod, delivery_fee };
}

/** Has a month list an invoice. */
export function listIn(state: ServerState, month: string, number: number): void {
  state.months.set(month, (state.months.get(month) ?? new Set()).add(number));
}
