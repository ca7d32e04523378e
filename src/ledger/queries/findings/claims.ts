/** Claims on the courier, and the dates of the documents behind them. */
import { groupBy } from '../../../base/group.ts';
import { compareText } from '../../../base/text.ts';
import { chunks, inChunks } from '../../chunks.ts';
import type { ClaimEventTable, ClaimState, ClaimTable, MismatchTable } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';
import { type MismatchFilter, mismatchesBy, READING_ORDER } from './mismatches.ts';

export type Claim = ClaimTable;

export async function readClaims(db: LedgerReader, ids: readonly string[]): Promise<Map<string, Claim>> {
  const claims = await inChunks(ids, (page) =>
    db.selectFrom('claim').selectAll().where('mismatch_id', 'in', page).execute(),
  );
  return new Map(claims.map((claim) => [claim.mismatch_id, claim]));
}

/** The history of the claim on a mismatch, from its first sending on. */
export async function readClaimHistory(db: LedgerReader, id: string): Promise<ClaimEventTable[]> {
  return db.selectFrom('claim_event').selectAll().where('mismatch_id', '=', id).orderBy('evidence_id').execute();
}

export interface Claimed {
  readonly mismatch: MismatchTable;
  readonly claim: Claim;
}

/** The claimed mismatches that match a filter, the worst first. */
export async function findClaims(
  db: LedgerReader,
  { states, ...filter }: MismatchFilter & { readonly states?: readonly ClaimState[] | undefined },
): Promise<Claimed[]> {
  const mismatches = await mismatchesBy(db, filter)
    .where((eb) => {
      const claims = eb.selectFrom('claim').select('claim.mismatch_id');
      const claim = claims.whereRef('claim.mismatch_id', '=', 'mismatch.id');
      return eb.exists(states ? claim.where(isOneOf('claim.state', states)) : claim);
    })
    .orderBy(READING_ORDER)
    .execute();
  const ids = mismatches.map(({ id }) => id);
  const claims = await readClaims(db, ids);
  return mismatches.map((mismatch) => ({ mismatch, claim: claims.get(mismatch.id)! }));
}

/** When an invoice was issued and its detail received; null if the ledger does not have it. */
export interface InvoiceDates {
  readonly issued_at: string | null;
  readonly received_at: string | null;
}

/** When an order was delivered, when its record was received, and the invoices that list it, vanished ones too. */
export interface OrderDates {
  readonly delivered_at: string | null;
  readonly received_at: string | null;
  readonly invoices: readonly number[];
}

export async function readInvoiceDates(db: LedgerReader, numbers: readonly number[]) {
  const rows = await inChunks(numbers, (page) =>
    db
      .selectFrom('invoice as i')
      .leftJoin('evidence as e', 'e.id', 'i.detail_evidence_id')
      .select(['i.number', 'i.issued_at', 'e.at as received_at'])
      .where('i.number', 'in', page)
      .execute(),
  );
  return new Map(rows.map(({ number, ...row }): [number, InvoiceDates] => [number, row]));
}

export async function readOrderDates(db: LedgerReader, ids: readonly string[]): Promise<Map<string, OrderDates>> {
  const dates = new Map<string, OrderDates>();
  for (const page of chunks(ids)) {
    const records = await db
      .selectFrom('courier_order as b')
      .leftJoin('evidence as e', 'e.id', 'b.record_evidence_id')
      .select(['b.order_id', 'b.first_delivered_at as delivered_at', 'e.at as received_at'])
      .where('b.order_id', 'in', page)
      .execute();
    const rows = await db
      .selectFrom('invoice_order')
      .select(['order_id', 'invoice_number'])
      .where('order_id', 'in', page)
      .groupBy(['order_id', 'invoice_number'])
      .orderBy('invoice_number')
      .execute();
    const listed = groupBy(rows, ({ order_id }) => order_id);
    const recordById = new Map(records.map(({ order_id, ...record }) => [order_id, record]));
    for (const id of page) {
      const record = recordById.get(id) ?? { delivered_at: null, received_at: null };
      dates.set(id, { ...record, invoices: (listed.get(id) ?? []).map(({ invoice_number }) => invoice_number) });
    }
  }
  return dates;
}

/** The claims that wait for an answer, the oldest first. */
export async function readUnanswered(db: LedgerReader): Promise<Claimed[]> {
  const found = await findClaims(db, { states: ['claimed'] });
  return found.sort((a, b) => compareText(a.claim.at, b.claim.at));
}
