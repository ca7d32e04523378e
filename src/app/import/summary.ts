import { groupBy } from '../../base/group.ts';
import { type Applied, countEntries, type ReadFile } from '../../derive/imports.ts';
import { ordersOf, payoutHeaders } from '../../derive/settlements.ts';
import type { StatementOfAccount } from '../../imports/formats/receipts-file.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import type { HeldReceipt } from '../../ledger/write/receipts.ts';
import { type Gap, type GapTexts, gapTexts } from '../../matching/statement-chain.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../money/decimal.ts';
import { formatUnits } from '../../money/units.ts';
import type { Waiting } from '../approvals/propose.ts';

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

interface ReplacedReceipts {
  readonly lacking: readonly HeldReceipt[];
  readonly replaced: number;
  readonly gaps: readonly Gap[];
}

export function summaryOf(
  read: ReadFile,
  about: { readonly import: number | null; readonly file: string; readonly sha256: string },
  { new: added, changed, unchanged, usedAgain = [] }: Applied,
  correction: ReplacedReceipts,
): ImportSummary {
  const { file, sha256 } = about;
  return {
    import: about.import,
    kind: read.kind,
    format: read.file.format,
    file,
    sha256,
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
  { lacking, replaced, gaps, usedAgain }: ReplacedReceipts & Required<Pick<Applied, 'usedAgain'>>,
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
  const totals = new Map<
    string,
    Record<'invoices' | 'orders', number> & Record<'cod' | 'charge' | 'tax' | 'net', bigint>
  >();
  for (const settlement of settlements) {
    const orders = ordersOf(settlement.rows);
    for (const { currency, cod, deductions, net } of payoutHeaders(settlement, returns)) {
      const total = totals.get(currency) ?? { invoices: 0, orders: 0, cod: 0n, charge: 0n, tax: 0n, net: 0n };
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
    for (const amount of movements.map((line) => parseAmount(line.amount))) {
      if (amount.isNegative()) debits = debits.minus(amount);
      else credits = credits.plus(amount);
    }
    return { currency, count: movements.length, debits: formatAmount(debits), credits: formatAmount(credits) };
  });
}
