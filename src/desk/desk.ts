import type { Books } from '../app/books.ts';
import type { BooksProof } from '../app/check-books.ts';
import type { CourierCash } from '../app/custody.ts';
import type { Seen } from '../app/desk/books-state.ts';
import type { DeskTable } from './desk-table.ts';

export interface Desk {
  readonly books: Books;
  /** What the checks cannot explain, and why months are incomplete. */
  readonly proof: (seen: Seen) => Promise<BooksProof>;
  /** The month that needs nothing but its close; null if there is none. `lacking`: why months are incomplete. */
  readonly readyToClose: (lacking: BooksProof['lacking'], seen: Seen) => Promise<string | null>;
  /** `report totals`, `report roll-forward` and `report ageing`, which add up every row of the books. */
  readonly figures: (request: FiguresRequest, seen: Seen) => Promise<FiguresTables>;
}

/** Which figures are wanted: the page's address names the courier and currency. */
export interface FiguresRequest {
  readonly path: string;
  readonly search: string;
  /** Null for the month that the address names, or all. */
  readonly months: readonly string[] | null;
  /** Whether the totals have every row, or a page of them. The other tables have every row anyway. */
  readonly everyRow: boolean;
}

export interface FiguresTables {
  readonly totals: DeskTable;
  readonly balance: DeskTable;
  /** The last month's closing balance by age: its totals, and the rows of receipts that no invoice explains. */
  readonly ageing: DeskTable;
  /** Where each courier's money is today; empty if months are named. */
  readonly cash: readonly CourierCash[];
}

/** A request to read a page: what its model is made from. */
export interface PageRequest {
  readonly desk: Desk;
  /** How far the books were seen before the reading began. */
  readonly seen: Seen;
  /** The path of the address, with `/api/v1` if the request has it. */
  readonly path: string;
  /** The values in the path: `{ month: '2026-10' }`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether the table has every row, not a page of them: for a file without a `limit`. */
  readonly everyRow: boolean;
  /** Whether the lists besides the table are whole, not their beginnings: for JSON and files. */
  readonly wholeLists: boolean;
}

/** A {@link PageRequest} as plain data, for a thread. */
export type ThreadPageRequest = Omit<PageRequest, 'desk' | 'query'> & { readonly search: string };
