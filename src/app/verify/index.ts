import { LedgerAwayError } from '../../base/errors.ts';
import { replay } from '../../derive/deriver.ts';
import { usingScratchLedger } from '../../ledger/copy.ts';
import {
  describeNew,
  describeSchema,
  findDamage,
  type Ledger,
  readHead,
  usingTransaction,
  wholeLedger,
} from '../../ledger/index.ts';
import { isInChain } from '../../ledger/queries/evidence/chain.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { compareDerived } from '../../ledger/write/derived.ts';
import { type Books, usingBooks } from '../books.ts';
import {
  deriveAnew,
  type NoteProblem,
  type Problem,
  type Rebuilt,
  verifyBodies,
  verifyChain,
  verifyPacks,
} from './evidence.ts';

export interface Verified {
  readonly ok: boolean;
  /** The head of the chain, which every statement prints; null while the ledger holds nothing. */
  readonly head: string | null;
  /** How many documents and orders were hashed again. */
  readonly documents: number;
  /** How many rows were compared with what the evidence gives. */
  readonly rows_checked: number;
  readonly problems: readonly Problem[];
  /** `rebuild` if the evidence is whole and only rows are wrong; else `restore`, from a copy. Null if all is sound. */
  readonly remedy: 'rebuild' | 'restore' | null;
}

interface VerifyRequest {
  /** Look at every page and index of the database too, and build every page of the order book again. */
  readonly deep: boolean;
  /** The head of the chain as an earlier statement or verify printed it: it must still be part of the chain. */
  readonly head: string | null;
}

/** More are not listed: the ledger is not sound in any case. */
const MOST_PROBLEMS = 1_000;

/**
 * Proves a ledger: the database's integrity, its tables and triggers, the chain of the evidence, each body's hash, and
 * every row derived again from the evidence and compared. Nothing is written.
 */
export function verifyBooks(books: Books, request: VerifyRequest): Promise<Verified> {
  return usingBooks(books, { readOnly: true, allCouriers: true, isExamined: true }, (ledger) =>
    verifyLedger(ledger, request),
  );
}

/** Proves a ledger that is open. */
export async function verifyLedger(ledger: Ledger, request: VerifyRequest): Promise<Verified> {
  const storeProblems = await verifyStore(ledger, request.deep);
  return usingSnapshot(ledger, (db) => verifyRows(db, storeProblems, request));
}

/** Looks for damage to the database itself, and compares its schema. @returns what is wrong, for {@link verifyRows} */
export async function verifyStore(ledger: Ledger, deep = false): Promise<readonly Problem[]> {
  const found = new Problems();
  for (const what of await found.attempt('database', () => findDamage(ledger, deep ? 'indexes' : 'pages'), []))
    found.note('database', what);
  await found.attempt('schema', () => verifySchema(ledger, found.note), undefined);
  return found.problems;
}

/** Proves the evidence and the rows of a snapshot. @param storeProblems what {@link verifyStore} found before */
export async function verifyRows(
  courierDb: LedgerReader,
  storeProblems: readonly Problem[],
  { deep, head: expected }: VerifyRequest,
): Promise<Verified> {
  const db = wholeLedger(courierDb);
  const found = new Problems(storeProblems);
  const { note } = found;
  await found.attempt('evidence', () => verifyChain(db, note), undefined);
  const bodies = await found.attempt('evidence_body', () => verifyBodies(db, note), 0);
  const orders = await found.attempt('evidence_pack', () => verifyPacks(db, note, deep), 0);
  const head = await found.attempt('chain', () => readHead(db), null);
  if (expected !== null && !(await found.attempt('chain', () => isInChain(db, expected), false))) {
    note(
      'chain',
      `its head is ${head ?? 'nothing'}, and ${expected} is nowhere in it: evidence was cut off, or this is another ledger`,
    );
  }
  let isEvidenceWhole = false;
  const compareWithReplay = () =>
    usingScratchLedger(async (scratch) => {
      await replay(db, scratch.db, {
        onFault: ({ id, kind, subject }, error) =>
          note(`evidence ${id}`, `${kind} ${subject} cannot be derived: ${error.message}`),
      });
      // If nothing was found so far, whatever is found from here on is in the rows alone.
      isEvidenceWhole = found.problems.length === 0;
      return compareDerived(db, scratch.db, ({ table, key, what }) => note(`${table} ${key}`, what));
    });
  const rows_checked = await found.attempt('rows', compareWithReplay, 0);
  const { problems } = found;
  const ok = problems.length === 0;
  let remedy: Verified['remedy'] = null;
  if (!ok) remedy = isEvidenceWhole ? 'rebuild' : 'restore';
  return { ok, head, documents: bodies + orders, rows_checked, problems, remedy };
}

class Problems {
  readonly problems: Problem[];

  constructor(before: readonly Problem[] = []) {
    this.problems = [...before];
  }

  readonly note: NoteProblem = (where, what) => {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ where, what });
  };

  /**
   * Runs a part of the proof. If it cannot be read, that is one more problem, and the answer is `otherwise`.
   *
   * @throws LedgerAwayError, because a server that does not answer says nothing about the ledger
   */
  async attempt<T>(where: string, examine: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await examine();
    } catch (error) {
      if (error instanceof LedgerAwayError) throw error;
      this.note(where, `it cannot be read: ${(error as Error).message}`);
      return otherwise;
    }
  }
}

/** Compares every table, view, index and trigger with those of a new ledger. */
async function verifySchema(ledger: Ledger, note: NoteProblem): Promise<void> {
  const definitions = new Map((await describeNew(ledger.place)).map(({ name, definition }) => [name, definition]));
  for (const { name, definition } of await describeSchema(ledger)) {
    const expected = definitions.get(name);
    definitions.delete(name);
    if (expected === undefined) note(name, 'it does not belong into a ledger');
    else if (expected !== definition) note(name, 'it is not as remit makes it');
  }
  for (const missing of definitions.keys()) note(missing, 'it is missing');
}

/**
 * Derives every row of the books again from the evidence, in one transaction. Decisions are evidence, and stay.
 *
 * @throws LedgerError when the chain or a document is not as it was stored
 */
export function rebuildBooks(books: Books): Promise<Rebuilt> {
  return usingBooks(books, { exclusive: 'rebuild', newSettings: 'unchecked', allCouriers: true }, (ledger) =>
    usingTransaction(ledger, (trx) => deriveAnew(trx, ledger.place)),
  );
}
