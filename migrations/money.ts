/**
 * The money columns of the ledger, written out apart from `src/money/fields.ts`: what a released migration made does
 * not follow that list. An invoice's version also has the sums of its rows (`order_cod`).
 */
export const INVOICE_MONEY = ['cod', 'delivery_fee', 'net_due_to_merchant'];
export const ORDER_MONEY = ['cod', 'delivery_fee'];
export const ROW_SUMS = ORDER_MONEY.map((field) => `order_${field}`);
