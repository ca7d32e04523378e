import type { Books } from '../app/books.ts';
import type { CourierCash } from '../app/custody.ts';
import type { BooksProof } from '../app/desk/proof.ts';
import type { Seen } from '../app/desk/seen.ts';
import type { DeskTable } from './table.ts';

/** What every handler works with. */
export interface Desk {
  readonly books: Books;
  /** What the checks cannot explain, and what each month lacks. */
  readonly proof: (seen: Seen) => Promise<BooksProof>;
  /** The month of which nothing but its close is left; null where there is none. */
  readonly readyToClose: (lacking: BooksProof['lacking'], seen: Seen) => Promise<string | null>;
  /** `report totals`, `report roll-forward` and `report ageing`, which add up every row of the books. */
  readonly figures: (asked: FiguresAsked, seen: Seen) => Promise<Figures>;
}

/** Whose figures: of the months that are named, else of all that the address lets through. */
export interface FiguresAsked {
  readonly path: string;
  readonly search: string;
  readonly months: readonly string[] | null;
  readonly all: boolean;
}

export interface Figures {
  readonly totals: DeskTable;
  readonly balance: DeskTable;
  /** The last month's closing balance by age; of its rows those of receipts that no invoice explains. */
  readonly ageing: DeskTable;
  /** Where each courier's money is today; empty where months are named. */
  readonly cash: readonly CourierCash[];
}

/** What a handler reads of a request that only looks. */
export interface Look {
  readonly desk: Desk;
  /** How far the books were seen before the reading began. */
  readonly seen: Seen;
  /** As it was asked for, below /api/v1 or not. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Every row, not a page of them: a download. */
  readonly all: boolean;
  /** Every list beside the table too, not its beginning: what a program reads. */
  readonly whole: boolean;
}

/** A look as a thread receives it. */
export type LookAside = Omit<Look, 'desk' | 'query'> & { readonly search: string };
