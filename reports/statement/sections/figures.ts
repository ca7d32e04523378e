import type { Sentence } from '../../../src/base/sentence.ts';
import { ZERO } from '../../../src/money/decimal.ts';
import type { Grid, GridCell, GridRow, Head, Label } from '../../page.ts';
import type { PageLine } from '../bridge.ts';
import type { Statement } from '../model.ts';

/** By the figure's name, as the balance, the open items and the bridge spell it. */
const LABELS: Readonly<Record<string, Sentence>> = {
  opening: { id: 'statement/opening-balance' },
  invoiced: { id: 'statement/invoiced' },
  restated: { id: 'statement/restated' },
  received: { id: 'statement/received-in-month' },
  marked_paid: { id: 'statement/marked-paid' },
  differences: { id: 'statement/agreed-differences' },
  receivedSince: { id: 'statement/received-since' },
  settledSince: { id: 'statement/settled-since' },
  restatedSince: { id: 'statement/restated-since' },
  openToday: { id: 'statement/open-today' },
  courier: { id: 'statement/courier-figure-line' },
  ours: { id: 'statement/own-figure-line' },
  difference: { id: 'statement/difference-line' },
  explained: { id: 'statement/explained-line' },
  'not-compared': { id: 'statement/not-compared' },
  unexplained: { id: 'statement/unexplained' },
  outside: { id: 'statement/outside' },
  resolved: { id: 'statement/resolved-by-us' },
  short: { id: 'statement/short-or-ahead-unresolved' },
};

/** The label of a line of the balance or of the bridge: `An order on two invoices`. */
export function lineLabel({ figure, count }: Pick<PageLine, 'figure' | 'count'>): Sentence {
  if (figure === 'other-steps') return { id: 'statement/other-steps', count: count ?? 0 };
  return LABELS[figure] ?? { id: 'statement/finding', code: figure };
}

/** The label of what is outstanding of the month's net: a closed month shows what it was at the close. */
export function outstandingLabel({ movedSinceClose }: Pick<Statement, 'movedSinceClose'>): Sentence {
  return { id: movedSinceClose ? 'statement/of-which-outstanding-at-close' : 'statement/of-which-outstanding' };
}

export const currencyHeads = (currencies: readonly string[]): Head[] =>
  currencies.map((currency) => ({ is: 'amount', title: currency }));

/** What a row of figures has besides its amounts. */
interface FigureRow extends Pick<GridRow, 'look'> {
  /** The label; if absent, that of the line's figure. */
  readonly label?: Sentence;
  /** How a spreadsheet comes to a currency's amount, and the name of the amount's cell. */
  readonly cell: (currency: string) => Pick<Extract<GridCell, { amount: unknown }>, 'live' | 'name'>;
}

/** A grid with a row per line and a column per currency. @param title over the labels; may be empty */
export function figureGrid(
  title: Label,
  currencies: readonly string[],
  lines: readonly PageLine[],
  rowOf: (line: PageLine) => FigureRow,
): Grid {
  return {
    kind: 'grid',
    heads: [{ is: 'label', title }, ...currencyHeads(currencies)],
    rows: lines.map((line) => {
      const { label = lineLabel(line), cell, ...row } = rowOf(line);
      const cells = currencies.map((currency): GridCell => {
        // Absent: the line has nothing in the currency. Null: nobody knows, and the cell says so.
        const amount = line.amounts.has(currency) ? line.amounts.get(currency)! : ZERO;
        return { amount, ...cell(currency) };
      });
      return { figure: line.figure, ...row, cells: [{ says: label }, ...cells] };
    }),
  };
}
