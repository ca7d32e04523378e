/** Refusals of files that can be read and yet not be used. `held` is what the ledger has from earlier files. */
import { ImportFileError, UsageError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { cleanText, quoted } from '../../base/text.ts';
import type { Applied, ReadFile } from '../../derive/imports.ts';
import { readDisagreeing } from '../../derive/receipts.ts';
import { linesSum } from '../../imports/formats/balance.ts';
import type { PriceInFile, RateInFile } from '../../imports/formats/prices.ts';
import { accountKey } from '../../imports/overlap.ts';
import { parseRate, type Rate, rateConflicts } from '../../imports/rates.ts';
import { type TariffLine, tariffFaults } from '../../imports/tariff.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readCourierNames } from '../../ledger/queries/couriers.ts';
import { readRateRows, readTariffRows } from '../../ledger/queries/imports.ts';
import { readStatements } from '../../ledger/queries/receipts/statements.ts';
import { type HeldReceipt, readCountedReceipts } from '../../ledger/write/receipts.ts';
import { formatGrouped, parseAmount } from '../../money/decimal.ts';
import { eachField, PRICE_FIGURES } from '../../money/fields.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { importingError, type LineHeldElsewhere, linesInEnglish } from '../../words/errors/importing.ts';

/**
 * Refuses a file that can be read but not used: a statement that does not add up, a rate card with two lines for the
 * same delivery, two rates of one day.
 *
 * @throws ImportFileError that names the lines or figures
 */
export async function refuseFile(
  trx: LedgerTransaction,
  name: string,
  read: ReadFile,
  { allowGap, couriers }: { allowGap: boolean; couriers: string[] },
): Promise<void> {
  const file = cleanText(name, 200);
  if (read.kind === 'receipts' && !allowGap) refuseGap(file, read.file.statements);
  if (read.kind === 'tariff') {
    refuseUnknownCouriers(file, read.file.rows, couriers);
    await refuseTariff(trx, file, read.file.rows);
  }
  if (read.kind === 'rates') await refuseRates(trx, file, read.file.rows);
}

/** Refuses a rate card that has two prices for one delivery, by itself or together with those in the ledger. */
async function refuseTariff(trx: LedgerTransaction, file: string, rows: readonly PriceInFile[]) {
  const keyOfName = await readCourierNames(trx);
  // A line in the ledger names its courier as it was called at its import.
  const keyOf = (name: string | null, importId?: number) => name && keyOfName(name, importId);
  const held = (await readTariffRows(trx)).map((row): TariffLine => {
    const { source, line, of_courier, merchant_location, from_day, to_day, ...prices } = row;
    return {
      ...prices,
      courier: keyOf(of_courier, row.evidence_id),
      from: from_day,
      to: to_day,
      place: placeOf(source, line),
      merchantLocation: merchant_location,
    };
  });
  // A line that the ledger has from another file already is no second price.
  const heldContents = new Set(held.map(contentOf));
  const added = rows
    .map((row) => tariffLine(file, { ...row, courier: keyOf(row.courier) }))
    .filter((line) => !heldContents.has(contentOf(line)));
  const [fault] = tariffFaults([...held, ...added]);
  if (fault) throw new ImportFileError(importingError({ id: 'of-file', file, fault: fault.explanation }), { file });
}

/** Refuses two rates of one day: both in the file, or one in the file and one in the ledger. */
async function refuseRates(trx: LedgerTransaction, file: string, rows: readonly RateInFile[]) {
  const held = (await readRateRows(trx)).map((row) =>
    rateOf(row.source, { ...row, from: row.from_currency, to: row.to_currency }),
  );
  const [conflict] = rateConflicts([...held, ...rows.map((row) => rateOf(file, row))]);
  if (conflict)
    throw new ImportFileError(importingError({ id: 'of-file', file, fault: conflict.explanation }), { file });
}

/**
 * Refuses a file that repeats some lines of its days in the ledger under new ids of the bank, but not all of them.
 *
 * @throws ImportFileError that lists the lines that only one of the files has
 */
export async function refuseDisagreeing(
  trx: LedgerTransaction,
  file: string,
  importId: number,
  { renamed = [] }: Applied,
): Promise<void> {
  // The file's lines are in the ledger by now: a refusal rolls them back.
  const lines = await readDisagreeing(trx, importId, renamed);
  if (lines.length === 0) return;
  const isAdded = (line: (typeof lines)[number]) => line.evidence_id === importId;
  const added = lines.filter(isAdded).map(receiptText);
  const lacking = lines.filter((line) => !isAdded(line)).map(receiptText);
  const what = { file: cleanText(file, 200), same: renamed.length, added, lacking };
  throw new ImportFileError(importingError({ id: 'ids-changed', ...what }), { file });
}

/** Refuses prices of a courier that the books do not have. */
function refuseUnknownCouriers(file: string, rows: readonly PriceInFile[], couriers: string[]) {
  const unknownRow = rows.find(({ courier }) => courier !== null && !couriers.includes(courier));
  if (!unknownRow) return;
  const { line, courier } = unknownRow;
  const fault = importingError({ id: 'tariff-of-no-courier', file, line, courier: courier!, couriers });
  throw new ImportFileError(fault, { file });
}

function refuseGap(file: string, statements: Receipts['statements']): void {
  const wrong = statements.find(({ balanced }) => balanced === false);
  if (!wrong) return;
  const { account, currency, opening, closing, lines } = wrong;
  const say = (text: string) => `${formatGrouped(parseAmount(text))} ${currency}`;
  const figures = { opening: say(opening!), sum: say(linesSum(lines)), closing: say(closing!) };
  const accountName = account === null ? null : cleanText(account, 60);
  const fault = importingError({ id: 'does-not-add-up', file, account: accountName, ...figures });
  throw new ImportFileError(fault, { file });
}

function placeOf(source: string, line: number): string {
  return `${cleanText(source, 100)}:${line}`;
}

function tariffLine(file: string, row: PriceInFile): TariffLine {
  const { line, merchant_location, fee, ...prices } = row;
  return {
    ...prices,
    place: placeOf(file, line),
    merchantLocation: merchant_location,
    fee: parseUnits(fee),
    ...eachField(PRICE_FIGURES, (figure) => (row[figure] === null ? null : parseUnits(row[figure]))),
  };
}

/** All of a line but its place. */
function contentOf(line: TariffLine): string {
  const { courier, workflow, district, area, merchantLocation, from, to, charge, currency, fee } = line;
  const figures = PRICE_FIGURES.map((figure) => line[figure]);
  return [courier, workflow, district, area, merchantLocation, from, to, charge, currency, fee, ...figures]
    .map(String)
    .join('\n');
}

function rateOf(source: string, { line, date, from, to, rate }: RateInFile): Rate {
  return { place: placeOf(source, line), date, from, to, rate: parseRate(rate) };
}

type Receipts = Extract<ReadFile, { kind: 'receipts' }>['file'];
type Line = Receipts['statements'][number]['lines'][number];

/** Whether a file of receipts has a line without an account: neither the line nor its statement names one. */
export function lacksAccount(read: ReadFile): boolean {
  return read.kind === 'receipts' && linesOf(read.file).some(({ account }) => account === null);
}

/** @throws UsageError if an account was given though every file names its own */
export function refuseNeedlessAccount(files: readonly { readonly read: ReadFile }[], account: string | null): void {
  if (account === null || files.some(({ read }) => lacksAccount(read))) return;
  throw new UsageError(importingError({ id: 'account-needless', account }));
}

/**
 * Refuses a file by which money of one account would count twice: a file without an account, if the ledger has
 * statements of a named account in its currency; and a file with an account, if the ledger has some of its lines
 * without an account.
 *
 * @param read the file with the account under which it is imported
 * @param isAccountGiven whether a person gave that account, because the file names none
 * @returns notes for that person: lines that the ledger has under another account
 * @throws ImportFileError that lists lines that are in the ledger already
 */
export async function checkAccounts(
  trx: LedgerTransaction,
  file: string,
  read: ReadFile,
  isAccountGiven: boolean,
): Promise<string[]> {
  if (read.kind !== 'receipts') return [];
  const held = await readCountedReceipts(trx);
  const lines = linesOf(read.file);
  const named = lines.filter(({ account }) => account !== null);
  const nameless = lines.filter(({ account }) => account === null);
  await refuseMissingAccount(trx, file, nameless, held);
  refuseHeldNameless(file, named, held);
  return isAccountGiven ? notesOfOtherAccounts(named, held) : [];
}

/** Refuses lines without an account, if the ledger has statements of a named account in their currency. */
async function refuseMissingAccount(
  trx: LedgerTransaction,
  file: string,
  nameless: readonly Line[],
  held: readonly HeldReceipt[],
) {
  const currencies = new Set(nameless.map(({ currency }) => currency));
  const heldStatements = (await readStatements(trx)).filter(
    ({ account, currency }) => account !== null && currencies.has(currency),
  );
  if (heldStatements.length === 0) return;
  const heldNamed = held.filter(({ account }) => account !== null);
  const fault = importingError({
    id: 'account-missing',
    file: cleanText(file, 200),
    accounts: [...new Set(heldStatements.map(({ account }) => account!))].sort(),
    currencies: [...new Set(heldStatements.map(({ currency }) => currency))].sort(),
    held: linesHeldTwice(nameless, heldNamed).map(heldLine),
    all: nameless.length,
  });
  throw new ImportFileError(fault, { file });
}

/** Refuses lines of an account, if the ledger has some of them without an account. */
function refuseHeldNameless(file: string, named: readonly Line[], held: readonly HeldReceipt[]): void {
  const heldNameless = held.filter(({ account }) => account === null);
  const twice = linesHeldTwice(named, heldNameless);
  const [first] = twice;
  if (!first) return;
  const fault = importingError({
    id: 'account-held-nameless',
    file: cleanText(file, 200),
    account: named[0]!.account!,
    held: twice.map(heldLine),
    all: named.length,
    undo: first.held.evidence_id,
  });
  throw new ImportFileError(fault, { file });
}

/** Notes lines that the ledger has under an account that the file does not have. */
function notesOfOtherAccounts(named: readonly Line[], held: readonly HeldReceipt[]): string[] {
  const fileAccounts = new Set(named.map(({ account }) => accountKey(account)));
  const heldElsewhere = held.filter(({ account }) => account !== null && !fileAccounts.has(accountKey(account)));
  const elsewhere = linesHeldTwice(named, heldElsewhere);
  if (elsewhere.length === 0) return [];
  return [`see that it is another account: ${linesInEnglish(elsewhere.map(heldLine), named.length)}`];
}

function linesOf({ statements }: Receipts): Line[] {
  return statements.flatMap(({ account, lines }) =>
    lines.map((line) => ({ ...line, account: line.account ?? account })),
  );
}

/**
 * Pairs lines of a file with lines in the ledger of the same day, amount and currency; each line in the ledger is in
 * one pair at most.
 */
function linesHeldTwice(lines: readonly Line[], heldLines: readonly HeldReceipt[]) {
  const keyOf = (date: string, amount: bigint, currency: string) => `${date} ${amount} ${currency}`;
  const unpaired = groupBy(heldLines, ({ date, amount, currency }) => keyOf(date, amount, currency));
  return lines.flatMap((line) => {
    const held = unpaired.get(keyOf(line.date, parseUnits(line.amount), line.currency))?.shift();
    return held === undefined ? [] : [{ line, held }];
  });
}

function heldLine({ line, held }: ReturnType<typeof linesHeldTwice>[number]): LineHeldElsewhere {
  const { date, amount, currency } = line;
  const { account, source, evidence_id } = held;
  return {
    line: line.line,
    date,
    amount: `${formatGrouped(parseAmount(amount))} ${currency}`,
    account,
    source,
    from: evidence_id,
  };
}

/** Words a receipt with its file and line: `line 3 of bank.csv: 2026-11-05, 1,200.00 USD, "TRANSFER"`. */
export function receiptText({ line, source, date, amount, currency, text }: HeldReceipt): string {
  const quotedText = text === '' ? '' : `, ${quoted(text)}`;
  return `line ${line} of ${cleanText(source, 100)}: ${date}, ${formatGrouped(parseAmount(formatUnits(amount)))} ${currency}${quotedText}`;
}
