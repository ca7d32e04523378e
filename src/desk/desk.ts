import type { Books } from '../app/books.ts';
import type { Proof } from '../app/desk/proof.ts';

/** What every handler works with. */
export interface Desk {
  readonly books: Books;
  /** What the checks find in some months (null for all), stored nowhere; kept until the books change. */
  readonly proof: (months: readonly string[] | null) => Promise<Proof>;
}

/** What a handler reads of a request that only looks. */
export interface Look {
  readonly desk: Desk;
  /** As it was asked for, below /api/v1 or not. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Every row, not a page of them: a download. */
  readonly all: boolean;
}
