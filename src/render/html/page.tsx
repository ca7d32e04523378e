import type { ComponentChildren, VNode } from 'preact';
import { instantForPeople } from '../../base/instant.ts';
import { VERSION } from '../../base/version.ts';
import { htmlOf } from './stream.tsx';

export interface PageOptions {
  /** The CSV file beside the page. A page that shows only the first rows links to it; without one, to the command. */
  readonly csvBeside?: string | undefined;
  readonly onCut?: (() => void) | undefined;
  readonly generatedAt: Date;
  /** The head of the ledger's chain of evidence, so that the page can be checked against the ledger later. */
  readonly chainHead?: string | null | undefined;
}

/** Nothing is loaded from anywhere, and no script runs: a page may be mailed, printed and opened years later. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
/** {@link POLICY} for a page with a picture inside it, as a `data:` address. */
export const POLICY_WITH_PICTURE = `${POLICY}; img-src data:`;

interface DocumentProps {
  readonly title: string;
  readonly language?: { readonly code: string; readonly isRightToLeft: boolean };
  /** The page's CSS, in which text from outside stands in quotes only. */
  readonly css: string;
  readonly policy?: string;
  /** Absent for a page that is made for print: it is black on white on a screen too. */
  readonly isDarkAtNight?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of a page that is one file: it loads nothing. */
export function DocumentPage({ title, language, css, policy, isDarkAtNight, children }: DocumentProps): VNode {
  return (
    <html lang={language?.code ?? 'en'} dir={language?.isRightToLeft ? 'rtl' : 'ltr'}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {isDarkAtNight && <meta name="color-scheme" content="light dark" />}
        <meta http-equiv="Content-Security-Policy" content={policy ?? POLICY} />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        {/* In a style element, quotes must not be escaped. */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

/** When a page was made, by which version of remit, and from which state of the ledger. */
export function MadeBy({ generatedAt, chainHead }: PageOptions): VNode {
  const iso = generatedAt.toISOString();
  return (
    <footer>
      Made by remit {VERSION} on <time dateTime={iso}>{instantForPeople(iso)}</time>
      {chainHead && (
        <>
          ; the ledger’s chain ends in <code>{chainHead}</code>
        </>
      )}
    </footer>
  );
}

export function documentOf(page: VNode): string {
  return `<!DOCTYPE html>\n${htmlOf(page)}\n`;
}
