import { instantForPeople } from '../../instant.ts';
import { VERSION } from '../../version.ts';
import { escaped } from './escape.ts';

export interface PageOptions {
  readonly generatedAt: Date;
  /** The head of the ledger's chain of evidence, where the caller knows it: what the page can be checked against later. */
  readonly chainHead?: string | null | undefined;
}

/** Nothing is loaded from anywhere, and no script runs: the page may be mailed, printed and opened years later. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Everything before a page's own content. @param heading plain text @param style CSS */
export function pageHead(heading: string, style: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${escaped(heading)}</title>
<style>${style}
</style>
</head>
<body>
`;
}

/** Everything after it: when the page was made, by what, from which state of the ledger. */
export function pageEnd({ generatedAt, chainHead }: PageOptions): string {
  const iso = generatedAt.toISOString();
  const made = `Made by remit ${escaped(VERSION)} on <time datetime="${iso}">${instantForPeople(iso)}</time>`;
  const head = chainHead ? `; the ledger’s chain ends in <code>${escaped(chainHead)}</code>` : '';
  return `<footer>${made}${head}</footer>\n</body>\n</html>\n`;
}
