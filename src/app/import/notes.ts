import { counted } from '../../base/counted.ts';
import { readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { Config } from '../../config/index.ts';
import type { Applied, ReadFile } from '../../derive/imports.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readInvoiceNumbers } from '../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import { namingPayouts, whoseLine } from '../../matching/index.ts';
import { suggestedPayers, suggestionText } from '../match/suggested-payers.ts';

/** What you should know of an import: how the file was read, what was known already, and which receipts are the courier's. */
export async function notesOf(
  trx: LedgerTransaction,
  config: Pick<Config, 'receipts' | 'matchDays' | 'timeZone'>,
  importId: number,
  read: ReadFile,
  { known }: Applied,
): Promise<string[]> {
  const notes = [...read.file.notes];
  if (known) {
    const how = [
      known.id > 0 ? `${known.id} by the bank's id` : '',
      known.text > 0 ? `${known.text} by date, amount and text` : '',
      known.amount > 0 ? `${known.amount} by date and amount alone` : '',
    ].filter((part) => part !== '');
    if (how.length > 0) notes.push(`held already from other files: ${how.join(', ')}`);
    if (known.differing > 0) {
      notes.push(
        `${counted(known.differing, 'line')} with a known id of the bank's and another date or amount than before: the earlier one stays`,
      );
    }
  }
  if (read.kind === 'receipts') {
    notes.push(...(await whoseNotes(trx, config.receipts, importId)));
    notes.push(...suggestedPayers(await readMatchBooks(trx, config)).map(suggestionText));
  }
  return notes;
}

async function whoseNotes(trx: LedgerTransaction, rule: Config['receipts'], importId: number): Promise<string[]> {
  const lines = await readReceipts(trx, { importId });
  if (lines.length === 0) return [];
  const numbers = await readInvoiceNumbers(trx);
  const whose = whoseLine(rule, (number) => numbers.has(number));
  const naming = namingPayouts(await readNumberTexts(trx));
  const counts = { payer: 0, invoice: 0, account: 0, other: 0 };
  for (const line of lines) counts[whose(naming(line)) ?? 'other'] += 1;
  const why = [
    counts.payer > 0 ? `${counts.payer} by payer` : '',
    counts.invoice > 0 ? `${counts.invoice} by an invoice's number` : '',
    counts.account > 0 ? `${counts.account} by account` : '',
  ].filter((part) => part !== '');
  const theirs = counts.payer + counts.invoice + counts.account;
  const notes = [
    `the courier's: ${theirs} of ${counted(lines.length, 'new line')}${theirs > 0 ? ` (${why.join(', ')})` : ''}`,
  ];
  if (counts.other > 0) {
    const remedy = rule.payers.length === 0 ? '; [receipts] payers in remit.toml says who pays for the courier' : '';
    notes.push(
      `${counted(counts.other, 'line')} left alone: no payer, no invoice's number, no account of [receipts]${remedy}`,
    );
  }
  return notes;
}
