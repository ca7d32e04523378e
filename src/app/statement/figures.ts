import { noBalanceBlock } from '../../../reports/balance.ts';
import { NOTHING_SETTLED, settledAmounts } from '../../../reports/settlement-figures.ts';
import type { Statement } from '../../../reports/statement/index.ts';
import { moneyCells } from '../../../reports/sums.ts';
import { linesIn } from '../../ledger/queries/invoices/totals.ts';
import type { ExactDecimal } from '../../money/decimal.ts';
import type { MoneyField } from '../../money/fields.ts';
import { formatAmount } from '../../money/format.ts';

/** A month's key figures in one currency, as plain decimals; of a closed month those of the close. */
export interface Figures extends Readonly<Record<MoneyField, string>> {
  readonly currency: string;
  /** The net of the invoices that the courier marks `PAID`. */
  readonly paid: string;
  /** The parts of the net due: matched receipts, agreed differences, what only the courier's Paid flag says, and the rest. */
  readonly received: string;
  readonly differences: string;
  readonly paid_on_word: string;
  readonly outstanding: string;
  /** What the courier owes at the month's end. */
  readonly closing: string;
  /** What these rest on. */
  readonly basis: 'receipts' | 'courier' | 'both';
  /** The courier's figure, and ours; null where there is no record of ours. */
  readonly courier: string;
  readonly ours: string | null;
  /** What no mismatch explains; `0.00` is the goal, null where there is no record of ours. */
  readonly unexplained: string | null;
  /** What you are short (negative) or ahead. */
  readonly short: string;
}

/** The key figures of a statement, by currency. */
export function figuresOf({ totals, settled, balance, proof }: Statement): Figures[] {
  const owed = balance.map(({ currency }) => currency);
  return linesIn(totals.currencies, [...settled.keys(), ...owed]).map(({ currency, ...figure }) => {
    const own = settled.get(currency) ?? NOTHING_SETTLED;
    const came = settledAmounts(own);
    const block = balance.find((one) => one.currency === currency) ?? noBalanceBlock(currency);
    const bridge = proof.find((one) => one.currency === currency);
    return {
      currency,
      ...moneyCells(figure),
      paid: formatAmount(figure.paid),
      received: formatAmount(came.received),
      differences: formatAmount(came.differences),
      paid_on_word: formatAmount(came.paid_on_word),
      outstanding: formatAmount(came.outstanding),
      closing: formatAmount(block.closing),
      basis: own.basis,
      courier: amountOr(bridge?.courier, '0.00'),
      ours: amountOr(bridge?.ours, null),
      unexplained: amountOr(bridge?.unexplained, null),
      short: amountOr(bridge?.short, '0.00'),
    };
  });
}

function amountOr<Otherwise>(amount: ExactDecimal | null | undefined, otherwise: Otherwise): string | Otherwise {
  return amount ? formatAmount(amount) : otherwise;
}
