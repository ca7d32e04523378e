import type { ComponentChildren, VNode } from 'preact';

/** A time or an amount beside words: read from left to right whatever the direction of the words. */
export function Apart({ children }: { readonly children: ComponentChildren }): VNode {
  return <bdi dir="ltr">{children}</bdi>;
}
