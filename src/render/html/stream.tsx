import { Fragment, h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { sentenceText } from '../../base/text.ts';
import { inBatches } from '../output.ts';

/** Rows are drawn in pieces of this many, so that a long table is never whole in memory. */
const PIECE = 200;

/**
 * A component as HTML. Its texts are always text, never a tag, and lose invisible characters and those that reverse the
 * direction of a line, except for the pairs of marks that keep a figure's direction.
 */
export function htmlOf(node: VNode): string {
  return renderToString(node).replace(/[^<>]+/g, (text) => sentenceText(text));
}

/** A place in a page for what is drawn later, such as rows that are still being read: see {@link streamed}. */
export function Slot({ name }: { readonly name: string }): VNode {
  return <slot name={name} />;
}

/** The HTML of each slot, made when its turn comes: totals and notes are known only after the rows. */
export type Slots = Readonly<Record<string, () => Iterable<string> | AsyncIterable<string>>>;

/** A whole page, piece by piece, each slot filled in its turn. */
export async function* streamed(page: VNode, slots: Slots): AsyncGenerator<string> {
  yield '<!DOCTYPE html>\n';
  yield* filled(page, slots);
  yield '\n';
}

export async function* filled(part: VNode, slots: Slots): AsyncGenerator<string> {
  // HTML and names of slots take turns: HTML at even places, names at odd ones.
  const pieces = htmlOf(part).split(/<slot name="([\w-]+)"><\/slot>/);
  for (const [place, pieceOrName] of pieces.entries()) {
    if (place % 2 === 0) yield pieceOrName;
    else yield* slots[pieceOrName]!();
  }
}

/** Rows as HTML, `PIECE` of them at a time. */
export async function* inPieces<T>(
  rows: Iterable<T> | AsyncIterable<T>,
  draw: (row: T) => VNode,
): AsyncGenerator<string> {
  for await (const piece of inBatches(rows, PIECE)) yield htmlOf(h(Fragment, null, piece.map(draw)));
}
