import { ConfigError, UsageError } from '../base/errors.ts';
import { type ProtectedFile, refuseProtected } from '../base/files/index.ts';
import { type Config, SETTINGS_FILE } from '../config/index.ts';
import {
  filesOf,
  type Ledger,
  ofAllCouriers,
  type Upgrading,
  usingLedger,
  type Work,
  wholeLedger,
} from '../ledger/index.ts';
import { readClosesInForce } from '../ledger/queries/index.ts';
import { because } from '../words/errors/books.ts';
import { because as readsOnly } from '../words/errors/desk.ts';
import { type Courier, ledgerOf, oneCourier } from './couriers.ts';

/** A books folder as a use case receives it: its settings, and what the calling program provides. It holds nothing open. */
export interface Books {
  readonly config: Config;
  readonly now: () => Date;
  /** Aborted when the caller wants the work to end after the document in flight. */
  readonly signal: AbortSignal;
  /** The API key, read when it is first needed. @param source a courier's own @throws ConfigError */
  readonly key: (source?: Config['keySource']) => Promise<string>;
  /** Nothing is ever written, whatever is asked: a desk that is only looked at. */
  readonly readOnly?: boolean;
  /** They are those of a team's desk, whose persons its proxy names, and whose database user is the desk's. */
  readonly isTeams?: boolean;
  /** A transaction that is open: whatever a use case opens of these books is a part of it. */
  readonly within?: OpenTransaction;
  /** Reports a detail to a caller that asked for details. It holds no secret. */
  readonly detail: (sentence: string) => void;
  /** Reports what the person should know, though nothing is wrong; absent where nobody listens. */
  readonly note?: (sentence: string) => void;
}

/** A transaction of the whole books. */
export interface OpenTransaction {
  readonly ledger: Ledger;
  /** Keeps other syncs, imports and closes out until it ends. @throws LedgerBusyError while one is at work */
  readonly hold: (work: Work) => Promise<void>;
}

/** How a ledger is opened: `create` makes a missing one, `exclusive` keeps other syncs, imports and closes out, `readOnly` opens one where nothing may be written. */
export interface LedgerUse {
  readonly create?: boolean;
  readonly exclusive?: Work | undefined;
  readonly readOnly?: boolean;
  /** Computes no figure of a closed month: it works in whatever time zone is set. */
  readonly anyZone?: boolean;
  /** Tables may be missing: it is opened to say what is wrong with it. */
  readonly isExamined?: boolean;
  /** It is about all couriers: the use case narrows the ledger itself, see `couriersOf`. */
  readonly allCouriers?: boolean;
}

/**
 * Opens the ledger of the books, lends it to `use`, and closes it whatever happens. Unless it is about all couriers, the ledger and the
 * books that `use` is lent are those of the one that the command is about.
 *
 * @throws LedgerError when it is missing or cannot be trusted; LedgerBusyError when `exclusive` and another command is at work;
 *   ConfigError when a month was closed in another time zone than the one that is set;
 *   UsageError when the books are only looked at and `use` may write
 */
export function usingBooks<T>(
  books: Books,
  { anyZone = false, allCouriers = false, ...how }: LedgerUse,
  use: (ledger: Ledger, books: Books) => Promise<T>,
): Promise<T> {
  const { config } = books;
  if (books.readOnly && !how.readOnly) return Promise.reject(new UsageError(readsOnly({ id: 'reads-only' })));
  const lend = async (ledger: Ledger) => {
    if (!anyZone) await requireZone(ledger, config.timeZone);
    if (allCouriers) return use({ ...ledger, db: ofAllCouriers(ledger.db) }, books);
    const courier = await oneCourier(ledger, config);
    return use(ledgerOf(ledger, courier), booksOf(books, courier));
  };
  if (books.within) {
    const { ledger, hold } = books.within;
    return how.exclusive ? hold(how.exclusive).then(() => lend(ledger)) : lend(ledger);
  }
  return usingLedger(config.ledger, { ...how, ...upgradingOf(books) }, lend);
}

/** What becomes of a ledger of an earlier remit: it is kept as it was, and its rows are derived anew where they would be others now. */
export function upgradingOf({ config, note }: Books): Upgrading {
  return {
    copiesIn: config.folder ?? undefined,
    deriveAnew: async (db, place) => (await import('./verify/derive-anew.ts')).deriveAnew(db, place),
    upgraded: (copy) =>
      note?.(`the ledger was brought up to date for this version of remit; as it was before, it is kept in ${copy}`),
  };
}

/** The books as one courier's: its settings, its key, its rows. */
export function booksOf(books: Books, { key, config }: Courier<Config>): Books {
  return { ...books, config: { ...config, courier: key }, key: () => books.key(config.keySource) };
}

/** The days of a closed month are those of the zone of its close: in another, no later month would begin where it ends. */
async function requireZone({ db }: Ledger, timeZone: string): Promise<void> {
  const other = (await readClosesInForce(wholeLedger(db))).find((close) => close.time_zone !== timeZone);
  if (!other) return;
  throw new ConfigError(
    because({
      id: 'other-time-zone',
      month: other.period,
      closedIn: other.time_zone,
      timeZone,
      settings: SETTINGS_FILE,
    }),
  );
}

/**
 * Refuses to write over the books' own files: the ledger and the files beside it, the settings, the key's file. Every use case
 * that writes to a path it is given calls it.
 *
 * @param target absolute
 * @throws FileError
 */
export function refuseOwnFiles({ config }: Pick<Books, 'config'>, target: string): void {
  refuseProtected(target, ownFiles(config));
}

function ownFiles(config: Config): ProtectedFile[] {
  return [
    ...filesOf(config.ledger).map((file, index) => ({
      path: file,
      is: index === 0 ? ('ledger' as const) : ('ledger-part' as const),
    })),
    ...(config.file === null ? [] : [{ path: config.file, is: 'settings' as const }]),
    ...(config.keySource.kind === 'file' ? [{ path: config.keySource.file, is: 'key' as const }] : []),
  ];
}
