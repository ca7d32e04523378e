import type { Applied, ReadFile } from '../../derive/import-file.ts';
import { rowsOf } from '../../derive/import-file.ts';
import type { ImportedKind } from '../../ledger/index.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../money/index.ts';

/** What an import brought, as `import --json` prints it. */
export interface ImportSummary {
  /** Null where nothing was written (`--dry-run`). */
  readonly import: number | null;
  readonly kind: ImportedKind;
  readonly format: string;
  readonly file: string;
  readonly sha256: string;
  readonly rows: number;
  /** Rows that were not held before, that say otherwise than before, and that say the same. */
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
  /** Of the whole file, by currency. */
  readonly totals: readonly (CountedDebits | CountedCod)[];
  readonly statements: readonly StatementSummary[];
}

interface CountedDebits {
  readonly currency: string;
  readonly count: number;
  readonly debits: string;
  readonly credits: string;
}

interface CountedCod {
  readonly currency: string;
  readonly count: number;
  readonly cod: string;
}

interface StatementSummary {
  readonly account: string | null;
  readonly currency: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly balanced: boolean | null;
}

/** An import as it ended, with what only people are told. */
export interface Imported {
  readonly summary: ImportSummary;
  /** The file was imported before, as it is: nothing was done. */
  readonly isKnown: boolean;
  /** What a person should know of how the file was read and what became of it. */
  readonly notes: readonly string[];
}

/** Puts together what an import brought. */
export function summaryOf(
  read: ReadFile,
  about: { readonly import: number | null; readonly file: string; readonly sha256: string },
  { new: added, changed, unchanged }: Applied,
): ImportSummary {
  const { file, sha256 } = about;
  return {
    import: about.import,
    kind: read.kind,
    format: read.file.format,
    file,
    sha256,
    rows: rowsOf(read),
    new: added,
    changed,
    unchanged,
    skipped: read.file.skipped.map(({ line, why }) => ({ line, why })),
    totals: totalsOf(read),
    statements: read.kind === 'receipts' ? read.file.statements.map(({ lines: _, ...statement }) => statement) : [],
  };
}

function totalsOf(read: ReadFile): ImportSummary['totals'] {
  if (read.kind === 'orders') {
    const cod = new Sums();
    for (const { amounts } of read.file.orders)
      for (const { currency, cod: amount } of amounts) cod.add(currency, amount);
    return cod.list().map(({ currency, count, credits }) => ({ currency, count, cod: credits }));
  }
  if (read.kind !== 'receipts') return [];
  const sums = new Sums();
  for (const { lines } of read.file.statements) for (const { currency, amount } of lines) sums.add(currency, amount);
  return sums.list();
}

/** Counts, debits and credits by currency. Debits are told without their sign. */
class Sums {
  readonly #of = new Map<string, { count: number; debits: ExactDecimal; credits: ExactDecimal }>();

  add(currency: string, text: string): void {
    const sum = this.#of.get(currency) ?? { count: 0, debits: new ExactDecimal(0), credits: new ExactDecimal(0) };
    const amount = parseAmount(text);
    sum.count += 1;
    if (amount.isNegative()) sum.debits = sum.debits.minus(amount);
    else sum.credits = sum.credits.plus(amount);
    this.#of.set(currency, sum);
  }

  list(): CountedDebits[] {
    return [...this.#of]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { count, debits, credits }]) => {
        return { currency, count, debits: formatAmount(debits), credits: formatAmount(credits) };
      });
  }
}
