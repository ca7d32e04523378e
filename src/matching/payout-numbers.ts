import { plainText } from '../imports/plain-text.ts';
import { holdsWords } from './courier-lines.ts';

/** The texts of a line that may name a payout. */
interface NamingLine {
  readonly text: string;
  readonly reference: string | null;
  readonly invoice: string | null;
}

/**
 * Makes a function that adds the integers of the payouts that a line names to its reference: a line with `ES-902` in
 * its text gets the reference `#900000001`. The rules find invoices by integers alone.
 *
 * @param texts the payouts' numbers (`ES-902`) by the integer that stands for each
 */
export function namingPayouts(texts: ReadonlyMap<number, string>): <L extends NamingLine>(line: L) => L {
  if (texts.size === 0) return (line) => line;
  const payouts = [...texts].map(([number, text]) => ({ number, words: plainText(text) }));
  return (line) => {
    const lineText = plainText(`${line.text} ${line.reference ?? ''} ${line.invoice ?? ''}`);
    const numbers = payouts.filter(({ words }) => holdsWords(lineText, words)).map(({ number }) => `#${number}`);
    return numbers.length === 0 ? line : { ...line, reference: [line.reference ?? '', ...numbers].join(' ').trim() };
  };
}
