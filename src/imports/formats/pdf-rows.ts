/** Finds the rows of a PDF's table among its lines. */
import { groupBy } from '../../base/group.ts';
import { NO_AMOUNT } from './amount-text.ts';
import { columnOf, edgesOf, type Leaning, type PdfHead } from './pdf-columns.ts';
import { type PdfCell, type PdfLine, splitAt } from './pdf-lines.ts';
import { findTotalsLabel } from './settlement-totals.ts';
import { totalOrRemark } from './table.ts';

/** One line of each row in a PDF is its anchor: it has a key (a day, an order's number), an amount, or both. */
export const ANCHORS = ['both', 'key', 'amount'] as const;
export type Anchor = (typeof ANCHORS)[number];

/** The indexes of the columns that hold each sort of thing. */
export interface Roles {
  /** The day of a movement, or the number of an order: every row has one. */
  readonly keys: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** The amounts that a row moves. */
  readonly amounts: ReadonlySet<number>;
  /** Amounts, balances and weights: columns without words. */
  readonly figures: ReadonlySet<number>;
  /** One word each, such as an order's number, which the maker may break anywhere. */
  readonly names: ReadonlySet<number>;
  /** The column into which the words of a total go. */
  readonly label: number;
  /** The words with which a row of totals begins; null if the map has none. */
  readonly totals: string | null;
}

/** A row of the table, which may take several lines. */
export interface PdfRow {
  readonly line: number;
  readonly page: number;
  readonly cells: readonly string[];
  /** The words of a row that is a total or a balance; null for any other. */
  readonly remark: string | null;
}

/** A table as one of its readings has it. */
export interface PdfRows {
  readonly rows: readonly PdfRow[];
  /** Lines above, below and between that belong to no row. */
  readonly outside: readonly PdfLine[];
}

/** The greatest distance between two lines of one row, as a multiple of the letters' size. */
const NEAR = 1.75;

const PAGE_REMARK =
  /^((sub-?\s?total|page total|total (of|for) (this |the )?page|total page|page sub-?\s?total|total (brought|carried) (forward|over)|(brought|carried) (forward|over)|balance [bc]\/[df]|to be carried forward)\b.*|(إجمالي|مجموع) (هذه )?الصفحة.*|المجموع الفرعي.*|(ما قبله|ما بعده|منقول|مدوّ?ر|الرصيد المنقول|رصيد منقول|الرصيد السابق|الرصيد الافتتاحي|الرصيد الختامي|رصيد (افتتاحي|ختامي|سابق)).*)$/i;

/** A total of one page, or one that is carried from page to page; in Arabic any opening or closing balance. */
export function isOfPage(remark: string): boolean {
  return PAGE_REMARK.test(remark.replace(/[\s:]+$/, ''));
}

/** The words of a line that is a total or a balance; null for any other. */
function remarkOf({ cells }: PdfLine, { keys, totals }: Roles, columns: readonly number[]): string | null {
  const texts = cells.filter(({ kind }) => kind === 'words').map(({ text }) => text);
  const ofPage = texts.find(isOfPage);
  // A cell may be the label that the map gives totals.
  const ofMap = totals === null ? null : texts.find((text) => findTotalsLabel([text], totals) !== null);
  const remark = ofPage ?? totalOrRemark(texts) ?? ofMap ?? null;
  if (remark === null) return null;
  // A movement may be called `Total`: its row has a day. The row of a balance may have one too.
  const hasKey = cells.some(({ kind, text }, i) => kind !== 'words' && keys.has(columns[i]!) && text !== remark);
  return hasKey && !/balance|رصيد|forward/i.test(remark) ? null : remark;
}

/** A line with the column of each of its cells. */
interface PlacedLine {
  readonly line: PdfLine;
  readonly columns: readonly number[];
  /** The words of a line that is a total or a balance; null for any other. */
  readonly remark: string | null;
  readonly isAnchor: boolean;
}

/**
 * Reads the rows below the headers in one of the ways in which the table may be meant.
 *
 * @returns null if it cannot be meant so: a line has two figures in one column, or a line like a row belongs to none
 */
export function rowsOf(
  lines: readonly PdfLine[],
  heads: readonly PdfHead[],
  roles: Roles,
  { leaning, anchor }: { readonly leaning: Leaning; readonly anchor: Anchor },
): PdfRows | null {
  const rows: PdfRow[] = [];
  const outside: PdfLine[] = lines.slice(0, heads[0]!.at);
  // The lines below each header, up to the next one.
  const bodies = heads.map((head, i) => lines.slice(head.at + head.count, heads[i + 1]?.at ?? lines.length));
  for (const [i, head] of heads.entries()) {
    // All lines below headers at the same places show where the columns part.
    const alike = bodies.filter((_, j) => isAlike(head, heads[j]!)).flat();
    const edges = edgesOf(head.cells, alike, leaning);
    const width = head.cells.length;
    for (const [page, pageLines] of groupBy(bodies[i]!, (line) => line.page)) {
      const placed = pageLines.map((line) => place(line, edges, roles, anchor));
      if (placed.includes(null)) return null;
      const headLine = page === lines[head.at]!.page ? lines[head.at + head.count - 1]! : null;
      const found = pageRows(withBrokenLabels(placed as PlacedLine[]), headLine, rows.length > 0, roles);
      for (const { lines: ofRow, continuesRow } of found.groups) {
        rows.push(continuesRow ? joined(rows.pop()!, ofRow, roles, width) : rowOf(ofRow, roles, width));
      }
      if (found.outside.some((line) => isLikeRow(line, roles))) return null;
      outside.push(...found.outside.map(({ line }) => line));
    }
  }
  return { rows, outside };
}

/** Two headers have their columns at the same places, give or take 3 points. */
function isAlike(a: PdfHead, b: PdfHead): boolean {
  return a.cells.every(
    ({ left, right }, i) => Math.abs(left - b.cells[i]!.left) + Math.abs(right - b.cells[i]!.right) < 3,
  );
}

/** @returns null if two of the line's figures are in one column */
function place(whole: PdfLine, edges: readonly number[], roles: Roles, anchor: Anchor): PlacedLine | null {
  const line = { ...whole, cells: whole.cells.flatMap((cell) => splitAt(cell, edges)) };
  const columns = line.cells.map((cell) => inColumn(cell, edges, roles));
  const isFigure = (i: number) => line.cells[i]!.kind === 'figure';
  const figures = columns.filter((column, i) => isFigure(i) && roles.figures.has(column));
  if (new Set(figures).size < figures.length) return null;
  const remark = remarkOf(line, roles, columns);
  const hasKey = columns.some((column, i) => {
    if (!roles.keys.has(column)) return false;
    return roles.days.has(column) ? line.cells[i]!.kind === 'date' : /\p{N}/u.test(line.cells[i]!.text);
  });
  const hasAmount = columns.some((column, i) => {
    return roles.amounts.has(column) && isFigure(i) && !NO_AMOUNT.test(line.cells[i]!.text);
  });
  const isRow = { both: hasKey && hasAmount, key: hasKey, amount: hasAmount }[anchor];
  return { line, columns, remark, isAnchor: isRow || remark !== null };
}

/**
 * The column of a cell. Words that reach out of a column of figures belong to the column from which they run over, as a
 * long description does into the debits.
 */
function inColumn(cell: PdfCell, edges: readonly number[], { figures }: Roles): number {
  const column = columnOf(cell, edges);
  if (cell.kind !== 'words' || !figures.has(column)) return column;
  const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = [edges[column - 1], edges[column]];
  if (cell.left >= from && cell.right <= to) return column;
  const step = cell.isRightToLeft ? 1 : -1;
  for (let origin = column + step; origin >= 0 && origin <= edges.length; origin += step) {
    if (!figures.has(origin)) return origin;
  }
  return column;
}

/** A line looks like a separate row: it has an amount and a balance. */
function isLikeRow({ line, columns, remark }: PlacedLine, { amounts, figures }: Roles): boolean {
  const filled = columns.filter((column, i) => line.cells[i]!.kind === 'figure' && figures.has(column));
  const hasAmount = filled.some((column) => amounts.has(column));
  return remark === null && hasAmount && filled.some((column) => !amounts.has(column));
}

/** Marks as a total two lines whose words are its label only together, such as `Total brought` and `forward`. */
function withBrokenLabels(placedLines: readonly PlacedLine[]): PlacedLine[] {
  return placedLines.map((placed, i) => {
    const { line, remark, isAnchor } = placed;
    if (remark !== null || isAnchor) return placed;
    const wordsIn = ({ cells }: PdfLine) => cells.find(({ kind }) => kind === 'words')?.text;
    const above = wordsIn(line);
    const next = placedLines[i + 1];
    const isNear = next !== undefined && next.line.y - line.y < NEAR * line.size;
    const below = isNear ? wordsIn(next.line) : undefined;
    if (above === undefined || below === undefined || !PAGE_REMARK.test(`${above} ${below}`)) return placed;
    return { ...placed, remark: `${above} ${below}`, isAnchor: true };
  });
}

/**
 * Groups a page's lines into rows, an anchor each: the widest space between two anchors parts their rows.
 *
 *                  of October            continues the last row of the page before
 *     03.11.2026   COD payout   80.00    the anchor of the page's first row
 *                  Beirut
 *
 *                  COD payout            begins the next row, below the widest space
 *     04.11.2026   branch 2     25.00    its anchor
 *
 * @param head the last line of the page's header; null if the page has none, and its table continues
 * @param hasRows pages before it have rows
 * @returns `groups`: the lines of each row, and if they continue the last row of the page before
 */
function pageRows(placed: readonly PlacedLine[], head: PdfLine | null, hasRows: boolean, roles: Roles) {
  const anchors = placed.flatMap(({ isAnchor }, i) => (isAnchor ? [i] : []));
  if (anchors.length === 0) return { groups: [], outside: placed };
  const groups: { readonly lines: readonly PlacedLine[]; readonly continuesRow: boolean }[] = [];
  let from = firstOf(placed, anchors[0]!, head);
  const above = placed.slice(0, from);
  const continuing = head === null && hasRows ? continuingLines(above, placed[from]!) : 0;
  const continuesFrom = above.length - continuing;
  if (continuing > 0) groups.push({ lines: above.slice(continuesFrom), continuesRow: true });
  for (const [i, anchor] of anchors.entries()) {
    const next = anchors[i + 1];
    const to = next === undefined ? lastOf(placed, anchor, roles) : partAt(placed, anchor, next);
    groups.push({ lines: placed.slice(from, to), continuesRow: false });
    from = to;
  }
  return { groups, outside: [...above.slice(0, continuesFrom), ...placed.slice(from)] };
}

/** The index of a page's first row: below the widest space after the header, or else right above the anchor. */
function firstOf(placed: readonly PlacedLine[], anchor: number, head: PdfLine | null): number {
  if (anchor === 0) return 0;
  if (head !== null) {
    const ys = [head.y, ...placed.slice(0, anchor + 1).map(({ line }) => line.y)];
    const spaces = ys.slice(1).map((y, i) => y - ys[i]!);
    return spaces.indexOf(Math.max(...spaces));
  }
  let first = anchor;
  while (first > 0 && placed[first]!.line.y - placed[first - 1]!.line.y < placed[first]!.line.size) first -= 1;
  return first;
}

/**
 * How many lines above a page's first row continue the last row of the page before: those without a wide space between
 * them. If they are all that is above, and more than three, they are the page's heading: none continues a row.
 */
function continuingLines(above: readonly PlacedLine[], first: PlacedLine): number {
  let below = first.line;
  let count = 0;
  for (const { line } of above.toReversed()) {
    if (below.y - line.y > NEAR * line.size) break;
    count += 1;
    below = line;
  }
  return count === above.length && count > 3 ? 0 : count;
}

/** The index of the line with which the next anchor's row begins: below the widest space between the two anchors. */
function partAt(placed: readonly PlacedLine[], anchor: number, next: number): number {
  let part = next;
  let widest = placed[next]!.line.y - placed[next - 1]!.line.y;
  for (let i = next - 1; i > anchor; i -= 1) {
    const space = placed[i]!.line.y - placed[i - 1]!.line.y;
    // Spaces that differ by less are equal, and of equal ones the lowest counts.
    if (space <= widest * 1.08) continue;
    widest = space;
    part = i;
  }
  return part;
}

/** The index after the last line of a page's last row: of the first line that is not right below. */
function lastOf(placed: readonly PlacedLine[], anchor: number, { days, figures }: Roles): number {
  let last = anchor;
  while (last + 1 < placed.length) {
    const { line } = placed[last]!;
    const { line: below, remark, columns } = placed[last + 1]!;
    if (remark !== null || below.y - line.y > NEAR * Math.min(line.size, below.size)) break;
    // Words in a column of days or figures are a remark below the table.
    const hasNoWords = (column: number) => days.has(column) || figures.has(column);
    if (below.cells.some(({ kind }, i) => kind === 'words' && hasNoWords(columns[i]!))) break;
    last += 1;
  }
  return last + 1;
}

function rowOf(lines: readonly PlacedLine[], roles: Roles, width: number): PdfRow {
  const first = lines.find(({ isAnchor }) => isAnchor) ?? lines[0]!;
  const remark = lines.map((line) => line.remark).find((text) => text !== null) ?? null;
  const { line, page } = first.line;
  const blank = { line, page, remark, cells: Array.from({ length: width }, () => '') };
  return joined(blank, lines, roles, width);
}

/** A row with the cells of more lines added, each at the end of its column's text. */
function joined(row: PdfRow, lines: readonly PlacedLine[], roles: Roles, width: number): PdfRow {
  const cells = Array.from({ length: width }, (_, i) => row.cells[i]!);
  const isTotal = row.remark !== null;
  for (const { line, columns, isAnchor } of lines) {
    // Within a line, words of an Arabic column continue to the left.
    const order = line.cells.some(({ isRightToLeft }) => isRightToLeft) ? -1 : 1;
    const indexes = [...line.cells.keys()].sort((a, b) => (a - b) * order);
    const filled = new Set<number>();
    for (const i of indexes) {
      const { text, kind } = line.cells[i]!;
      const isFigure = kind === 'figure' && roles.figures.has(columns[i]!);
      // More figures of a total may be in the lines below it, but no words.
      if (isTotal && !isAnchor && !isFigure) continue;
      // The words of a total that are in a column of figures are its label.
      const isLabel = isTotal && kind === 'words' && roles.figures.has(columns[i]!);
      const column = isLabel ? roles.label : columns[i]!;
      // A figure or a name continues in the line below, not in the next cell of its line.
      const breaksAnywhere = !filled.has(column) && (isFigure || roles.names.has(column));
      cells[column] = joinedText(cells[column]!, text, breaksAnywhere);
      filled.add(column);
    }
  }
  return { ...row, cells };
}

/** Figures and names are broken anywhere, words at blanks and after hyphens. */
function joinedText(above: string, below: string, breaksAnywhere: boolean): string {
  if (above === '') return below;
  const isBroken = breaksAnywhere || /\S[-/_]$/.test(above);
  return isBroken ? above + below : `${above} ${below}`;
}
