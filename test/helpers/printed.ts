/** What a page or a sheet prints, as tables of text: read from the finished file, whatever made it. */
import { readWorkbook } from './workbook.ts';

export interface PrintedRow {
  readonly label: string;
  readonly cells: readonly string[];
  /** In ten-thousandths; null where a cell holds no figure. */
  readonly figures: readonly (bigint | null)[];
}

export interface PrintedTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly PrintedRow[];
  /** The rows of totals below it. */
  readonly totals: readonly PrintedRow[];
  /** Columns that each hold the figures of one currency, with what they are headed by. */
  readonly currencies: readonly (readonly [place: number, currency: string])[];
}

export interface Printed {
  readonly tables: readonly PrintedTable[];
  /** Its sentences outside of tables. */
  readonly text: string;
}

const CURRENCY = /(?:^|· )([A-Z]{3})$/;
const TOTAL = /^(Total|المجموع)$/;
const MARKS = /[\u200e\u200f\u2066-\u2069\u202a-\u202e]/g;

/** A figure in ten-thousandths; null where a text is none. */
export function unitsOf(text: string): bigint | null {
  const found = /^(-)?(\d[\d,]*)(?:\.(\d{1,4}))?$/.exec(text.replaceAll('−', '-').trim());
  if (!found) return null;
  const units = BigInt(`${found[2]!.replaceAll(',', '')}${(found[3] ?? '').padEnd(4, '0')}`);
  return found[1] ? -units : units;
}

/** A figure as people write it. */
export function figureText(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(5, '0');
  const decimals = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${decimals}`;
}

function rowOf(cells: readonly string[]): PrintedRow {
  return { label: cells[0] ?? '', cells, figures: cells.map(unitsOf) };
}

/** The tables of an HTML page, in their order. */
export function printedPage(html: string): Printed {
  const body = html.slice(Math.max(0, html.indexOf('<body'))).replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '');
  const tables: PrintedTable[] = [];
  let heading = '';
  let currency = '';
  for (const [, level, title, table] of body.matchAll(
    /<h([1-3])\b[^>]*>([\s\S]*?)<\/h\1>|(<table\b[\s\S]*?<\/table>)/g,
  )) {
    if (table === undefined) {
      heading = plain(title!);
      // A section of one currency is headed by its name.
      if (level === '2') currency = CURRENCY.exec(heading)?.[1] ?? '';
      continue;
    }
    tables.push(htmlTable(table, heading, currency));
  }
  return { tables, text: plain(body.replace(/<table\b[\s\S]*?<\/table>/g, '\n').replace(/<\/(p|li|h\d|div)>/g, '\n')) };
}

function htmlTable(table: string, heading: string, section: string): PrintedTable {
  const caption = /<caption\b[^>]*>([\s\S]*?)<\/caption>/.exec(table)?.[1];
  const heads = cellsOf(/<thead\b[\s\S]*?<\/thead>/.exec(table)?.[0] ?? '');
  const rows: PrintedRow[] = [];
  const totals: PrintedRow[] = [];
  for (const [, tag, attributes, content] of table.matchAll(/<(tbody|tfoot)\b([^>]*)>([\s\S]*?)<\/\1>/g)) {
    // What stands below a table under a heading of its own is in no total.
    if (attributes!.includes('below')) continue;
    const into = tag === 'tfoot' || attributes!.includes('totals') ? totals : rows;
    for (const [row] of content!.matchAll(/<tr\b[\s\S]*?<\/tr>/g)) into.push(rowOf(cellsOf(row)));
  }
  const title = plain(caption ?? '') || (CURRENCY.test(heading) ? '' : heading) || heads[0] || heading;
  return {
    title: `${heading} ${title}`.trim(),
    heads,
    rows,
    totals,
    currencies: currencyColumns(heads, rows, section),
  };
}

function cellsOf(row: string): string[] {
  return [...row.matchAll(/<t[hd]\b([^>]*?)(?:\/>|>([\s\S]*?)<\/t[hd]>)/g)].flatMap(([, attributes, content = '']) => {
    const span = Number(/colspan="?(\d+)/i.exec(attributes!)?.[1] ?? 1);
    return [plain(content), ...Array.from({ length: span - 1 }, () => '')];
  });
}

/**
 * A currency a column; or one table a currency, which its first heading or its section names, with the figures in one
 * column.
 */
function currencyColumns(heads: readonly string[], rows: readonly PrintedRow[], section: string): [number, string][] {
  const named = heads.flatMap((head, place): [number, string][] =>
    place > 0 && CURRENCY.test(head) ? [[place, head]] : [],
  );
  if (named.length > 0) return named;
  const currency = CURRENCY.exec(heads[0] ?? '')?.[1] ?? section;
  if (currency === '') return [];
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const held = (place: number) => rows.filter(({ figures }) => figures[place] != null).length;
  const places = Array.from({ length: width }, (_, place) => place).reverse();
  const [most] = places.sort((a, b) => held(b) - held(a));
  return most === undefined ? [] : [[most, currency]];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', nbsp: ' ' };

function plain(html: string): string {
  const text = html.replace(/<[^>]*>/g, '').replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) => {
    return code === undefined ? (ENTITIES[name!] ?? whole) : String.fromCodePoint(Number(code));
  });
  return text.replace(MARKS, '').trim();
}

/** The sheets of a workbook: the first in parts, which empty lines divide, each other one a table of records. */
export async function printedSheets(bytes: Uint8Array): Promise<{ name: string; page: Printed }[]> {
  const { sheets } = await readWorkbook(Buffer.from(bytes));
  return [...sheets].map(([name, cells]) => {
    const grid = new Map<number, string[]>();
    for (const [address, { value, formula }] of cells) {
      const [, letters, line] = /^([A-Z]+)(\d+)$/.exec(address)!;
      const place = [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      const row = grid.get(Number(line)) ?? [];
      grid.set(Number(line), row);
      if (value !== null || formula !== null) row[place] = (value ?? '').replace(MARKS, '').trim();
    }
    return { name, page: printedParts(partsOf(grid)) };
  });
}

/** The lines of a sheet that follow one another without an empty one. */
function partsOf(grid: ReadonlyMap<number, readonly string[]>): string[][][] {
  const parts: string[][][] = [[]];
  let last = 0;
  for (const [line, row] of [...grid].sort(([a], [b]) => a - b)) {
    const cells = Array.from(row, (cell) => cell ?? '');
    if (cells.every((cell) => cell === '')) continue;
    if (line > last + 1 && parts.at(-1)!.length > 0) parts.push([]);
    parts.at(-1)!.push(cells);
    last = line;
  }
  return parts;
}

function printedParts(parts: readonly string[][][]): Printed {
  const tables: PrintedTable[] = [];
  for (const part of parts) {
    const last = tables.at(-1);
    // Totals stand below their table, after an empty line.
    if (last && TOTAL.test(part[0]?.[0] ?? '')) {
      const totals = part.filter(([first]) => TOTAL.test(first ?? '')).map(rowOf);
      tables[tables.length - 1] = { ...last, totals };
      continue;
    }
    // Several texts; or one currency alone, over its figures.
    const at = part.findIndex(([first, ...rest]) => {
      const texts = rest.filter((cell) => cell !== '' && unitsOf(cell) === null);
      return first === '' ? texts.length > 0 : texts.length > 0 && unitsOf(first!) === null;
    });
    const heads = part[at] ?? [];
    const rows = part.slice(at + 1).map(rowOf);
    const title = part[0]?.[0] ?? '';
    tables.push({ title, heads, rows, totals: [], currencies: currencyColumns(heads, rows, '') });
  }
  return { tables, text: parts.flat(2).join('\n') };
}
