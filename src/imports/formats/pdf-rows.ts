import { groupBy } from '../../base/group.ts';
import { columnOf, edgesOf, type Leaning, type PdfHead } from './pdf-columns.ts';
import { NO_AMOUNT, type PdfCell, type PdfLine, splitAt } from './pdf-lines.ts';
import { totalsLabel } from './settlement-totals.ts';
import { totalOrRemark } from './table.ts';

/** What makes a line the one that its row is known by: a key (a day, an order) and an amount, or either. */
export const ANCHORS = ['both', 'key', 'amount'] as const;
export type Anchor = (typeof ANCHORS)[number];

/** What a header's columns hold, by their places. */
export interface Roles {
  /** By which rows are known: the day of a movement, the number of an order. */
  readonly keys: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** What a row moves. */
  readonly amounts: ReadonlySet<number>;
  /** Hold figures alone: amounts, and balances. */
  readonly figures: ReadonlySet<number>;
  /** Hold one word each, which the maker may break anywhere. */
  readonly names: ReadonlySet<number>;
  /** Where the words of a total go. */
  readonly label: number;
  /** How a row of totals begins, where the map says it. */
  readonly totals: string | null;
}

/** A row of the table, which may take several lines. */
export interface PdfRow {
  readonly line: number;
  readonly page: number;
  readonly cells: readonly string[];
  /** What it says where it is a total or a balance, and no row like the others. */
  readonly remark: string | null;
}

export interface PdfRows {
  readonly rows: readonly PdfRow[];
  /** Lines above, below and between that belong to no row. */
  readonly outside: readonly PdfLine[];
}

/** Of the letters' size: a line below the last row that is further away is none of it. */
const NEAR = 1.75;

const PAGE_REMARK =
  /^((sub-?\s?total|page total|total (of|for) (this |the )?page|total page|page sub-?\s?total|total (brought|carried) (forward|over)|(brought|carried) (forward|over)|balance [bc]\/[df]|to be carried forward)\b.*|(إجمالي|مجموع) (هذه )?الصفحة.*|المجموع الفرعي.*|(ما قبله|ما بعده|منقول|مدوّ?ر|الرصيد المنقول|رصيد منقول|الرصيد السابق|الرصيد الافتتاحي|الرصيد الختامي|رصيد (افتتاحي|ختامي|سابق)).*)$/i;

/** A total of one page, or one that is carried from page to page. */
export function isOfPage(said: string): boolean {
  return PAGE_REMARK.test(said);
}

/** The words of a line that is a total or a balance; null for any other. */
function remarkOf({ cells }: PdfLine, { keys, totals }: Roles, columns: readonly number[]): string | null {
  const texts = cells.filter(({ kind }) => kind === 'words').map(({ text }) => text);
  const said =
    texts.find((text) => PAGE_REMARK.test(text.replace(/[\s:]+$/, ''))) ??
    totalOrRemark(texts) ??
    totalIn(texts, totals);
  if (said === null) return null;
  // A movement may be called `Total`, in a row that has a day.
  const hasKey = cells.some(({ kind, text }, i) => kind !== 'words' && keys.has(columns[i]!) && text !== said);
  return hasKey && !/balance|رصيد|forward/i.test(said) ? null : said;
}

function totalIn(texts: readonly string[], label: string | null): string | null {
  return (label === null ? undefined : texts.find((text) => totalsLabel([text], label) !== undefined)) ?? null;
}

/** A line with the columns of its cells. */
interface Placed {
  readonly line: PdfLine;
  readonly columns: readonly number[];
  readonly remark: string | null;
  readonly isAnchor: boolean;
}

/**
 * The rows below the headers.
 *
 * @returns null where a line has two figures in one column, or one that is like a row is none, so that the table is meant otherwise
 */
export function rowsOf(
  lines: readonly PdfLine[],
  heads: readonly PdfHead[],
  roles: Roles,
  { leaning, anchor }: { readonly leaning: Leaning; readonly anchor: Anchor },
): PdfRows | null {
  const rows: PdfRow[] = [];
  const outside: PdfLine[] = lines.slice(0, heads[0]!.at);
  const bodies = heads.map((head, i) => lines.slice(head.at + head.count, heads[i + 1]?.at ?? lines.length));
  for (const [i, head] of heads.entries()) {
    const alike = bodies.filter((_, j) => isAlike(head, heads[j]!)).flat();
    const edges = edgesOf(head.cells, alike, leaning);
    const width = head.cells.length;
    for (const [page, own] of groupBy(bodies[i]!, (line) => line.page)) {
      const placed = own.map((line) => place(line, edges, roles, anchor));
      if (placed.some((one) => one === null)) return null;
      const headLine = page === lines[head.at]!.page ? lines[head.at + head.count - 1]! : null;
      const found = pageRows(withBrokenLabels(placed as Placed[]), headLine, rows.length > 0, roles);
      for (const group of found.groups) {
        if (group.isBefore) rows.push(joined(rows.pop()!, group.lines, roles, width));
        else rows.push(rowOf(group.lines, roles, width));
      }
      if (found.outside.some((one) => isLikeRow(one, roles))) return null;
      outside.push(...found.outside.map(({ line }) => line));
    }
  }
  return { rows, outside };
}

function isAlike(a: PdfHead, b: PdfHead): boolean {
  return a.cells.every(
    ({ left, right }, i) => Math.abs(left - b.cells[i]!.left) + Math.abs(right - b.cells[i]!.right) < 3,
  );
}

function place(whole: PdfLine, edges: readonly number[], roles: Roles, anchor: Anchor): Placed | null {
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

/** Words that begin in a column of figures and go beyond it run over from the column before. */
function inColumn(cell: PdfCell, edges: readonly number[], { figures }: Roles): number {
  const column = columnOf(cell, edges);
  if (cell.kind !== 'words' || !figures.has(column)) return column;
  const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = [edges[column - 1], edges[column]];
  if (cell.left >= from && cell.right <= to) return column;
  const step = cell.isRightToLeft ? 1 : -1;
  for (let other = column + step; other >= 0 && other <= edges.length; other += step) {
    if (!figures.has(other)) return other;
  }
  return column;
}

/** A line that belongs to no row moves an amount, and says the balance after it. */
function isLikeRow({ line, columns, remark }: Placed, { amounts, figures }: Roles): boolean {
  const own = columns.filter((column, i) => line.cells[i]!.kind === 'figure' && figures.has(column));
  return remark === null && own.some((column) => amounts.has(column)) && own.some((column) => !amounts.has(column));
}

/** The label of a total may be broken over two lines, of which neither is one by itself. */
function withBrokenLabels(placed: readonly Placed[]): Placed[] {
  return placed.map((one, i) => {
    if (one.remark !== null || one.isAnchor) return one;
    const wordsIn = ({ cells }: PdfLine) => cells.find(({ kind }) => kind === 'words')?.text;
    const own = wordsIn(one.line);
    const next = placed[i + 1];
    const isNear = next !== undefined && next.line.y - one.line.y < NEAR * one.line.size;
    const below = isNear ? wordsIn(next.line) : undefined;
    if (own === undefined || below === undefined || !PAGE_REMARK.test(`${own} ${below}`)) return one;
    return { ...one, remark: `${own} ${below}`, isAnchor: true };
  });
}

interface Group {
  readonly lines: readonly Placed[];
  /** It goes on with the last row of the page before. */
  readonly isBefore: boolean;
}

/** Which lines of a page are one row: those between two anchors are parted at the widest space. */
function pageRows(
  placed: readonly Placed[],
  head: PdfLine | null,
  hasRows: boolean,
  roles: Roles,
): { readonly groups: readonly Group[]; readonly outside: readonly Placed[] } {
  const anchors = placed.flatMap(({ isAnchor }, i) => (isAnchor ? [i] : []));
  if (anchors.length === 0) return { groups: [], outside: placed };
  const outside: Placed[] = [];
  const groups: Group[] = [];
  let from = firstOf(placed, anchors[0]!, head);
  const above = placed.slice(0, from);
  const goesOn = head === null && hasRows ? goingOn(above, placed[from]!) : 0;
  if (goesOn > 0) groups.push({ lines: above.slice(above.length - goesOn), isBefore: true });
  outside.push(...above.slice(0, above.length - goesOn));
  for (const [i, anchor] of anchors.entries()) {
    const next = anchors[i + 1];
    const to = next === undefined ? lastOf(placed, anchor, roles) : partAt(placed, anchor, next);
    groups.push({ lines: placed.slice(from, to), isBefore: false });
    from = to;
  }
  outside.push(...placed.slice(from));
  return { groups, outside };
}

/** Where the first row of a page begins: below what is left of the header, and with the lines that are right above its anchor. */
function firstOf(placed: readonly Placed[], anchor: number, head: PdfLine | null): number {
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

/** How many of the lines above a page's first row go on with the last row of the page before. */
function goingOn(above: readonly Placed[], first: Placed): number {
  let below = first.line;
  let count = 0;
  for (const { line } of above.toReversed()) {
    if (below.y - line.y > NEAR * line.size) break;
    count += 1;
    below = line;
  }
  return count === above.length && count > 3 ? 0 : count;
}

function partAt(placed: readonly Placed[], anchor: number, next: number): number {
  let part = next;
  let widest = placed[next]!.line.y - placed[next - 1]!.line.y;
  for (let i = next - 1; i > anchor; i -= 1) {
    const space = placed[i]!.line.y - placed[i - 1]!.line.y;
    if (space <= widest * 1.08) continue;
    widest = space;
    part = i;
  }
  return part;
}

/** Where the last row of a page ends: at the first line that is not right below. */
function lastOf(placed: readonly Placed[], anchor: number, { days, figures }: Roles): number {
  let last = anchor;
  while (last + 1 < placed.length) {
    const [line, below] = [placed[last]!.line, placed[last + 1]!.line];
    if (below.y - line.y > NEAR * Math.min(line.size, below.size) || placed[last + 1]!.remark !== null) break;
    // Words where days and figures stand are a remark below the table.
    if (below.cells.some(({ kind }, i) => kind === 'words' && isOneOf(placed[last + 1]!.columns[i]!, days, figures)))
      break;
    last += 1;
  }
  return last + 1;
}

function isOneOf(column: number, ...sets: readonly ReadonlySet<number>[]): boolean {
  return sets.some((set) => set.has(column));
}

function rowOf(lines: readonly Placed[], roles: Roles, width: number): PdfRow {
  const first = lines.find(({ isAnchor }) => isAnchor) ?? lines[0]!;
  const remark = lines.find((one) => one.remark !== null)?.remark ?? null;
  const blank = {
    line: first.line.line,
    page: first.line.page,
    remark,
    cells: Array.from({ length: width }, () => ''),
  };
  return joined(blank, lines, roles, width);
}

/** A row with the cells of more lines, each below what its column has. */
function joined(row: PdfRow, lines: readonly Placed[], roles: Roles, width: number): PdfRow {
  const cells = Array.from({ length: width }, (_, i) => row.cells[i]!);
  for (const { line, columns, isAnchor } of lines) {
    // Within a line, words of an Arabic column go on to the left.
    const order = line.cells.some(({ isRightToLeft }) => isRightToLeft) ? -1 : 1;
    const indexes = [...line.cells.keys()].sort((a, b) => (a - b) * order);
    const met = new Set<number>();
    for (const i of indexes) {
      const { text, kind } = line.cells[i]!;
      // Below a total may stand the rest of its figures, and no words of its.
      if (row.remark !== null && !isAnchor && !(kind === 'figure' && roles.figures.has(columns[i]!))) continue;
      const isLabel = row.remark !== null && kind === 'words' && roles.figures.has(columns[i]!);
      const column = isLabel ? roles.label : columns[i]!;
      cells[column] = joinedText(cells[column]!, text, {
        isFigure: roles.figures.has(column) && !isLabel && kind === 'figure' && !met.has(column),
        isName: roles.names.has(column) && !met.has(column),
      });
      met.add(column);
    }
  }
  return { ...row, cells };
}

/** Figures and names are broken anywhere, words at blanks and after hyphens. */
function joinedText(
  above: string,
  below: string,
  is: { readonly isFigure: boolean; readonly isName: boolean },
): string {
  if (above === '') return below;
  const isBroken = is.isFigure || is.isName || /\S[-/_]$/.test(above);
  return isBroken ? above + below : `${above} ${below}`;
}
