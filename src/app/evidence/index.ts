import { readDocument } from '../../derive/json.ts';
import { UsageError } from '../../errors.ts';
import { PartReader, readBody } from '../../ledger/index.ts';
import {
  knowsInvoice,
  knowsOrder,
  type LedgerReader,
  type ReceivedDocument,
  readDocumentsOf,
  readInvoiceDocuments,
  readOrderDocuments,
  usingSnapshot,
} from '../../ledger/read/index.ts';
import { readReceiptSources } from '../../ledger/read/one-receipt.ts';
import { quoted } from '../../text.ts';
import { type Books, usingBooks } from '../books.ts';
import { type Difference, diffDocuments } from './diff.ts';

export type { Difference };

/** A document behind an invoice, an order or a receipt, and what it says otherwise than the one before it. */
export interface EvidenceOf extends ReceivedDocument {
  /** Null where it is the first, could not be read, or was not asked for. */
  readonly differences: readonly Difference[] | null;
}

export interface EvidenceResult {
  readonly subject: string;
  readonly documents: readonly EvidenceOf[];
}

/**
 * The documents behind one invoice or order, or the files that hold a receipt, oldest first.
 *
 * @param id an invoice's number, an order's id, `receipt 41`, or a document's SHA-256
 * @param diff say what each says otherwise than the one before it
 * @throws UsageError for an id that the ledger does not know
 */
export function readBooksEvidence(books: Books, id: string, diff: boolean): Promise<EvidenceResult> {
  return usingBooks(books, { readOnly: true }, (ledger) => usingSnapshot(ledger, (db) => readEvidenceOf(db, id, diff)));
}

async function readEvidenceOf(db: LedgerReader, id: string, diff: boolean): Promise<EvidenceResult> {
  const subject = await subjectOf(db, id);
  if (subject.kind === 'document')
    return { subject: `document ${subject.sha256}`, documents: await sightings(db, subject.sha256) };
  if (subject.kind === 'receipt')
    return { subject: `receipt ${subject.id}`, documents: await receiptFiles(db, subject.id) };
  const parts = new PartReader(db);
  const documents: (ReceivedDocument & { part?: number })[] =
    subject.kind === 'invoice' ? await readInvoiceDocuments(db, subject.number) : await readOrderDocuments(db, id);
  let before: { value: unknown } | null = null;
  const shown: EvidenceOf[] = [];
  for (const { part, ...document } of documents) {
    const bytes = await bytesOf(db, parts, document.sha256, part);
    const value: { value: unknown } | null = bytes && document.fault === null ? { value: readDocument(bytes) } : null;
    const differences = diff && before && value ? diffDocuments(before.value, value.value) : null;
    shown.push({ ...document, size: bytes?.length ?? document.size, differences });
    before = value ?? before;
  }
  return { subject: subject.kind === 'invoice' ? `invoice ${subject.number}` : `order ${id}`, documents: shown };
}

async function bytesOf(
  db: LedgerReader,
  parts: PartReader,
  sha256: string | null,
  part: number | undefined,
): Promise<Buffer | null> {
  if (part !== undefined) return parts.read(part);
  return sha256 === null ? null : readBody(db, sha256);
}

/** Every time that one document was received. */
async function sightings(db: LedgerReader, sha256: string): Promise<EvidenceOf[]> {
  const documents = await readDocumentsOf(db, sha256);
  const [first] = documents;
  const size = (first && (await bytesOf(db, new PartReader(db), first.sha256, first.part)))?.length ?? null;
  return documents.map(({ part: _, ...document }) => ({ ...document, size, differences: null }));
}

/** The files of a bank or cash book that hold a receipt. Two of them say nothing otherwise of it: each is a whole document. */
async function receiptFiles(db: LedgerReader, id: number): Promise<EvidenceOf[]> {
  const documents: EvidenceOf[] = [];
  for (const { id: evidence_id, at, source, sha256 } of await readReceiptSources(db, id)) {
    const { length: size } = await readBody(db, sha256);
    const about = { evidence_id, at, run_id: null, kind: 'import', source, sha256, size };
    documents.push({ ...about, fault: null, differences: null });
  }
  return documents;
}

type Subject =
  | { readonly kind: 'invoice'; readonly number: number }
  | { readonly kind: 'order' }
  | { readonly kind: 'document'; readonly sha256: string }
  | { readonly kind: 'receipt'; readonly id: number };

/**
 * A document itself, as it was received, byte for byte.
 *
 * @param sha256 64 hex digits, as reports, `show` and the statement print them
 * @throws UsageError where the ledger holds no such document
 */
export function readBooksDocument(books: Books, sha256: string): Promise<Buffer> {
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const [first] = SHA256.test(sha256) ? await readDocumentsOf(db, sha256.toLowerCase()) : [];
      const bytes = first && (await bytesOf(db, new PartReader(db), first.sha256, first.part));
      if (bytes) return bytes;
      throw new UsageError(
        `the ledger holds no document ${quoted(sha256, 70)}`,
        'Name one by its SHA-256: `remit evidence 10009` lists those behind an invoice.',
      );
    }),
  );
}

const SHA256 = /^[0-9a-f]{64}$/i;

/** What an id names. An invoice comes first where a number names both. */
async function subjectOf(db: LedgerReader, id: string): Promise<Subject> {
  const receipt = /^receipt (\d{1,15})$/.exec(id)?.[1];
  if (receipt !== undefined && (await readReceiptSources(db, Number(receipt))).length > 0) {
    return { kind: 'receipt', id: Number(receipt) };
  }
  const number = /^\d{1,15}$/.test(id) ? Number(id) : null;
  if (number !== null && (await knowsInvoice(db, number))) return { kind: 'invoice', number };
  if (await knowsOrder(db, id)) return { kind: 'order' };
  const sha256 = id.toLowerCase();
  if (SHA256.test(sha256) && (await readDocumentsOf(db, sha256)).length > 0) return { kind: 'document', sha256 };
  throw new UsageError(
    `the ledger knows no invoice, order, receipt or document ${quoted(id, 70)}`,
    'Name an invoice by its number, an order by its id, a receipt as `receipt 41`, a document by its SHA-256; `remit report orders` and `remit report receipts` list the first three.',
  );
}
