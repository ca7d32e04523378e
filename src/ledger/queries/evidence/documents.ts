/** The documents behind one invoice or one order, and where a document with a given hash was received. */
import { sql } from 'kysely';
import type { EvidenceTable } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The columns of a {@link ReceivedDocument}: of evidence `e` and its body `b`. */
const DOCUMENT = sql`e.id as evidence_id, e.at, e.run_id, e.kind, e.source, e.sha256, b.size, e.fault`;

export interface ReceivedDocument
  extends Pick<EvidenceTable, 'at' | 'run_id' | 'kind' | 'source' | 'sha256' | 'fault'> {
  readonly evidence_id: number | null;
  /** In bytes; null if there is no body. */
  readonly size: number | null;
}

/** Every time that an invoice's detail was asked for, also in vain, or that a sheet brought it; oldest first. */
export function readInvoiceDocuments(db: LedgerReader, number: number) {
  // A payout's versions name the sheets that brought or changed it.
  return rowsOf<ReceivedDocument>(db)`
    select ${DOCUMENT} from evidence e left join evidence_body b on b.sha256 = e.sha256
    where (${isOneOf('e.kind', ['invoice', 'invoice-missing'])} and e.subject = ${String(number)})
      or (e.kind = 'import' and e.id in (select evidence_id from invoice_version where invoice_number = ${number}))
    order by e.id`;
}

export interface OrderDocument extends ReceivedDocument {
  /** The number under which the ledger keeps the record, which came as one of many in a page of the order book. */
  readonly part: number;
}

/** Each time that an order's record came with other bytes than before, or came back after it was gone; oldest first. */
export async function readOrderDocuments(db: LedgerReader, orderId: string): Promise<OrderDocument[]> {
  const held = db.selectFrom('courier_order').select(['first_evidence_id', 'record_part']);
  const order = await held.where('order_id', '=', orderId).executeTakeFirst();
  if (!order) return [];
  const changes = await db
    .selectFrom('order_change')
    .select(['evidence_id', 'what', 'from_part', 'to_part'])
    .where('order_id', '=', orderId)
    // The evidence of a disappearance is a walk of the order book that lacked the order.
    .where('what', '<>', 'vanished')
    .orderBy('evidence_id')
    .execute();
  // The first record is the one that the first change replaced; each change brought the next one.
  const records = [
    { evidence_id: order.first_evidence_id, part: changes[0]?.from_part ?? order.record_part },
    ...changes.map(({ evidence_id, to_part }) => ({ evidence_id, part: to_part })),
  ];
  const documents: OrderDocument[] = [];
  for (const { evidence_id, part } of records) {
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

/** A document found by its hash; only an order's record is stored as a part. */
type FoundDocument = ReceivedDocument & Partial<Pick<OrderDocument, 'part'>>;

/**
 * Every time that something with this hash was received, oldest first: a whole body; if there is none, an order's
 * record in a page of the order book; else the pages of months' lists that showed a row with it.
 */
export async function readDocumentsOf(db: LedgerReader, sha256: string): Promise<FoundDocument[]> {
  const bodies = await rowsOf<ReceivedDocument>(db)`
    select ${DOCUMENT} from evidence e join evidence_body b on b.sha256 = e.sha256
    where e.sha256 = ${sha256} order by e.id`;
  if (bodies.length > 0) return bodies;
  const parts = db.selectFrom('evidence_part').select('part');
  const record = await parts.where('sha256', '=', Buffer.from(sha256, 'hex')).executeTakeFirst();
  return record ? readRecordsOf(db, record.part) : readListsOf(db, sha256);
}

/** Each time that these bytes were an order's record. */
async function readRecordsOf(db: LedgerReader, part: number): Promise<OrderDocument[]> {
  // They are the order's record now, or a change replaced or brought them.
  const orders = await rowsOf<{ order_id: string }>(db)`
    select order_id from courier_order
    where record_part = ${part}
      or order_id in (select order_id from order_change where from_part = ${part})
      or order_id in (select order_id from order_change where to_part = ${part})
    order by order_id`;
  const documents: OrderDocument[] = [];
  for (const { order_id } of orders) documents.push(...(await readOrderDocuments(db, order_id)));
  return documents.filter((document) => document.part === part);
}

/** For each month's list with a readable row of this SHA-256, the page that last showed the row. */
function readListsOf(db: LedgerReader, rowSha256: string) {
  return rowsOf<ReceivedDocument>(db)`
    select ${DOCUMENT} from invoice_listed l
    join evidence e on e.id = l.read_evidence_id
    join evidence_body b on b.sha256 = e.sha256
    where l.row_sha256 = ${rowSha256} order by e.id`;
}
