/** The documents behind one invoice or one order, and where a document with a given hash was received. */
import { sql } from 'kysely';
import type { LedgerReader } from '../snapshot.ts';

export interface ReceivedDocument {
  readonly evidence_id: number | null;
  readonly at: string;
  readonly run_id: number | null;
  readonly kind: string;
  readonly source: string | null;
  readonly sha256: string | null;
  /** In bytes; null if there is no body. */
  readonly size: number | null;
  /** Why it could not be read or fetched; null if it could. */
  readonly fault: string | null;
}

/** Every time that an invoice's detail was fetched, oldest first. */
export async function readInvoiceDocuments(db: LedgerReader, number: number): Promise<ReceivedDocument[]> {
  return db
    .selectFrom('evidence as e')
    .leftJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(['e.id as evidence_id', 'e.at', 'e.run_id', 'e.kind', 'e.source', 'e.sha256', 'b.size', 'e.fault'])
    .where((eb) =>
      eb.or([
        eb('e.kind', 'in', ['invoice', 'invoice-missing']).and('e.subject', '=', String(number)),
        // For a payout: each sheet that brought or changed it.
        eb('e.kind', '=', 'import').and(
          'e.id',
          'in',
          eb.selectFrom('invoice_version').select('evidence_id').where('invoice_number', '=', number),
        ),
      ]),
    )
    .orderBy('e.id')
    .execute();
}

/** An order's record as it was once received. */
export interface OrderDocument extends ReceivedDocument {
  readonly part: number;
}

/** Every different record of an order that the order book has shown, oldest first. */
export async function readOrderDocuments(db: LedgerReader, orderId: string): Promise<OrderDocument[]> {
  const order = await db
    .selectFrom('courier_order')
    .select(['first_evidence_id', 'record_part'])
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  if (!order) return [];
  const changes = await db
    .selectFrom('order_change')
    .select(['evidence_id', 'what', 'from_part', 'to_part'])
    .where('order_id', '=', orderId)
    .where('what', '<>', 'vanished')
    .orderBy('evidence_id')
    .execute();
  const forms = [
    { evidence_id: order.first_evidence_id, part: changes[0]?.from_part ?? order.record_part },
    ...changes.map(({ evidence_id, to_part }) => ({ evidence_id, part: to_part })),
  ];
  const documents: OrderDocument[] = [];
  for (const { evidence_id, part } of forms) {
    const row = await db
      .selectFrom('evidence as e')
      .select(['e.at', 'e.run_id', 'e.kind', 'e.source'])
      .select((eb) => eb.selectFrom('evidence_part as p').select('p.sha256').where('p.part', '=', part).as('hash'))
      .where('e.id', '=', evidence_id)
      .executeTakeFirstOrThrow();
    const { hash, ...received } = row;
    const sha256 = hash === null ? null : Buffer.from(hash).toString('hex');
    documents.push({ evidence_id, ...received, sha256, size: null, fault: null, part });
  }
  return documents;
}

/** Every time that a document was received, oldest first: a body, an order's record in a page, or a row of a list. */
export async function readDocumentsOf(
  db: LedgerReader,
  sha256: string,
): Promise<(ReceivedDocument & { readonly part?: number })[]> {
  const bodies = await db
    .selectFrom('evidence as e')
    .innerJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(['e.id as evidence_id', 'e.at', 'e.run_id', 'e.kind', 'e.source', 'e.sha256', 'b.size', 'e.fault'])
    .where('e.sha256', '=', sha256)
    .orderBy('e.id')
    .execute();
  if (bodies.length > 0) return bodies;
  const row = await db
    .selectFrom('evidence_part')
    .select('part')
    .where('sha256', '=', Buffer.from(sha256, 'hex'))
    .executeTakeFirst();
  if (!row) return readListsOf(db, sha256);
  const { part } = row;
  const { rows } = await sql<Pick<ReceivedDocument, 'at' | 'run_id' | 'kind' | 'source'> & { evidence_id: number }>`
    select e.id as evidence_id, e.at, e.run_id, e.kind, e.source from evidence e where e.id in (
      select evidence_id from order_change where to_part = ${part}
      union select first_evidence_id from courier_order where record_part = ${part}
        and not exists (select 1 from order_change c where c.order_id = courier_order.order_id)
      union select o.first_evidence_id from order_change c join courier_order o on o.order_id = c.order_id
        where c.from_part = ${part} and not exists (
          select 1 from order_change earlier where earlier.order_id = c.order_id and earlier.evidence_id < c.evidence_id)
    ) order by e.id`.execute(db);
  return rows.map((document) => ({ ...document, sha256, size: null, fault: null, part }));
}

/** The pages of lists in which a row with this SHA-256 was read. */
async function readListsOf(db: LedgerReader, rowSha256: string): Promise<ReceivedDocument[]> {
  return db
    .selectFrom('invoice_listed as l')
    .innerJoin('evidence as e', 'e.id', 'l.read_evidence_id')
    .innerJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(['e.id as evidence_id', 'e.at', 'e.run_id', 'e.kind', 'e.source', 'e.sha256', 'b.size', 'e.fault'])
    .where('l.row_sha256', '=', rowSha256)
    .orderBy('e.id')
    .execute();
}
