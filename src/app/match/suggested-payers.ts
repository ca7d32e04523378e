import { counted } from '../../base/counted.ts';
import { ConfigError } from '../../base/errors.ts';
import { quoted } from '../../base/text.ts';
import { invoiceOf, type MatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { editSettings } from '../../config/edit.ts';
import type { Config } from '../../config/index.ts';
import { type SuggestedPayer, suggestPayers } from '../../matching/suggested-payers.ts';
import { because } from '../../words/errors/importing.ts';

/** More are not shown: the first are the likeliest. */
const MOST_SUGGESTED = 3;

/** Who may be the courier, by lines of theirs that match invoices, and is none of `[receipts]`, nor another courier's payer. */
export function suggestedPayers(books: MatchBooks): SuggestedPayer[] {
  const { receipts, courierReceipts, elsewhere, invoices, input } = books;
  const lines = [...receipts.values()]
    .filter(({ id }) => !elsewhere.has(id))
    .map((line) => ({ ...line, whose: courierReceipts.get(line.id) ?? null }));
  return suggestPayers(lines, invoices.map(invoiceOf), input.options.matchDays).slice(0, MOST_SUGGESTED);
}

/** The question to a person. @param courier its name, where the books have several */
export function suggestionText({ name, lines }: SuggestedPayer, courier: string | null): string {
  const [whose, which, table] =
    courier === null ? ['', 'the courier', 'receipts'] : [` of ${courier}`, courier, `couriers.${courier}`];
  return `${counted(lines, 'line')} from ${quoted(name)} ${lines === 1 ? `matches an invoice${whose}` : `match invoices${whose}`}: is this ${which}? If so, add to remit.toml: [${table}] payers = [${JSON.stringify(name)}]`;
}

/**
 * Adds a payer to a courier's in remit.toml.
 *
 * @param courier its name; empty where the books have one
 * @throws ConfigError where remit.toml cannot be changed in place: with what to put there
 */
export async function savePayer(
  { file, couriers, receipts }: Pick<Config, 'file' | 'couriers' | 'receipts'>,
  courier: string,
  payer: string,
): Promise<void> {
  const own = Object.hasOwn(couriers, courier) ? couriers[courier] : undefined;
  const payers = [...new Set([...(own?.receipts ?? receipts).payers, payer])];
  const path = own ? ['couriers', courier, 'payers'] : ['receipts', 'payers'];
  if (file !== null && (await editSettings(file, [{ path, value: payers }]))) return;
  throw new ConfigError(because({ id: 'payers-in-place', table: path.slice(0, -1).join('.'), payers }));
}
