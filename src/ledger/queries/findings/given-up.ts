/** What people gave up by resolving what was found. */
import { sql } from 'kysely';
import { REMIT } from '../../write/mismatches.ts';
import type { LedgerReader } from '../snapshot.ts';

/** That a person resolved a finding, and what ended it. */
export interface GivenUp {
  readonly mismatch_id: string;
  readonly evidence_id: number;
  /** The kind of that evidence: `decision`, `claim-written-off` or `resolutions`. */
  readonly kind: string;
  readonly at: string;
  readonly actor: string;
  readonly note: string | null;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly currency: string | null;
  readonly effect: string | null;
  /** When and by whom it was opened again; null while it is resolved. */
  readonly ended_by: string | null;
  readonly ended_at: string | null;
  readonly ended_why: string | null;
  readonly ended_sentence: string | null;
}

/** Each time that a person resolved a finding, in the order in which they did. */
export async function readGivenUp(db: LedgerReader): Promise<GivenUp[]> {
  const { rows } = await sql<GivenUp>`
    with given as (
      select e.mismatch_id, e.evidence_id, e.at, e.actor, e.note, (
        select min(n.evidence_id) from mismatch_event n
        where n.mismatch_id = e.mismatch_id and n.evidence_id > e.evidence_id and n.to_status <> 'resolved'
      ) as ended
      from mismatch_event e
      where e.to_status = 'resolved' and e.actor <> ${REMIT} and coalesce(e.from_status, 'open') <> 'resolved'
    )
    select g.mismatch_id, g.evidence_id, v.kind, g.at, g.actor, g.note, m.invoice_number, m.order_id, m.currency, m.effect,
      n.actor as ended_by, n.at as ended_at, n.note as ended_why, n.sentence as ended_sentence
    from given g
    join mismatch m on m.id = g.mismatch_id
    join evidence v on v.id = g.evidence_id
    left join mismatch_event n on n.mismatch_id = g.mismatch_id and n.evidence_id = g.ended
    order by g.evidence_id, g.mismatch_id`.execute(db);
  return rows;
}
