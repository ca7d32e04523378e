import { ExactDecimal, parseAmount } from '../../money/decimal.ts';
import { formatAmount } from '../../money/format.ts';
import type { ReceiptLine } from './receipts-file.ts';

/**
 * Whether a statement adds up, exactly: opening plus all lines is the closing.
 *
 * @returns null where either balance is missing, or a line is in another currency than the statement
 */
export function isBalanced(
  opening: string | null,
  closing: string | null,
  lines: readonly ReceiptLine[],
  currency: string,
): boolean | null {
  if (opening === null || closing === null || lines.some((line) => line.currency !== currency)) return null;
  return parseAmount(opening).plus(sumOf(lines)).equals(parseAmount(closing));
}

/** The sum of the lines as a decimal text, for a message that names the three figures of a statement that does not add up. */
export function linesSum(lines: readonly ReceiptLine[]): string {
  return formatAmount(sumOf(lines));
}

/** A line's amount with the account's balance after it; null where the bank leaves it out. A balance without a line has the amount 0. */
export interface BalancedLine {
  readonly amount: string;
  readonly balance: string | null;
}

/**
 * What a running balance says of its lines: what the account held before and after them, and whether the lines explain the change, in
 * whichever order the bank lists them. One balance proves nothing of them, and still says what the account held.
 *
 * @returns null where no balance is stated
 */
export function provenByBalance(
  lines: readonly BalancedLine[],
  newestFirst: boolean,
): { opening: string; closing: string; balanced: boolean | null } | null {
  const stated = lines.filter(hasBalance).length;
  if (stated === 0) return null;
  const orders = [lines, lines.toReversed()];
  if (newestFirst) orders.reverse();
  const [first, other] = orders.map(endsOf);
  const proven = first!.balanced || !other!.balanced ? first! : other!;
  const { opening, closing } = proven;
  const balanced = stated === 1 ? null : proven.balanced;
  return { opening: formatAmount(opening), closing: formatAmount(closing), balanced };
}

/** The balances at both ends of lines that are listed oldest first. */
function endsOf(lines: readonly BalancedLine[]): { opening: ExactDecimal; closing: ExactDecimal; balanced: boolean } {
  const [first, last] = [lines.findIndex(hasBalance), lines.findLastIndex(hasBalance)];
  const opening = parseAmount(lines[first]!.balance!).minus(sumOf(lines.slice(0, first + 1)));
  const closing = parseAmount(lines[last]!.balance!).plus(sumOf(lines.slice(last + 1)));
  return { opening, closing, balanced: opening.plus(sumOf(lines)).equals(closing) };
}

function hasBalance({ balance }: BalancedLine): boolean {
  return balance !== null;
}

function sumOf(lines: readonly { readonly amount: string }[]): ExactDecimal {
  return lines.reduce((sum, line) => sum.plus(parseAmount(line.amount)), new ExactDecimal(0));
}
