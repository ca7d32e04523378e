/** Effects of mismatches over time, and the mismatches whose money a person gave up. */
import { dayIn } from '../../../base/day.ts';
import { parseUnits, type Units } from '../../../money/units.ts';
import { REMIT } from '../../schema/findings.ts';
import type { MismatchEffectTable, MismatchEventTable, MismatchTable } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** A change of a mismatch's effect: of the money that it takes from you or gives you. */
export interface EffectMove
  extends Pick<MismatchEffectTable, 'mismatch_id' | 'evidence_id' | 'period'>,
    Pick<MismatchTable, 'code' | 'invoice_number' | 'order_id' | 'reference_id' | 'field'> {
  /** The day on which it became known, in the books' time zone. */
  readonly seen_on: string;
  /** The last day on which the invoice was restated, or the order's amounts changed; null where neither ever did. */
  readonly changed_on: string | null;
  readonly currency: string;
  /** The effect from then on; zero once it is resolved. */
  readonly effect: Units;
  /** The effect less the effect before. */
  readonly moved: Units;
  /** Whether the mismatch was found for the first time. */
  readonly isFirst: boolean;
}

/** The changes of effects of these checks' mismatches, in order. @param zone the time zone of the days */
export async function readEffectMoves(db: LedgerReader, codes: readonly string[], zone: string): Promise<EffectMove[]> {
  type Stored = Omit<EffectMove, 'seen_on' | 'changed_on' | 'currency' | 'effect' | 'moved' | 'isFirst'> &
    Pick<MismatchEffectTable, 'at' | 'effect'> &
    Record<'currency' | 'restated_at' | 'changed_at', string | null>;
  // The first version of an invoice is no restatement, each later one is.
  const rows = await rowsOf<Stored>(db)`
    select e.mismatch_id, e.evidence_id, e.at, e.period, e.effect,
      m.code, m.invoice_number, m.order_id, m.reference_id, m.currency, m.field,
      (select max(v.seen_at) from invoice_version v
        where v.invoice_number = m.invoice_number and v.evidence_id <= e.evidence_id and v.version > 1) as restated_at,
      (select max(seen.at) from order_change c join evidence seen on seen.id = c.evidence_id
        where c.order_id = m.order_id and c.evidence_id <= e.evidence_id and c.amounts_changed = 1) as changed_at
    from mismatch_effect e join mismatch m on m.id = e.mismatch_id
    where ${isOneOf('m.code', codes)}
    order by e.evidence_id, e.mismatch_id`;
  const lastEffects = new Map<string, Units>();
  const moves: EffectMove[] = [];
  for (const { at, restated_at, changed_at, effect: effectText, currency, ...mismatch } of rows) {
    const before = lastEffects.get(mismatch.mismatch_id);
    const effect = effectText === null ? 0n : parseUnits(effectText);
    lastEffects.set(mismatch.mismatch_id, effect);
    const moved = effect - (before ?? 0n);
    if (currency === null || moved === 0n) continue;
    const changeDays = [restated_at, changed_at].filter((time) => time !== null).map((time) => dayIn(time, zone));
    moves.push({
      ...mismatch,
      seen_on: dayIn(at, zone),
      changed_on: changeDays.sort().at(-1) ?? null,
      currency,
      effect,
      moved,
      isFirst: before === undefined,
    });
  }
  return moves;
}

/** The sum of the effects of these checks' unresolved mismatches now, by currency. */
export async function sumOpenEffects(db: LedgerReader, codes: readonly string[]): Promise<Map<string, Units>> {
  const ofCodes = db.selectFrom('mismatch').select(['currency', 'effect']).where(isOneOf('code', codes));
  const rows = await ofCodes.where('status', '<>', 'resolved').where('effect', 'is not', null).execute();
  const sums = new Map<string, Units>();
  for (const { currency, effect } of rows) {
    if (currency !== null) sums.set(currency, (sums.get(currency) ?? 0n) + parseUnits(effect!));
  }
  return sums;
}

/** A person resolved a mismatch, and so gave up its money; later it may have been opened again. */
export interface GivenUp
  extends Pick<MismatchEventTable, 'mismatch_id' | 'evidence_id' | 'at' | 'actor' | 'note'>,
    Pick<MismatchTable, 'invoice_number' | 'order_id' | 'currency' | 'effect'> {
  /** The kind of that evidence: `decision`, `claim-written-off` or `resolutions`. */
  readonly kind: string;
  /** By whom and when it was opened again; null while it is resolved. */
  readonly ended_by: string | null;
  readonly ended_at: string | null;
  readonly ended_note: string | null;
  /** Why remit opened it again: a sentence's id and parameters, as JSON. */
  readonly ended_sentence: string | null;
}

/** Each time that a person resolved a mismatch, oldest first. */
export function readGivenUp(db: LedgerReader) {
  // `ended`: the evidence that opened the mismatch again, if one did; `reopening`: the event with that evidence.
  return rowsOf<GivenUp>(db)`
    with given as (
      select e.mismatch_id, e.evidence_id, e.at, e.actor, e.note, (
        select min(later.evidence_id) from mismatch_event later
        where later.mismatch_id = e.mismatch_id and later.evidence_id > e.evidence_id and later.to_status <> 'resolved'
      ) as ended
      from mismatch_event e
      where e.to_status = 'resolved' and e.actor <> ${REMIT} and coalesce(e.from_status, 'open') <> 'resolved'
    )
    select given.mismatch_id, given.evidence_id, evidence.kind, given.at, given.actor, given.note,
      m.invoice_number, m.order_id, m.currency, m.effect,
      reopening.actor as ended_by, reopening.at as ended_at, reopening.note as ended_note,
      reopening.sentence as ended_sentence
    from given
    join mismatch m on m.id = given.mismatch_id
    join evidence on evidence.id = given.evidence_id
    left join mismatch_event reopening
      on reopening.mismatch_id = given.mismatch_id and reopening.evidence_id = given.ended
    order by given.evidence_id, given.mismatch_id`;
}

/** The mismatches that a person resolved and nobody opened since, whether the data still shows them or not. */
export async function readGivenUpNow(db: LedgerReader): Promise<Set<string>> {
  return new Set((await readGivenUp(db)).flatMap((one) => (one.ended_by === null ? [one.mismatch_id] : [])));
}
