/** The money fields of an invoice, as the wire names them: what is selected, summed and shown, in this order. */
export const MONEY_FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

/** The money fields of an order and of an invoice's row. */
export const ORDER_MONEY_FIELDS = ['cod', 'delivery_fee'] as const;

export type MoneyField = (typeof MONEY_FIELDS)[number];
export type OrderMoneyField = (typeof ORDER_MONEY_FIELDS)[number];

/** An order's fields summed over an invoice's rows: `order_cod` beside the header's own `cod`. */
export type RowSumField = `order_${OrderMoneyField}`;
export const ROW_SUM_FIELDS = ORDER_MONEY_FIELDS.map((field): RowSumField => `order_${field}`);

/** The same of each field of an order's money: written out, for it is done for every row of a large month. */
export function eachOrderField<T>(of: (field: OrderMoneyField) => T): Record<OrderMoneyField, T> {
  const money: Partial<Record<OrderMoneyField, T>> = {};
  for (const field of ORDER_MONEY_FIELDS) money[field] = of(field);
  return money as Record<OrderMoneyField, T>;
}
