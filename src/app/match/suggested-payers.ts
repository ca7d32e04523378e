import { counted } from '../../base/counted.ts';
import { ConfigError } from '../../base/errors.ts';
import { quoted } from '../../base/text.ts';
import { invoiceOf, type MatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { editSettings } from '../../config/edit.ts';
import type { Config } from '../../config/index.ts';
import { type SuggestedPayer, suggestPayers } from '../../matching/courier-lines.ts';
import { importingError } from '../../words/errors/importing.ts';

/** More are not shown: the first are the likeliest. */
const MOST_SUGGESTED = 3;

/** Payers that may be the courier: their bank lines match invoices, and no courier's settings name them. */
export function suggestedPayers(books: MatchBooks): SuggestedPayer[] {
  const { receipts, courierReceipts, elsewhere, invoices, input } = books;
  const lines = [...receipts.values()]
    .filter(({ id }) => !elsewhere.has(id))
    .map((line) => ({ ...line, whose: courierReceipts.get(line.id) ?? null }));
  return suggestPayers(lines, invoices.map(invoiceOf), input.options.matchDays).slice(0, MOST_SUGGESTED);
}

/** Asks a person whether a payer is the courier. @param courier its name; null if the books have only one */
export function suggestionText({ name, lines }: SuggestedPayer, courier: string | null): string {
  const [ofCourier, theCourier, table] =
    courier === null ? ['', 'the courier', 'receipts'] : [` of ${courier}`, courier, `couriers.${courier}`];
  return `${counted(lines, 'line')} from ${quoted(name)} ${lines === 1 ? `matches an invoice${ofCourier}` : `match invoices${ofCourier}`}: is this ${theCourier}? If so, add to remit.toml: [${table}] payers = [${JSON.stringify(name)}]`;
}

/**
 * Adds a payer to those of a courier in remit.toml.
 *
 * @param courier its name; empty if the books have only one
 * @throws ConfigError when remit.toml cannot be changed in place: its hint says what to write there
 */
export async function savePayer(
  { file, couriers, receipts }: Pick<Config, 'file' | 'couriers' | 'receipts'>,
  courier: string,
  payer: string,
): Promise<void> {
  const settings = Object.hasOwn(couriers, courier) ? couriers[courier] : undefined;
  const payers = [...new Set([...(settings?.receipts ?? receipts).payers, payer])];
  const path = settings ? ['couriers', courier, 'payers'] : ['receipts', 'payers'];
  if (file !== null && (await editSettings(file, [{ path, value: payers }]))) return;
  throw new ConfigError(importingError({ id: 'payers-in-place', table: path.slice(0, -1).join('.'), payers }));
}
