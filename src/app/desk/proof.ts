import type { Books } from '../books.ts';
import { checkBooksWithoutStoring } from '../check-books.ts';
import { type CheckReasons, checkJson } from '../check-result.ts';

/** What the checks find in some months of the books as they are. Plain data, so that a thread can hand it to another. */
export interface Proof {
  /** What `check --json` would print. */
  readonly check: ReturnType<typeof checkJson>;
  /** What its lists say, before it is said. */
  readonly reasons: CheckReasons;
}

/** Looks what the checks find. Nothing is stored. @param months null for all */
export async function proveBooks(books: Books, months: readonly string[] | null): Promise<Proof> {
  const result = await checkBooksWithoutStoring(books, months);
  return { check: checkJson(result), reasons: result.reasons };
}

/** What the checks cannot explain of a month and currency; null where there is no figure of ours to compare with. */
export interface Unexplained {
  readonly courier: string | undefined;
  readonly period: string;
  readonly currency: string;
  readonly unexplained: string | null;
}

/** What the checks find in all months, as far as home shows it. */
export interface BooksProof extends Pick<CheckReasons, 'lacking'> {
  readonly unexplained: readonly Unexplained[];
}

/** What the checks cannot explain in any month, and what each month lacks. Nothing is stored. */
export async function readBooksProof(books: Books): Promise<BooksProof> {
  const { check, reasons } = await proveBooks(books, null);
  const unexplained = check.bridge.map(({ courier_name: courier, period, currency, unexplained }) => {
    return { courier, period, currency, unexplained };
  });
  return { unexplained, lacking: reasons.lacking };
}
