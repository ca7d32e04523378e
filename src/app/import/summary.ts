import { counted } from '../../base/counted.ts';
import { groupBy } from '../../base/group.ts';
import { quoted } from '../../base/text.ts';
import { readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import type { CourierSign } from '../../checks/facts/receipts/whose-receipt.ts';
import type { Config } from '../../config/index.ts';
import { type Applied, countEntries, type ReadFile } from '../../derive/imports.ts';
import { ordersOf, payoutHeaders } from '../../derive/settlements.ts';
import type { StatementOfAccount } from '../../imports/formats/receipts-file.ts';
import { type ImportedKind, type LedgerTransaction, ofCourier } from '../../ledger/index.ts';
import { readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import type { HeldReceipt } from '../../ledger/write/receipts.ts';
import { type Gap, type GapTexts, gapTexts } from '../../matching/statement-chain.ts';
import { ExactDecimal, formatAmount, formatGrouped, parseAmount } from '../../money/decimal.ts';
import { formatUnits } from '../../money/units.ts';
import { say } from '../../words/index.ts';
import type { Waiting } from '../approvals/propose.ts';
import { couriersOf } from '../couriers.ts';
import { suggestedPayers, suggestionText } from '../match/suggested-payers.ts';

/** The result of an import, as `import --json` prints it. */
export interface ImportSummary {
  /** The import's id; null where nothing was written (`--dry-run`), or it waits for a second person. */
  readonly import: number | null;
  /** Present where it pays nothing until a second person has approved it, under this id. */
  readonly waiting?: true;
  readonly id?: number;
  readonly kind: ImportedKind;
  readonly format: string;
  readonly file: string;
  readonly sha256: string;
  readonly rows: number;
  /** Rows that are new, changed, or the same as before. */
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
  /** The sums of the whole file, by currency. */
  readonly totals: readonly (CountedMovements | CountedCod | SettledTotals)[];
  readonly statements: readonly Omit<StatementOfAccount, 'lines'>[];
  /** Only for receipts: the only account that the file names, be it on some lines; null for none, or several. */
  readonly account?: string | null;
  /** Only for receipts: how many lines in the ledger no longer count because of the file (`--replace`). */
  readonly replaced?: number;
  /** Only for receipts: lines in the ledger of the file's days and accounts that the file lacks. */
  readonly held_not_in_file?: readonly HeldNotInFile[];
  /** Only for receipts: lines that are new though the bank gave their id to another movement before. */
  readonly ids_used_again?: readonly (HeldNotInFile & { readonly id: string })[];
  /**
   * Only for receipts: gaps in the file's accounts, between the closing of one statement and the opening of the next.
   */
  readonly gaps?: readonly GapTexts[];
}

interface HeldNotInFile {
  /** Its number in the file that brought it. */
  readonly line: number;
  readonly date: string;
  readonly amount: string;
  readonly currency: string;
}

interface CountedMovements {
  readonly currency: string;
  readonly count: number;
  readonly debits: string;
  readonly credits: string;
}

interface CountedCod {
  readonly currency: string;
  readonly count: number;
  /** The sum, less refunds. */
  readonly cod: string;
}

/** The sums of the payouts' headers in a settlement sheet, stated or computed. */
interface SettledTotals {
  readonly currency: string;
  readonly invoices: number;
  readonly orders: number;
  readonly cod: string;
  readonly charges: string;
  readonly taxes: string;
  readonly net_due_to_merchant: string;
}

/** The summary of an import, with notes for people. */
export interface Imported {
  readonly summary: ImportSummary;
  /** Whether the same file was imported before: then nothing was done. */
  readonly isKnown: boolean;
  /** How many of its new receipts belong to no courier. */
  readonly others?: number;
  /** How the file was read and imported, as far as a person should know. */
  readonly notes: readonly string[];
  /** Absent where it waits for nobody. */
  readonly waiting?: Waiting;
}

/** What a file of receipts corrects. */
export interface Correction {
  /** Receipts in the ledger of the file's days and accounts that the file lacks. */
  readonly lacking: readonly HeldReceipt[];
  /** How many receipts in the ledger no longer count because of the file. */
  readonly replaced: number;
  /** What no file shows of the file's accounts. */
  readonly gaps: readonly Gap[];
}

export function summaryOf(
  read: ReadFile,
  about: Pick<ImportSummary, 'import' | 'file' | 'sha256'>,
  { new: added, changed, unchanged, usedAgain = [] }: Applied,
  correction: Correction,
): ImportSummary {
  return {
    import: about.import,
    kind: read.kind,
    format: read.file.format,
    file: about.file,
    sha256: about.sha256,
    rows: countEntries(read),
    new: added,
    changed,
    unchanged,
    skipped: read.file.skipped.map(({ line, why }) => ({ line, why })),
    totals: totalsOf(read),
    statements: read.kind === 'receipts' ? read.file.statements.map(({ lines: _, ...statement }) => statement) : [],
    ...(read.kind === 'receipts' ? accountSummary(read.file, { ...correction, usedAgain }) : {}),
  };
}

function accountSummary(
  { statements }: Extract<ReadFile, { kind: 'receipts' }>['file'],
  { lacking, replaced, gaps, usedAgain }: Correction & Required<Pick<Applied, 'usedAgain'>>,
) {
  const accounts = statements.flatMap(({ account, lines }) => [account, ...lines.map((line) => line.account)]);
  const [only = null, ...others] = new Set(accounts.filter((account) => account !== null));
  return {
    account: others.length === 0 ? only : null,
    replaced,
    held_not_in_file: lacking.map(({ line, date, amount, currency }) => {
      return { line, date, amount: formatUnits(amount), currency };
    }),
    ids_used_again: usedAgain.map(({ line, date, amount, currency, id }) => {
      return { line, date, amount, currency, id: id! };
    }),
    gaps: gaps.map(gapTexts),
  };
}

/** The sums of a whole file, by currency; none of a rate card or exchange rates. */
export function totalsOf(read: ReadFile): ImportSummary['totals'] {
  if (read.kind === 'orders') {
    const amounts = read.file.orders.flatMap((order) => order.amounts);
    const movements = movementsOf(amounts.map(({ currency, cod }) => ({ currency, amount: cod })));
    return movements.map(({ currency, count, credits, debits }) => {
      return { currency, count, cod: formatAmount(parseAmount(credits).minus(parseAmount(debits))) };
    });
  }
  if (read.kind === 'settlement') return settledTotals(read.file);
  return read.kind === 'receipts' ? movementsOf(read.file.statements.flatMap(({ lines }) => lines)) : [];
}

/** Sums the headers of a sheet's payouts, by currency. */
function settledTotals({ settlements, returns }: Extract<ReadFile, { kind: 'settlement' }>['file']): SettledTotals[] {
  const nothing = { invoices: 0, orders: 0, cod: 0n, charge: 0n, tax: 0n, net: 0n };
  const totals = new Map<string, typeof nothing>();
  for (const settlement of settlements) {
    const orders = ordersOf(settlement.rows);
    for (const { currency, cod, deductions, net } of payoutHeaders(settlement, returns)) {
      const total = totals.get(currency) ?? { ...nothing };
      totals.set(currency, total);
      total.invoices += 1;
      total.orders += orders.filter(({ amounts }) => amounts.some((one) => one.currency === currency)).length;
      total.cod += cod;
      for (const { kind, units } of deductions) total[kind] += units;
      total.net += net;
    }
  }
  return [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { invoices, orders, cod, charge, tax, net }]) => ({
      currency,
      invoices,
      orders,
      cod: formatUnits(cod),
      charges: formatUnits(charge),
      taxes: formatUnits(tax),
      net_due_to_merchant: formatUnits(net),
    }));
}

/** Counts, debits and credits by currency. Debits have no sign. */
function movementsOf(lines: readonly { readonly currency: string; readonly amount: string }[]): CountedMovements[] {
  const byCurrency = [...groupBy(lines, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCurrency.map(([currency, movements]) => {
    let debits = new ExactDecimal(0);
    let credits = new ExactDecimal(0);
    for (const line of movements) {
      const amount = parseAmount(line.amount);
      if (amount.isNegative()) debits = debits.minus(amount);
      else credits = credits.plus(amount);
    }
    return { currency, count: movements.length, debits: formatAmount(debits), credits: formatAmount(credits) };
  });
}

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
) {
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
  // All couriers, whichever one the command names: their rules say whose the new lines are.
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
