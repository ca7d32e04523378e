import type { Sentence } from '../../src/base/sentence.ts';
import { NOT_COMPARED } from '../../src/checks/bridge/not-compared.ts';
import type { Group } from '../../src/checks/groups.ts';
import { ExactDecimal, parseAmount } from '../../src/money/index.ts';
import { BALANCE_FLOWS, type BalanceBlock } from '../balance.ts';
import { summaryCurrencies } from './currencies.ts';
import type { Statement } from './model.ts';
import type { CurrencyProof, ProofStep } from './proof.ts';

/** The page that one signs: a month on one sheet of paper. Each figure of it is a figure of a report. */
export interface SigningPage {
  /** The currencies that it has a column for, by name. */
  readonly currencies: readonly string[];
  /** The opening balance, what moved it in the month, and the closing balance, which is their sum; empty where no currency has one. */
  readonly balance: readonly PageLine[];
  /** What came in after the month's end, and what is open today; empty where it is not known. */
  readonly later: readonly PageLine[];
  /** What you are short or ahead, by currency. */
  readonly results: readonly PageResult[];
  /** The way from the courier's figure to ours: at most {@link MOST_BRIDGE_LINES}. */
  readonly bridge: readonly PageLine[];
  /** The open findings by cause: at most {@link MOST_CAUSES}, the largest of each currency first. */
  readonly causes: readonly PageCause[];
  /** How many causes there are besides. */
  readonly otherCauses: number;
}

/** A line of figures, one a currency. */
export interface PageLine {
  /** A figure of the balance. Of the bridge `courier`, `ours`, `difference`, `not-compared`, `unexplained`, `other-steps`, or a check's code. */
  readonly figure: string;
  /** How many findings, or steps, are behind it; null where it is no step. */
  readonly count: number | null;
  /** By currency; null where it is not known, such as our figure where there is no record of ours. */
  readonly amounts: ReadonlyMap<string, ExactDecimal | null>;
}

export interface PageResult {
  readonly currency: string;
  /** Negative: short. */
  readonly short: ExactDecimal;
  /** Null where there is no record of ours. */
  readonly unexplained: ExactDecimal | null;
  /** What could not be compared with our side; null where all was. */
  readonly notCompared: ExactDecimal | null;
}

/** Findings of one cause. */
export interface PageCause {
  readonly code: string;
  /** What they have in common, with their number. */
  readonly cause: Sentence;
  readonly count: number;
  readonly currency: string | null;
  /** Null where they are not about an amount. */
  readonly amount: ExactDecimal | null;
}

const MOST_BRIDGE_LINES = 8;
const MOST_CAUSES = 5;
/** Shown even where nothing moved. */
const ALWAYS: readonly string[] = ['opening', 'invoiced', 'received', 'closing', 'receivedSince', 'openToday'];
const ZERO = new ExactDecimal(0);

type Figure = Exclude<keyof BalanceBlock, 'currency'>;

/** What of a statement its first page is made from. */
type Source = Pick<Statement, 'balance' | 'totals' | 'settled' | 'proof' | 'mismatches' | 'causes'>;

/** Makes the first page of a statement from its figures. */
export function signingPage(statement: Source): SigningPage {
  const blocks = statement.balance;
  const currencies = summaryCurrencies(statement);
  const causes = byTurns(statement.causes);
  return {
    currencies,
    balance: blocks.length === 0 ? [] : linesOf(blocks, ['opening', ...BALANCE_FLOWS, 'closing']),
    later: blocks.length === 0 ? [] : linesOf(blocks, ['receivedSince', 'openToday']),
    results: statement.proof.map(({ currency, short, unexplained, notCompared }) => ({
      currency,
      short,
      unexplained,
      notCompared: notCompared?.effect ?? null,
    })),
    bridge: bridgeLines(statement.proof),
    causes: causes.slice(0, MOST_CAUSES),
    otherCauses: Math.max(0, causes.length - MOST_CAUSES),
  };
}

/** The balance's amounts as lines, without what is zero in every currency. */
function linesOf<F extends Figure>(blocks: readonly BalanceBlock[], figures: readonly F[]): PageLine[] {
  const lines = figures.map((figure): PageLine => {
    return { figure, count: null, amounts: new Map(blocks.map((block) => [block.currency, block[figure]])) };
  });
  return lines.filter(({ figure, amounts }) => ALWAYS.includes(figure) || !isZero(amounts));
}

function isZero(amounts: PageLine['amounts']): boolean {
  return [...amounts.values()].every((amount) => amount === null || amount.isZero());
}

/** Both figures, their difference, the largest steps with the rest of them in one line, what was not compared, and what is unexplained. */
function bridgeLines(proofs: readonly CurrencyProof[]): PageLine[] {
  if (proofs.length === 0) return [];
  const figure = (name: string, of: (proof: CurrencyProof) => ExactDecimal | null): PageLine => ({
    figure: name,
    count: null,
    amounts: new Map(proofs.map((proof) => [proof.currency, of(proof)])),
  });
  const before = [
    figure('courier', ({ courier }) => courier),
    figure('ours', ({ ours }) => ours),
    figure('difference', ({ difference }) => difference),
  ];
  const isWhole = proofs.every(({ notCompared }) => notCompared === null);
  const after = [
    ...(isWhole ? [] : [figure(NOT_COMPARED, ({ notCompared }) => notCompared?.effect ?? ZERO)]),
    figure('unexplained', ({ unexplained }) => unexplained),
  ];
  return [...before, ...stepLines(proofs, MOST_BRIDGE_LINES - before.length - after.length), ...after];
}

function stepLines(proofs: readonly CurrencyProof[], most: number): PageLine[] {
  const ranks = new Map<string, number>();
  for (const { steps } of proofs) {
    const sorted = [...steps].sort((a, b) => b.effect.abs().comparedTo(a.effect.abs()));
    sorted.forEach(({ code }, rank) => {
      ranks.set(code, Math.min(rank, ranks.get(code) ?? rank));
    });
  }
  const codes = [...ranks].sort(([, a], [, b]) => a - b).map(([code]) => code);
  const shown = codes.length <= most ? codes : codes.slice(0, most - 1);
  const lines = shown.map((code) => stepLine(code, proofs, (step) => step.code === code));
  if (shown.length === codes.length) return lines;
  const rest = stepLine('other-steps', proofs, (step) => !shown.includes(step.code));
  return [...lines, { ...rest, count: codes.length - shown.length }];
}

/** The effects of some steps, added up by currency. */
function stepLine(figure: string, proofs: readonly CurrencyProof[], isIn: (step: ProofStep) => boolean): PageLine {
  const sums = proofs.map(({ currency, steps }) => {
    const effect = steps.filter(isIn).reduce((sum, step) => sum.plus(step.effect), ZERO);
    return [currency, effect] as const;
  });
  const count = proofs.flatMap(({ steps }) => steps.filter(isIn)).reduce((sum, step) => sum + step.count, 0);
  return { figure, count, amounts: new Map(sums) };
}

/** The causes, the largest of each currency, then the second of each, and so on: currencies cannot be compared. Those without money come last. */
function byTurns(groups: readonly Group[]): PageCause[] {
  const places = new Map<string | null, number>();
  return groups
    .map(({ code, cause, count, currency, amount: decimal }) => {
      const amount = decimal === null ? null : parseAmount(decimal);
      const hasMoney = amount !== null && !amount.isZero();
      const key = hasMoney ? currency : null;
      const place = places.get(key) ?? 0;
      places.set(key, place + 1);
      return { cause: { code, cause, count, currency, amount }, place: hasMoney ? place : groups.length + place };
    })
    .sort((a, b) => a.place - b.place)
    .map(({ cause }) => cause);
}
