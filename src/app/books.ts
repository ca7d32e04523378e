import { ConfigError, LedgerBusyError, LedgerError, RemitError, UsageError } from '../base/errors.ts';
import { type ProtectedFile, refuseProtected } from '../base/files/replace.ts';
import { holdsStandIn } from '../base/number-texts.ts';
import { type Config, SETTINGS_FILE } from '../config/index.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import {
  appendEvidence,
  filesOf,
  type Ledger,
  type LedgerTransaction,
  ledgerExists,
  ofAllCouriers,
  type Upgrading,
  usingLedger,
  usingTransaction,
  type Work,
  wholeLedger,
} from '../ledger/index.ts';
import { readClosesInForce } from '../ledger/queries/closes/closes.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/snapshot.ts';
import { booksError } from '../words/errors/books.ts';
import { deskError } from '../words/errors/desk.ts';
import { type Looser, loosenedBy, loosenedText, proposePolicy } from './approvals/policy.ts';
import { type Courier, ledgerOf, oneCourier } from './couriers.ts';
import { type ComparedSettings, compareSettings } from './settings-compared.ts';
import { booksSettings } from './settings-record.ts';

/**
 * A books folder as a use case receives it: its settings, and what the calling program provides. It holds nothing open.
 */
export interface Books {
  readonly config: Config;
  readonly now: () => Date;
  /** Aborted when the caller wants the work to end after the document in flight. */
  readonly signal: AbortSignal;
  /** The API key, read when it is first needed. @param source a courier's; else that of `config` @throws ConfigError */
  readonly key: (source?: Config['keySource']) => Promise<string>;
  /** Nothing is ever written, whatever is asked: a desk that is only looked at. */
  readonly readOnly?: boolean;
  /** A team's desk opened them: its proxy says who each person is, and the database user is the desk's own. */
  readonly isTeams?: boolean;
  /** An open transaction: whatever a use case does with these books becomes a part of it. */
  readonly within?: OpenTransaction;
  /** Only the settings on record count, even if `config` differs: a program may run on after remit.toml was changed. */
  readonly onRecord?: boolean;
  /** Reports a detail to a caller that asked for details. It holds no secret. */
  readonly detail: (sentence: string) => void;
  /** Reports what the person should know, though nothing is wrong; absent where nobody listens. */
  readonly note?: (sentence: string) => void;
  /** The person who runs the command, as far as it is known; on record with a change of the settings. */
  readonly by?: string | null;
  /** That person was named: with `--by`, or by signing in at the desk. Else it is the user of the machine. */
  readonly isNamed?: boolean;
}

interface OpenTransaction {
  readonly ledger: Ledger;
  /** Keeps other syncs, imports and closes out until it ends. @throws LedgerBusyError while one is at work */
  readonly hold: (work: Work) => Promise<void>;
}

export interface BooksInTransaction extends Books {
  readonly within: OpenTransaction;
}

/** How a ledger is opened, and what is done first about changed settings. */
export interface LedgerUse {
  /** Makes a missing ledger. */
  readonly create?: boolean;
  /** Keeps other syncs, imports and closes out. */
  readonly exclusive?: Work | undefined;
  /** The key of the one courier that the exclusive work is about: work on other couriers may go on. */
  readonly exclusiveOf?: string | undefined;
  /** The use case only reads, and cannot write. Changed settings are put on record all the same. */
  readonly readOnly?: boolean;
  /** Absent: `record`. */
  readonly newSettings?: NewSettings;
  /** The ledger is opened to find out what is wrong with it: tables may be missing, and settings are not compared. */
  readonly isExamined?: boolean;
  /** The work is about all couriers: the use case narrows the ledger itself, see `couriersOf`. */
  readonly allCouriers?: boolean;
}

/**
 * What is done about settings that were changed in remit.toml.
 *
 * - `record`: they are put on record, and hold from then on.
 * - `leave`: nothing is written; the settings on record hold.
 * - `unchecked`: as `leave`, and a month may be closed in another time zone: no figure of a closed month is computed.
 * - `ignore`: they are not even compared: the use case reads the settings on record itself.
 */
export type NewSettings = 'record' | 'leave' | 'unchecked' | 'ignore';

/** How the ledger of all couriers is opened for what needs no figure of a closed month, such as tokens and views. */
export const NO_FIGURES: LedgerUse = { newSettings: 'unchecked', allCouriers: true };

/**
 * Opens the ledger of the books, lends it to `use`, and closes it whatever happens. `use` works with the settings that
 * the ledger has on record; those of a changed remit.toml are recorded first, unless the books or {@link LedgerUse}
 * forbid it. Without `allCouriers`, the ledger and the books are narrowed to the one courier that the command is about.
 *
 * @throws LedgerError when it is missing or cannot be trusted; LedgerBusyError when `exclusive` and another command is
 * at work; ConfigError when a month was closed in another time zone than the one that is set; UsageError when the books
 * are only looked at and `use` may write
 */
export function usingBooks<T>(
  books: Books,
  { newSettings = 'record', allCouriers = false, ...opening }: LedgerUse,
  use: (ledger: Ledger, books: Books) => Promise<T>,
): Promise<T> {
  if (books.readOnly && !opening.readOnly) return Promise.reject(new UsageError(deskError({ id: 'reads-only' })));
  const lend = async (ledger: Ledger) => {
    const readsRecord = !opening.isExamined && newSettings !== 'ignore';
    const lent = readsRecord ? await withSettingsOnRecord(ledger, books, newSettings, opening.readOnly) : books;
    if (allCouriers) return use({ ...ledger, db: ofAllCouriers(ledger.db) }, lent);
    const courier = await oneCourier(ledger, lent.config);
    const courierLedger = ledgerOf(ledger, courier);
    return withPayoutNumbersInErrors(courierLedger, () => use(courierLedger, booksOf(lent, courier)));
  };
  if (books.within) {
    const { ledger, hold } = books.within;
    return opening.exclusive ? hold(opening.exclusive).then(() => lend(ledger)) : lend(ledger);
  }
  // A desk that is only looked at opens the ledger so that not even an upgrade is written.
  const opensReadOnly = books.readOnly ?? false;
  return usingLedger(books.config.ledger, { ...opening, opensReadOnly, ...upgradingOf(books) }, lend);
}

/** Opens the books as {@link usingBooks} does, to read one unchanging view of the ledger. */
export function readBooks<T>(
  books: Books,
  ledgerUse: LedgerUse,
  read: (db: LedgerReader, books: Books) => Promise<T>,
): Promise<T> {
  return usingBooks(books, { ...ledgerUse, readOnly: true }, (ledger, lent) =>
    usingSnapshot(ledger, (db) => read(db, lent)),
  );
}

/** Opens the books as {@link usingBooks} does, and changes the ledger in one transaction. */
export function changeBooks<T>(
  books: Books,
  ledgerUse: LedgerUse,
  change: (trx: LedgerTransaction, books: Books) => Promise<T>,
): Promise<T> {
  return usingBooks(books, ledgerUse, (ledger, lent) => usingTransaction(ledger, (trx) => change(trx, lent)));
}

/**
 * Rewords errors about one courier's invoices: they name a payout as its sheet does (`ES-902`), not by the ledger's
 * integer.
 */
export async function withPayoutNumbersInErrors<T>({ db }: Ledger, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RemitError && holdsStandIn(error.explanation.sentence)) {
      const { explainedInNumberTexts } = await import('../words/errors/index.ts');
      // If the ledger cannot be read, the error may be about just that: it stays as it is.
      const texts = await readNumberTexts(db).catch(() => new Map<number, string>());
      if (texts.size > 0) error.sayOtherwise(explainedInNumberTexts(error.explanation, texts));
    }
    throw error;
  }
}

/**
 * How a ledger of an earlier remit is upgraded: a copy is kept, and rows that this version derives otherwise are
 * derived anew.
 */
export function upgradingOf({ config, note }: Books): Upgrading {
  return {
    copiesIn: config.folder ?? undefined,
    deriveAnew: async (db, place) => (await import('./verify/evidence.ts')).deriveAnew(db, place),
    upgraded: (copy) =>
      note?.(`the ledger was brought up to date for this version of remit; as it was before, it is kept in ${copy}`),
  };
}

/**
 * The books with the settings on record. Where remit.toml differs, its settings are recorded first, or a note says that
 * they differ.
 *
 * @param isReadOnly the ledger was opened so that it cannot be written
 */
async function withSettingsOnRecord(
  ledger: Ledger,
  books: Books,
  newSettings: NewSettings,
  isReadOnly = false,
): Promise<Books> {
  const { config } = books;
  let compared = await compareSettings(ledger.db, config);
  const mayRecord = newSettings === 'record' && !books.readOnly && !books.onRecord;
  if (newSettings !== 'unchecked') {
    const effective = mayRecord ? compared.wanted : (compared.record ?? compared.wanted);
    await requireZone(ledger, effective.books.time_zone as string);
  }
  if (mayRecord && (!compared.isCurrent || isUnproposed(compared))) {
    // An open transaction can write, even if this use case only reads.
    if (!isReadOnly || books.within) compared = await recordSettings(ledger, books);
    else compared = (await recordWhereReadOnly(books)) ?? compared;
  }
  if (compared.tablelessNote !== null) noteOnce(books, compared.tablelessNote);
  // A person hears of settings that could have been recorded, or that a desk which is only looked at cannot record.
  if (mayRecord || (books.readOnly && !books.onRecord)) noteDifferences(books, compared);
  return { ...books, config: { ...config, ...booksSettings(compared.record) } };
}

/** Whether remit.toml asks for a looser policy that nobody was asked to approve yet. */
function isUnproposed({ looser }: ComparedSettings): boolean {
  return looser !== null && looser.proposed === null;
}

function noteDifferences(books: Books, { looser, differing }: ComparedSettings): void {
  if (looser) noteOnce(books, looserNote(looser));
  if (differing.length === 0) return;
  const settings = differing.join(', ');
  noteOnce(
    books,
    `${SETTINGS_FILE} differs from the ledger in ${settings}: figures are by what the ledger has on record`,
  );
}

/**
 * Appends the settings as evidence, and a looser policy as a proposal, unless another command has done so meanwhile.
 */
function recordSettings(
  ledger: Ledger,
  { config, now, by = null, isNamed = false, isTeams }: Books,
): Promise<ComparedSettings> {
  return usingTransaction(ledger, async (trx) => {
    await holdHead(trx);
    let compared = await compareSettings(trx, config);
    if (!compared.isCurrent) {
      const record = compared.wanted;
      const evidence = { at: now(), kind: 'settings', actor: by, subject: 'books', data: record };
      await appendEvidence(trx, { ...evidence, isOfBooks: true });
      compared = { ...compared, record, isCurrent: true, differing: [] };
    }
    if (!compared.looser || !isUnproposed(compared)) return compared;
    const proposer = { at: now(), by: by ?? NOBODY, isNamed, isTeams };
    const { looser } = await proposePolicy(trx, compared.looser, proposer);
    return { ...compared, looser };
  });
}

/** The proposer where the machine does not know its user. */
const NOBODY = 'user unknown';

function looserNote({ old, new: asked, proposed }: Looser): string {
  const values = loosenedBy(old, asked).map(loosenedText).join(', ');
  const lead = `${SETTINGS_FILE} asks for a looser policy than the books have (${values})`;
  if (proposed?.refusedBy) return `${lead}: ${proposed.refusedBy} refused it, and the books keep theirs`;
  const approver = proposed === null ? 'a second person' : `somebody other than ${proposed.by}`;
  const another = proposed?.isNamed === false ? ', and then one more person' : '';
  return `${lead}: theirs holds until ${approver} approves it${another} (\`remit approvals list\`)`;
}

/**
 * Records the settings while this command only reads: the ledger is opened once more. Null where nobody may write it
 * now.
 */
async function recordWhereReadOnly(books: Books): Promise<ComparedSettings | null> {
  try {
    return await usingLedger(books.config.ledger, upgradingOf(books), (ledger) => recordSettings(ledger, books));
  } catch (error) {
    if (error instanceof LedgerError || error instanceof LedgerBusyError) return null;
    throw error;
  }
}

const sentencesNoted = new WeakMap<object, Set<string>>();

/** A command opens its ledger several times, and says a thing once. */
function noteOnce({ note }: Books, sentence: string): void {
  if (!note) return;
  const saidBefore = sentencesNoted.get(note) ?? new Set();
  sentencesNoted.set(note, saidBefore);
  if (saidBefore.has(sentence)) return;
  saidBefore.add(sentence);
  note(sentence);
}

/** Whether the ledger of some books was made. @throws LedgerError where its server cannot be asked */
export function ledgerIsMade({ config }: Books): Promise<boolean> {
  return ledgerExists(config.ledger);
}

/**
 * The books' time zone, for days that a person types or reads outside the figures.
 *
 * @param newSettings what is done first about a time zone that was changed in remit.toml
 */
export async function zoneOf(books: Books, newSettings: NewSettings = 'unchecked'): Promise<string> {
  if (!(await ledgerExists(books.config.ledger))) return books.config.timeZone;
  const use = { readOnly: true, allCouriers: true, newSettings };
  return usingBooks(books, use, async (_, { config }) => config.timeZone);
}

/** The books narrowed to one courier: with its settings and its key. */
export function booksOf(books: Books, { name, config }: Pick<Courier<Config>, 'name' | 'config'>): Books {
  return { ...books, config: { ...config, courier: name }, key: () => books.key(config.keySource) };
}

/**
 * A closed month keeps the days of the time zone it was closed in: in another zone the next month would not begin where
 * it ends.
 */
async function requireZone({ db }: Ledger, timeZone: string): Promise<void> {
  const closes = await readClosesInForce(wholeLedger(db));
  const inOtherZone = closes.find((close) => close.time_zone !== timeZone);
  if (!inOtherZone) return;
  const { period: month, time_zone: closedIn } = inOtherZone;
  throw new ConfigError(booksError({ id: 'other-time-zone', month, closedIn, timeZone, settings: SETTINGS_FILE }));
}

/**
 * Refuses to write over the books' own files: the ledger and the files beside it, the settings, the key's file. Every
 * use case that writes to a path it is given calls it.
 *
 * @param target absolute
 * @throws FileError
 */
export function refuseOwnFiles({ config }: Pick<Books, 'config'>, target: string): void {
  // The ledger's own file is the first; SQLite's companions of it follow.
  const files: ProtectedFile[] = filesOf(config.ledger).map((file, index) => {
    return { path: file, is: index === 0 ? 'ledger' : 'ledger-part' };
  });
  if (config.file !== null) files.push({ path: config.file, is: 'settings' });
  for (const source of [config.keySource, config.webhook.secretSource]) {
    if (source.kind === 'file') files.push({ path: source.file, is: 'key' });
  }
  refuseProtected(target, files);
}
