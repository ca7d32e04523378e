import { formatGrouped, parseAmount } from '../money/index.ts';

/**
 * An amount for people, its thousands grouped: `1,234.50`. A mismatch may be about a count, which stands among the amounts as
 * a whole number without decimals, and stays one: `90`.
 *
 * @param decimal a plain decimal, as the report holds it
 */
export function amountText(decimal: string): string {
  const grouped = formatGrouped(parseAmount(decimal));
  return decimal.includes('.') ? grouped : grouped.replace(/\.00$/, '');
}
