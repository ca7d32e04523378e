import { because } from '../../words/errors/pdf.ts';
import { chooseMap } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { type Headers, headersOf } from '../maps/headers.ts';
import { amountKey } from '../maps/settlement-map.ts';
import { asciiFigure, headerKey } from './characters.ts';
import { FileFault } from './fault.ts';
import { headsOf, LEANINGS, type PdfHead } from './pdf-columns.ts';
import { linesOf, type PdfLine } from './pdf-lines.ts';
import { ANCHORS, isOfPage, type PdfRow, type Roles, rowsOf } from './pdf-rows.ts';
import { type Labelled, labelledBeside, type Stated, statedBeside } from './pdf-stated.ts';
import type { PdfPage } from './pdf-text.ts';
import { notAMovement, type Table, totalOrRemark } from './table.ts';

/** The kinds of files that are read from a PDF: what such a file says of itself proves them. */
export type PdfKind = 'receipts' | 'settlement';

/** A table as it may be meant, with what is needed to prove it. */
export interface PdfReading {
  readonly table: Table;
  readonly map: ColumnMap<string>;
  /** Totals of pages, which are proved and then left out of the table. */
  readonly ofPages: readonly PdfRow[];
  readonly pageOf: ReadonlyMap<number, number>;
  /** Each column is named by the map, so that none can run into the number of an order. */
  readonly isAllNamed: boolean;
}

/** The lines of a PDF with the headers of its table. @throws FileFault where nothing in it is like a header */
function findTable(
  kind: PdfKind,
  pages: readonly PdfPage[],
  named: ColumnMap | null,
): {
  readonly lines: readonly PdfLine[];
  readonly heads: readonly PdfHead[];
  readonly headers: readonly string[];
  /** What the map names and no column has. */
  readonly labelled: readonly Labelled[];
} {
  const lines = linesOf(pages);
  let heads = headsOf(kind, lines, named);
  const textsOf = () => (heads[0]?.cells ?? []).map(({ text }) => text);
  const lacks = (headers: Headers) => {
    const keys = new Set(textsOf().map(headerKey));
    return headersOf(headers).every((header) => !keys.has(headerKey(header)));
  };
  let labelled: readonly Labelled[] = [];
  if (kind === 'settlement' && named !== null && Object.values(named.columns).some(lacks)) {
    labelled = labelledBeside(lines, named);
    const fields = new Set(labelled.map(({ field }) => field));
    const columns = Object.fromEntries(Object.entries(named.columns).filter(([field]) => !fields.has(field)));
    heads = headsOf(kind, lines, { ...named, columns });
    labelled = labelled.filter(({ field }) => lacks(named.columns[field]!));
  }
  const headers = textsOf();
  if (headers.length > 0) return { lines, heads, headers, labelled };
  if (named !== null && Object.keys(named.columns).length > 0) chooseMap(kind, headers, named);
  throw new FileFault(because({ id: 'pdf-no-table' }));
}

/** Each way in which the table may be read, the likeliest first. @throws FileFault where its columns are not known */
export function readingsOf(kind: PdfKind, pages: readonly PdfPage[], named: ColumnMap | null): PdfReading[] {
  const { lines, heads, headers, labelled } = findTable(kind, pages, named);
  const map = mapOfTable(kind, [...headers, ...labelled.map(({ header }) => header)], named);
  const pageOf = new Map(lines.map(({ line, page }) => [line, page]));
  const readings = new Map<string, PdfReading>();
  const roles = rolesOf(kind, headers, map);
  const mapped = new Set(Object.values(map.columns).map(headerKey));
  const isAllNamed = headers.every((header) => mapped.has(headerKey(header)));
  for (const found of waysOf(lines, heads, roles)) {
    const { table, ofPages } = tableOf(
      kind,
      { headers, map, label: roles.label, labelled },
      found.rows,
      statedBeside(found.outside),
    );
    const key = JSON.stringify([table.rows.map(({ cells }) => cells), ofPages.map(({ cells }) => cells)]);
    if (table.rows.length > 0 && !readings.has(key)) readings.set(key, { table, map, ofPages, pageOf, isAllNamed });
  }
  if (readings.size === 0) throw new FileFault(because({ id: 'pdf-no-rows' }));
  return [...readings.values()];
}

/** The first rows as they are shown before anybody says what the columns are. */
export function sampleOf(
  kind: PdfKind,
  pages: readonly PdfPage[],
  named: ColumnMap | null,
): { readonly headers: readonly string[]; readonly rows: readonly PdfRow[] } {
  const { lines, heads, headers } = findTable(kind, pages, named);
  const [found] = waysOf(lines, heads, rolesOf(kind, headers, guessMap(kind, headers)));
  return { headers, rows: (found?.rows ?? []).filter(({ remark }) => remark === null) };
}

function* waysOf(lines: readonly PdfLine[], heads: readonly PdfHead[], roles: Roles) {
  for (const anchor of ANCHORS) {
    for (const leaning of LEANINGS) {
      const found = rowsOf(lines, heads, roles, { leaning, anchor });
      if (found !== null) yield found;
    }
  }
}

/** The map by which a table of a PDF is read: a courier's sheet proves itself by its totals, which have their usual word where the map names none. */
export function mapOfTable(kind: ImportKind, headers: readonly string[], named: ColumnMap | null): ColumnMap<string> {
  const map = chooseMap(kind, headers, named);
  return map.kind === 'settlement' && map.totals_row === undefined ? { ...map, totals_row: TOTAL } : map;
}

/** What a row of totals is called in a table that is read from a PDF and whose map does not name it. */
const TOTAL = 'Total';

function rolesOf(kind: PdfKind, headers: readonly string[], map: ColumnMap<string>): Roles {
  const placesOf = (fields: readonly string[]): Set<number> => {
    const wanted = new Set(
      fields.flatMap((field) => (map.columns[field] === undefined ? [] : [headerKey(map.columns[field])])),
    );
    return new Set(headers.flatMap((header, i) => (wanted.has(headerKey(header)) ? [i] : [])));
  };
  if (kind === 'settlement') {
    const amounts = placesOf(Object.keys(map.columns).filter((key) => amountKey(key) !== null));
    const weight = placesOf(['weight']);
    return {
      keys: placesOf(['order', 'reference']),
      days: placesOf(['issued_on', 'delivered_on']),
      amounts,
      figures: new Set([...amounts, ...weight]),
      names: placesOf(['order', 'reference', 'invoice']),
      label: firstBut(headers, amounts),
      totals: map.totals_row ?? null,
    };
  }
  const amounts = placesOf(['amount', 'debit', 'credit']);
  const balance = balanceAt(headers, map);
  const figures = new Set([...amounts, ...(balance === -1 ? [] : [balance])]);
  return {
    keys: placesOf(['date']),
    days: placesOf(['date']),
    amounts,
    figures,
    names: placesOf(['id', 'invoice']),
    label: firstBut(headers, figures),
    totals: null,
  };
}

function firstBut(headers: readonly string[], figures: ReadonlySet<number>): number {
  return Math.max(
    0,
    headers.findIndex((_, i) => !figures.has(i)),
  );
}

function balanceAt(headers: readonly string[], map: ColumnMap<string>): number {
  const header = map.columns.balance ?? guessMap('receipts', headers).columns.balance;
  return header === undefined ? -1 : headers.findIndex((one) => headerKey(one) === headerKey(header));
}

/** The rows as a table that has all that proves it: balances and totals that stand beside the table are rows of it. */
function tableOf(
  kind: PdfKind,
  {
    headers,
    map,
    label: labelAt,
    labelled,
  }: {
    readonly headers: readonly string[];
    readonly map: ColumnMap<string>;
    readonly label: number;
    readonly labelled: readonly Labelled[];
  },
  found: readonly PdfRow[],
  stated: readonly Stated[],
): { readonly table: Table; readonly ofPages: readonly PdfRow[] } {
  const isTotalOfPage = ({ remark, cells }: PdfRow) => {
    return remark !== null && isOfPage(remark) && (kind === 'settlement' || !hasBalance(cells));
  };
  const balance = kind === 'receipts' ? balanceAt(headers, map) : -1;
  const hasBalance = (cells: readonly string[]) =>
    balance !== -1 && cells[balance] !== '' && cells[balance] !== undefined;
  const ofPages = found.filter(isTotalOfPage);
  const rows = found
    .filter((row) => !isTotalOfPage(row))
    .map((row) => {
      const { line, cells } = withLabel(kind, row, { map, labelAt });
      return { line, cells: [...cells, ...labelled.map(({ value }) => (row.remark === null ? value : ''))] };
    });
  const skipped = ofPages.map(({ line, remark }) => notAMovement(line, remark!));
  const base = { sheet: null, hiddenRows: 0, lastCell: null };
  if (kind === 'settlement') {
    const all = [...headers, ...labelled.map(({ header }) => header)];
    return { table: { ...base, headers: all, rows, skipped }, ofPages };
  }
  const [opening] = stated.filter(({ what }) => what === 'opening');
  const closing = stated.findLast(({ what }) => what === 'closing');
  const isNewBalance = balance === -1 && (opening !== undefined || closing !== undefined);
  const own = isNewBalance ? [...headers, 'Balance'] : headers;
  const at = isNewBalance ? headers.length : balance;
  const row = (line: number, label: string, column: number, figure: string) => {
    const cells = own.map((_, i) => (i === labelAt ? label : i === column ? figure : ''));
    return { line, cells };
  };
  const ends = [...rows];
  const [first, last] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0];
  const isNewestFirst =
    opening !== undefined &&
    closing !== undefined &&
    isDescending(
      rows,
      headers.findIndex((one) => headerKey(one) === headerKey(map.columns.date ?? '')),
    );
  const [top, bottom] = isNewestFirst ? [closing, opening] : [opening, closing];
  const label = (one: Stated) => (one.what === 'opening' ? 'Opening balance' : 'Closing balance');
  if (top) ends.unshift(row(Math.min(top.line, first - 1), label(top), at, top.figure));
  if (bottom) ends.push(row(Math.max(bottom.line, last + 1), label(bottom), at, bottom.figure));
  for (const side of ['debits', 'credits'] as const) {
    const total = stated.findLast(({ what }) => what === side);
    const header = map.columns[side === 'debits' ? 'debit' : 'credit'] ?? map.columns.amount;
    const column = headers.findIndex((one) => header !== undefined && headerKey(one) === headerKey(header));
    if (total && column !== -1) ends.push(row((ends.at(-1)?.line ?? 0) + 1, `Total ${side}`, column, total.figure));
  }
  const wide = ends.map(({ line, cells }) => ({ line, cells: own.map((_, i) => cells[i] ?? '') }));
  return { table: { ...base, headers: own, rows: wide, skipped }, ofPages };
}

/** A total in words that the readers of tables know. */
function withLabel(
  kind: PdfKind,
  { line, cells, remark }: PdfRow,
  { map: { totals_row }, labelAt }: { readonly map: ColumnMap; readonly labelAt: number },
): { line: number; cells: readonly string[] } {
  if (remark === null) return { line, cells };
  const at = cells.includes(remark) ? cells.indexOf(remark) : labelAt;
  const called = (label: string) => ({ line, cells: cells.map((cell, i) => (i === at ? label : cell)) });
  if (kind === 'settlement') {
    if (totals_row !== TOTAL || !/total|مجموع|[إا]جمالي/i.test(remark)) return { line, cells };
    const currency = /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/.exec(remark)?.[0];
    return called(currency === undefined ? TOTAL : `${TOTAL} ${currency}`);
  }
  const isBalance = /balance|forward|رصيد|منقول|ما قبله|ما بعده/i.test(remark);
  return totalOrRemark([remark]) !== null || !isBalance ? { line, cells } : called('Balance brought forward');
}

/** The days of a table's rows go down, as far as their text says. */
function isDescending(rows: readonly { readonly cells: readonly string[] }[], date: number): boolean {
  const days = rows.flatMap(({ cells }) => {
    const parts = asciiFigure(cells[date] ?? '').match(/\d+/g) ?? [];
    if (parts.length < 3) return [];
    const [a, b, c] = parts.slice(0, 3).map((part) => part.padStart(4, '0'));
    return [parts[0]!.length === 4 ? `${a}${b}${c}` : `${c}${b}${a}`];
  });
  return days.length > 1 && days[0]! > days.at(-1)!;
}
