import { ImportFileError, UsageError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { cleanText, quoted } from '../../base/text.ts';
import type { ReadFile } from '../../derive/imports.ts';
import { accountKey } from '../../imports/overlap.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readStatements } from '../../ledger/queries/receipts/statements.ts';
import { type HeldReceipt, readHeldRows } from '../../ledger/write/receipts.ts';
import { parseAmount } from '../../money/decimal.ts';
import { formatGrouped } from '../../money/format.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { because, type HeldLine, linesInEnglish } from '../../words/errors/importing.ts';

type Receipts = Extract<ReadFile, { kind: 'receipts' }>['file'];
type Line = Receipts['statements'][number]['lines'][number];

export function lacksAccount(read: ReadFile): boolean {
  return read.kind === 'receipts' && linesOf(read.file).some(({ account }) => account === null);
}

/** @throws UsageError where an account is given and every file says its own */
export function refuseNeedlessAccount(reads: readonly ReadFile[], account: string | null): void {
  if (account === null || reads.some(lacksAccount)) return;
  throw new UsageError(because({ id: 'account-needless', account }));
}

/**
 * Refuses a file by which money of one account would count twice: one that does not say its account, while statements of a named
 * account in its currency are held; and one of a named account that holds lines which are held without an account.
 *
 * @param read the file as it is taken, with the account that was given for it
 * @param given the file itself does not say its account
 * @returns what a person should know: its lines that are held under another account
 * @throws ImportFileError that lists those lines
 */
export async function checkAccounts(
  trx: LedgerTransaction,
  { file: name, read, given }: { readonly file: string; readonly read: ReadFile; readonly given: boolean },
): Promise<string[]> {
  if (read.kind !== 'receipts') return [];
  const file = cleanText(name, 200);
  const held = await readHeldRows(trx);
  const lines = linesOf(read.file);
  const nameless = lines.filter(({ account }) => account === null);
  const currencies = new Set(nameless.map(({ currency }) => currency));
  const named = (await readStatements(trx)).filter((one) => one.account !== null && currencies.has(one.currency));
  if (named.length > 0) {
    const accounts = [...new Set(named.map(({ account }) => account!))].sort();
    const twice = standing(
      nameless,
      held.filter(({ account }) => account !== null),
    );
    throw new ImportFileError(
      because({
        id: 'account-missing',
        file,
        accounts,
        currencies: [...new Set(named.map(({ currency }) => currency))].sort(),
        held: twice.map(heldLine),
        all: nameless.length,
      }),
      { file: name },
    );
  }
  const known = lines.filter(({ account }) => account !== null);
  const twice = standing(
    known,
    held.filter(({ account }) => account === null),
  );
  if (twice.length > 0) {
    const imports = [...new Set(twice.map(({ held: { evidence_id } }) => evidence_id))];
    throw new ImportFileError(
      because({
        id: 'account-held-nameless',
        file,
        account: known[0]!.account!,
        held: twice.map(heldLine),
        all: known.length,
        undo: imports[0]!,
      }),
      { file: name },
    );
  }
  if (!given) return [];
  const key = (account: string | null) => accountKey(account);
  const others = new Set(known.map(({ account }) => key(account)));
  const elsewhere = standing(
    known,
    held.filter(({ account }) => account !== null && !others.has(key(account))),
  );
  if (elsewhere.length === 0) return [];
  return [`see that it is another account: ${linesInEnglish(elsewhere.map(heldLine), known.length)}`];
}

function linesOf({ statements }: Receipts): Line[] {
  return statements.flatMap(({ account, lines }) =>
    lines.map((line) => ({ ...line, account: line.account ?? account })),
  );
}

/** A line of a file, and a held one of the same day, amount and currency. */
interface Twice {
  readonly line: Line;
  readonly held: HeldReceipt;
}

/** The lines that are held already, each held one once. */
function standing(lines: readonly Line[], held: readonly HeldReceipt[]): Twice[] {
  const key = (date: string, amount: bigint, currency: string) => `${date} ${amount} ${currency}`;
  const free = groupBy(held, ({ date, amount, currency }) => key(date, amount, currency));
  return lines.flatMap((line) => {
    const one = free.get(key(line.date, parseUnits(line.amount), line.currency))?.shift();
    return one === undefined ? [] : [{ line, held: one }];
  });
}

function heldLine({ line, held }: Twice): HeldLine {
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

/** A held line that a file lacks, as people read it. */
export function lackingText({ line, source, date, amount, currency, text }: HeldReceipt): string {
  const said = text === '' ? '' : `, ${quoted(text)}`;
  return `line ${line} of ${cleanText(source, 100)}: ${date}, ${formatGrouped(parseAmount(formatUnits(amount)))} ${currency}${said}`;
}
