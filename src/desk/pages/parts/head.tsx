import type { ComponentChildren, VNode } from 'preact';
import type { Language } from '../../../words/index.ts';

interface HeadProps {
  readonly title: string;
  /** What only this page has, such as a script. */
  readonly children?: ComponentChildren;
}

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

interface PlainProps {
  readonly language: Language;
  readonly title: string;
  /** The address to which the browser goes on at once. */
  readonly goOn?: string;
  readonly text: string;
}

/** A page of text alone, without menu and search: for whoever is not let in, or not yet. */
export function PlainPage({ language, title, goOn, text }: PlainProps): VNode {
  return (
    <html lang={language.code} dir={language.isRightToLeft ? 'rtl' : 'ltr'}>
      <PageHead title={title}>{goOn && <meta http-equiv="refresh" content={`0; url=${goOn}`} />}</PageHead>
      <body>
        <main>
          <h1>{title}</h1>
          <pre dir="auto">{text}</pre>
          {goOn && <a href={goOn}>{goOn}</a>}
        </main>
      </body>
    </html>
  );
}
