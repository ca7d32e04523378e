import type { VNode } from 'preact';
import type { Language } from '../words/index.ts';
import { PageHead } from './pages/parts/head.tsx';

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
