import { BUCKETS } from '../../../reports/ageing.ts';
import type { Statement } from '../../../reports/statement/model.ts';
import type { Language } from '../../words/index.ts';
import { cellTranslator, type SaidReport, type SaidRow } from '../in-words.ts';
import type { SheetExtras } from '../report-sheet.ts';
import { amountCell, rounded } from '../workbook/amounts.ts';
import type { Style } from '../workbook/model.ts';
import { TableRef } from '../workbook/table-ref.ts';
import type { TableRows } from '../workbook/table-rows.ts';
import { absoluteRange, formulaText } from '../workbook/values.ts';
import type { SaidStatement, SHEETS } from './in-language.ts';

/** The Orders sheet as other sheets' formulas refer to it. Its rows are streamed, so only their sums are known. */
function ordersRef({ title, columns }: SaidReport, sums: TableRows): Pick<TableRef, 'sum'> {
  return {
    sum([column = ''], where, decimal, look) {
      const { rows } = sums;
      // The only condition is one on the currency.
      const currency = where.flatMap((condition) => ('is' in condition ? [condition.is] : []))[0] ?? '';
      // A formula may stand for a figure only if a spreadsheet's sum gives it to the last digit.
      if (rows === 0 || !sums.gives(column, currency, decimal)) return amountCell(decimal, look);
      const range = (name: string) => {
        const index = columns.findIndex((each) => each.name === name);
        return absoluteRange(title, index, { first: 2, last: rows + 1 });
      };
      const formula = `SUMIFS(${range(column)},${range('currency')},${formulaText(currency)})`;
      return amountCell(decimal, look, rounded(formula, decimal));
    },
  };
}

const WRONG: Style = { fill: 'FCE4E4', colour: '9C0006' };
const DOUBTFUL: Style = { fill: 'FFF2CC', colour: '7F6000' };
const STRUCK: Style = { colour: '7F7F7F', strike: true };
const SETTLED: Style = { colour: 'A6A6A6' };

/**
 * The rows of the other sheets, for the formulas of the Summary.
 *
 * @param orders the sums of the Orders sheet, whose rows have been written
 */
export function statementTables({ tables }: SaidStatement, { say }: Language, orders: TableRows) {
  const seeRows = say({ id: 'workbook/see-rows' });
  // All tables except the orders have their rows in memory.
  const ref = (report: SaidReport, below: readonly SaidRow[] = []) =>
    new TableRef(report, report.rows as readonly SaidRow[], { below, seeRows });
  return {
    rollForward: ref(tables.rollForward),
    ageing: ref(tables.ageing),
    invoices: ref(tables.invoices),
    mismatches: ref(tables.mismatches, tables.resolved),
    orders: ordersRef(tables.orders, orders),
    custody: ref(tables.custody),
    notInvoiced: ref(tables.notInvoiced),
  };
}

/** Conditions that colour what moved since the close, if the table has such columns. */
function movedColours({ columns }: SaidReport, ...names: readonly string[]) {
  return names
    .filter((name) => columns.some((column) => column.name === name))
    .map((column) => unlessZero(column, DOUBTFUL));
}

function unlessZero(column: string, style: Style) {
  return { column, formula: `N({${column}})<>0`, style };
}

/**
 * What each sheet has apart from its rows: columns that stay in view, colours for what stands out, and rows below.
 *
 * @param orders the table of orders not yet in words: a spreadsheet takes its money as it is
 */
export function sheetExtras(
  { tables }: SaidStatement,
  orders: Statement['tables']['orders'],
  language: Language,
): Readonly<Record<(typeof SHEETS)[number], SheetExtras>> {
  const { say, statuses } = language;
  const vanished = say({ id: 'statement/vanished' });
  const severityFormula = (severity: 'error' | 'warning') =>
    `{severity}=${formulaText(say({ id: 'statement/severity', severity }))}`;
  const oldest = BUCKETS.at(-1)!.name;
  return {
    rollForward: { frozenColumns: 2 },
    invoices: {
      frozenColumns: 2,
      conditions: [
        { column: 'difference', formula: '{difference}<>0', style: WRONG },
        { column: 'mismatches', formula: '{mismatches}>0', style: DOUBTFUL },
        { formula: `{status}=${formulaText(vanished)}`, style: STRUCK },
        ...movedColours(tables.invoices, 'net_moved', 'outstanding_moved'),
      ],
      below: {
        heading: say({ id: 'statement/no-longer-listed' }),
        rows: tables.vanished,
        settled: { column: 'status', is: vanished },
      },
    },
    // Its rows are streamed.
    orders: {
      pages: orders.pages(),
      wordsOf: (column) => cellTranslator(column, language),
      frozenColumns: 3,
      conditions: [
        unlessZero('difference', WRONG),
        { column: 'flags', formula: 'LEN({flags})>0', style: DOUBTFUL },
        ...movedColours(tables.orders, 'net_moved', 'own_net_moved'),
      ],
    },
    receipts: {
      frozenColumns: 2,
      conditions: [unlessZero('left', DOUBTFUL), ...movedColours(tables.receipts, 'amount_moved', 'left_moved')],
    },
    // People choose a status from a list.
    mismatches: {
      frozenColumns: 2,
      conditions: [
        { formula: `{status}=${formulaText(statuses.resolved)}`, style: SETTLED },
        { column: 'severity', formula: severityFormula('error'), style: WRONG },
        { column: 'severity', formula: severityFormula('warning'), style: DOUBTFUL },
      ],
      lists: { status: Object.values(statuses) },
      typed: ['status', 'note'],
      below: {
        heading: say({ id: 'statement/resolved' }),
        rows: tables.resolved,
        settled: { column: 'status', is: statuses.resolved },
      },
    },
    ageing: {
      frozenColumns: 1,
      conditions: [unlessZero(oldest, WRONG)],
    },
    custody: {
      frozenColumns: 3,
      conditions: [unlessZero('overdue', DOUBTFUL)],
    },
    notInvoiced: { frozenColumns: 1 },
    changes: { frozenColumns: 2 },
    journal: { frozenColumns: 2 },
  };
}
