import { numberText } from '../../base/number-texts.ts';
import { isOver } from '../../base/states.ts';
import { chunks } from '../../ledger/chunks.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readCloseLog } from '../../ledger/queries/closes/closes.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import { findClaims } from '../../ledger/queries/findings/claims.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readImports } from '../../ledger/queries/imports.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readMatchedBy } from '../../ledger/queries/receipts/match-history.ts';
import { readMatches, readSettlementsWithoutReceipt } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { type Books, NO_FIGURES, readBooks } from '../books.ts';
import { couriersOf } from '../couriers.ts';
import { DECISION_KINDS, dataOf } from '../decisions/lines.ts';

/** The decision that would undo another one. */
export type Opposite =
  | { readonly kind: 'reopen-mismatches'; readonly ids: readonly string[] }
  | { readonly kind: 'withdraw-claims'; readonly ids: readonly string[] }
  | { readonly kind: 'undo-settlements'; readonly ids: readonly number[] }
  | { readonly kind: 'remove-matches'; readonly ids: readonly number[] }
  | { readonly kind: 'undo-import'; readonly id: number }
  | { readonly kind: 'reopen-month'; readonly month: string };

/** A decision of a person, as the list shows it. */
export interface DecisionEntry {
  /** The courier whose invoices or mismatches it is about; null for a decision about the whole books. */
  readonly courier: string | null;
  readonly id: number;
  readonly at: string;
  readonly by: string;
  /** The kind of its evidence. */
  readonly kind: string;
  /** What it is about: a mismatch's id, a month, a file; of a match its id, receipts and invoices (`8: 13 → 202`). */
  readonly subject: string;
  /** For a decision about mismatches, their new status. */
  readonly to_status: string | null;
  readonly note: string | null;
  /** Null where nothing is left to undo. */
  readonly undo: Opposite | null;
}

/** Reads what people decided, the latest first, each with what would undo it. Matches that remit made are left out. */
export function listDecisions(books: Books): Promise<DecisionEntry[]> {
  return readBooks(books, NO_FIGURES, async (db) => {
    const couriers = await couriersOf(db, books.config);
    const names = new Map(couriers.map(({ key, name }) => [key, name]));
    const decided = (await readEvidenceOfKinds(db, DECISION_KINDS)).filter(
      ({ actor, courier }) => actor !== null && (courier === null || names.has(courier)),
    );
    const opposites = new Map<string | null, OppositeFinder>();
    const matchNames = new Map<number, string>();
    for (const key of new Set(decided.map(({ courier }) => courier))) {
      const rows = decided.filter(({ courier }) => courier === key);
      if (key !== null) await nameMatches(ofCourier(db, key), rows, matchNames);
      opposites.set(key, await (key === null ? oppositesOfAll(db) : oppositesIn(ofCourier(db, key), rows)));
    }
    return decided.reverse().map((row) => {
      const { id, at, actor, kind, subject, source } = row;
      const data = dataOf(row);
      return {
        courier: row.courier === null ? null : names.get(row.courier)!,
        id,
        at,
        by: actor!,
        kind,
        subject: matchNames.get(id) ?? (kind === 'import' && source !== null ? source : subject),
        to_status: data.to_status ?? null,
        note: data.note ?? data.why ?? data.reason ?? null,
        undo: opposites.get(row.courier)!(row),
      };
    });
  });
}

/** Names matches and settlements, as `8: 13 → 202`; without receipts `3: 102`. @param names is filled, by evidence */
async function nameMatches(db: LedgerReader, decided: readonly EvidenceRow[], names: Map<number, string>) {
  const ids = decided.flatMap(({ id, kind }) => (kind === 'match' ? [id] : []));
  const texts = await readNumberTexts(db);
  for (const chunk of chunks(ids)) {
    for (const { id, evidence_id, receipts, invoices: numbers } of await readMatchedBy(db, chunk)) {
      const invoices = numbers.map((number) => numberText(number, texts));
      const sides = [receipts, invoices].filter((side) => side.length > 0).map((side) => side.join(', '));
      const name = `${id}: ${sides.join(' → ')}`;
      const before = names.get(evidence_id);
      names.set(evidence_id, before === undefined ? name : `${before}; ${name}`);
    }
  }
}

/** Finds what would undo a decision; null if nothing is left to undo. */
type OppositeFinder = (row: EvidenceRow) => Opposite | null;

/** Makes the finder for decisions about one courier. */
async function oppositesIn(db: LedgerReader, decided: readonly EvidenceRow[]): Promise<OppositeFinder> {
  const mismatches = await readMismatchesById(db, [...new Set(decided.flatMap((row) => dataOf(row).ids ?? []))]);
  const matches = await readMatches(db);
  const settlements = (await readSettlementsWithoutReceipt(db)).filter(({ removed_at }) => removed_at === null);
  const claims = await findClaims(db, {});
  const ofAll = await oppositesOfAll(db);
  return (row) => {
    const { id, kind, subject } = row;
    if (kind === 'decision' || kind === 'claim-written-off') {
      // The data of a write-off names no status: it resolves.
      const { ids = [], to_status = 'resolved' } = dataOf(row);
      // Reopening has no opposite. Any other decision is undone for the mismatches that still have its status.
      const stillDecided = to_status === 'open' ? [] : ids.filter((one) => mismatches.get(one)?.status === to_status);
      return stillDecided.length === 0 ? null : { kind: 'reopen-mismatches', ids: stillDecided };
    }
    if (kind === 'claim') {
      const claimed = claims.filter(({ claim }) => claim.evidence_id === id && !isOver(claim.state));
      return claimed.length === 0 ? null : { kind: 'withdraw-claims', ids: claimed.map(({ mismatch }) => mismatch.id) };
    }
    // Amounts that were taken off invoices without a receipt are on record as matches, under this subject.
    if (kind === 'match' && subject === 'settlements') {
      const settled = settlements.filter(({ evidence_id }) => evidence_id === id);
      // A settlement that gave up a claim has the id of its mismatch: to reopen the mismatch undoes both.
      const givenUp = settled.flatMap(({ claim: mismatch }) => mismatch ?? []);
      if (givenUp.length > 0) return { kind: 'reopen-mismatches', ids: [...new Set(givenUp)] };
      return settled.length === 0 ? null : { kind: 'undo-settlements', ids: settled.map((one) => one.id) };
    }
    if (kind === 'match') {
      const matchIds = matches.filter(({ evidence_id }) => evidence_id === id).map((one) => one.id);
      return matchIds.length === 0 ? null : { kind: 'remove-matches', ids: matchIds };
    }
    return ofAll(row);
  };
}

/** Makes the finder for decisions about the whole books, and for imports, whichever courier they are of. */
async function oppositesOfAll(db: LedgerReader): Promise<OppositeFinder> {
  const imports = (await readImports(db)).filter(({ undone_at }) => undone_at === null);
  const closes = (await readCloseLog(db)).filter(({ reopened }) => reopened === null);
  return ({ id, kind, subject }) => {
    if (kind === 'import') return imports.some((one) => one.id === id) ? { kind: 'undo-import', id } : null;
    if (kind === 'close') return closes.some((one) => one.id === id) ? { kind: 'reopen-month', month: subject } : null;
    return null;
  };
}
