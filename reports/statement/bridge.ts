import { NOT_COMPARED } from '../../src/checks/bridge/not-compared.ts';
import { ExactDecimal } from '../../src/money/decimal.ts';
import type { CurrencyProof, ProofStep } from './proof.ts';

/** A line of figures, one a currency. */
export interface PageLine {
  /** A figure of the balance or of the bridge, a check's code, or what several steps are together. */
  readonly figure: string;
  /** How many findings, or steps, are behind it; null where it is no step. */
  readonly count: number | null;
  /** By currency; null where it is not known, such as our figure where there is no record of ours. */
  readonly amounts: ReadonlyMap<string, ExactDecimal | null>;
}

const ZERO = new ExactDecimal(0);

/**
 * The way from the courier's figure to ours: both figures, their difference, the steps, what was not compared, and what is unexplained.
 *
 * @param most how many lines at most: the largest steps have lines, and the rest of them one; null where each step has one, and their sum
 */
export function bridgeLines(proofs: readonly CurrencyProof[], most: number | null): PageLine[] {
  if (proofs.length === 0) return [];
  const before = [
    figureLine('courier', proofs, ({ courier }) => courier),
    figureLine('ours', proofs, ({ ours }) => ours),
    figureLine('difference', proofs, ({ difference }) => difference),
  ];
  const notCompared = proofs.flatMap((proof) => proof.notCompared ?? []);
  const notComparedLine = {
    ...figureLine(NOT_COMPARED, proofs, (proof) => proof.notCompared?.effect ?? ZERO),
    count: notCompared.reduce((sum, { count }) => sum + count, 0),
  };
  const after = [
    ...(most === null ? [figureLine('explained', proofs, ({ explained }) => explained)] : []),
    ...(notCompared.length === 0 ? [] : [notComparedLine]),
    figureLine('unexplained', proofs, ({ unexplained }) => unexplained),
  ];
  return [
    ...before,
    ...(most === null ? allSteps(proofs) : largestSteps(proofs, most - before.length - after.length)),
    ...after,
  ];
}

/**
 * How the month comes to what you are short or ahead: the money outside of its invoices, the steps of the bridge together, and what a
 * person resolved among both, which is not short.
 *
 * @param isWhole each kind of money outside has a line; otherwise all of it has one
 */
export function shortLines(proofs: readonly CurrencyProof[], { isWhole }: { readonly isWhole: boolean }): PageLine[] {
  if (proofs.length === 0) return [];
  const outside = (proof: CurrencyProof) => proof.outside;
  const codes = codesInOrder(proofs.map(outside));
  const resolved = figureLine('resolved', proofs, (proof) => proof.resolved);
  return [
    ...(isWhole ? codes.map((code) => stepLine(code, proofs, outside, (step) => step.code === code)) : []),
    ...(isWhole || codes.length === 0 ? [] : [stepLine('outside', proofs, outside, () => true)]),
    figureLine('explained', proofs, ({ explained }) => explained),
    // Whole, it stands where nothing is resolved too: whoever works in the sheet may resolve something.
    ...(isWhole || [...resolved.amounts.values()].some((amount) => !amount!.isZero()) ? [resolved] : []),
    figureLine('short', proofs, ({ short }) => short),
  ];
}

/** The codes of several currencies' steps in one order that each of them keeps: of `a c` and `b c` it is `b a c`. */
function codesInOrder(lists: readonly (readonly ProofStep[])[]): string[] {
  const codes: string[] = [];
  for (const list of lists) {
    let next = 0;
    for (const { code } of list) {
      const place = codes.indexOf(code);
      if (place === -1) codes.splice(next, 0, code);
      next = (place === -1 ? next : place) + 1;
    }
  }
  return codes;
}

function figureLine(
  figure: string,
  proofs: readonly CurrencyProof[],
  amountOf: (proof: CurrencyProof) => ExactDecimal | null,
): PageLine {
  return { figure, count: null, amounts: new Map(proofs.map((proof) => [proof.currency, amountOf(proof)])) };
}

const stepsOf = (proof: CurrencyProof) => proof.steps;

/** A line a step, in the order of the chain. */
function allSteps(proofs: readonly CurrencyProof[]): PageLine[] {
  return codesInOrder(proofs.map(stepsOf)).map((code) => {
    return stepLine(code, proofs, stepsOf, (step) => step.code === code);
  });
}

/** The largest steps of each currency, and the rest in one line. */
function largestSteps(proofs: readonly CurrencyProof[], most: number): PageLine[] {
  // A code's best rank in any currency.
  const ranks = new Map<string, number>();
  for (const proof of proofs) {
    const sorted = [...proof.steps].sort((a, b) => b.effect.abs().comparedTo(a.effect.abs()));
    sorted.forEach(({ code }, rank) => {
      ranks.set(code, Math.min(rank, ranks.get(code) ?? rank));
    });
  }
  const codes = [...ranks].sort(([, a], [, b]) => a - b).map(([code]) => code);
  const shown = codes.length <= most ? codes : codes.slice(0, most - 1);
  const lines = shown.map((code) => stepLine(code, proofs, stepsOf, (step) => step.code === code));
  if (shown.length === codes.length) return lines;
  const otherSteps = stepLine('other-steps', proofs, stepsOf, (step) => !shown.includes(step.code));
  return [...lines, { ...otherSteps, count: codes.length - shown.length }];
}

/** The effects of some steps, added up by currency. */
function stepLine(
  figure: string,
  proofs: readonly CurrencyProof[],
  stepsIn: (proof: CurrencyProof) => readonly ProofStep[],
  isIn: (step: ProofStep) => boolean,
): PageLine {
  const amounts = new Map<string, ExactDecimal>();
  let count = 0;
  for (const proof of proofs) {
    const steps = stepsIn(proof).filter(isIn);
    const effect = steps.reduce((sum, step) => sum.plus(step.effect), ZERO);
    amounts.set(proof.currency, effect);
    count += steps.reduce((sum, step) => sum + step.count, 0);
  }
  return { figure, count, amounts };
}
