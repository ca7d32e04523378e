import { guessMap, isHeaderOf } from '../maps/choose-map.ts';
import type { ColumnMap, ImportKind } from '../maps/column-map.ts';
import { headerKey } from './characters.ts';
import type { PdfLine } from './pdf-lines.ts';

/** A column's header at its place. */
export interface HeadCell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** A table's header, which may take several lines and come again on each page. */
export interface PdfHead {
  readonly cells: readonly HeadCell[];
  /** Where it begins in the lines, and how many it takes. */
  readonly at: number;
  readonly count: number;
}

const MOST_LINES = 4;
/** Of the letters' size: lines of one header are no further apart. */
const WITHIN = 1.9;

/**
 * The headers of a table, in order: that of the map, or the line with most words that headers have, and each line that repeats it.
 * None where no line is like a header.
 */
export function headsOf(kind: ImportKind, lines: readonly PdfLine[], named: ColumnMap | null): PdfHead[] {
  const first = sureHead(kind, lines, named) ?? likelyHead(kind, lines, named);
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

function sureHead(kind: ImportKind, lines: readonly PdfLine[], named: ColumnMap | null): PdfHead | null {
  for (const head of possibleHeads(lines, named)) {
    if (isHeaderOf(kind, textsOf(head), named)) return head;
  }
  return null;
}

function likelyHead(kind: ImportKind, lines: readonly PdfLine[], named: ColumnMap | null): PdfHead | null {
  let best: { head: PdfHead; known: number } | null = null;
  for (const head of possibleHeads(lines, named)) {
    const { columns } = guessMap(kind, textsOf(head));
    const known = Object.values(columns).filter((one) => one !== '...').length;
    if (known >= 2 && known > (best?.known ?? 0)) best = { head, known };
  }
  return best?.head ?? null;
}

function textsOf({ cells }: PdfHead): string[] {
  return cells.map(({ text }) => text);
}

function* possibleHeads(lines: readonly PdfLine[], named: ColumnMap | null): Generator<PdfHead> {
  const from = named?.skip_rows ?? 0;
  for (let at = from; at < lines.length; at += 1) {
    for (let count = 1; count <= MOST_LINES; count += 1) {
      const head = headAt(lines, at, count);
      if (head === null) break;
      if (head.cells.length > 1) yield head;
    }
  }
}

/** Some lines as one header: what stands below each other is one cell. Null where they are not near each other. */
function headAt(lines: readonly PdfLine[], at: number, count: number): PdfHead | null {
  const taken = lines.slice(at, at + count);
  if (taken.length < count) return null;
  for (const [i, line] of taken.entries()) {
    const above = taken[i - 1];
    if (above && (above.page !== line.page || line.y - above.y > WITHIN * line.size)) return null;
  }
  const cells: { text: string; left: number; right: number }[] = [];
  for (const { text, left, right } of taken.flatMap((line) => line.cells)) {
    const same = cells.find((cell) => cell.left < right && left < cell.right);
    if (same) {
      same.text = `${same.text} ${text}`;
      same.left = Math.min(same.left, left);
      same.right = Math.max(same.right, right);
    } else cells.push({ text, left, right });
  }
  return { cells: cells.sort((a, b) => a.left - b.left), at, count };
}
