/** The money of an invoice, by the names of the wire: what selects, sums and columns are made from. */
export const MONEY_FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

export type MoneyField = (typeof MONEY_FIELDS)[number];
