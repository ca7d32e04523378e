import type { ComponentChildren, VNode } from 'preact';

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
