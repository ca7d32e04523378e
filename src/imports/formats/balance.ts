import { formatUnits, parseUnits, type Units } from '../../money/units.ts';
import type { ReceiptLine } from './receipts-file.ts';

/**
 * The opening balance plus all lines is exactly the closing balance.
 *
 * @returns null if either balance is missing, or a line is not in the statement's currency
 */
export function isBalanced(
  opening: string | null,
  closing: string | null,
  lines: readonly ReceiptLine[],
  currency: string,
): boolean | null {
  if (opening === null || closing === null || lines.some((line) => line.currency !== currency)) return null;
  return parseUnits(opening) + sumOf(lines) === parseUnits(closing);
}

/** The sum of the lines as a decimal text, for the message about a statement that does not add up. */
export function linesSum(lines: readonly ReceiptLine[]): string {
  return formatUnits(sumOf(lines));
}

/** A line's amount with the balance after it, if the bank states one. A balance without a line has amount 0. */
export interface BalancedLine {
  readonly amount: string;
  readonly balance: string | null;
}

/**
 * Takes the opening and closing balance from a running balance, and tests if the lines explain the difference. Banks
 * list lines from the oldest or from the newest on: both orders are tried.
 *
 * @param isNewestFirst the likelier order
 * @returns nulls if no balance is stated; `balanced` alone is null if only one is, which proves nothing
 */
export function proveByBalance(lines: readonly BalancedLine[], isNewestFirst: boolean) {
  const stated = lines.filter(hasBalance).length;
  if (stated === 0) return { opening: null, closing: null, balanced: null };
  const directions = isNewestFirst ? [lines.toReversed(), lines] : [lines, lines.toReversed()];
  const eachEnds = directions.map(endsOf);
  // If the lines add up in neither order, the balances are those of the likelier, which is first.
  const ends = eachEnds.find((each) => each.balanced) ?? eachEnds[0]!;
  const balanced = stated === 1 ? null : ends.balanced;
  return { opening: formatUnits(ends.opening), closing: formatUnits(ends.closing), balanced };
}

/**
 * The balances before and after lines that are listed oldest first. If the first line is of 20.00 and its balance is
 * 120.00, they open with 100.00.
 */
function endsOf(lines: readonly BalancedLine[]) {
  const [first, last] = [lines.findIndex(hasBalance), lines.findLastIndex(hasBalance)];
  const opening = parseUnits(lines[first]!.balance!) - sumOf(lines.slice(0, first + 1));
  const closing = parseUnits(lines[last]!.balance!) + sumOf(lines.slice(last + 1));
  return { opening, closing, balanced: opening + sumOf(lines) === closing };
}

function hasBalance({ balance }: BalancedLine): boolean {
  return balance !== null;
}

function sumOf(lines: readonly { readonly amount: string }[]): Units {
  return lines.reduce((sum, line) => sum + parseUnits(line.amount), 0n);
}
