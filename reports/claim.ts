import { ExactDecimal, formatAmount, parseAmount } from '../src/money/index.ts';
import type { Column, Report, Row, Unit } from './model.ts';

/** What is asked of the courier about one finding. It is for the courier's eyes: no note, name, file or check of ours is in it. */
export interface ClaimLine {
  /** Our number for it, by which an answer can name it. */
  readonly id: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  /** What is wrong, in a sentence. */
  readonly ground: string;
  readonly field: string | null;
  readonly currency: string | null;
  /** What it should be, and what it is. */
  readonly expected: string | null;
  readonly actual: string | null;
  readonly unit: Unit | null;
  /** Negative where the merchant is short. */
  readonly effect: string | null;
  /** Days (ISO) of the documents that it rests on. */
  readonly invoice_issued_on: string | null;
  readonly invoice_received_on: string | null;
  readonly delivered_on: string | null;
  readonly order_received_on: string | null;
  /** When the same was claimed before; null the first time. */
  readonly claimed_on: string | null;
}

/** What a claim comes to in one currency: never added across. */
export interface ClaimTotal {
  readonly currency: string;
  /** Lines whose effect is known. */
  readonly count: number;
  /** What the merchant is short, and what was credited too much: both without a sign. */
  readonly short: string;
  readonly over: string;
  /** Over less short. */
  readonly effect: string;
}

const COLUMNS: readonly Column[] = [
  { name: 'invoice_number', title: 'Invoice', type: 'number' },
  { name: 'order_id', title: 'Order', type: 'id' },
  { name: 'reference_id', title: 'Reference', type: 'id' },
  { name: 'ground', title: 'What is wrong', type: 'wide' },
  { name: 'field', title: 'Field', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'actual', title: 'It is', type: 'measure' },
  { name: 'expected', title: 'It should be', type: 'measure' },
  { name: 'effect', title: 'Effect', type: 'money' },
  { name: 'invoice_issued_on', title: 'Invoice issued', type: 'date' },
  { name: 'invoice_received_on', title: 'Invoice received', type: 'date' },
  { name: 'delivered_on', title: 'Delivered', type: 'date' },
  { name: 'order_received_on', title: 'Order record received', type: 'date' },
  { name: 'claimed_on', title: 'Claimed before', type: 'date' },
  { name: 'id', title: 'Our number', type: 'id' },
];

/** The sums of a claim, by currency. */
export function claimTotals(lines: readonly Pick<ClaimLine, 'currency' | 'effect'>[]): ClaimTotal[] {
  const sums = new Map<string, { count: number; short: ExactDecimal; over: ExactDecimal }>();
  for (const { currency, effect } of lines) {
    if (currency === null || effect === null) continue;
    const sum = sums.get(currency) ?? { count: 0, short: new ExactDecimal(0), over: new ExactDecimal(0) };
    const amount = parseAmount(effect);
    sum.count += 1;
    if (amount.isNegative()) sum.short = sum.short.plus(amount.abs());
    else sum.over = sum.over.plus(amount);
    sums.set(currency, sum);
  }
  return [...sums.keys()].sort().map((currency) => {
    const { count, short, over } = sums.get(currency)!;
    const effect = formatAmount(over.minus(short));
    return { currency, count, short: formatAmount(short), over: formatAmount(over), effect };
  });
}

/**
 * A claim as a report: the sheet that goes to the courier.
 *
 * @param head `period`: the months it is about, or empty; `by`: the merchant's name; `on`: the day it is sent
 */
export function claimReport(
  lines: readonly ClaimLine[],
  { period, by, on }: { readonly period: string; readonly by: string | null; readonly on: string },
): Report {
  return {
    report: 'claim',
    title: 'Claim',
    period,
    columns: COLUMNS,
    rows: lines.map((line): Row => ({ ...line })),
    totals: () => claimTotals(lines).map(({ currency, effect }) => ({ currency, effect })),
    notes: () => [
      `${by === null ? 'Claim' : `Claim of ${by}`}, ${on}.`,
      'Effect: a negative amount was paid or credited too little, a positive one too much. Dates of documents are the days on which we received them.',
    ],
  };
}
