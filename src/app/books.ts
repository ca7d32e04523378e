import type { Config } from '../config.ts';
import { type Ledger, usingLedger } from '../ledger/index.ts';

/** A books folder as a use case is given it: its settings, and what the program around it lends. Holds nothing open. */
export interface Books {
  readonly config: Config;
  readonly now: () => Date;
  /** Aborted when the caller wants the work to end after the document in flight. */
  readonly signal: AbortSignal;
  /** The API key, read when it is first needed. @throws ConfigError */
  readonly key: () => Promise<string>;
  /** Says a detail to whoever asked for details; what is said holds no secret. */
  readonly detail: (sentence: string) => void;
}

/** How a ledger is opened: `create` makes a missing one, `exclusive` keeps a second sync out. */
export interface LedgerUse {
  readonly create?: boolean;
  readonly exclusive?: boolean;
}

/** Where the books' ledger is. The only place that says so: every use case opens it through {@link usingBooks}. */
export function placeOf({ ledger }: Config): string {
  return ledger;
}

/**
 * Opens the ledger of the books, lends it to `use`, and closes it whatever happens.
 *
 * @throws LedgerError when it is missing or cannot be trusted; LedgerBusyError when `exclusive` and a sync is at work
 */
export function usingBooks<T>(books: Books, how: LedgerUse, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  return usingLedger(placeOf(books.config), how, use);
}
