import type { Books } from '../books.ts';
import { checkBooksWithoutStoring } from '../check-books.ts';
import { type CheckReasons, checkJson } from '../check-result.ts';

/** The result of checking months of the books as they are: plain data that one thread can pass to another. */
export interface Proof {
  /** What `check --json` would print. */
  readonly check: ReturnType<typeof checkJson>;
  /** The reasons in it as sentences by id, for any language. */
  readonly reasons: CheckReasons;
}

/** Checks months without storing anything. @param months null for all */
export async function proveBooks(books: Books, months: readonly string[] | null): Promise<Proof> {
  const result = await checkBooksWithoutStoring(books, months);
  return { check: checkJson(result), reasons: result.reasons };
}

/**
 * The amount of a month and currency that the checks cannot explain; null where the books have no figure to compare.
 */
export interface Unexplained {
  readonly courier: string | undefined;
  readonly period: string;
  readonly currency: string;
  readonly unexplained: string | null;
}

/** The part of the checks' result that the desk's home page shows. */
export interface BooksProof extends Pick<CheckReasons, 'lacking'> {
  readonly unexplained: readonly Unexplained[];
}

/** Reads what the checks cannot explain in each month, and what each month lacks. Nothing is stored. */
export async function readBooksProof(books: Books): Promise<BooksProof> {
  const { check, reasons } = await proveBooks(books, null);
  const unexplained = check.bridge.map(({ courier_name: courier, period, currency, unexplained }) => {
    return { courier, period, currency, unexplained };
  });
  return { unexplained, lacking: reasons.lacking };
}
