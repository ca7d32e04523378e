import type { Bridge, Step } from '../../src/checks/bridge/index.ts';
import { NOT_COMPARED } from '../../src/checks/bridge/not-compared.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';

/** The effect of one check's findings, or of the rows that were not compared, in one currency. */
export interface ProofStep {
  readonly code: string;
  readonly count: number;
  readonly effect: ExactDecimal;
}

/** The month's proof in one currency: the two figures, every step between them, and the money outside of them. */
export interface CurrencyProof {
  readonly currency: string;
  /** What the courier says is due: the sum of its invoices' net. */
  readonly courier: ExactDecimal;
  /** What our records of the orders come to; null where there are none. */
  readonly ours: ExactDecimal | null;
  /** `courier - ours`. */
  readonly difference: ExactDecimal | null;
  /** What lies between them and is explained, in the order of the chain. */
  readonly steps: readonly ProofStep[];
  /** The sum of the steps. */
  readonly explained: ExactDecimal;
  /** The rows that could not be compared with our side, which explain nothing; null where there are none. */
  readonly notCompared: ProofStep | null;
  /** `difference - explained - not compared`; it should be zero. */
  readonly unexplained: ExactDecimal | null;
  /** Money outside the month's invoices, never netted with the steps. */
  readonly outside: readonly ProofStep[];
  /** What you are short (negative) or ahead: the effects of what is not resolved, steps and outside together. */
  readonly short: ExactDecimal;
}

/** A bridge as the statement shows it. */
export function proofOf(bridge: Bridge): CurrencyProof {
  const amount = (text: string | null) => (text === null ? null : parseAmount(text));
  const [theirs, own] = [parseAmount(bridge.courier), amount(bridge.ours)];
  const steps = bridge.steps.filter(({ code }) => code !== NOT_COMPARED).map(stepOf);
  const left = bridge.steps.find(({ code }) => code === NOT_COMPARED);
  return {
    currency: bridge.currency,
    courier: theirs,
    ours: own,
    difference: own && theirs.minus(own),
    steps,
    explained: steps.reduce((sum, { effect }) => sum.plus(effect), new ExactDecimal(0)),
    notCompared: left ? stepOf(left) : null,
    unexplained: amount(bridge.unexplained),
    outside: bridge.outside.map(stepOf),
    short: parseAmount(bridge.short),
  };
}

function stepOf({ code, count, effect }: Step): ProofStep {
  return { code, count, effect: parseAmount(effect) };
}
