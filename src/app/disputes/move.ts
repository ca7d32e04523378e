import { dayIn } from '../../base/day.ts';
import { UsageError } from '../../base/errors.ts';
import { isOver } from '../../base/states.ts';
import type { Config } from '../../config/index.ts';
import { applyAnswer, applyWithdrawn, applyWrittenOff } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  appendEvidence,
  type ClaimAnswer,
  type EvidenceRow,
  type LedgerTransaction,
  usingTransaction,
} from '../../ledger/index.ts';
import { findClaims, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { isAboveLimit } from '../approvals/limit.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, usingBooks } from '../books.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { mismatchInNumberTexts } from '../mismatches/named.ts';
import { selectMismatches } from '../mismatches/select.ts';
import { planGiveUp } from '../settle/give-up.ts';
import { recordSettlements } from '../settle/settle.ts';
import type { CouriersClaim } from './list.ts';

interface Move {
  /** Ids of claimed mismatches, or unique beginnings of them. */
  readonly ids: readonly string[];
  /** Who says so. */
  readonly by: string;
  /** What was answered, or why the claim is given up. */
  readonly note: string;
}

/** Claims that were moved, as they stand afterwards, and the evidence of it. */
export interface Moved {
  readonly evidence: number;
  readonly claims: readonly Omit<CouriersClaim, 'courier'>[];
}

/**
 * Records what the courier answered to claims. Their findings stay as they are: what is conceded is mended when the documents are.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export async function answerClaims(books: Books, move: Move & { readonly answer: ClaimAnswer | null }): Promise<Moved> {
  const { note, answer } = move;
  return usingBooks(await booksOfMismatches(books, move.ids), {}, (ledger, own) =>
    usingTransaction(ledger, (trx) =>
      moveIn(trx, own, move, 'claim-answered', (ids) => ({ ids, answer, note }), applyAnswer),
    ),
  );
}

/** Claims that are taken back: by name, or all that are not over of findings of some months. */
export type WithdrawRequest = Move & { readonly months: readonly string[] };

/**
 * Takes claims back: their findings are to do again, and their history stays.
 *
 * @throws UsageError for an id that names no claim, or one that is over; where a month has none; or where several couriers have some
 */
export async function withdrawClaims(books: Books, move: WithdrawRequest): Promise<Moved> {
  const { note, months } = move;
  const inMonths = async (db: LedgerReader) =>
    (await findClaims(db, { periods: months }))
      .filter(({ claim }) => !isOver(claim.state))
      .map(({ claim }) => claim.mismatch_id);
  const own =
    months.length === 0
      ? await booksOfMismatches(books, move.ids)
      : await booksHaving(
          books,
          { kind: 'claim-in-force', name: months.join(', ') },
          async (db) => (await inMonths(db)).length > 0,
        );
  return usingBooks(own, {}, (ledger, one) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const ids = months.length === 0 ? move.ids : await inMonths(trx);
      if (ids.length === 0) throw new UsageError(because({ id: 'no-claim-in-month', month: months.join(', ') }));
      return moveIn(trx, one, { ...move, ids }, 'claim-withdrawn', (named) => ({ ids: named, note }), applyWithdrawn);
    }),
  );
}

/** What a write-off of claims asks for. */
export type WriteOffRequest = Move;

/**
 * Writes claims off: their findings are resolved for that reason, and what they say is open of an invoice is settled. Their effects stay in
 * the bridge. Above the limit of the books a second person has to approve it first.
 *
 * @throws UsageError for an id that names no claim, or one that is over
 */
export async function writeOffClaims(books: Books, move: WriteOffRequest): Promise<Moved | Waiting> {
  return usingBooks(await booksOfMismatches(books, move.ids), {}, (ledger, own) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const ids = await namedClaims(trx, move.ids, VERBS['claim-written-off'], own.config.timeZone);
      const { taken } = await givingUp(trx, own.config, ids);
      const request: WriteOffRequest = { ...move, ids };
      const decide = () => writeOffIn(trx, own, move);
      return (await isAboveLimit(trx, own.config, taken))
        ? propose(trx, own, { what: 'write-off', request }, decide)
        : decide();
    }),
  );
}

/** The same in a transaction that is open, whatever the limit. */
export function writeOffIn(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now'>,
  move: WriteOffRequest,
): Promise<Moved> {
  const { note } = move;
  return moveIn(
    trx,
    books,
    move,
    'claim-written-off',
    (ids) => ({ ids, note }),
    async (_, evidence, data) => {
      // What is open is read before the findings are resolved and its rows are written.
      const { settlements } = await givingUp(trx, books.config, data.ids);
      await applyWrittenOff(trx, evidence, data);
      if (settlements.length === 0) return;
      const kind = 'write-off';
      await recordSettlements(
        trx,
        { at: books.now(), by: move.by },
        settlements.map((one) => ({ ...one, kind, note })),
      );
    },
  );
}

async function givingUp(db: LedgerReader, config: Config, ids: readonly string[]) {
  return planGiveUp(db, config, [...(await readMismatchesById(db, ids)).values()], { settle: true });
}

const VERBS = {
  'claim-answered': 'answered',
  'claim-written-off': 'written off',
  'claim-withdrawn': 'withdrawn',
} as const;

/** Appends an answer or a write-off as evidence, with the rows that `apply` derives from it. Call it inside a transaction. */
async function moveIn<T extends object>(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  { ids, by }: Move,
  kind: keyof typeof VERBS,
  said: (ids: readonly string[]) => T,
  apply: (trx: LedgerTransaction, evidence: EvidenceRow, data: T) => Promise<void>,
): Promise<Moved> {
  await holdHead(trx);
  const named = await namedClaims(trx, ids, VERBS[kind], config.timeZone);
  const subject = named.length === 1 ? named[0]! : `${named.length} mismatches`;
  const data = said(named);
  const evidence = await appendEvidence(trx, { at: now(), kind, actor: by, subject, data });
  await apply(trx, evidence, data);
  const [claims, mismatches] = [await readClaims(trx, named), await readMismatchesById(trx, named)];
  const texts = await readNumberTexts(trx);
  return {
    evidence: evidence.id,
    claims: named.map((id) => ({
      mismatch: mismatchInNumberTexts(mismatches.get(id)!, texts),
      claim: claims.get(id)!,
    })),
  };
}

/** The ids in full, of claims that are not over. */
async function namedClaims(db: LedgerReader, ids: readonly string[], verb: string, zone: string): Promise<string[]> {
  const named = (await selectMismatches(db, { ids, filter: {} }, [])).map(({ id }) => id);
  const claims = await readClaims(db, named);
  for (const id of named) {
    const claim = claims.get(id);
    if (!claim) throw new UsageError(because({ id: 'never-claimed', mismatch: id }));
    if (!isOver(claim.state)) continue;
    throw new UsageError(
      because({ id: 'claim-is-over', mismatch: id, verb, state: claim.state, since: dayIn(claim.moved_at, zone) }),
    );
  }
  return named;
}
