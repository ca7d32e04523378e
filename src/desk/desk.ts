import type { Books } from '../app/books.ts';
import type { CourierCash } from '../app/custody.ts';
import type { BooksProof } from '../app/desk/proof.ts';
import type { Seen } from '../app/desk/seen.ts';
import type { DeskTable } from './desk-table.ts';

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

/** Which figures: of the address's courier and currency, and of the months. */
export interface FiguresAsked {
  readonly path: string;
  readonly search: string;
  /** Null for the months that the address names, or all. */
  readonly months: readonly string[] | null;
  /** Of the totals; the other tables have every row. */
  readonly everyRow: boolean;
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
  /** The table has every row, not a page of them: a file without a `limit`. */
  readonly everyRow: boolean;
  /** The lists beside the table are whole, not their beginnings: JSON and files. */
  readonly wholeLists: boolean;
}

/** A look as a thread receives it: plain data. */
export type ThreadLook = Omit<Look, 'desk' | 'query'> & { readonly search: string };
