import type { Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import type { LedgerSchema, MismatchEventTable, MismatchStatus, MismatchTable } from '../schema.ts';
import { insertRows } from './insert.ts';

/** What is said of a mismatch; its status and note are the business of people. */
export type MismatchRecord = Omit<MismatchTable, 'status' | 'note'> & {
  /** The months in which it shows, its own among them. */
  readonly months: readonly string[];
};

/** What one check changed in what is known. */
export interface FindingsDelta {
  /** Found for the first time. */
  readonly opened: readonly MismatchRecord[];
  /** Known and settled, and to be looked at again. */
  readonly reopened: readonly (MismatchRecord & { readonly why: string })[];
  /** Known, and now said otherwise. */
  readonly updated: readonly MismatchRecord[];
  /** No longer shown by the data. */
  readonly resolved: readonly { readonly id: string; readonly why: string }[];
}

/** What a person decided about some mismatches. */
export interface Decision {
  readonly ids: readonly string[];
  readonly to_status: MismatchStatus;
  /** Stays on the mismatch and in its history; null leaves the mismatch's note as it is, an empty text takes it away. */
  readonly note: string | null;
}

/** What a person decided in one file, a workbook whose notes were taken back: no mismatch stands in two of them. */
export interface Resolutions {
  readonly decisions: readonly Decision[];
}

/** Who changes a mismatch's status when a check does; a person's name stands there otherwise. */
export const REMIT = 'remit';

/** The evidence of a change: of a mismatch it makes one entry in the history. */
export interface Change {
  readonly evidenceId: number;
  readonly at: string;
}

type Move = Pick<MismatchEventTable, 'mismatch_id' | 'to_status' | 'note'>;

/** Writes what a check found anew, found otherwise or found no more. Call it inside a transaction. */
export async function writeFindings(trx: Kysely<LedgerSchema>, delta: FindingsDelta, change: Change): Promise<void> {
  const { opened, reopened, updated, resolved } = delta;
  await insertRows(
    trx,
    'mismatch',
    opened.map(({ months: _, ...row }) => ({ ...row, status: 'open' as const, note: null })),
  );
  for (const { id, months: _, why: __, ...row } of [...reopened, ...updated.map((row) => ({ ...row, why: '' }))]) {
    await trx.updateTable('mismatch').set(row).where('id', '=', id).execute();
  }
  await writeMonths(trx, opened, [...reopened, ...updated]);
  await insertRows(
    trx,
    'mismatch_event',
    opened.map(({ id }) => ({
      ...eventOf(change, REMIT),
      mismatch_id: id,
      from_status: null,
      to_status: 'open' as const,
      note: null,
    })),
  );
  const moves: Move[] = [
    ...reopened.map(({ id, why }) => ({ mismatch_id: id, to_status: 'open' as const, note: why })),
    ...resolved.map(({ id, why }) => ({ mismatch_id: id, to_status: 'resolved' as const, note: why })),
  ];
  await moveAll(trx, moves, REMIT, change);
}

/** Writes what a person decided. Call it inside a transaction. */
export async function writeDecision(
  trx: Kysely<LedgerSchema>,
  { ids, to_status, note }: Decision,
  actor: string,
  change: Change,
): Promise<void> {
  const moves = [...new Set(ids)].map((mismatch_id) => ({ mismatch_id, to_status, note }));
  await moveAll(trx, moves, actor, change);
  if (note === null) return;
  const kept = note === '' ? null : note;
  for (const page of chunks(ids)) {
    await trx.updateTable('mismatch').set({ note: kept }).where('id', 'in', page).execute();
  }
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

/** Moves mismatches to a status, with an entry in the history of each that the ledger holds. */
async function moveAll(
  trx: Kysely<LedgerSchema>,
  moves: readonly Move[],
  actor: string,
  change: Change,
): Promise<void> {
  for (const page of chunks(moves)) {
    const held = await trx
      .selectFrom('mismatch')
      .select(['id', 'status'])
      .where(
        'id',
        'in',
        page.map(({ mismatch_id }) => mismatch_id),
      )
      .execute();
    const before = new Map(held.map(({ id, status }) => [id, status]));
    const known = page.filter(({ mismatch_id }) => before.has(mismatch_id));
    await insertRows(
      trx,
      'mismatch_event',
      known.map((move) => ({ ...eventOf(change, actor), from_status: before.get(move.mismatch_id)!, ...move })),
    );
    for (const status of new Set(known.map(({ to_status }) => to_status))) {
      const ids = known.filter(({ to_status }) => to_status === status).map(({ mismatch_id }) => mismatch_id);
      await trx.updateTable('mismatch').set({ status }).where('id', 'in', ids).execute();
    }
  }
}
