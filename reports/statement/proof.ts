import type { Bridge } from '../../src/checks/bridge/index.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';

/** The month's proof in one currency: the two figures, and how much of what lies between them the mismatches explain. */
export interface CurrencyProof {
  readonly currency: string;
  /** What the courier says is due: the sum of its invoices' net. */
  readonly courier: ExactDecimal;
  /** What our records of the orders come to; null where there is none. */
  readonly ours: ExactDecimal | null;
  /** `courier - ours`. */
  readonly difference: ExactDecimal | null;
  /** The sum of the steps between them. */
  readonly explained: ExactDecimal;
  /** `difference - explained`; its goal is zero. */
  readonly unexplained: ExactDecimal | null;
}

/** A bridge as the statement shows it. */
export function proofOf({ currency, courier, ours, unexplained, steps }: Bridge): CurrencyProof {
  const amount = (text: string | null) => (text === null ? null : parseAmount(text));
  const [theirs, own] = [parseAmount(courier), amount(ours)];
  return {
    currency,
    courier: theirs,
    ours: own,
    difference: own && theirs.minus(own),
    explained: steps.reduce((sum, { effect }) => sum.plus(parseAmount(effect)), new ExactDecimal(0)),
    unexplained: amount(unexplained),
  };
}
