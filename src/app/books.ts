import type { Config } from '../config.ts';
import { type ProtectedFile, refuseProtected } from '../files/index.ts';
import { filesOf, type Ledger, type Place, usingLedger } from '../ledger/index.ts';

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

/** How a ledger is opened: `create` makes a missing one, `exclusive` keeps a second sync out, `readOnly` opens one where nothing may be written. */
export interface LedgerUse {
  readonly create?: boolean;
  readonly exclusive?: boolean;
  readonly readOnly?: boolean;
}

/** Where the books' ledger is. The only place that says so: every use case opens it through {@link usingBooks}. */
export function placeOf({ ledger }: Config): Place {
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

/**
 * Refuses to write over what the books are made of: the ledger and what lies beside it, the settings, the key's file. Asked by
 * every use case that writes where it is told to.
 *
 * @param target absolute
 * @throws FileError
 */
export function refuseOwnFiles({ config }: Pick<Books, 'config'>, target: string): void {
  refuseProtected(target, ownFiles(config));
}

function ownFiles(config: Config): ProtectedFile[] {
  return [
    ...filesOf(placeOf(config)).map((file, index) => ({
      path: file,
      what: index === 0 ? 'the ledger itself' : 'a part of the ledger',
    })),
    ...(config.file === null ? [] : [{ path: config.file, what: 'the settings file' }]),
    ...(config.keySource.kind === 'file' ? [{ path: config.keySource.file, what: 'the file of the API key' }] : []),
  ];
}
