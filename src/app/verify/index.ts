import { replay } from '../../derive/replay.ts';
import { compareDerived } from '../../ledger/dump.ts';
import { findDamage, type Ledger, readHead } from '../../ledger/index.ts';
import { isInChain, type LedgerReader, usingSnapshot } from '../../ledger/read/index.ts';
import { usingScratchLedger } from '../../ledger/scratch.ts';
import { type Books, usingBooks } from '../books.ts';
import { verifyBodies } from './bodies.ts';
import { verifyChain } from './chain.ts';
import { verifyPacks } from './packs.ts';
import { verifySchema } from './schema.ts';

/** Something that is not as it was kept: where, and what. */
export interface Problem {
  readonly where: string;
  readonly what: string;
}

export interface Verified {
  readonly ok: boolean;
  /** The head of the chain, which stands on every statement; null while the ledger holds nothing. */
  readonly head: string | null;
  /** How many documents were hashed again. */
  readonly documents: number;
  /** How many rows were compared with what the evidence gives. */
  readonly rows_checked: number;
  readonly problems: readonly Problem[];
}

export interface VerifyRequest {
  /** Look at every page and index of the database too, and build every page of the order book again. */
  readonly deep: boolean;
  /** The head of the chain as an earlier statement or verify printed it: the chain may have grown since, but not lost it. */
  readonly head: string | null;
}

/** The most problems that are named: a ledger that was torn up needs no longer list. */
const MOST_PROBLEMS = 1_000;

/**
 * Proves a ledger: the database's integrity, its tables and triggers, the chain of the evidence, each body's hash, and every row
 * derived again from the evidence and compared. Nothing is written.
 */
export function verifyBooks(books: Books, request: VerifyRequest): Promise<Verified> {
  return usingBooks(books, { readOnly: true }, (ledger) => verifyLedger(ledger, request));
}

/** The same of a ledger that is open. */
export async function verifyLedger(ledger: Ledger, { deep, head: expected }: VerifyRequest): Promise<Verified> {
  const problems: Problem[] = [];
  const note = (where: string, what: string) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ where, what });
  };
  /** A part of the ledger that cannot even be read is a problem like others, and the rest is still looked at. */
  const look = async <T>(where: string, part: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await part();
    } catch (error) {
      note(where, `it cannot be read: ${(error as Error).message}`);
      return otherwise;
    }
  };
  for (const what of await look('database', () => findDamage(ledger, deep), [])) note('database', what);
  await look('schema', () => verifySchema(ledger, note), undefined);
  return usingSnapshot(ledger, async (db) => {
    await look('evidence', () => verifyChain(db, note), undefined);
    const bodies = await look('evidence_body', () => verifyBodies(db, note), 0);
    const orders = await look('evidence_pack', () => verifyPacks(db, note, deep), 0);
    const documents = bodies + orders;
    const rows_checked = await look('rows', () => verifyRows(db, note), 0);
    const head = await look('chain', () => readHead(db), null);
    if (expected !== null && !(await look('chain', () => isInChain(db, expected), false))) {
      note(
        'chain',
        `its head is ${head ?? 'nothing'}, and ${expected} is nowhere in it: evidence was cut off, or this is another ledger`,
      );
    }
    return { ok: problems.length === 0, head, documents, rows_checked, problems };
  });
}

/** Derives every row again, and names each that is not as it is kept. @returns how many were compared */
function verifyRows(db: LedgerReader, note: Note): Promise<number> {
  return usingScratchLedger(async (scratch) => {
    await replay(db, scratch.db, {
      onFault: ({ id, kind, subject }, error) =>
        note(`evidence ${id}`, `${kind} ${subject} cannot be derived: ${error.message}`),
    });
    return compareDerived(db, scratch.db, ({ table, key, what }) => note(`${table} ${key}`, what));
  });
}

/** Notes a problem. */
export type Note = (where: string, what: string) => void;
