import { type SqlBool, sql } from 'kysely';
import { unitsText } from '../sql.ts';
import type { AtClose } from './movements.ts';
import type { LedgerReader } from './snapshot.ts';

/** A match in force, with its shares. */
export interface HeldMatch {
  readonly id: number;
  readonly evidence_id: number;
  readonly at: string;
  readonly actor: string;
  readonly rule: string;
  readonly currency: string;
  readonly due: bigint;
  readonly difference: bigint;
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly why: string;
  readonly reverses: number | null;
  readonly receipts: readonly { readonly id: number; readonly amount: bigint }[];
  readonly invoices: readonly { readonly number: number; readonly amount: bigint; readonly named: bigint }[];
}

/** The matches in force, by id. @param then those that were in force when a month was closed */
export async function readMatches(db: LedgerReader, then?: AtClose): Promise<HeldMatch[]> {
  const inForce = isInForce(then);
  const matches = await db
    .selectFrom('receipt_match as m')
    .select(['id', 'evidence_id', 'at', 'actor', 'rule', 'currency', 'difference_kind', 'note', 'why', 'reverses'])
    .select([unitsText('due').as('due'), unitsText('difference').as('difference')])
    .where(inForce)
    .orderBy('id')
    .execute();
  const receipts = await db
    .selectFrom('receipt_match_receipt as r')
    .innerJoin('receipt_match as m', 'm.id', 'r.match_id')
    .select(['r.match_id', 'r.receipt_id', unitsText('r.amount').as('amount')])
    .where(inForce)
    .orderBy('r.match_id')
    .orderBy('r.receipt_id')
    .execute();
  const invoices = await db
    .selectFrom('receipt_match_invoice as i')
    .innerJoin('receipt_match as m', 'm.id', 'i.match_id')
    .select(['i.match_id', 'i.invoice_number'])
    .select([unitsText('i.amount').as('amount'), unitsText('i.named').as('named')])
    .where(inForce)
    .orderBy('i.match_id')
    .orderBy('i.invoice_number')
    .execute();
  const of = new Map(
    matches.map((match) => [
      match.id,
      {
        ...match,
        due: BigInt(match.due),
        difference: BigInt(match.difference),
        receipts: [] as { id: number; amount: bigint }[],
        invoices: [] as { number: number; amount: bigint; named: bigint }[],
      },
    ]),
  );
  for (const { match_id, receipt_id, amount } of receipts) {
    of.get(match_id)!.receipts.push({ id: receipt_id, amount: BigInt(amount) });
  }
  for (const { match_id, invoice_number, amount, named } of invoices) {
    of.get(match_id)!.invoices.push({ number: invoice_number, amount: BigInt(amount), named: BigInt(named) });
  }
  return [...of.values()];
}

function isInForce(then: AtClose | undefined) {
  if (!then) return sql<SqlBool>`m.removed_at is null`;
  return sql<SqlBool>`(m.evidence_id < ${then.id} and (m.removed_at is null or m.removed_at > ${then.at}))`;
}

/** The receipts of which a person took a match away: they are matched by hand from then on. */
export async function readReceiptsByHand(db: LedgerReader): Promise<Set<number>> {
  const rows = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select('r.receipt_id')
    .where('m.removed_at', 'is not', null)
    .where('m.removed_by', '<>', 'remit')
    .execute();
  return new Set(rows.map(({ receipt_id }) => receipt_id));
}

/** A match whether in force or not; undefined where there is none of that id. */
export function readMatch(db: LedgerReader, id: number): Promise<{ removed_at: string | null } | undefined> {
  return db.selectFrom('receipt_match').select('removed_at').where('id', '=', id).executeTakeFirst();
}

/** One currency of an invoice, as matching sees it. */
export interface InvoiceDue {
  readonly number: number;
  readonly period: string;
  readonly issued_at: string;
  readonly status: string;
  readonly currency: string;
  readonly net: bigint;
  readonly vanished_at: string | null;
}

/** Every invoice's net, by number and currency; vanished ones too. @param then those that were known when a month was closed */
export async function readInvoiceDues(db: LedgerReader, then?: AtClose): Promise<InvoiceDue[]> {
  let query = db
    .selectFrom('invoice as i')
    .innerJoin('invoice_amount as a', 'a.invoice_number', 'i.number')
    .select(['i.number', 'i.period', 'i.issued_at', 'i.status', 'i.vanished_at', 'a.currency'])
    .select(unitsText('a.net_due_to_merchant').as('net'))
    .orderBy('i.number')
    .orderBy('a.currency');
  if (then) {
    query = query.where(
      sql<SqlBool>`exists (select 1 from invoice_version v where v.invoice_number = i.number and v.evidence_id < ${then.id})`,
    );
  }
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, net: BigInt(row.net) }));
}
