import { counted } from '../../base/counted.ts';
import { quoted } from '../../base/text.ts';
import { readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { CourierSign } from '../../checks/facts/receipts/whose-receipt.ts';
import type { Config } from '../../config/index.ts';
import type { Applied, ReadFile } from '../../derive/imports.ts';
import { type LedgerTransaction, ofCourier } from '../../ledger/index.ts';
import { readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import type { Gap } from '../../matching/statement-chain.ts';
import { parseAmount } from '../../money/decimal.ts';
import { formatGrouped } from '../../money/format.ts';
import { formatUnits } from '../../money/units.ts';
import { say } from '../../words/index.ts';
import { couriersOf } from '../couriers.ts';
import { suggestedPayers, suggestionText } from '../match/suggested-payers.ts';

type Settings = Pick<Config, 'receipts' | 'matchDays' | 'timeZone' | 'couriers' | 'hasSole' | 'sole'>;

/** What you should know of an import: how the file was read, what was known already, and which receipts are a courier's; `others` is how many are no courier's. */
export async function notesOf(
  trx: LedgerTransaction,
  config: Settings,
  importId: number,
  read: ReadFile,
  { known, usedAgain = [] }: Applied,
): Promise<{ readonly notes: readonly string[]; readonly others: number }> {
  const notes = [...read.file.notes];
  if (known) {
    const how = [
      known.id > 0 ? `${known.id} by the bank's id` : '',
      known.text > 0 ? `${known.text} by date, amount and text` : '',
      known.amount > 0 ? `${known.amount} by date and amount alone` : '',
    ].filter((part) => part !== '');
    if (how.length > 0) notes.push(`held already from other files: ${how.join(', ')}`);
  }
  if (usedAgain.length > 0) {
    const one = usedAgain.length === 1;
    notes.push(
      `${counted(usedAgain.length, 'line')} with an id that the bank gave to another movement before ${one ? 'is a new line' : 'are new lines'}:`,
      ...usedAgain.map((line) => `  ${lineText(line)}`),
    );
  }
  if (read.kind !== 'receipts') return { notes, others: 0 };
  const receipts = await receiptNotes(trx, config, importId);
  return { notes: [...notes, ...receipts.notes], others: receipts.others };
}

function lineText({ line, date, amount, currency, id }: NonNullable<Applied['usedAgain']>[number]): string {
  return `line ${line}: ${date}, ${formatGrouped(parseAmount(amount))} ${currency}, id ${quoted(id ?? '')}`;
}

/** What no file shows of an account, and what brings it. */
export function gapNote(gap: Gap): string {
  const amount = gap.amount === null ? null : formatUnits(gap.amount);
  return `${say({ id: 'payment-window-gap', ...gap, amount })}: import the file of those days`;
}

/** Whose the new lines are, and who else may be a courier. */
async function receiptNotes(trx: LedgerTransaction, config: Settings, importId: number) {
  const couriers = await couriersOf(trx, { ...config, courier: null });
  const lines = new Set((await readReceipts(trx, { importId })).map(({ id }) => id));
  const notes: string[] = [];
  const known = new Set<number>();
  const suggested: string[] = [];
  let hasPayers = false;
  for (const courier of couriers) {
    const name = couriers.length === 1 ? null : courier.name;
    const books = await readMatchBooks(ofCourier(trx, courier.key), courier.config);
    const theirs = [...books.courierReceipts].filter(([id]) => lines.has(id));
    if (lines.size > 0 && (name === null || theirs.length > 0)) notes.push(whoseNote(name, theirs, lines.size));
    for (const [id] of theirs) known.add(id);
    suggested.push(...suggestedPayers(books).map((one) => suggestionText(one, name)));
    hasPayers ||= courier.config.receipts.payers.length > 0;
  }
  const left = lines.size - known.size;
  if (left > 0) {
    const [accounts, where] =
      couriers.length === 1
        ? [' of [receipts]', '[receipts] payers in remit.toml says who pays for the courier']
        : [' of a courier', 'payers in [couriers.NAME] of remit.toml says who pays for a courier'];
    const remedy = hasPayers ? '' : `; ${where}`;
    notes.push(`${counted(left, 'line')} left alone: no payer, no invoice's number, no account${accounts}${remedy}`);
  }
  return { notes: [...notes, ...suggested], others: left };
}

function whoseNote(courier: string | null, theirs: readonly (readonly [number, CourierSign])[], lines: number): string {
  const count = (of: CourierSign) => theirs.filter(([, why]) => why === of).length;
  const why = [
    count('payer') > 0 ? `${count('payer')} by payer` : '',
    count('invoice') > 0 ? `${count('invoice')} by an invoice's number` : '',
    count('account') > 0 ? `${count('account')} by account` : '',
  ].filter((part) => part !== '');
  const whose = courier === null ? "the courier's" : `of ${courier}`;
  return `${whose}: ${theirs.length} of ${counted(lines, 'new line')}${theirs.length > 0 ? ` (${why.join(', ')})` : ''}`;
}
