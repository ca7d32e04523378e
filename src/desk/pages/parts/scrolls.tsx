import type { ComponentChildren, VNode } from 'preact';

/** A table with more columns has smaller letters. */
const MOST_WIDE_COLUMNS = 8;
/** A table with more columns is no table on a tablet either: its rows are cards. */
const MOST_NARROW_COLUMNS = 5;

/** A box around what may be wider than the window. It scrolls on its own, by keyboard too. */
export function Scrolls({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no field set, and a page with many of them needs no landmarks.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <div class="rows" role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}

/** The class of a table with so many columns. On a telephone its rows are cards, so each cell needs `data-label`. */
export function tableClass(columns: number): string {
  if (columns > MOST_WIDE_COLUMNS) return 'list broad dense';
  return columns > MOST_NARROW_COLUMNS ? 'list broad' : 'list';
}
