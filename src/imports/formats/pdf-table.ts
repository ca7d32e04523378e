/**
 * Makes a table of a PDF's lines of text. A PDF has no cells, so that the table may be meant in several ways: `readPdf`
 * keeps the one that balances and totals prove. `heads` are the table's header and each line that repeats it on a later
 * page, `headers` the texts in it.
 */
import { pdfError } from '../../words/errors/pdf.ts';
import { chooseMap } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { type Headers, headersOf } from '../maps/headers.ts';
import { amountKey } from '../maps/settlement-map.ts';
import { placesOf } from './columns.ts';
import { dateReader } from './date-text.ts';
import { FileFault } from './fault.ts';
import { headsOf, LEANINGS, type PdfHead } from './pdf-columns.ts';
import { linesOf, type PdfLine } from './pdf-lines.ts';
import { type Labelled, labelledOutside, type Stated, statedOutside } from './pdf-outside.ts';
import { ANCHORS, isOfPage, type PdfRow, type Roles, rowsOf } from './pdf-rows.ts';
import type { PdfPage } from './pdf-text.ts';
import { notAMovement, type Table, totalOrRemark } from './table.ts';
import { headerKey } from './text-forms.ts';

/** The kinds of files that are read from a PDF: those with balances or totals that prove the reading. */
export type PdfKind = 'receipts' | 'settlement';

/** One way in which a PDF's table may be meant, with what is needed to prove it. */
export interface PdfReading {
  readonly table: Table;
  readonly map: ColumnMap<string>;
  /** Totals of pages, which are proved and then left out of the table. */
  readonly pageTotals: readonly PdfRow[];
  /** The page of each line. */
  readonly pageOf: ReadonlyMap<number, number>;
  /** The map names every column, so that none can run into the number of an order. */
  readonly isAllNamed: boolean;
}

/** Finds the headers of a PDF's table among its lines. @throws FileFault if no line is like a header */
function findHeaders(kind: PdfKind, pages: readonly PdfPage[], userMap: ColumnMap | null) {
  const lines = linesOf(pages);
  let heads = headsOf(kind, lines, userMap);
  let labelled: readonly Labelled[] = [];
  if (kind === 'settlement' && userMap !== null && Object.values(userMap.columns).some(isLackedBy(heads))) {
    ({ heads, labelled } = findWithoutLabelled(lines, userMap));
  }
  const headers = headersIn(heads);
  if (headers.length > 0) return { lines, heads, headers, labelled };
  // It throws the better fault, which names the columns that the file lacks.
  if (userMap !== null && Object.keys(userMap.columns).length > 0) chooseMap(kind, headers, userMap);
  throw new FileFault(pdfError({ id: 'pdf-no-table' }));
}

/** Searches for the headers again, without the fields that the page states outside its table: they need no column. */
function findWithoutLabelled(lines: readonly PdfLine[], userMap: ColumnMap) {
  const outside = labelledOutside(lines, userMap);
  const fields = new Set(outside.map(({ field }) => field));
  const columns = Object.fromEntries(Object.entries(userMap.columns).filter(([field]) => !fields.has(field)));
  const heads = headsOf('settlement', lines, { ...userMap, columns });
  // If the table has a column for such a field all the same, the column counts.
  const isLacked = isLackedBy(heads);
  return { heads, labelled: outside.filter(({ field }) => isLacked(userMap.columns[field]!)) };
}

function headersIn([first]: readonly PdfHead[]): string[] {
  return (first?.cells ?? []).map(({ text }) => text);
}

/** Whether the table has none of a field's headers. */
function isLackedBy(heads: readonly PdfHead[]): (headersOfField: Headers) => boolean {
  const keys = new Set(headersIn(heads).map(headerKey));
  return (headersOfField) => headersOf(headersOfField).every((header) => !keys.has(headerKey(header)));
}

/** Each way in which the table may be meant, the likeliest first. @throws FileFault if its columns are not known */
export function readingsOf(kind: PdfKind, pages: readonly PdfPage[], userMap: ColumnMap | null): PdfReading[] {
  const { lines, heads, headers, labelled } = findHeaders(kind, pages, userMap);
  const map = mapOfTable(kind, [...headers, ...labelled.map(({ header }) => header)], userMap);
  const pageOf = new Map(lines.map(({ line, page }) => [line, page]));
  const readings = new Map<string, PdfReading>();
  const roles = rolesOf(kind, headers, map);
  const mapped = new Set(Object.values(map.columns).map(headerKey));
  const isAllNamed = headers.every((header) => mapped.has(headerKey(header)));
  for (const { rows, outside } of waysOf(lines, heads, roles)) {
    const columns = { headers, map, labelAt: roles.label, labelled };
    const { table, pageTotals } = tableOf(kind, columns, rows, statedOutside(outside));
    // Ways that come to the same cells are one reading.
    const key = JSON.stringify([table.rows.map(({ cells }) => cells), pageTotals.map(({ cells }) => cells)]);
    if (table.rows.length > 0 && !readings.has(key)) readings.set(key, { table, map, pageTotals, pageOf, isAllNamed });
  }
  if (readings.size === 0) throw new FileFault(pdfError({ id: 'pdf-no-rows' }));
  return [...readings.values()];
}

/** The headers and rows, for a person to say what the columns are: by the map, or by a guess if it does not fit. */
export function sampleOf(kind: PdfKind, pages: readonly PdfPage[], userMap: ColumnMap | null) {
  const { lines, heads, headers, labelled } = findHeaders(kind, pages, userMap);
  const all = [...headers, ...labelled.map(({ header }) => header)];
  const [found] = waysOf(lines, heads, rolesOf(kind, headers, mapOrGuess(kind, all, userMap)));
  const values = labelled.map(({ value }) => value);
  const rows = (found?.rows ?? []).filter(({ remark }) => remark === null);
  return { headers: all, rows: rows.map(({ cells }) => ({ cells: [...cells, ...values] })) };
}

function mapOrGuess(kind: PdfKind, headers: readonly string[], userMap: ColumnMap | null): ColumnMap<string> {
  try {
    return mapOfTable(kind, headers, userMap);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return guessMap(kind, headers);
  }
}

/** Reads the rows with each kind of anchor and each leaning, and leaves out those that are not possible. */
function* waysOf(lines: readonly PdfLine[], heads: readonly PdfHead[], roles: Roles) {
  for (const anchor of ANCHORS) {
    for (const leaning of LEANINGS) {
      const found = rowsOf(lines, heads, roles, { leaning, anchor });
      if (found !== null) yield found;
    }
  }
}

/** The map by which a PDF's table is read. Rows of totals, which prove it, are called {@link TOTAL} by default. */
export function mapOfTable(kind: ImportKind, headers: readonly string[], userMap: ColumnMap | null): ColumnMap<string> {
  const map = chooseMap(kind, headers, userMap);
  return map.kind === 'settlement' && map.totals_row === undefined ? { ...map, totals_row: TOTAL } : map;
}

/** The label that rows of totals get if the user's map names none; see {@link withLabel}. */
const TOTAL = 'Total';

function rolesOf(kind: PdfKind, headers: readonly string[], map: ColumnMap<string>): Roles {
  const columnsOf = (...fields: string[]) => {
    const wanted = fields.flatMap((field) => map.columns[field] ?? []);
    return placesOf(headers, wanted);
  };
  if (kind === 'settlement') {
    const amounts = columnsOf(...Object.keys(map.columns).filter((key) => amountKey(key) !== null));
    return {
      keys: columnsOf('order', 'reference'),
      days: columnsOf('issued_on', 'delivered_on'),
      amounts,
      figures: new Set([...amounts, ...columnsOf('weight')]),
      names: columnsOf('order', 'reference', 'invoice'),
      label: firstOtherThan(amounts, headers),
      totals: map.totals_row ?? null,
    };
  }
  const amounts = columnsOf('amount', 'debit', 'credit');
  const balance = balanceAt(headers, map);
  const figures = new Set([...amounts, ...(balance === -1 ? [] : [balance])]);
  return {
    keys: columnsOf('date'),
    days: columnsOf('date'),
    amounts,
    figures,
    names: columnsOf('id', 'invoice'),
    label: firstOtherThan(figures, headers),
    totals: null,
  };
}

/** The first column that is none of figures; the first of all, if all are. */
function firstOtherThan(figures: ReadonlySet<number>, headers: readonly string[]): number {
  const first = headers.findIndex((_, i) => !figures.has(i));
  return Math.max(0, first);
}

/** The index of the column of balances, by the map or by a guess; -1 if there is none. */
function balanceAt(headers: readonly string[], map: ColumnMap<string>): number {
  return indexOfHeader(headers, map.columns.balance ?? guessMap('receipts', headers).columns.balance);
}

function indexOfHeader(headers: readonly string[], header: string | undefined): number {
  return header === undefined ? -1 : headers.findIndex((text) => headerKey(text) === headerKey(header));
}

/** What all readings of one table share. */
interface TableColumns {
  readonly headers: readonly string[];
  readonly map: ColumnMap<string>;
  /** The index of the column into which the label of a total goes. */
  readonly labelAt: number;
  readonly labelled: readonly Labelled[];
}

/** The parts of a table that a bank's stated balances and totals change. */
type HeadersAndRows = { readonly headers: readonly string[]; readonly rows: readonly TextRow[] };
type TextRow = Pick<PdfRow, 'line' | 'cells'>;

/** Makes a table of the rows, with balances and totals from outside the table as rows too: they prove it. */
function tableOf(kind: PdfKind, columns: TableColumns, pdfRows: readonly PdfRow[], stated: readonly Stated[]) {
  const { headers, map, labelAt, labelled } = columns;
  const balance = kind === 'receipts' ? balanceAt(headers, map) : -1;
  const hasBalance = (cells: readonly string[]) => balance !== -1 && (cells[balance] ?? '') !== '';
  // A bank's row with a balance stays in the table: its balance is part of the proof.
  const isTotalOfPage = ({ remark, cells }: PdfRow) => remark !== null && isOfPage(remark) && !hasBalance(cells);
  const pageTotals = pdfRows.filter(isTotalOfPage);
  const rows = pdfRows
    .filter((row) => !isTotalOfPage(row))
    .map((row) => {
      const { line, cells } = withLabel(kind, row, { map, labelAt });
      return { line, cells: [...cells, ...labelled.map(({ value }) => (row.remark === null ? value : ''))] };
    });
  const headersAndRows =
    kind === 'settlement'
      ? { headers: [...headers, ...labelled.map(({ header }) => header)], rows }
      : withStated({ headers, rows }, { map, labelAt, balance }, stated);
  const skipped = pageTotals.map(({ line, remark }) => notAMovement(line, remark!));
  return { table: { sheet: null, hiddenRows: 0, lastCell: null, ...headersAndRows, skipped }, pageTotals };
}

/**
 * Adds rows for the balances and totals that a bank states outside its table, and a column of balances if it has none.
 *
 * @param columns.balance the index of the column of balances; -1 if there is none
 */
function withStated(
  { headers, rows }: HeadersAndRows,
  { map, labelAt, balance }: { readonly map: ColumnMap<string>; readonly labelAt: number; readonly balance: number },
  stated: readonly Stated[],
): HeadersAndRows {
  const opening = stated.find(({ kind }) => kind === 'opening');
  const closing = stated.findLast(({ kind }) => kind === 'closing');
  const needsColumn = balance === -1 && (opening !== undefined || closing !== undefined);
  const allHeaders = needsColumn ? [...headers, 'Balance'] : headers;
  const balanceColumn = needsColumn ? headers.length : balance;
  const rowOf = (line: number, label: string, column: number, figure: string): TextRow => {
    const cells = allHeaders.map(() => '');
    cells[column] = figure;
    cells[labelAt] = label;
    return { line, cells };
  };
  const allRows: TextRow[] = [...rows];
  const [first, last] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0];
  const hasBoth = opening !== undefined && closing !== undefined;
  const isNewestFirst = hasBoth && isDescending(rows, indexOfHeader(headers, map.columns.date), map.date);
  const [top, bottom] = isNewestFirst ? [closing, opening] : [opening, closing];
  const labelOf = ({ kind }: Stated) => (kind === 'opening' ? 'Opening balance' : 'Closing balance');
  // The proof follows the balances in the order of the line numbers, wherever the page states the opening and closing.
  if (top) allRows.unshift(rowOf(Math.min(top.line, first - 1), labelOf(top), balanceColumn, top.figure));
  if (bottom) allRows.push(rowOf(Math.max(bottom.line, last + 1), labelOf(bottom), balanceColumn, bottom.figure));
  for (const side of ['debits', 'credits'] as const) {
    const total = stated.findLast(({ kind }) => kind === side);
    const column = indexOfHeader(headers, map.columns[side === 'debits' ? 'debit' : 'credit'] ?? map.columns.amount);
    if (total && column !== -1)
      allRows.push(rowOf((allRows.at(-1)?.line ?? 0) + 1, `Total ${side}`, column, total.figure));
  }
  const wide = allRows.map(({ line, cells }) => ({ line, cells: allHeaders.map((_, i) => cells[i] ?? '') }));
  return { headers: allHeaders, rows: wide };
}

/**
 * A row of a total or balance (`remark`: its words, such as `Grand total USD`) under a label by which later steps know
 * it: `Total USD`, `Balance brought forward`.
 */
function withLabel(
  kind: PdfKind,
  { line, cells, remark }: PdfRow,
  { map: { totals_row }, labelAt }: { readonly map: ColumnMap; readonly labelAt: number },
): { line: number; cells: readonly string[] } {
  if (remark === null) return { line, cells };
  const at = cells.includes(remark) ? cells.indexOf(remark) : labelAt;
  const relabelled = (label: string) => ({ line, cells: cells.map((cell, i) => (i === at ? label : cell)) });
  if (kind === 'settlement') {
    // The user's map names these rows, by words that they have already.
    const isNamedByUser = totals_row !== TOTAL;
    if (isNamedByUser || !/total|مجموع|[إا]جمالي/i.test(remark)) return { line, cells };
    const currency = /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/.exec(remark)?.[0];
    return relabelled(currency === undefined ? TOTAL : `${TOTAL} ${currency}`);
  }
  const isKnown = totalOrRemark([remark]) !== null;
  const isBalance = /balance|forward|رصيد|منقول|ما قبله|ما بعده/i.test(remark);
  return isBalance && !isKnown ? relabelled('Balance brought forward') : { line, cells };
}

/** Whether the newest row comes first. Days that cannot be read decide nothing here: their reading reports them. */
function isDescending(rows: readonly TextRow[], date: number, format: string | undefined): boolean {
  const dates = rows.map(({ line, cells }) => ({ line, text: cells[date] ?? '' }));
  const read = orNull(() => dateReader(dates, format));
  const days = dates.flatMap((one) => (read && orNull(() => read(one))) ?? []);
  return days.length > 1 && days[0]! > days.at(-1)!;
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
}
