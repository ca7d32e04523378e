import { MoneyError } from '../errors.ts';
import { ExactDecimal } from './decimal.ts';
import type { Money } from './money.ts';

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) {
    throw new MoneyError(
      `${a.currency} and ${b.currency} cannot be combined`,
      'Amounts of different currencies are never added, subtracted or compared; keep one total per currency.',
    );
  }
}

/** `a + b`, exactly. @throws MoneyError when the currencies differ */
export function add<C extends string>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  assertSameCurrency(a, b);
  return { currency: a.currency, amount: a.amount.plus(b.amount) };
}

/** `a - b`, exactly. @throws MoneyError when the currencies differ */
export function subtract<C extends string>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  assertSameCurrency(a, b);
  const amount = a.amount.minus(b.amount);
  return { currency: a.currency, amount: amount.isZero() ? new ExactDecimal(0) : amount };
}

/** `-a`; zero stays zero, without a sign. */
export function negate<C extends string>(a: Money<C>): Money<C> {
  return { currency: a.currency, amount: a.amount.isZero() ? a.amount : a.amount.negated() };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. @throws MoneyError when the currencies differ */
export function compare<C extends string>(a: Money<C>, b: Money<NoInfer<C>>): number {
  assertSameCurrency(a, b);
  return a.amount.comparedTo(b.amount);
}

/** Whether the amount is nothing. */
export function isZero(a: Money): boolean {
  return a.amount.isZero();
}
