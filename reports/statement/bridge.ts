import { placeInBridge } from '../../src/checks/bridge/index.ts';
import { NOT_COMPARED } from '../../src/checks/bridge/not-compared.ts';
import { type ExactDecimal, ZERO } from '../../src/money/decimal.ts';
import type { CurrencyProof, ProofStep } from './proof.ts';

export interface PageLine {
  /** A figure of the balance or of the bridge, a check's code, or `other-steps` or `outside` for several of them. */
  readonly figure: string;
  /** How many findings are behind a step, or how many steps are in this line; null if it is no step. */
  readonly count: number | null;
  /** By currency; null if it is not known, such as our figure if we have no records. */
  readonly amounts: ReadonlyMap<string, ExactDecimal | null>;
}

/**
 * From the courier's figure to ours, a column for each currency's proof: both figures, their difference, the steps that
 * explain it (one for each check that found something), what was not compared and what is unexplained.
 *
 * @param mostLines beyond so many, the smallest steps share one; null to give each step a line, and their sum
 */
export function bridgeLines(proofs: readonly CurrencyProof[], mostLines: number | null): PageLine[] {
  if (proofs.length === 0) return [];
  const firstLines = [
    figureLine('courier', proofs, ({ courier }) => courier),
    figureLine('ours', proofs, ({ ours }) => ours),
    figureLine('difference', proofs, ({ difference }) => difference),
  ];
  const notCompared = proofs.flatMap((proof) => proof.notCompared ?? []);
  const notComparedLine = {
    ...figureLine(NOT_COMPARED, proofs, (proof) => proof.notCompared?.effect ?? ZERO),
    count: notCompared.reduce((sum, { count }) => sum + count, 0),
  };
  const lastLines = [
    ...(mostLines === null ? [figureLine('explained', proofs, ({ explained }) => explained)] : []),
    ...(notCompared.length === 0 ? [] : [notComparedLine]),
    figureLine('unexplained', proofs, ({ unexplained }) => unexplained),
  ];
  const steps =
    mostLines === null ? allSteps(proofs) : largestSteps(proofs, mostLines - firstLines.length - lastLines.length);
  return [...firstLines, ...steps, ...lastLines];
}

/**
 * How the amount that you are short or ahead comes about: money outside the month's invoices, plus all steps of the
 * bridge, less what a person resolved.
 *
 * @param options.isSplit one line per kind of money outside; otherwise one for all of it
 */
export function shortLines(proofs: readonly CurrencyProof[], { isSplit }: { readonly isSplit: boolean }): PageLine[] {
  if (proofs.length === 0) return [];
  const outside = (proof: CurrencyProof) => proof.outside;
  const codes = codesInOrder(proofs.map(outside));
  const lines: PageLine[] = [];
  if (isSplit) lines.push(...codes.map((code) => stepLine(code, proofs, outside, (step) => step.code === code)));
  else if (codes.length > 0) lines.push(stepLine('outside', proofs, outside, () => true));
  lines.push(figureLine('explained', proofs, ({ explained }) => explained));
  // A workbook, which has the split lines, always has this one: whoever works in the sheet may resolve something.
  const isAnyResolved = proofs.some(({ resolved }) => !resolved.isZero());
  if (isSplit || isAnyResolved) lines.push(figureLine('resolved', proofs, ({ resolved }) => resolved));
  lines.push(figureLine('short', proofs, ({ short }) => short));
  return lines;
}

/**
 * The codes of several currencies' steps in the order of the bridge. Codes that share a place in it keep the order that
 * each currency has: `a c` and `b c` give `b a c`.
 */
function codesInOrder(lists: readonly (readonly ProofStep[])[]): string[] {
  const codes: string[] = [];
  for (const list of lists) {
    let next = 0;
    for (const { code } of list) {
      const index = codes.indexOf(code);
      if (index === -1) codes.splice(next, 0, code);
      next = (index === -1 ? next : index) + 1;
    }
  }
  return codes.sort((a, b) => placeInBridge(a) - placeInBridge(b));
}

function figureLine(
  figure: string,
  proofs: readonly CurrencyProof[],
  amountOf: (proof: CurrencyProof) => ExactDecimal | null,
): PageLine {
  return { figure, count: null, amounts: new Map(proofs.map((proof) => [proof.currency, amountOf(proof)])) };
}

const stepsOf = (proof: CurrencyProof) => proof.steps;

function allSteps(proofs: readonly CurrencyProof[]): PageLine[] {
  return codesInOrder(proofs.map(stepsOf)).map((code) => {
    return stepLine(code, proofs, stepsOf, (step) => step.code === code);
  });
}

/** One line for each of the largest steps of any currency, and one for all others. */
function largestSteps(proofs: readonly CurrencyProof[], mostLines: number): PageLine[] {
  // A code's best rank in any currency.
  const ranks = new Map<string, number>();
  for (const proof of proofs) {
    const sorted = [...proof.steps].sort((a, b) => b.effect.abs().comparedTo(a.effect.abs()));
    sorted.forEach(({ code }, rank) => {
      ranks.set(code, Math.min(rank, ranks.get(code) ?? rank));
    });
  }
  const codes = [...ranks].sort(([, a], [, b]) => a - b).map(([code]) => code);
  const shownCodes = codes.length <= mostLines ? codes : codes.slice(0, mostLines - 1);
  const lines = shownCodes.map((code) => stepLine(code, proofs, stepsOf, (step) => step.code === code));
  if (shownCodes.length === codes.length) return lines;
  const otherSteps = stepLine('other-steps', proofs, stepsOf, (step) => !shownCodes.includes(step.code));
  return [...lines, { ...otherSteps, count: codes.length - shownCodes.length }];
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
