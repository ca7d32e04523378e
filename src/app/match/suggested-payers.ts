import { counted } from '../../base/counted.ts';
import { quoted } from '../../base/text.ts';
import { invoiceOf, type MatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { type SuggestedPayer, suggestPayers } from '../../matching/index.ts';

/** More are not told: the first are the likeliest. */
const MOST_SUGGESTED = 3;

/** Who may be the courier, by lines of theirs that match invoices, and is none of `[receipts]`. */
export function suggestedPayers({ receipts, theirs, invoices, input }: MatchBooks): SuggestedPayer[] {
  const lines = [...receipts.values()].map((line) => ({ ...line, whose: theirs.get(line.id) ?? null }));
  return suggestPayers(lines, invoices.map(invoiceOf), input.options.matchDays).slice(0, MOST_SUGGESTED);
}

/** The question to a person. */
export function suggestionText({ name, lines }: SuggestedPayer): string {
  return `${counted(lines, 'line')} from ${quoted(name)} ${lines === 1 ? 'matches an invoice' : 'match invoices'}: is this the courier? If so, add to remit.toml: [receipts] payers = [${JSON.stringify(name)}]`;
}
