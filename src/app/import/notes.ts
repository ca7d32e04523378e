import { counted } from '../../base/counted.ts';
import { quoted } from '../../base/text.ts';
import { readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { CourierSign } from '../../checks/facts/receipts/whose-receipt.ts';
import type { Config } from '../../config/index.ts';
import type { Applied, ReadFile } from '../../derive/imports.ts';
import { type LedgerTransaction, ofCourier } from '../../ledger/index.ts';
import { readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import { type Gap, gapTexts } from '../../matching/statement-chain.ts';
import { formatGrouped, parseAmount } from '../../money/decimal.ts';
import { say } from '../../words/index.ts';
import { couriersOf } from '../couriers.ts';
import { suggestedPayers, suggestionText } from '../match/suggested-payers.ts';

type Settings = Pick<Config, 'receipts' | 'matchDays' | 'timeZone' | 'couriers' | 'hasSole' | 'sole'>;

/**
 * Notes about an import: how the file was read, what the ledger had already, whose the receipts are. `others`: how many
 * are nobody's.
 */
export async function notesOf(
  trx: LedgerTransaction,
  config: Settings,
  importId: number,
  read: ReadFile,
  { known, usedAgain = [] }: Applied,
): Promise<{ readonly notes: readonly string[]; readonly others: number }> {
  const notes = [...read.file.notes];
  if (known) {
    const heldBy = countsBy([
      [known.id, "the bank's id"],
      [known.text, 'date, amount and text'],
      [known.amount, 'date and amount alone'],
    ]);
    if (heldBy !== '') notes.push(`held already from other files: ${heldBy}`);
  }
  if (usedAgain.length > 0) {
    const isOne = usedAgain.length === 1;
    notes.push(
      `${counted(usedAgain.length, 'line')} with an id that the bank gave to another movement before ${isOne ? 'is a new line' : 'are new lines'}:`,
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

/** Says what no file shows of an account, and which file to import. */
export function gapNote(gap: Gap): string {
  return `${say({ id: 'payment-window-gap', ...gapTexts(gap) })}: import the file of those days`;
}

/** Notes which courier the new lines are of, and which payers may be a courier too. */
async function receiptNotes(trx: LedgerTransaction, config: Settings, importId: number) {
  const couriers = await couriersOf(trx, { ...config, courier: null });
  const lines = new Set((await readReceipts(trx, { importId })).map(({ id }) => id));
  const notes: string[] = [];
  const ofCouriers = new Set<number>();
  const suggested: string[] = [];
  let hasPayers = false;
  for (const courier of couriers) {
    const name = couriers.length === 1 ? null : courier.name;
    const books = await readMatchBooks(ofCourier(trx, courier.key), courier.config);
    const signs = [...books.courierReceipts].filter(([id]) => lines.has(id));
    if (lines.size > 0 && (name === null || signs.length > 0)) notes.push(whoseNote(name, signs, lines.size));
    for (const [id] of signs) ofCouriers.add(id);
    suggested.push(...suggestedPayers(books).map((payer) => suggestionText(payer, name)));
    hasPayers ||= courier.config.receipts.payers.length > 0;
  }
  const othersCount = lines.size - ofCouriers.size;
  if (othersCount > 0) {
    const [accounts, where] =
      couriers.length === 1
        ? [' of [receipts]', '[receipts] payers in remit.toml says who pays for the courier']
        : [' of a courier', 'payers in [couriers.NAME] of remit.toml says who pays for a courier'];
    const remedy = hasPayers ? '' : `; ${where}`;
    notes.push(
      `${counted(othersCount, 'line')} left alone: no payer, no invoice's number, no account${accounts}${remedy}`,
    );
  }
  return { notes: [...notes, ...suggested], others: othersCount };
}

function whoseNote(courier: string | null, signs: readonly (readonly [number, CourierSign])[], lines: number): string {
  const count = (of: CourierSign) => signs.filter(([, sign]) => sign === of).length;
  const counts = countsBy([
    [count('payer'), 'payer'],
    [count('invoice'), "an invoice's number"],
    [count('account'), 'account'],
  ]);
  const whose = courier === null ? "the courier's" : `of ${courier}`;
  return `${whose}: ${signs.length} of ${counted(lines, 'new line')}${counts === '' ? '' : ` (${counts})`}`;
}

/** `2 by payer, 1 by account`, without those that are zero. */
function countsBy(counts: readonly (readonly [count: number, by: string])[]): string {
  return counts.flatMap(([count, by]) => (count > 0 ? [`${count} by ${by}`] : [])).join(', ');
}
