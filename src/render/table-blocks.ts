import type { Column } from '../../reports/model.ts';
import { isFigure } from './figures.ts';

/** Between two columns. */
export const GAP = 2;

/** A text column is at least this wide, unless its widest text is shorter. */
const READABLE = 16;

/** One of the tables of a report that is too wide for its terminal. */
export interface Block {
  /** The places of its columns in the report, in order. */
  readonly columns: readonly number[];
  /** Those that are in no other block. */
  readonly own: readonly number[];
  /** The width of each. */
  readonly widths: readonly number[];
}

export function isRightAligned({ type }: Pick<Column, 'type'>): boolean {
  return isFigure(type) || type === 'number';
}

/**
 * Divides columns into the fewest tables that fit a terminal, one below the other. Texts are cut first, while they stay readable;
 * numbers never are. The remaining columns continue in further tables, each of which repeats the report's first column and
 * its keys.
 *
 * @param natural how wide each column is when nothing is cut
 * @param available the terminal's width; null where there is no terminal, so that everything fits
 */
export function divided(
  columns: readonly Pick<Column, 'type' | 'key'>[],
  natural: readonly number[],
  available: number | null,
): Block[] {
  const all = columns.map((_, i) => i);
  if (available === null) return [{ columns: all, own: all, widths: natural }];
  const least = columns.map((column, i) => (isRightAligned(column) ? natural[i]! : Math.min(natural[i]!, READABLE)));
  const isKey = (i: number) => i === 0 || columns[i]!.key === true;
  const keys = columns.flatMap((_, i) => (isKey(i) ? [i] : []));
  const keysWidth = keys.reduce((sum, i) => sum + least[i]! + GAP, -GAP);

  const blocks: number[][] = [[]];
  let used = keysWidth;
  columns.forEach((_, i) => {
    if (isKey(i)) return;
    const block = blocks.at(-1)!;
    const fits = used + GAP + least[i]! <= available;
    if (!fits && block.length > 0) {
      blocks.push([i]);
      used = keysWidth;
    } else block.push(i);
    used += GAP + least[i]!;
  });
  return blocks.map((block) => {
    const inOrder = [...keys, ...block].sort((a, b) => a - b);
    return { columns: inOrder, own: block, widths: narrowed(inOrder, least, natural, available) };
  });
}

/** Narrows the widest text columns, one by one, until the line fits or nothing more can be cut. */
function narrowed(
  block: readonly number[],
  least: readonly number[],
  natural: readonly number[],
  available: number,
): number[] {
  const widths = block.map((i) => natural[i]!);
  let excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - available;
  while (excess > 0) {
    const widest = widths.reduce(
      (best, width, at) => (width > least[block[at]!]! && width > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (widest === -1) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}
