import { isHeaderOf } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { guessMap } from '../maps/guess-map.ts';
import { OPEN_HEADER } from '../maps/headers.ts';
import { type PdfCell, type PdfLine, wordPlaces } from './pdf-lines.ts';
import { headerKey } from './text-forms.ts';

/** A column's header, with its place on the page. */
type HeadCell = Pick<PdfCell, 'text' | 'left' | 'right'>;

/** A table's header, which may take several lines and come again on each page. */
export interface PdfHead {
  readonly cells: readonly HeadCell[];
  /** The index of its first line, and how many lines it takes. */
  readonly at: number;
  readonly count: number;
}

const MOST_HEAD_LINES = 4;
/** The greatest distance between lines of one header, as a multiple of the letters' size. */
const HEAD_SPACING = 1.9;

/**
 * Finds the table's header, which is the map's or else the likeliest line, and each line that repeats it.
 *
 * @returns the headers in order; none if no line is like one
 */
export function headsOf(kind: ImportKind, lines: readonly PdfLine[], userMap: ColumnMap | null): PdfHead[] {
  const first = certainHead(kind, lines, userMap) ?? likelyHead(kind, lines, userMap);
  if (first === null) return [];
  const texts = keysOf(first);
  const heads = [first];
  for (let at = first.at + first.count; at < lines.length; at += 1) {
    const head = headAt(lines, at, first.count);
    if (head === null || keysOf(head) !== texts) continue;
    heads.push(head);
    at += head.count - 1;
  }
  return heads;
}

function keysOf({ cells }: PdfHead): string {
  return JSON.stringify(cells.map(({ text }) => headerKey(text)));
}

/** The first lines that are certainly the header; null if none are. */
function certainHead(kind: ImportKind, lines: readonly PdfLine[], userMap: ColumnMap | null): PdfHead | null {
  for (const head of possibleHeads(lines, userMap)) {
    if (isHeaderOf(kind, textsOf(head), userMap)) return head;
  }
  return null;
}

/** The lines in which most columns are known, and two at least; null if there are none. */
function likelyHead(kind: ImportKind, lines: readonly PdfLine[], userMap: ColumnMap | null): PdfHead | null {
  let best: { head: PdfHead; knownCount: number } | null = null;
  for (const head of possibleHeads(lines, userMap)) {
    const { columns } = guessMap(kind, textsOf(head));
    const knownCount = Object.values(columns).filter((header) => header !== OPEN_HEADER).length;
    if (knownCount >= 2 && knownCount > (best?.knownCount ?? 0)) best = { head, knownCount };
  }
  return best?.head ?? null;
}

function textsOf({ cells }: PdfHead): string[] {
  return cells.map(({ text }) => text);
}

/** Every one to {@link MOST_HEAD_LINES} lines with at least two cells, below the lines that the map skips. */
function* possibleHeads(lines: readonly PdfLine[], userMap: ColumnMap | null): Generator<PdfHead> {
  const from = userMap?.skip_rows ?? 0;
  for (let at = from; at < lines.length; at += 1) {
    for (let count = 1; count <= MOST_HEAD_LINES; count += 1) {
      const head = headAt(lines, at, count);
      if (head === null) break;
      if (head.cells.length > 1) yield head;
    }
  }
}

/** Reads `count` lines as one header, in which texts below each other are one cell; null if the lines are far apart. */
function headAt(lines: readonly PdfLine[], at: number, count: number): PdfHead | null {
  const headLines = lines.slice(at, at + count);
  if (headLines.length < count) return null;
  for (const [i, line] of headLines.entries()) {
    const above = headLines[i - 1];
    if (above && (above.page !== line.page || line.y - above.y > HEAD_SPACING * line.size)) return null;
  }
  const cells: { text: string; left: number; right: number }[] = [];
  for (const { text, left, right } of headLines.flatMap((line) => line.cells)) {
    const same = cells.find((cell) => cell.left < right && left < cell.right);
    if (same) {
      same.text = `${same.text} ${text}`;
      same.left = Math.min(same.left, left);
      same.right = Math.max(same.right, right);
    } else cells.push({ text, left, right });
  }
  return { cells: cells.sort((a, b) => a.left - b.left), at, count };
}

/** Which of several gaps between two headers parts their columns: the widest, or the one nearest to either header. */
export const LEANINGS = ['widest', 'right', 'left'] as const;
export type Leaning = (typeof LEANINGS)[number];

/** Lines below the header that are looked at. */
const MOST_LINES_READ = 400;
const MOST_GAPS = 6;
/** The costs of two cells in one column of a line, of a cut word, and of a cell unlike most in its column. */
const CONFLICT = 10;
const CROSSING = 4;
const MIXED = 3;

type Stretch = Pick<PdfCell, 'left' | 'right'>;

/** A place between two headers at which their columns may part. */
interface Gap {
  readonly at: number;
  readonly width: number;
  /** How many words it cuts. */
  readonly cutCount: number;
}

/**
 * Finds where the columns of a header part: at the places that cut the fewest words, leave the fewest lines with two
 * cells in one column, and mix words and figures least.
 *
 * @returns the right edge of each column but the last
 */
export function edgesOf(head: readonly HeadCell[], lines: readonly PdfLine[], leaning: Leaning): number[] {
  const sample = lines.slice(0, MOST_LINES_READ);
  const words = sample.flatMap((line) => line.cells).flatMap(wordPlaces);
  const gaps = head.slice(0, -1).map(({ right }, i) => gapsBetween(right, head[i + 1]!.left, words, leaning));
  // Dynamic programming, from left to right: the cheapest edges up to each gap. The last column has no right edge.
  let ways = [{ edges: [] as number[], cost: 0, lastEdge: Number.NEGATIVE_INFINITY }];
  for (const choices of [...gaps, [{ at: Number.POSITIVE_INFINITY, width: 0, cutCount: 0 }]]) {
    ways = choices.map(({ at, cutCount }, rank) => {
      const extended = ways.map(({ edges, cost, lastEdge }) => {
        // Among equal costs the gap that the leaning prefers wins, which comes first.
        const added = columnCost(sample, lastEdge, at) + cutCount * CROSSING + rank * 0.001;
        return { edges: [...edges, at], cost: cost + added, lastEdge: at };
      });
      return extended.reduce((best, way) => (way.cost < best.cost ? way : best));
    });
  }
  return ways[0]!.edges.slice(0, -1);
}

/** The gaps between two headers that cut the fewest words, the preferred first; their middle if there is none. */
function gapsBetween(from: number, to: number, words: readonly Stretch[], leaning: Leaning): Gap[] {
  const middle = (from + to) / 2;
  const near = words.filter(({ left, right }) => right > from && left < to);
  const places = [from, to, ...near.flatMap(({ left, right }) => [left, right])]
    .filter((x) => x >= from && x <= to)
    .sort((a, b) => a - b);
  const gaps: Gap[] = [];
  for (const [i, left] of places.slice(0, -1).entries()) {
    const right = places[i + 1]!;
    if (right - left < 0.5) continue;
    const at = (left + right) / 2;
    gaps.push({ at, width: right - left, cutCount: near.filter((word) => word.left < at && at < word.right).length });
  }
  if (gaps.length === 0) return [{ at: middle, width: 0, cutCount: 0 }];
  const best = gaps.sort((a, b) => a.cutCount - b.cutCount || b.width - a.width).slice(0, MOST_GAPS);
  if (leaning === 'left') best.sort((a, b) => a.at - b.at);
  if (leaning === 'right') best.sort((a, b) => b.at - a.at);
  return best;
}

/** The cost of reading a stretch of the page as one column. */
function columnCost(lines: readonly PdfLine[], from: number, to: number): number {
  const kinds = { date: 0, figure: 0, words: 0 };
  let conflicts = 0;
  for (const { cells } of lines) {
    const inColumn = cells.filter((cell) => from < anchorOf(cell) && anchorOf(cell) <= to);
    if (inColumn.length > 1) conflicts += inColumn.length - 1;
    for (const { kind } of inColumn) kinds[kind] += 1;
  }
  const { date, figure, words } = kinds;
  return conflicts * CONFLICT + (date + figure + words - Math.max(date, figure, words)) * MIXED;
}

/**
 * The point that decides which column a cell is in: the middle of a figure or date; for words, half a point after their
 * beginning, so that words that begin at an edge are past it.
 */
function anchorOf({ kind, left, right, isRightToLeft }: PdfCell): number {
  if (kind !== 'words') return (left + right) / 2;
  return isRightToLeft ? right - 0.5 : left + 0.5;
}

export function columnOf(cell: PdfCell, edges: readonly number[]): number {
  const at = anchorOf(cell);
  const column = edges.findIndex((edge) => at <= edge);
  return column === -1 ? edges.length : column;
}
