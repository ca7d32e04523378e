import type { Bridge, BridgeStep } from '../../src/checks/bridge/index.ts';
import { NOT_COMPARED } from '../../src/checks/bridge/not-compared.ts';
import { type ExactDecimal, formatAmount, parseAmount, ZERO } from '../../src/money/decimal.ts';

/** The effect of one check's findings, or of the rows that were not compared, in one currency. */
export interface ProofStep {
  readonly code: string;
  readonly count: number;
  readonly effect: ExactDecimal;
}

/** The bridge of a month in one currency: the two figures, every step between them, and the money outside of them. */
export interface CurrencyProof {
  readonly currency: string;
  /** What the courier says is due: the sum of its invoices' net. */
  readonly courier: ExactDecimal;
  /** The sum of our records of the orders; null if there are none. */
  readonly ours: ExactDecimal | null;
  /** `courier - ours`. */
  readonly difference: ExactDecimal | null;
  /** The explained parts of the difference, in the order of the bridge. */
  readonly steps: readonly ProofStep[];
  /** The sum of the steps. */
  readonly explained: ExactDecimal;
  /** The rows that could not be compared with our side; null if there are none. */
  readonly notCompared: ProofStep | null;
  /** `difference - explained - not compared`; it should be zero. */
  readonly unexplained: ExactDecimal | null;
  /** Money outside the month's invoices, never netted with the steps. */
  readonly outside: readonly ProofStep[];
  /** What a person resolved, with the opposite sign, because it is not short. */
  readonly resolved: ExactDecimal;
  /** What you are short (negative) or ahead: the effects of what is not resolved, steps and outside together. */
  readonly short: ExactDecimal;
}

export function proofOf(bridge: Bridge): CurrencyProof {
  const amount = (text: string | null) => (text === null ? null : parseAmount(text));
  const courier = parseAmount(bridge.courier);
  const ours = amount(bridge.ours);
  const steps = bridge.steps.filter(({ code }) => code !== NOT_COMPARED).map(stepOf);
  const notCompared = bridge.steps.find(({ code }) => code === NOT_COMPARED);
  return {
    currency: bridge.currency,
    courier,
    ours,
    difference: ours && courier.minus(ours),
    steps,
    explained: steps.reduce((sum, { effect }) => sum.plus(effect), ZERO),
    notCompared: notCompared ? stepOf(notCompared) : null,
    unexplained: amount(bridge.unexplained),
    outside: bridge.outside.map(stepOf),
    resolved: ZERO.minus(parseAmount(bridge.resolved)),
    short: parseAmount(bridge.short),
  };
}

function stepOf({ code, count, effect }: BridgeStep): ProofStep {
  return { code, count, effect: parseAmount(effect) };
}

/** A closed month's bridge in one currency as it is today, if it moved since the close. */
export type MovedBridge = {
  readonly currency: string;
  readonly courier: string;
  /** Null if we have no records. */
  readonly ours: string | null;
  readonly unexplained: string | null;
  readonly short: string;
};

export type SinceCloseSentence =
  | { id: 'bridge-since-close'; moved: readonly MovedBridge[] }
  | { id: 'mismatches-since-close' };

export function bridgesMovedSince(closed: readonly CurrencyProof[], today: readonly CurrencyProof[]): MovedBridge[] {
  const then = new Map(closed.map((proof) => [proof.currency, figuresOf(proof)]));
  const now = new Map(today.map((proof) => [proof.currency, figuresOf(proof)]));
  const currencies = [...new Set([...then.keys(), ...now.keys()])].sort();
  return currencies.flatMap((currency) => {
    const [before, after] = [then.get(currency) ?? NOTHING, now.get(currency) ?? NOTHING];
    const isSame = FIGURES.every((figure) => before[figure] === after[figure]);
    return isSame ? [] : [{ currency, ...after }];
  });
}

const FIGURES = ['courier', 'ours', 'unexplained', 'short'] as const;
type MovedFigures = Omit<MovedBridge, 'currency'>;
const NOTHING: MovedFigures = { courier: '0.00', ours: '0.00', unexplained: '0.00', short: '0.00' };

function figuresOf({ courier, ours, unexplained, short }: CurrencyProof): MovedFigures {
  return {
    courier: formatAmount(courier),
    ours: ours && formatAmount(ours),
    unexplained: unexplained && formatAmount(unexplained),
    short: formatAmount(short),
  };
}
