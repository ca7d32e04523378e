/** How checks put a finding together: its empty fields, its figures and its words. */
import type { RawBuilder } from 'kysely';
import { isOneOf } from '../ledger/sql.ts';
import {
  amountOfUnits,
  type ExactDecimal,
  formatAmount,
  formatMoney,
  type MoneyField,
  type OrderMoneyField,
} from '../money/index.ts';
import type { Finding } from './check.ts';

type About = Pick<Finding, 'period' | 'message'> &
  Partial<Omit<Finding, 'effect'>> & {
    /** Signed: how far the courier's figure departs from what is due; null or absent where no money is taken. */
    readonly effect?: ExactDecimal | null;
  };

/** A finding's fields, with null wherever nothing is said. */
export function finding({ effect = null, ...fields }: About): Finding {
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
    periods: [period],
    place: 0,
    parts: effect === null ? [] : [{ period, effect }],
    ...fields,
    reference_id: fields.reference_id?.trim() ? fields.reference_id : null,
  };
}

type Figures = Pick<Finding, 'expected' | 'actual' | 'difference' | 'unit'>;

/** What the finer evidence says, what the document under test states, and how far it is off (design: 'Direction'). */
export function amounts(expected: ExactDecimal, actual: ExactDecimal): Figures {
  return {
    expected: formatAmount(expected),
    actual: formatAmount(actual),
    difference: formatAmount(actual.minus(expected)),
    unit: 'money',
  };
}

/** The same for counts, which are written as integers. */
export function counts(expected: number, actual: number): Figures {
  return { expected: String(expected), actual: String(actual), difference: String(actual - expected), unit: 'count' };
}

/** The same for days. */
export function days(expected: number, actual: number): Figures {
  return { ...counts(expected, actual), unit: 'days' };
}

/**
 * What a difference in COD or in a fee does to the courier's figure: a fee too high leaves the merchant less. Null for money that
 * is no part of an order's net.
 */
export function effectOf(field: OrderMoneyField, difference: ExactDecimal): ExactDecimal | null {
  if (field === 'cod') return difference;
  return field === 'delivery_fee' ? difference.negated() : null;
}

/** An amount for a sentence: `1,234.50 USD`. */
export function say(amount: ExactDecimal, currency: string): string {
  return formatMoney({ currency, amount });
}

/** How far a stated amount is off: `50.00 USD less`. */
export function sayOff(difference: ExactDecimal, currency: string): string {
  return `${say(difference.abs(), currency)} ${difference.isNegative() ? 'less' : 'more'}`;
}

/** What people call a money field. */
export const FIELD_NAMES: Readonly<Record<MoneyField | OrderMoneyField, string>> = {
  cod: 'COD',
  delivery_fee: 'delivery fee',
  net_due_to_merchant: 'net due',
};

const LONGEST = 60;
/** Control characters, and those that turn the direction of text around: both can make a sentence read as another. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Text from outside, made fit for a sentence: one line, not too long. */
export function shown(text: string): string {
  const characters = [
    ...text
      .slice(0, 10 * LONGEST)
      .replace(UNPRINTABLE, ' ')
      .trim(),
  ];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : characters.join('');
}

/** An order by both its names: `order A1 (reference "7001")`. */
export function sayOrder(orderId: string, reference: string | null): string {
  return `order ${shown(orderId)}${reference?.trim() ? ` (reference "${shown(reference)}")` : ''}`;
}

/** The first few of a list, and how many more there are: `1, 2, 3 and 4 more`. */
export function sayList(items: readonly (string | number)[], most = 5): string {
  const first = items.slice(0, most).map((item) => shown(String(item)));
  if (items.length > most) return `${first.join(', ')} and ${items.length - most} more`;
  return first.length > 1 ? `${first.slice(0, -1).join(', ')} and ${first.at(-1)}` : first.join('');
}

/** A sentence begins with a capital letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The condition that keeps a statement over `invoice i` to some months; vanished invoices are among them. */
export function inPeriods(periods: readonly string[]): RawBuilder<boolean> {
  return isOneOf('i.period', periods);
}

/** A money column that an outer join may leave empty: a currency that one side lacks counts as zero there. */
export function amountOf(units: string | null): ExactDecimal {
  return amountOfUnits(units ?? '0');
}
