/** The money columns of the ledger: today those of `src/money/fields.ts`; a released migration keeps its own. An invoice's version also has the sums of its rows. */
export const INVOICE_MONEY = ['cod', 'delivery_fee', 'net_due_to_merchant'];
export const ORDER_MONEY = ['cod', 'delivery_fee'];
export const ROW_SUMS = ORDER_MONEY.map((field) => `order_${field}`);
