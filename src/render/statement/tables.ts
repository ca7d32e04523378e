import { BUCKETS } from '../../../reports/ageing.ts';
import type { Statement } from '../../../reports/statement/model.ts';
import type { Language } from '../../words/index.ts';
import type { Accent } from '../colour.ts';
import { cellTranslator, type SaidReport, type SaidRow } from '../in-words.ts';
import { reportSheet } from '../report-sheet.ts';
import { type AmountLook, amountCell, rounded } from '../workbook/amounts.ts';
import type { Sheet, SheetCell, Style } from '../workbook/model.ts';
import type { TableSums } from '../workbook/table-model.ts';
import { type Condition, type RowSource, TableRef } from '../workbook/table-ref.ts';
import { absoluteRange, formulaText } from '../workbook/values.ts';
import type { SaidStatement } from './in-language.ts';

/** The Orders sheet as other sheets' formulas refer to it. Its rows are streamed, so only their sums are known. */
class OrdersRef implements Pick<RowSource, 'sum'> {
  readonly #orders: SaidReport;
  readonly #sums: TableSums;

  constructor(orders: SaidReport, sums: TableSums) {
    this.#orders = orders;
    this.#sums = sums;
  }

  sum([column = '']: readonly string[], where: readonly Condition[], decimal: string, look: AmountLook): SheetCell {
    const { rows } = this.#sums;
    // The only condition is one on the currency.
    const currency = where.flatMap((condition) => ('is' in condition ? [condition.is] : []))[0] ?? '';
    if (rows === 0 || !this.#sums.gives(column, currency, decimal)) return amountCell(decimal, look);
    const range = (name: string) => {
      const index = this.#orders.columns.findIndex((column) => column.name === name);
      return absoluteRange(this.#orders.title, index, { first: 2, last: rows + 1 });
    };
    const formula = `SUMIFS(${range(column)},${range('currency')},${formulaText(currency)})`;
    return amountCell(decimal, look, rounded(formula, decimal));
  }
}

/** The tables over which the Summary has live formulas. */
export interface StatementTables {
  readonly rollForward: TableRef;
  readonly ageing: TableRef;
  readonly invoices: TableRef;
  readonly mismatches: TableRef;
  readonly orders: OrdersRef;
  readonly custody: TableRef;
  readonly notInvoiced: TableRef;
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
export function statementTables(statement: SaidStatement, { say }: Language, orders: TableSums): StatementTables {
  const seeRows = say({ id: 'workbook/see-rows' });
  const { rollForward, ageing, invoices, mismatches, resolved, custody, notInvoiced } = statement.tables;
  return {
    rollForward: new TableRef(rollForward, heldRows(rollForward), { seeRows }),
    ageing: new TableRef(ageing, heldRows(ageing), { seeRows }),
    invoices: new TableRef(invoices, heldRows(invoices), { seeRows }),
    mismatches: new TableRef(mismatches, heldRows(mismatches), { below: resolved, seeRows }),
    orders: new OrdersRef(statement.tables.orders, orders),
    custody: new TableRef(custody, heldRows(custody), { seeRows }),
    notInvoiced: new TableRef(notInvoiced, heldRows(notInvoiced), { seeRows }),
  };
}

/** All tables except the orders have their rows in memory. */
function heldRows(report: SaidReport): readonly SaidRow[] {
  return report.rows as readonly SaidRow[];
}

/** Conditions that colour what moved since the close, if the table has such columns. */
function movedColours({ columns }: SaidReport, ...names: readonly string[]) {
  return names
    .filter((name) => columns.some((column) => column.name === name))
    .map((column) => ({ column, formula: `N({${column}})<>0`, style: DOUBTFUL }));
}

/** The Invoices sheet; a difference and a count of mismatches stand out in colour. */
export function invoicesSheet({ tables }: SaidStatement, accent: Accent, language: Language): Promise<Sheet> {
  return reportSheet(tables.invoices, accent, language, {
    frozenColumns: 2,
    conditions: [
      { column: 'difference', formula: '{difference}<>0', style: WRONG },
      { column: 'mismatches', formula: '{mismatches}>0', style: DOUBTFUL },
      { formula: `{status}=${formulaText(language.say({ id: 'statement/vanished' }))}`, style: STRUCK },
      ...movedColours(tables.invoices, 'net_moved', 'outstanding_moved'),
    ],
    below: {
      heading: language.say({ id: 'statement/no-longer-listed' }),
      rows: tables.vanished,
      settled: { column: 'status', is: language.say({ id: 'statement/vanished' }) },
    },
  });
}

/**
 * The Orders sheet, its rows streamed; a row's mismatches stand out in colour.
 *
 * @param orders the same table not yet in words: a spreadsheet takes its money as it is
 */
export function ordersSheet(
  { tables }: SaidStatement,
  orders: Statement['tables']['orders'],
  accent: Accent,
  language: Language,
) {
  return reportSheet(tables.orders, accent, language, {
    pages: orders.pages(),
    wordsOf: (column) => cellTranslator(column, language),
    frozenColumns: 3,
    conditions: [
      { column: 'difference', formula: 'N({difference})<>0', style: WRONG },
      { column: 'flags', formula: 'LEN({flags})>0', style: DOUBTFUL },
      ...movedColours(tables.orders, 'net_moved', 'own_net_moved'),
    ],
  });
}

/** The Receipts sheet; an amount that is left of a receipt stands out in colour. */
export function receiptsSheet({ tables }: SaidStatement, accent: Accent, language: Language): Promise<Sheet> {
  return reportSheet(tables.receipts, accent, language, {
    frozenColumns: 2,
    conditions: [
      { column: 'left', formula: 'N({left})<>0', style: DOUBTFUL },
      ...movedColours(tables.receipts, 'amount_moved', 'left_moved'),
    ],
  });
}

/** The Mismatches sheet: severities in colour, a list to choose a status from, and resolved ones in grey at the end. */
export function mismatchesSheet({ tables }: SaidStatement, accent: Accent, language: Language): Promise<Sheet> {
  const isSeverity = (severity: 'error' | 'warning') =>
    `{severity}=${formulaText(language.say({ id: 'statement/severity', severity }))}`;
  return reportSheet(tables.mismatches, accent, language, {
    frozenColumns: 2,
    conditions: [
      { formula: `{status}=${formulaText(language.statuses.resolved)}`, style: SETTLED },
      { column: 'severity', formula: isSeverity('error'), style: WRONG },
      { column: 'severity', formula: isSeverity('warning'), style: DOUBTFUL },
    ],
    lists: { status: Object.values(language.statuses) },
    typed: ['status', 'note'],
    below: {
      heading: language.say({ id: 'statement/resolved' }),
      rows: tables.resolved,
      settled: { column: 'status', is: language.statuses.resolved },
    },
  });
}

/** The Ageing sheet; what is in the oldest column stands out in colour. */
export function ageingSheet({ tables }: SaidStatement, accent: Accent, language: Language): Promise<Sheet> {
  const oldest = BUCKETS.at(-1)!.name;
  return reportSheet(tables.ageing, accent, language, {
    frozenColumns: 1,
    conditions: [{ column: oldest, formula: `N({${oldest}})<>0`, style: WRONG }],
  });
}

/** The Custody sheet: where the COD is that was not received. What is overdue stands out in colour. */
export function custodySheet({ tables }: SaidStatement, accent: Accent, language: Language): Promise<Sheet> {
  return reportSheet(tables.custody, accent, language, {
    frozenColumns: 3,
    conditions: [{ column: 'overdue', formula: 'N({overdue})<>0', style: DOUBTFUL }],
  });
}
