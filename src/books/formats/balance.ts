import { ExactDecimal, formatAmount, parseAmount } from '../../money/index.ts';
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

function sumOf(lines: readonly ReceiptLine[]): ExactDecimal {
  return lines.reduce((sum, line) => sum.plus(parseAmount(line.amount)), new ExactDecimal(0));
}
