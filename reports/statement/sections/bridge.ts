import type { Sentence } from '../../../src/base/sentence.ts';
import { ZERO } from '../../../src/money/decimal.ts';
import {
  type Grid,
  type GridCell,
  type GridRow,
  hint,
  type Live,
  type LiveCount,
  type Mark,
  type Section,
} from '../../page.ts';
import type { PageLine } from '../bridge.ts';
import type { Statement } from '../model.ts';
import { currencyHeads, lineLabel } from './figures.ts';

const LOOKS: Readonly<Record<string, GridRow['look']>> = {
  difference: 'sum',
  explained: 'sum',
  'not-compared': 'sum',
  unexplained: 'total',
  short: 'total',
};
const MARKS: Readonly<Record<string, readonly Mark[]>> = {
  'not-compared': [{ test: '<>0', look: 'bad' }],
  unexplained: [
    { test: '<>0', look: 'doubtful' },
    { test: '=0', look: 'good' },
  ],
  short: [{ test: '<0', look: 'bad' }],
};
/** Lines that count something and are no finding of one check: they have no code. */
const WITHOUT_CODE: readonly string[] = ['other-steps', 'outside', 'not-compared'];
/** The figures whose cells have names in a workbook, such as `USD_NOT_COMPARED`. */
const NAMED = ['courier', 'ours', 'difference', 'explained', 'not-compared', 'unexplained', 'resolved', 'short'];

type Source = Pick<Statement, 'movedSinceClose'>;

/** From the courier's figure to ours: both figures, every step between them, and what is left over. */
export function bridgeSection(statement: Source, currencies: readonly string[], lines: readonly PageLine[]): Section {
  const { movedSinceClose } = statement;
  const grid = bridgeGrid({ id: 'statement/computed-twice' }, statement, currencies, lines);
  const firstStep = firstStepOf(lines);
  // Without any step, a row says so in their place.
  if (lines[firstStep]?.figure === 'explained') grid.rows.splice(firstStep, 0, noteRow({ id: 'statement/no-step' }));
  return {
    title: { id: 'statement/bridge' },
    parts: [grid, ...(movedSinceClose ? [hint({ id: 'bridge-since-close', moved: movedSinceClose })] : [])],
  };
}

/** The money outside the month's invoices, and what you are short or ahead with it. */
export function outsideSection(statement: Source, currencies: readonly string[], lines: readonly PageLine[]): Section {
  const grid = bridgeGrid({ id: 'statement/result-of-month' }, statement, currencies, lines);
  if (lines[0]?.figure === 'explained') grid.rows.unshift(noteRow({ id: 'statement/nothing-outside' }));
  return { title: { id: 'statement/outside' }, parts: [grid, hint({ id: 'statement/effects' })] };
}

/** The place of the first step, after the difference; 0 in the section "outside", which has neither. */
function firstStepOf(lines: readonly PageLine[]): number {
  return lines.findIndex(({ figure }) => figure === 'difference') + 1;
}

function cellName(currency: string, figure: string): string {
  return `${currency}_${figure.toUpperCase().replace('-', '_')}`;
}

const noteRow = (says: Sentence): GridRow => ({ figure: 'none', cells: [{ says }] });

function bridgeGrid(
  title: Sentence,
  statement: Source,
  currencies: readonly string[],
  lines: readonly PageLine[],
): Grid & { rows: GridRow[] } {
  const rowOf = (line: PageLine): GridRow => {
    const { figure, count } = line;
    const cells = currencies.map((currency): GridCell => {
      const amount = line.amounts.has(currency) ? line.amounts.get(currency)! : ZERO;
      if (amount === null) return { amount, unknown: { id: 'statement/no-own-record' } };
      const live = liveOf(line, currency, statement, lines);
      // In the section "outside" the explained sum is only repeated.
      const isRepeated = figure === 'explained' && firstStepOf(lines) === 0;
      const isNamed = NAMED.includes(figure) && !isRepeated;
      return { amount, ...(live ? { live } : {}), ...(isNamed ? { name: cellName(currency, figure) } : {}) };
    });
    const hasCode = count !== null && !WITHOUT_CODE.includes(figure);
    const counted = count === null ? null : { count, ...(hasCode ? { live: countOf(statement, figure) } : {}) };
    const look = LOOKS[figure] ?? (hasCode ? 'step' : undefined);
    return {
      figure,
      ...(look ? { look } : {}),
      ...(MARKS[figure] ? { marks: MARKS[figure] } : {}),
      cells: [{ says: lineLabel(line) }, ...cells, counted, hasCode ? { text: figure } : null],
    };
  };
  return {
    kind: 'grid',
    heads: [
      { is: 'label', title },
      ...currencyHeads(currencies),
      { is: 'count', title: { id: 'statement/found' } },
      { is: 'code', title: { column: 'code' } },
    ],
    rows: lines.map(rowOf),
  };
}

/** The columns of the mismatches that the bridge sums: those of the close if the month is shown as it was closed. */
function mismatchColumns({ movedSinceClose }: Source) {
  return movedSinceClose
    ? { effect: 'effect_at_close', status: 'status_at_close' }
    : { effect: 'effect', status: 'status' };
}

/** All findings of a code, or only those with an effect: one whose effect is in another month is listed without it. */
function countOf(statement: Source, code: string): LiveCount {
  const ofCode = { column: 'code', is: code };
  const { effect } = mismatchColumns(statement);
  return { where: [[ofCode], [ofCode, { column: effect, not: '' }]] };
}

function liveOf(line: PageLine, currency: string, statement: Source, lines: readonly PageLine[]): Live | null {
  const { effect, status } = mismatchColumns(statement);
  const ofCurrency = { column: 'currency', is: currency };
  const effects = { of: 'mismatches', sum: [effect] } as const;
  /** A figure less others, by the names of their cells: `USD_COURIER-USD_OURS`. */
  const less = (...figures: readonly string[]): Live => ({
    formula: figures.map((figure) => cellName(currency, figure)).join('-'),
    amounts: figures.map((figure) => lines.find((other) => other.figure === figure)?.amounts.get(currency) ?? ZERO),
  });
  switch (line.figure) {
    case 'courier':
      // The cell NET_DUE has this very amount: no other decides whether it can be live.
      return { formula: `${currency}_NET_DUE`, amounts: [] };
    case 'ours':
      return { of: 'orders', sum: ['own_net'], where: [ofCurrency] };
    case 'difference':
      return less('courier', 'ours');
    case 'explained': {
      const firstStep = firstStepOf(lines);
      // The section "outside" repeats the cell of the bridge, which sums the steps above it, or the row that says that
      // there is none.
      return firstStep === 0 ? less('explained') : { above: Math.max(1, lines.indexOf(line) - firstStep) };
    }
    case 'not-compared':
    case 'other-steps':
    case 'outside':
      return null;
    case 'unexplained': {
      const isAllCompared = lines.every(({ figure }) => figure !== 'not-compared');
      return less('difference', 'explained', ...(isAllCompared ? [] : ['not-compared']));
    }
    case 'resolved':
      return { ...effects, where: [ofCurrency, { column: status, is: 'resolved' }], isNegated: true };
    case 'short':
      return { ...effects, where: [ofCurrency, { column: status, not: 'resolved' }], withRemainder: true };
    default:
      return { ...effects, where: [{ column: 'code', is: line.figure }, ofCurrency] };
  }
}
