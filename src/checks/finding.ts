/** Helpers with which checks put a finding together: its empty fields and its figures. */
import type { Sentence } from '../base/sentence.ts';
import type { BilledRow } from '../ledger/queries/rows/billed-rows.ts';
import { type ExactDecimal, formatAmount, ZERO } from '../money/decimal.ts';
import { NET_FIELDS, type NetField, type OrderMoneyField } from '../money/fields.ts';
import { type RowSigns, STANDARD_SIGNS } from '../money/returns.ts';
import { amountOfUnits } from '../money/units.ts';
import type { Finding } from './check.ts';

type FindingFields<S extends Sentence> = Pick<Finding, 'period'> &
  Partial<Omit<Finding, 'effect' | 'amount' | 'sentence'>> & {
    readonly sentence: S;
    /** How far the courier's figure is from what is due, with its sign; null or absent if no money is affected. */
    readonly effect?: ExactDecimal | null;
    /** The money at stake if it is not the effect, such as what is still to be paid of an invoice. */
    readonly amount?: ExactDecimal | null;
  };

/** A whole finding: the fields that are not given are null, or follow from those that are. */
export function finding<S extends Sentence>({ effect = null, amount = effect, ...fields }: FindingFields<S>): Finding {
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
    // A blank reference is none.
    reference_id: fields.reference_id?.trim() ? fields.reference_id : null,
  };
}

/** An order in a sentence. */
export type OrderNames = { order: string; reference: string };

/** The fields that say which order's row on which invoice a finding is about. */
export function ofRow({ period, number, order_id, reference }: RowName) {
  return { period, invoice_number: number, order_id, reference_id: reference };
}

type RowName = Pick<BilledRow, 'period' | 'number' | 'order_id' | 'reference'>;

/** A finding's figures, as plain decimals or whole numbers; `difference` is `actual` less `expected`. */
export type Figures = { expected: string; actual: string; difference: string };

/** @param expected what the finer evidence says @param actual what the document under test states */
export function amounts(expected: ExactDecimal, actual: ExactDecimal) {
  const difference = formatAmount(actual.minus(expected));
  return { expected: formatAmount(expected), actual: formatAmount(actual), difference, unit: 'money' as const };
}

/** Figures of counts, which are written as integers. @see amounts */
export function counts(expected: number, actual: number) {
  const difference = String(actual - expected);
  return { expected: String(expected), actual: String(actual), difference, unit: 'count' as const };
}

/** Figures of ages in days. @see amounts */
export function days(expected: number, actual: number) {
  return { ...counts(expected, actual), unit: 'days' as const };
}

/**
 * What a difference (stated less due) does to the net that the courier states: a fee of 3.50 instead of 3.00 has the
 * effect -0.50, and a return's COD that is too high lowers the net too. Null for money outside the net, for a fee that
 * does not count, and if nobody knows how the row counts.
 */
export function effectOf(field: OrderMoneyField, difference: ExactDecimal, signs: RowSigns | null = STANDARD_SIGNS) {
  const factor = isNetField(field) ? signs?.[field] : 0;
  return factor ? difference.times(factor) : null;
}

const isNetField = (field: OrderMoneyField): field is NetField => NET_FIELDS.some((name) => name === field);

/** COD and fee in one currency, as a document states them. */
export type NetAmounts = Readonly<Record<NetField, ExactDecimal>>;

export const NO_AMOUNTS: NetAmounts = { cod: ZERO, delivery_fee: ZERO };

/** The net of a row's COD and fee, as they count for the merchant; 0 if nobody knows how (`signs` is null). */
export function netAmount({ cod, delivery_fee }: NetAmounts, signs: RowSigns | null): ExactDecimal {
  return signs === null ? ZERO : cod.times(signs.cod).plus(delivery_fee.times(signs.delivery_fee));
}

/** The amount in a money column that an outer join may leave empty: a currency that one of the two lacks is zero. */
export function amountOf(units: string | null): ExactDecimal {
  return amountOfUnits(units ?? '0');
}
