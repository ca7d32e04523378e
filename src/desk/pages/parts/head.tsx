import type { ComponentChildren, VNode } from 'preact';

interface HeadProps {
  readonly title: string;
  /** What only this page has, such as a script. */
  readonly children?: ComponentChildren;
}

/** The `<head>` of every page of the desk: title, icon and style. */
export function PageHead({ title, children }: HeadProps): VNode {
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
