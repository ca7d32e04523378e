import { applyAnswer, applyWrittenOff } from '../../derive/claims.ts';
import { UsageError } from '../../errors.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  appendEvidence,
  type ClaimAnswer,
  type EvidenceRow,
  type LedgerTransaction,
  usingTransaction,
} from '../../ledger/index.ts';
import { type Claimed, type LedgerReader, readClaims, readMismatchesById } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { selectMismatches } from '../mismatches/select.ts';

interface Move {
  /** Ids of claimed mismatches, or unique beginnings of them. */
  readonly ids: readonly string[];
  /** Who says so. */
  readonly by: string;
  /** What was answered, or why it is given up. */
  readonly note: string;
}

/** Claims that were moved, as they stand afterwards, and the evidence of it. */
export interface Moved {
  readonly evidence: number;
  readonly claims: readonly Claimed[];
}

/**
 * Puts on record what the courier answered to claims. Their findings stay as they are: what is conceded is mended when the documents are.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export function answerClaims(books: Books, move: Move & { readonly answer: ClaimAnswer | null }): Promise<Moved> {
  const { note, answer } = move;
  return moving(books, move, 'claim-answered', (ids) => ({ ids, answer, note }), applyAnswer);
}

/**
 * Gives claims up: their findings are resolved for that reason. Their effects stay in the bridge.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export function writeOffClaims(books: Books, move: Move): Promise<Moved> {
  return moving(books, move, 'claim-written-off', (ids) => ({ ids, note: move.note }), applyWrittenOff);
}

const VERBS = { 'claim-answered': 'answered', 'claim-written-off': 'written off' } as const;

/** Keeps what was said of claims as evidence, with the rows that `apply` makes of it. */
function moving<T extends object>(
  books: Books,
  { ids, by }: Move,
  kind: keyof typeof VERBS,
  said: (ids: readonly string[]) => T,
  apply: (trx: LedgerTransaction, evidence: EvidenceRow, data: T) => Promise<void>,
): Promise<Moved> {
  return usingBooks(books, {}, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const named = await namedClaims(trx, ids, VERBS[kind]);
      const subject = named.length === 1 ? named[0]! : `${named.length} mismatches`;
      const data = said(named);
      const evidence = await appendEvidence(trx, { at: books.now(), kind, actor: by, subject, data });
      await apply(trx, evidence, data);
      const [claims, mismatches] = [await readClaims(trx, named), await readMismatchesById(trx, named)];
      return {
        evidence: evidence.id,
        claims: named.map((id) => ({ mismatch: mismatches.get(id)!, claim: claims.get(id)! })),
      };
    }),
  );
}

/** The ids in full, of claims that are not over. */
async function namedClaims(db: LedgerReader, ids: readonly string[], verb: string): Promise<string[]> {
  const named = (await selectMismatches(db, { ids, filter: {} }, [])).map(({ id }) => id);
  const claims = await readClaims(db, named);
  for (const id of named) {
    const claim = claims.get(id);
    if (!claim) throw new UsageError(`${id} was never claimed`, `\`remit dispute ${id}\` claims it.`);
    if (claim.state !== 'mended' && claim.state !== 'settled' && claim.state !== 'written-off') continue;
    throw new UsageError(
      `the claim ${id} cannot be ${verb}: it is ${claim.state} since ${claim.moved_at.slice(0, 10)}`,
      claim.state === 'mended'
        ? 'It is due again when the data shows it again.'
        : `\`remit mismatch reopen ${id}\` opens it again.`,
    );
  }
  return named;
}
