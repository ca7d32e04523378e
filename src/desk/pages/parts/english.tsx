import type { VNode } from 'preact';

/** What the books keep in English whatever the page's language, such as what a check said at the time: marked as such for those who listen. */
export function English({ children }: { readonly children: string }): VNode {
  return (
    <bdi lang="en" dir="ltr">
      {children}
    </bdi>
  );
}
