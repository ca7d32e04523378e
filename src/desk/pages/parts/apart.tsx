import type { ComponentChildren, VNode } from 'preact';

/** A time or an amount beside words: read from left to right, whatever stands about it. */
export function Apart({ children }: { readonly children: ComponentChildren }): VNode {
  return <bdi dir="ltr">{children}</bdi>;
}
