/**
 * Writes mismatches and their history: of a mismatch's status (`mismatch_event`), and of its effect on your money
 * (`mismatch_effect`).
 */
import type { Sentence } from '../../base/sentence.ts';
import { compareText } from '../../base/text.ts';
import { chunks } from '../chunks.ts';
import type { MismatchEventTable, MismatchStatus, MismatchTable } from '../schema.ts';
import { insertRows, type Trx } from './insert.ts';

/** A mismatch as a check finds it: its sentence is not yet in English, and people set its status and note. */
export type FoundRecord = Omit<MismatchTable, 'status' | 'note' | 'message'> & {
  /** The months in which it shows, its own among them. */
  readonly months: readonly string[];
};

/** A found mismatch as it is stored: with its sentence in English. */
export type MismatchRecord = FoundRecord & Pick<MismatchTable, 'message'>;

/** How one check's findings differ from the mismatches in the ledger. */
export interface FindingsDelta<R extends FoundRecord = MismatchRecord> {
  /** Found for the first time. */
  readonly opened: readonly R[];
  /** Acknowledged or resolved before, and now open again. */
  readonly reopened: readonly (R & { readonly why: Sentence })[];
  /** In the ledger, and now with other figures, words or months. */
  readonly updated: readonly R[];
  /** No longer shown by the data. */
  readonly resolved: readonly { readonly id: string; readonly why: Sentence }[];
  /** No longer shown, though another one shows the same debt now; absent where there are none. */
  readonly replaced?: readonly { readonly id: string; readonly by: string }[];
}

/** A person's decision about some mismatches. */
export interface MismatchDecision {
  readonly ids: readonly string[];
  readonly to_status: MismatchStatus;
  /** Kept on the mismatch and in its history. Null leaves the mismatch's note as it is, an empty text removes it. */
  readonly note: string | null;
}

/** The evidence of a change, and who made it. The history of each mismatch that it changes gets an entry. */
export type Change = Pick<MismatchEventTable, 'evidence_id' | 'at' | 'actor'>;

type Move = Pick<MismatchEventTable, 'mismatch_id' | 'to_status' | 'note' | 'sentence'>;

/** Writes the new, changed and vanished findings of a check. Call it inside a transaction. */
export async function writeFindings(trx: Trx, delta: FindingsDelta, change: Change): Promise<void> {
  const { opened, reopened, updated, resolved } = delta;
  const added = opened.map(({ months: _, ...row }) => ({ ...row, status: 'open' as const, note: null }));
  await insertRows(trx, 'mismatch', added);
  const changed = [...reopened.map(({ why: _, ...record }) => record), ...updated];
  for (const { id, months: _, ...row } of changed) {
    await trx.updateTable('mismatch').set(row).where('id', '=', id).execute();
  }
  await writeMonths(trx, opened, changed);
  const openings = opened.map(({ id }) => {
    const opening = { from_status: null, to_status: 'open' as const, note: null, sentence: null };
    return { ...change, mismatch_id: id, ...opening };
  });
  await insertRows(trx, 'mismatch_event', openings);
  const moves: Move[] = [
    ...reopened.map(({ id, why }) => moveOf(id, 'open', why)),
    ...resolved.map(({ id, why }) => moveOf(id, 'resolved', why)),
  ];
  await moveAll(trx, moves, change);
  const ids = [...opened, ...changed, ...resolved].map(({ id }) => id);
  await writeEffects(trx, ids, change);
}

function moveOf(mismatch_id: string, to_status: MismatchStatus, why: Sentence): Move {
  return { mismatch_id, to_status, note: null, sentence: JSON.stringify(why) };
}

/** Writes a person's decision. Call it inside a transaction. */
export async function writeDecision(
  trx: Trx,
  { ids, to_status, note }: MismatchDecision,
  change: Change,
): Promise<void> {
  const moves = [...new Set(ids)].map((mismatch_id) => ({ mismatch_id, to_status, note, sentence: null }));
  const newNote = note === null ? {} : { note: note === '' ? null : note };
  const isAnyResolved = await moveAll(trx, moves, change, newNote);
  // To acknowledge a mismatch, or to open it again after that, leaves its effect as it is.
  if (isAnyResolved) await writeEffects(trx, ids, change);
}

async function writeMonths(trx: Trx, added: readonly MismatchRecord[], changed: readonly MismatchRecord[]) {
  for (const page of chunks(changed.map(({ id }) => id))) {
    await trx.deleteFrom('mismatch_month').where('mismatch_id', 'in', page).execute();
  }
  const months = [...added, ...changed].flatMap((one) => one.months.map((period) => ({ period, mismatch_id: one.id })));
  await insertRows(trx, 'mismatch_month', months);
}

/**
 * Moves mismatches to a status, with an entry in the history of each that the ledger holds.
 *
 * @param newNote the note of each; absent to leave their notes as they are
 * @returns whether any of them was resolved before, or is now
 */
async function moveAll(
  trx: Trx,
  moves: readonly Move[],
  change: Change,
  newNote: { readonly note?: string | null } = {},
): Promise<boolean> {
  let isAnyResolved = false;
  for (const page of chunks(moves)) {
    const wanted = page.map(({ mismatch_id }) => mismatch_id);
    const held = await trx.selectFrom('mismatch').selectAll().where('id', 'in', wanted).execute();
    const before = new Map(held.map(({ id, status }) => [id, status]));
    const inLedger = page.filter(({ mismatch_id }) => before.has(mismatch_id));
    isAnyResolved ||= inLedger.some((move) => [move.to_status, before.get(move.mismatch_id)].includes('resolved'));
    const events = inLedger.map((move) => ({ ...change, from_status: before.get(move.mismatch_id)!, ...move }));
    await insertRows(trx, 'mismatch_event', events);
    for (const status of new Set(inLedger.map(({ to_status }) => to_status))) {
      const ids = inLedger.filter(({ to_status }) => to_status === status).map(({ mismatch_id }) => mismatch_id);
      const fields = { status, ...newNote };
      await trx.updateTable('mismatch').set(fields).where('id', 'in', ids).execute();
    }
  }
  return isAnyResolved;
}

/** Adds to the history of effects where a mismatch's effect has changed; a resolved one has none. */
async function writeEffects(trx: Trx, ids: readonly string[], { evidence_id, at }: Change): Promise<void> {
  for (const page of chunks([...new Set(ids)])) {
    const held = trx.selectFrom('mismatch_effect').select(['mismatch_id', 'effect']).where('mismatch_id', 'in', page);
    const before = new Map(
      (await held.orderBy('evidence_id').execute()).map(({ mismatch_id, effect }) => [mismatch_id, effect]),
    );
    const mismatches = await trx.selectFrom('mismatch').selectAll().where('id', 'in', page).execute();
    const moved = mismatches
      .toSorted((a, b) => compareText(a.id, b.id))
      .map(({ id, period, status, effect }) => {
        const now = status === 'resolved' ? null : effect;
        return { mismatch_id: id, evidence_id, at, period, effect: now };
      })
      .filter(({ mismatch_id, effect }) => effect !== (before.get(mismatch_id) ?? null));
    await insertRows(trx, 'mismatch_effect', moved);
  }
}
