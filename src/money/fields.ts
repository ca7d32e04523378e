/** The money fields of an invoice, as the wire names them: what is selected, summed and shown, in this order. */
export const MONEY_FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

/** The money fields of an order and of an invoice's row. */
export const ORDER_MONEY_FIELDS = ['cod', 'delivery_fee'] as const;

export type MoneyField = (typeof MONEY_FIELDS)[number];
export type OrderMoneyField = (typeof ORDER_MONEY_FIELDS)[number];
