import type { Column } from '../../reports/model.ts';
import { isFigure } from './figures.ts';

/** Between two columns. */
export const GAP = 2;

/** A text column gets no narrower than this, or than its own widest text. */
const READABLE = 16;

/** One of the tables into which a report too wide for its terminal is divided. */
export interface Block {
  /** The places of its columns in the report, in order. */
  readonly columns: readonly number[];
  /** Those of them that are in no other block. */
  readonly own: readonly number[];
  /** How wide each of them is. */
  readonly widths: readonly number[];
}

export function isToTheRight({ type }: Pick<Column, 'type'>): boolean {
  return isFigure(type) || type === 'number';
}

/**
 * Divides columns into as few tables as fit a terminal one below the other. Texts are cut first, as far as they stay readable;
 * numbers never are. What then has no room goes on in a further table, in which the report's first column and its keys stand
 * again, to say what each row is about.
 *
 * @param natural how wide each column is when nothing is cut
 * @param available columns of the terminal; null where there is none, and everything fits
 */
export function divided(columns: readonly Column[], natural: readonly number[], available: number | null): Block[] {
  const all = columns.map((_, i) => i);
  if (available === null) return [{ columns: all, own: all, widths: natural }];
  const least = columns.map((column, i) => (isToTheRight(column) ? natural[i]! : Math.min(natural[i]!, READABLE)));
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
