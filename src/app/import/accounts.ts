import { ImportFileError, UsageError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { cleanText, quoted } from '../../base/text.ts';
import type { ReadFile } from '../../derive/imports.ts';
import { accountKey } from '../../imports/overlap.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readStatements } from '../../ledger/queries/receipts/statements.ts';
import { type HeldReceipt, readCountedReceipts } from '../../ledger/write/receipts.ts';
import { formatGrouped, parseAmount } from '../../money/decimal.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { because, type LineHeldElsewhere, linesInEnglish } from '../../words/errors/importing.ts';

type Receipts = Extract<ReadFile, { kind: 'receipts' }>['file'];
type Line = Receipts['statements'][number]['lines'][number];

/** Whether a file of receipts has a line without an account: neither the line nor its statement names one. */
export function lacksAccount(read: ReadFile): boolean {
  return read.kind === 'receipts' && linesOf(read.file).some(({ account }) => account === null);
}

/** @throws UsageError if an account was given though every file names its own */
export function refuseNeedlessAccount(reads: readonly ReadFile[], account: string | null): void {
  if (account === null || reads.some(lacksAccount)) return;
  throw new UsageError(because({ id: 'account-needless', account }));
}

/**
 * Refuses a file by which money of one account would count twice: a file without an account, if the ledger has
 * statements of a named account in its currency; and a file with an account, if the ledger has some of its lines
 * without an account.
 *
 * @param read the file with the account under which it is imported
 * @param given whether a person gave that account, because the file names none
 * @returns notes for that person: lines that the ledger has under another account
 * @throws ImportFileError that lists lines that are in the ledger already
 */
export async function checkAccounts(
  trx: LedgerTransaction,
  { file, read, given }: { readonly file: string; readonly read: ReadFile; readonly given: boolean },
): Promise<string[]> {
  if (read.kind !== 'receipts') return [];
  const heldLines = await readCountedReceipts(trx);
  const lines = linesOf(read.file);
  await refuseMissingAccount(trx, file, { lines, heldLines });
  refuseHeldNameless(file, { lines, heldLines });
  return given ? notesOfOtherAccounts({ lines, heldLines }) : [];
}

interface Compared {
  /** The lines of the file. */
  readonly lines: readonly Line[];
  /** The lines in the ledger. */
  readonly heldLines: readonly HeldReceipt[];
}

/** Refuses lines without an account, if the ledger has statements of a named account in their currency. */
async function refuseMissingAccount(trx: LedgerTransaction, name: string, { lines, heldLines }: Compared) {
  const nameless = lines.filter(({ account }) => account === null);
  const currencies = new Set(nameless.map(({ currency }) => currency));
  const heldStatements = (await readStatements(trx)).filter(
    ({ account, currency }) => account !== null && currencies.has(currency),
  );
  if (heldStatements.length === 0) return;
  const heldNamed = heldLines.filter(({ account }) => account !== null);
  throw new ImportFileError(
    because({
      id: 'account-missing',
      file: cleanText(name, 200),
      accounts: [...new Set(heldStatements.map(({ account }) => account!))].sort(),
      currencies: [...new Set(heldStatements.map(({ currency }) => currency))].sort(),
      held: linesHeldTwice(nameless, heldNamed).map(heldLine),
      all: nameless.length,
    }),
    { file: name },
  );
}

/** Refuses lines of an account that the ledger has without an account. */
function refuseHeldNameless(name: string, { lines, heldLines }: Compared): void {
  const named = lines.filter(({ account }) => account !== null);
  const heldNameless = heldLines.filter(({ account }) => account === null);
  const twice = linesHeldTwice(named, heldNameless);
  const [first] = twice;
  if (!first) return;
  throw new ImportFileError(
    because({
      id: 'account-held-nameless',
      file: cleanText(name, 200),
      account: named[0]!.account!,
      held: twice.map(heldLine),
      all: named.length,
      undo: first.held.evidence_id,
    }),
    { file: name },
  );
}

/** Notes lines that the ledger has under an account that the file does not have. */
function notesOfOtherAccounts({ lines, heldLines }: Compared): string[] {
  const named = lines.filter(({ account }) => account !== null);
  const fileAccounts = new Set(named.map(({ account }) => accountKey(account)));
  const heldElsewhere = heldLines.filter(({ account }) => account !== null && !fileAccounts.has(accountKey(account)));
  const elsewhere = linesHeldTwice(named, heldElsewhere);
  if (elsewhere.length === 0) return [];
  return [`see that it is another account: ${linesInEnglish(elsewhere.map(heldLine), named.length)}`];
}

function linesOf({ statements }: Receipts): Line[] {
  return statements.flatMap(({ account, lines }) =>
    lines.map((line) => ({ ...line, account: line.account ?? account })),
  );
}

/** A line of a file, and a line in the ledger of the same day, amount and currency. */
interface HeldTwice {
  readonly line: Line;
  readonly held: HeldReceipt;
}

/** Pairs lines of a file with lines in the ledger; each line in the ledger is in one pair at most. */
function linesHeldTwice(lines: readonly Line[], heldLines: readonly HeldReceipt[]): HeldTwice[] {
  const keyOf = (date: string, amount: bigint, currency: string) => `${date} ${amount} ${currency}`;
  const unpaired = groupBy(heldLines, ({ date, amount, currency }) => keyOf(date, amount, currency));
  return lines.flatMap((line) => {
    const held = unpaired.get(keyOf(line.date, parseUnits(line.amount), line.currency))?.shift();
    return held === undefined ? [] : [{ line, held }];
  });
}

function heldLine({ line, held }: HeldTwice): LineHeldElsewhere {
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

/** Words a line that is in the ledger and not in a file: `line 3 of bank.csv: 2026-11-05, 1,200.00 USD, "TRANSFER"`. */
export function lackingText({ line, source, date, amount, currency, text }: HeldReceipt): string {
  const quotedText = text === '' ? '' : `, ${quoted(text)}`;
  return `line ${line} of ${cleanText(source, 100)}: ${date}, ${formatGrouped(parseAmount(formatUnits(amount)))} ${currency}${quotedText}`;
}
