import type { ByteRange } from '../api/slice-items.ts';

/** How to rebuild the bytes of a page of the order book from its orders, which are stored once each. */
export interface PageRecipe {
  readonly source: string;
  readonly received_at: string;
  /** SHA-256 of the page as received, and its size in bytes. */
  readonly sha256: string;
  readonly size: number;
  /** The text before the first order, between two orders, and after the last, such as `{"results":[`, `,` and `]}`. */
  readonly head: string;
  readonly gap: string;
  readonly tail: string;
  /** The texts between the orders, if they are not all the same. */
  readonly gaps?: readonly string[];
  /** The numbers of the orders' parts: `[7, 3]` stands for 7, 8 and 9. */
  readonly parts: readonly (readonly [first: number, count: number])[];
}

/** The body of an `order-pages` document: consecutive pages of one walk. */
export type OrderPages = { readonly pages: readonly PageRecipe[] };

/** A page without its orders. */
export type AroundOrders = Pick<PageRecipe, 'head' | 'gap' | 'tail' | 'gaps'>;

/** Extracts the text around a page's orders, for {@link joinPage}. @param ranges where each order is */
export function aroundOrders(body: Buffer, ranges: readonly ByteRange[]): AroundOrders {
  const text = (from: number, to: number) => body.toString('utf8', from, to);
  const first = ranges[0];
  const last = ranges.at(-1);
  if (!first || !last) return { head: text(0, body.length), gap: '', tail: '' };
  const gaps = ranges.slice(1).map(({ start }, index) => text(ranges[index]!.end, start));
  const gap = gaps[0] ?? '';
  const around = { head: text(0, first.start), gap, tail: text(last.end, body.length) };
  return gaps.every((each) => each === gap) ? around : { ...around, gaps };
}

/** Rebuilds a page from its orders and the text around them. */
export function joinPage(items: readonly Buffer[], around: AroundOrders): Buffer {
  const pieces: Buffer[] = [];
  const add = (text: string) => pieces.push(Buffer.from(text, 'utf8'));
  add(around.head);
  items.forEach((item, index) => {
    if (index > 0) add(around.gaps?.[index - 1] ?? around.gap);
    pieces.push(item);
  });
  add(around.tail);
  return Buffer.concat(pieces);
}

/** Shortens part numbers to runs: 7, 8, 9 become `[7, 3]`. {@link partsOf} is the inverse. */
export function runsOf(parts: readonly number[]): PageRecipe['parts'] {
  const runs: [number, number][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === part) last[1] += 1;
    else runs.push([part, 1]);
  }
  return runs;
}

export function partsOf(runs: PageRecipe['parts']): number[] {
  return runs.flatMap(([first, count]) => Array.from({ length: count }, (_, index) => first + index));
}
