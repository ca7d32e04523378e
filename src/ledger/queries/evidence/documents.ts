/** The documents behind one invoice or one order, and where a document with a given hash was received. */
import type { EvidenceTable } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The columns of evidence `e` and its body `b`. */
const DOCUMENT = [
  'e.id as evidence_id',
  'e.at',
  'e.run_id',
  'e.kind',
  'e.source',
  'e.sha256',
  'b.size',
  'e.fault',
] as const;

export interface ReceivedDocument
  extends Pick<EvidenceTable, 'at' | 'run_id' | 'kind' | 'source' | 'sha256' | 'fault'> {
  readonly evidence_id: number | null;
  /** In bytes; null if there is no body. */
  readonly size: number | null;
}

/** Every time that an invoice's detail was asked for, also in vain, or that a sheet brought it; oldest first. */
export async function readInvoiceDocuments(db: LedgerReader, number: number): Promise<ReceivedDocument[]> {
  return db
    .selectFrom('evidence as e')
    .leftJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(DOCUMENT)
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
  const bodies = await db
    .selectFrom('evidence as e')
    .innerJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(DOCUMENT)
    .where('e.sha256', '=', sha256)
    .orderBy('e.id')
    .execute();
  if (bodies.length > 0) return bodies;
  const parts = db.selectFrom('evidence_part').select('part');
  const record = await parts.where('sha256', '=', Buffer.from(sha256, 'hex')).executeTakeFirst();
  return record ? readRecordsOf(db, record.part) : readListsOf(db, sha256);
}

/** Each time that these bytes were an order's record. */
async function readRecordsOf(db: LedgerReader, part: number): Promise<OrderDocument[]> {
  const orders = await db
    .selectFrom('courier_order')
    .select('order_id')
    .where((eb) => {
      const changed = eb.selectFrom('order_change').select('order_id');
      // It is the order's record now, or a change replaced it, or a change brought it.
      return eb.or([
        eb('record_part', '=', part),
        eb('order_id', 'in', changed.where('from_part', '=', part)),
        eb('order_id', 'in', changed.where('to_part', '=', part)),
      ]);
    })
    .orderBy('order_id')
    .execute();
  const documents: OrderDocument[] = [];
  for (const { order_id } of orders) documents.push(...(await readOrderDocuments(db, order_id)));
  return documents.filter((document) => document.part === part);
}

/** For each month's list with a readable row of this SHA-256, the page that last showed the row. */
async function readListsOf(db: LedgerReader, rowSha256: string): Promise<ReceivedDocument[]> {
  return db
    .selectFrom('invoice_listed as l')
    .innerJoin('evidence as e', 'e.id', 'l.read_evidence_id')
    .innerJoin('evidence_body as b', 'b.sha256', 'e.sha256')
    .select(DOCUMENT)
    .where('l.row_sha256', '=', rowSha256)
    .orderBy('e.id')
    .execute();
}
