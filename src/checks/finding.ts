/** How checks put a finding together: its empty fields and its figures. */
import type { Sentence } from '../base/sentence.ts';
import type { MismatchUnit } from '../ledger/schema.ts';
import { ExactDecimal } from '../money/decimal.ts';
import { NET_FIELDS, type NetField, type OrderMoneyField } from '../money/fields.ts';
import { formatAmount } from '../money/format.ts';
import { type RowWorth, STANDARD_WORTH } from '../money/returns.ts';
import { amountOfUnits } from '../money/units.ts';
import type { Finding } from './check.ts';

type About<S extends Sentence> = Pick<Finding, 'period'> &
  Partial<Omit<Finding, 'effect' | 'amount' | 'sentence'>> & {
    readonly sentence: S;
    /** Signed: how far the courier's figure departs from what is due; null or absent where no money is taken. */
    readonly effect?: ExactDecimal | null;
    /** What is at stake where no effect says it, such as what is still to be paid of an invoice. */
    readonly amount?: ExactDecimal | null;
  };

/** A finding's fields, with null wherever nothing is said. */
export function finding<S extends Sentence>({ effect = null, amount = effect, ...fields }: About<S>): Finding {
  const { period, invoice_number = null, order_id = null } = fields;
  return {
    subject: order_id === null ? `invoice ${invoice_number}` : `order ${order_id}`,
    invoice_number,
    order_id,
    currency: null,
    field: null,
    expected: null,
    actual: null,
    difference: null,
    unit: null,
    effect: effect === null ? null : formatAmount(effect),
    amount: amount === null ? null : formatAmount(amount),
    periods: [period],
    place: 0,
    parts: effect === null ? [] : [{ period, effect }],
    ...fields,
    reference_id: fields.reference_id?.trim() ? fields.reference_id : null,
  };
}

/** A finding's figures, as plain decimals or whole numbers. */
interface FoundFigures<U extends MismatchUnit> {
  readonly expected: string;
  readonly actual: string;
  readonly difference: string;
  readonly unit: U;
}

/** What the finer evidence says, what the document under test states, and how far it is off. */
export function amounts(expected: ExactDecimal, actual: ExactDecimal): FoundFigures<'money'> {
  return {
    expected: formatAmount(expected),
    actual: formatAmount(actual),
    difference: formatAmount(actual.minus(expected)),
    unit: 'money',
  };
}

/** The same for counts, which are written as integers. */
export function counts(expected: number, actual: number): FoundFigures<'count'> {
  return { expected: String(expected), actual: String(actual), difference: String(actual - expected), unit: 'count' };
}

export function days(expected: number, actual: number): FoundFigures<'days'> {
  return { ...counts(expected, actual), unit: 'days' };
}

/**
 * What a difference in COD or in a fee does to the courier's figure: a fee too high leaves the merchant less, and so does a COD too high
 * of a return. Null for money that is no part of the order's net, and where nobody knows what its rows are worth.
 */
export function effectOf(
  field: OrderMoneyField,
  difference: ExactDecimal,
  worth: RowWorth | null = STANDARD_WORTH,
): ExactDecimal | null {
  const factor = isNetField(field) ? worth?.[field] : 0;
  return factor ? difference.times(factor) : null;
}

const isNetField = (field: OrderMoneyField): field is NetField => NET_FIELDS.some((name) => name === field);

/** What a row's money is worth to the merchant; nothing where nobody knows. */
export function netWorth(
  { cod, delivery_fee }: Readonly<Record<NetField, ExactDecimal>>,
  worth: RowWorth | null,
): ExactDecimal {
  return worth === null ? new ExactDecimal(0) : cod.times(worth.cod).plus(delivery_fee.times(worth.delivery_fee));
}

/** A money column that an outer join may leave empty: a currency that one side lacks counts as zero there. */
export function amountOf(units: string | null): ExactDecimal {
  return amountOfUnits(units ?? '0');
}
