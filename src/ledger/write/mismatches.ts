import type { Kysely } from 'kysely';
import type { Sentence } from '../../base/sentence.ts';
import { compareText } from '../../base/text.ts';
import { chunks } from '../chunks.ts';
import { REMIT } from '../schema/findings.ts';
import type { LedgerSchema, MismatchEventTable, MismatchStatus, MismatchTable } from '../schema.ts';
import { insertRows } from './insert.ts';

/** A mismatch as a check finds it, before it is said; its status and note are the business of people. */
export type FoundRecord = Omit<MismatchTable, 'status' | 'note' | 'message'> & {
  /** The months in which it shows, its own among them. */
  readonly months: readonly string[];
};

/** The same as it is stored, with its sentence in English. */
export type MismatchRecord = FoundRecord & Pick<MismatchTable, 'message'>;

/** What one check changed in what is known. */
export interface FindingsDelta<R extends FoundRecord = MismatchRecord> {
  /** Found for the first time. */
  readonly opened: readonly R[];
  /** Known and settled, and to be looked at again. */
  readonly reopened: readonly (R & { readonly why: Sentence })[];
  /** Known, with other figures, words or months now. */
  readonly updated: readonly R[];
  /** No longer shown by the data. */
  readonly resolved: readonly { readonly id: string; readonly why: Sentence }[];
}

/** What a person decided about some mismatches. */
export interface Decision {
  readonly ids: readonly string[];
  readonly to_status: MismatchStatus;
  /** Stays on the mismatch and in its history; null leaves the mismatch's note as it is, an empty text takes it away. */
  readonly note: string | null;
}

/** The decisions in one workbook whose notes were taken back: each mismatch is in at most one of them. */
export interface Resolutions {
  readonly decisions: readonly Decision[];
}

/** The evidence of a change, which makes one entry in each mismatch's history. */
export interface Change {
  readonly evidenceId: number;
  readonly at: string;
}

type Move = Pick<MismatchEventTable, 'mismatch_id' | 'to_status' | 'note' | 'sentence'>;

/** Writes what a check found new, changed or gone. Call it inside a transaction. */
export async function writeFindings(trx: Kysely<LedgerSchema>, delta: FindingsDelta, change: Change): Promise<void> {
  const { opened, reopened, updated, resolved } = delta;
  await insertRows(
    trx,
    'mismatch',
    opened.map(({ months: _, ...row }) => ({ ...row, status: 'open' as const, note: null })),
  );
  const changed = [...reopened.map(({ why: _, ...record }) => record), ...updated];
  for (const { id, months: _, ...row } of changed) {
    await trx.updateTable('mismatch').set(row).where('id', '=', id).execute();
  }
  await writeMonths(trx, opened, changed);
  await insertRows(
    trx,
    'mismatch_event',
    opened.map(({ id }) => ({
      ...eventOf(change, REMIT),
      mismatch_id: id,
      from_status: null,
      to_status: 'open' as const,
      note: null,
      sentence: null,
    })),
  );
  const moves: Move[] = [
    ...reopened.map(({ id, why }) => moveOf(id, 'open', why)),
    ...resolved.map(({ id, why }) => moveOf(id, 'resolved', why)),
  ];
  await moveAll(trx, moves, REMIT, change);
  await writeEffects(
    trx,
    [...opened, ...changed, ...resolved].map(({ id }) => id),
    change,
  );
}

function moveOf(mismatch_id: string, to_status: MismatchStatus, why: Sentence): Move {
  return { mismatch_id, to_status, note: null, sentence: JSON.stringify(why) };
}

/** Writes what a person decided. Call it inside a transaction. */
export async function writeDecision(
  trx: Kysely<LedgerSchema>,
  { ids, to_status, note }: Decision,
  actor: string,
  change: Change,
): Promise<void> {
  const moves = [...new Set(ids)].map((mismatch_id) => ({ mismatch_id, to_status, note, sentence: null }));
  const kept = note === null ? {} : { note: note === '' ? null : note };
  const isSettled = await moveAll(trx, moves, actor, change, kept);
  // What is only known comes to the same amount.
  if (isSettled) await writeEffects(trx, ids, change);
}

async function writeMonths(
  trx: Kysely<LedgerSchema>,
  added: readonly MismatchRecord[],
  changed: readonly MismatchRecord[],
): Promise<void> {
  for (const page of chunks(changed.map(({ id }) => id))) {
    await trx.deleteFrom('mismatch_month').where('mismatch_id', 'in', page).execute();
  }
  await insertRows(
    trx,
    'mismatch_month',
    [...added, ...changed].flatMap(({ id, months }) => months.map((period) => ({ period, mismatch_id: id }))),
  );
}

function eventOf({ evidenceId, at }: Change, actor: string) {
  return { evidence_id: evidenceId, at, actor };
}

/**
 * Moves mismatches to a status, with an entry in the history of each that the ledger holds.
 *
 * @param kept what else is kept of each
 * @returns whether any of them was resolved, or is now
 */
async function moveAll(
  trx: Kysely<LedgerSchema>,
  moves: readonly Move[],
  actor: string,
  change: Change,
  kept: { readonly note?: string | null } = {},
): Promise<boolean> {
  let isSettled = false;
  for (const page of chunks(moves)) {
    const held = await trx
      .selectFrom('mismatch')
      .selectAll()
      .where(
        'id',
        'in',
        page.map(({ mismatch_id }) => mismatch_id),
      )
      .execute();
    const before = new Map(held.map(({ id, status }) => [id, status]));
    const known = page.filter(({ mismatch_id }) => before.has(mismatch_id));
    isSettled ||= known.some((move) => [move.to_status, before.get(move.mismatch_id)].includes('resolved'));
    await insertRows(
      trx,
      'mismatch_event',
      known.map((move) => ({ ...eventOf(change, actor), from_status: before.get(move.mismatch_id)!, ...move })),
    );
    for (const status of new Set(known.map(({ to_status }) => to_status))) {
      const ids = known.filter(({ to_status }) => to_status === status).map(({ mismatch_id }) => mismatch_id);
      await trx
        .updateTable('mismatch')
        .set({ status, ...kept })
        .where('id', 'in', ids)
        .execute();
    }
  }
  return isSettled;
}

/** Notes from when on each of some mismatches comes to another amount, as far as it is not resolved. */
async function writeEffects(trx: Kysely<LedgerSchema>, ids: readonly string[], change: Change): Promise<void> {
  for (const page of chunks([...new Set(ids)])) {
    const held = trx.selectFrom('mismatch_effect').select(['mismatch_id', 'effect']).where('mismatch_id', 'in', page);
    const before = new Map(
      (await held.orderBy('evidence_id').execute()).map(({ mismatch_id, effect }) => [mismatch_id, effect]),
    );
    const now = await trx.selectFrom('mismatch').selectAll().where('id', 'in', page).execute();
    const moved = now
      .toSorted((a, b) => compareText(a.id, b.id))
      .map(({ id, period, status, effect }) => ({ id, period, effect: status === 'resolved' ? null : effect }))
      .filter(({ id, effect }) => effect !== (before.get(id) ?? null));
    await insertRows(
      trx,
      'mismatch_effect',
      moved.map(({ id, period, effect }) => ({
        mismatch_id: id,
        evidence_id: change.evidenceId,
        at: change.at,
        period,
        effect,
      })),
    );
  }
}
