import { LedgerError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { replay } from '../../derive/deriver.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type LedgerTransaction, readHead, wholeLedger } from '../../ledger/index.ts';
import { usingScratchLedger } from '../../ledger/scratch.ts';
import { replaceDerived } from '../../ledger/write/derived.ts';
import { because } from '../../words/errors/ledger.ts';
import { type Problem, verifyBodies, verifyChain, verifyPacks } from './evidence.ts';

export interface Rebuilt {
  /** How many documents and orders were hashed again. */
  readonly documents: number;
  /** How many rows the evidence gives. */
  readonly rows: number;
  /** How many of them differed before, were missing, or were too many. */
  readonly changed: number;
  /** The head of the chain; null while the ledger holds nothing. */
  readonly head: string | null;
}

/**
 * Derives every row again from the evidence, inside an open transaction, such as that of a migration.
 *
 * @throws LedgerError when the chain or a document is not as it was stored
 */
export async function deriveAnew(trx: LedgerTransaction, place: Place): Promise<Rebuilt> {
  const db = wholeLedger(trx);
  const head = await readHead(db);
  // Locks the chain: the rows of a decision made meanwhile would be removed again.
  if (head !== null) await holdHead(db);
  const problems: Problem[] = [];
  const note = (where: string, what: string) => void problems.push({ where, what });
  await verifyChain(db, note);
  const documents = (await verifyBodies(db, note)) + (await verifyPacks(db, note));
  const [first] = problems;
  if (first) throw new LedgerError(because({ id: 'evidence-not-sound', ledger: describePlace(place), ...first }));
  return usingScratchLedger(async (scratch) => {
    await replay(db, scratch.db);
    return { documents, ...(await replaceDerived({ db, place }, wholeLedger(scratch.db))), head };
  });
}
