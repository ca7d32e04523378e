import type { ComponentChildren, VNode } from 'preact';

interface HeadProps {
  readonly title: string;
  /** What this page has besides, such as a script. */
  readonly children?: ComponentChildren;
}

/** What every page of the desk begins with: its title, its icon and its style. */
export function Head({ title, children }: HeadProps): VNode {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · remit`}</title>
      <link rel="icon" href="/desk.svg" />
      <link rel="stylesheet" href="/desk.css" />
      {children}
    </head>
  );
}
