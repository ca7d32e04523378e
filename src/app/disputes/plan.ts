import type { ClaimLine } from '../../../reports/claim.ts';
import { UsageError } from '../../errors.ts';
import {
  type Claim,
  type LedgerReader,
  type Mismatch,
  readAccount,
  readClaims,
  readLastEvents,
  usingSnapshot,
} from '../../ledger/read/index.ts';
import type { SentLine } from '../../ledger/write/claims.ts';
import { formatPeriod } from '../../period.ts';
import { type Books, usingBooks } from '../books.ts';
import { requireSelection, type Selection, selectMismatches } from '../mismatches/select.ts';
import { claimLines, GROUNDS } from './lines.ts';

export interface DisputeRequest {
  readonly selection: Selection;
  /** Take those too that were claimed already and are as they were claimed. */
  readonly again: boolean;
  /** Leave out what is in the merchant's favour, and what has no effect. */
  readonly shortOnly: boolean;
  /** Who claims. */
  readonly by: string;
}

/** A finding that is left out of a claim. */
export interface LeftOut {
  readonly mismatch: Mismatch;
  readonly claim: Claim | null;
  /** `claimed`: claimed already, and as it was; `resolved`: over; `ours`: nothing of it is asked of the courier; `favour`: not short. */
  readonly why: 'claimed' | 'resolved' | 'ours' | 'favour';
}

/** What a claim would say, and of what. */
export interface DisputePlan {
  readonly by: string;
  /** The day that it bears, in UTC. */
  readonly on: string;
  /** The merchant's name, where the courier's profile says it. */
  readonly merchant: string | null;
  /** The months that it is about, as a period; empty where it is about findings by name. */
  readonly period: string;
  readonly lines: readonly ClaimLine[];
  /** The same as the ledger keeps it. */
  readonly sent: readonly (SentLine & ClaimLine)[];
  /** The last entry in the history of each, by which it is known whether somebody came between. */
  readonly seen: ReadonlyMap<string, number>;
  readonly left: readonly LeftOut[];
}

/** Codes that can be claimed, in the order of the catalogue. */
function claimableCodes(): readonly string[] {
  return [...GROUNDS.keys()];
}

/**
 * Says what a claim would say. Nothing is written.
 *
 * @throws UsageError for an id that names no mismatch or several, a selection that makes no sense, or a check of which nothing is claimed
 */
export async function planDispute(books: Books, request: DisputeRequest): Promise<DisputePlan> {
  const { selection, by } = request;
  requireSelection(selection, 'a period, ');
  for (const code of selection.filter.codes ?? []) {
    if (GROUNDS.has(code)) continue;
    throw new UsageError(
      `what ${code} finds is no claim on the delivery company`,
      `Claims are made of: ${claimableCodes().join(', ')}.`,
    );
  }
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const { taken, left, claims } = await choose(db, request);
      const on = books.now().toISOString().slice(0, 10);
      const lines = await claimLines(db, taken, claims);
      const last = await readLastEvents(
        db,
        taken.map(({ id }) => id),
      );
      return {
        by,
        on,
        merchant: (await readAccount(db))?.organisation_name ?? null,
        period: formatPeriod(selection.filter.periods ?? []),
        lines,
        sent: lines.map((line, at) => ({ ...line, note: noteOf(taken[at]!.note, on) })),
        seen: new Map([...last].map(([id, { evidence_id }]) => [id, evidence_id])),
        left,
      };
    }),
  );
}

async function choose(db: LedgerReader, { selection, again, shortOnly }: DisputeRequest) {
  const isNamed = selection.ids.length > 0;
  const found = await selectMismatches(db, selection, ['open', 'acknowledged']);
  const claims = await readClaims(
    db,
    found.map(({ id }) => id),
  );
  const taken: Mismatch[] = [];
  const left: LeftOut[] = [];
  for (const mismatch of found) {
    const claim = claims.get(mismatch.id) ?? null;
    const why = whyNot(mismatch, claim, { again, shortOnly });
    if (why === null) taken.push(mismatch);
    // A filter lets through what is no claim, and what is in nobody's way: only what was named, or sent before, is worth a word.
    else if (isNamed || why === 'claimed') left.push({ mismatch, claim, why });
  }
  return { taken, left, claims };
}

function whyNot(
  { code, status, effect }: Mismatch,
  claim: Claim | null,
  { again, shortOnly }: Pick<DisputeRequest, 'again' | 'shortOnly'>,
): LeftOut['why'] | null {
  if (!GROUNDS.has(code)) return 'ours';
  if (status === 'resolved') return 'resolved';
  if (shortOnly && !effect?.startsWith('-')) return 'favour';
  return !again && (claim?.state === 'claimed' || claim?.state === 'answered') ? 'claimed' : null;
}

const CLAIMED_ON = /(^|; )claimed on \d{4}-\d{2}-\d{2}$/;

/** A person's own note stays; only the day of an earlier claim gives way. */
function noteOf(note: string | null, on: string): string {
  const own = note?.replace(CLAIMED_ON, '') ?? '';
  return `${own}${own === '' ? '' : '; '}claimed on ${on}`;
}
