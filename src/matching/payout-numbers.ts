import { plainText } from '../imports/plain-text.ts';
import { holdsWords } from './courier-lines.ts';

/** What of a line may name a payout. */
interface NamingLine {
  readonly text: string;
  readonly reference: string | null;
  readonly invoice: string | null;
}

/**
 * Makes a function that adds to a line's reference, as invoices, the payouts that it names by a number which is no integer: the rules
 * know invoices by their integers alone.
 *
 * @param texts the payouts' own numbers, by the integer that stands for each
 */
export function namingPayouts(texts: ReadonlyMap<number, string>): <L extends NamingLine>(line: L) => L {
  if (texts.size === 0) return (line) => line;
  const payouts = [...texts].map(([number, text]) => ({ number, words: plainText(text) }));
  return (line) => {
    const said = plainText(`${line.text} ${line.reference ?? ''} ${line.invoice ?? ''}`);
    const named = payouts.filter(({ words }) => holdsWords(said, words)).map(({ number }) => `#${number}`);
    return named.length === 0 ? line : { ...line, reference: [line.reference ?? '', ...named].join(' ').trim() };
  };
}
