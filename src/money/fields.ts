/** What a net is made of: COD less the delivery fee. Whatever computes a net names these. */
export const NET_FIELDS = ['cod', 'delivery_fee'] as const;

/** The money fields of an order and of an invoice's row. One not in {@link NET_FIELDS} would count in no net. */
export const ORDER_MONEY_FIELDS = [...NET_FIELDS] as const;

/** The money fields of an invoice: what is selected, summed and shown, in this order. */
export const MONEY_FIELDS = [...ORDER_MONEY_FIELDS, 'net_due_to_merchant'] as const;

/** The parts of an invoice's net; together they are the net. `paid_on_word`: paid by the courier's Paid flag alone. */
export const SETTLED_FIGURES = ['received', 'differences', 'paid_on_word', 'outstanding'] as const;

/** The kind of charge of a settlement sheet's `fee` column, and of `delivery_fee` on an API's invoice. */
export const DELIVERY = 'delivery';

export type NetField = (typeof NET_FIELDS)[number];
export type MoneyField = (typeof MONEY_FIELDS)[number];
export type OrderMoneyField = (typeof ORDER_MONEY_FIELDS)[number];
export type SettledFigure = (typeof SETTLED_FIGURES)[number];

/** What people call a money field, in English. */
export const FIELD_NAMES: Readonly<Record<MoneyField, string>> = {
  cod: 'COD',
  delivery_fee: 'delivery fee',
  net_due_to_merchant: 'net due',
};

/** An order's fields summed over an invoice's rows: `order_cod` beside the header's own `cod`. */
export type RowSumField = `order_${OrderMoneyField}`;
export const ROW_SUM_FIELDS = ORDER_MONEY_FIELDS.map((field): RowSumField => `order_${field}`);

/** A value for each sum over an invoice's rows: `sumOf` gets the field that is summed. */
export function eachRowSum<T>(sumOf: (field: OrderMoneyField) => T): Record<RowSumField, T> {
  return Object.fromEntries(ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, sumOf(field)])) as Record<
    RowSumField,
    T
  >;
}

/** An object with a value for each field. */
export function eachField<F extends string, T>(fields: readonly F[], of: (field: F) => T): Record<F, T> {
  return withFields({}, fields, of);
}

/**
 * The figures of an agreed price besides its fee, each of which may be absent: what each package adds, also the first;
 * the share of the COD in percent, with its least and its most; the COD and the weight from which the price holds, and
 * below which (`cod_to`, `weight_to`).
 */
export const PRICE_FIGURES = [
  'per_package',
  'percent',
  'min',
  'max',
  'cod_from',
  'cod_to',
  'weight_from',
  'weight_to',
] as const;
export type PriceFigure = (typeof PRICE_FIGURES)[number];

/** Adds a value for each field to an object that has just been made: spreading is too slow for many rows. */
export function withFields<O extends object, F extends string, T>(
  object: O,
  fields: readonly F[],
  of: (field: F) => T,
): O & Record<F, T> {
  const values = object as O & Record<F, T>;
  for (const field of fields) (values as Record<F, T>)[field] = of(field);
  return values;
}
