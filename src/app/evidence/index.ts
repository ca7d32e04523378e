import { UsageError } from '../../base/errors.ts';
import { numberNamed, numberText } from '../../base/number-texts.ts';
import { readDocument } from '../../derive/documents.ts';
import { PartReader, readBody } from '../../ledger/index.ts';
import {
  type ReceivedDocument,
  readDocumentsOf,
  readInvoiceDocuments,
  readOrderDocuments,
} from '../../ledger/queries/evidence/documents.ts';
import { knowsInvoice } from '../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { knowsOrder } from '../../ledger/queries/orders/order.ts';
import { readReceiptSources } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { showingError } from '../../words/errors/showing.ts';
import type { Books } from '../books.ts';
import { ofOneCourier, readEachCourier } from '../each-courier.ts';

/** A document behind an invoice, an order or a receipt, and how it differs from the document before it. */
export interface EvidenceOf extends ReceivedDocument {
  /** Null where it is the first, could not be read, or was not asked for. */
  readonly differences: readonly Difference[] | null;
}

export interface EvidenceResult {
  readonly subject: string;
  readonly documents: readonly EvidenceOf[];
}

/**
 * Reads the documents behind one invoice or order, or the files that hold a receipt, oldest first.
 *
 * @param id an invoice's number, an order's id, `receipt 41`, or a document's SHA-256
 * @param diff whether to compare each document with the one before it
 * @throws UsageError for an id that the ledger does not know, or an invoice or order that several couriers have
 */
export async function readBooksEvidence(books: Books, id: string, diff = false): Promise<EvidenceResult> {
  if (SHA256.test(id)) {
    const sha256 = id.toLowerCase();
    const documents: EvidenceOf[] = [];
    for (const { value } of await readEachCourier(books, { newSettings: 'unchecked' }, (db) => sightings(db, sha256))) {
      // A file of the whole books, such as a bank's, is in the evidence of each courier: it counts once.
      const known = new Set(documents.map(({ evidence_id }) => evidence_id));
      documents.push(...value.filter(({ evidence_id }) => !known.has(evidence_id)));
    }
    documents.sort((one, other) => (one.evidence_id ?? 0) - (other.evidence_id ?? 0));
    // An order's id may look like a SHA-256 too.
    if (documents.length > 0) return { subject: `document ${sha256}`, documents };
  }
  const read = (db: LedgerReader) => readEvidenceOf(db, id, diff);
  if (!id.startsWith('receipt ')) return ofOneCourier(books, { kind: 'id', name: id }, read, 'unchecked');
  // A receipt belongs to the whole books: every courier's rows give the same answer.
  const [first] = await readEachCourier(books, { newSettings: 'unchecked' }, read);
  return first!.value;
}

/** Reads the documents of what an id names: of an invoice rather than an order, if both have that number. */
async function readEvidenceOf(db: LedgerReader, id: string, diff: boolean): Promise<EvidenceResult> {
  const receipt = /^receipt (\d{1,15})$/.exec(id)?.[1];
  if (receipt !== undefined) {
    const documents = await receiptFiles(db, Number(receipt));
    if (documents.length > 0) return { subject: `receipt ${Number(receipt)}`, documents };
  }
  const texts = await readNumberTexts(db);
  const number = numberNamed(id, texts);
  if (number !== null && (await knowsInvoice(db, number))) {
    const documents = await compared(db, await readInvoiceDocuments(db, number), diff);
    return { subject: `invoice ${numberText(number, texts)}`, documents };
  }
  if (await knowsOrder(db, id)) {
    return { subject: `order ${id}`, documents: await compared(db, await readOrderDocuments(db, id), diff) };
  }
  throw new UsageError(showingError({ id: 'nothing-held', name: id }));
}

/** Compares each document with the one before it. `part`: an order's record, kept once and apart from its page. */
async function compared(
  db: LedgerReader,
  documents: readonly (ReceivedDocument & { readonly part?: number })[],
  diff: boolean,
): Promise<EvidenceOf[]> {
  const parts = new PartReader(db);
  // The JSON of the document before; undefined while none was read.
  let before: unknown;
  const evidence: EvidenceOf[] = [];
  for (const { part, ...document } of documents) {
    const bytes = await bytesOf(db, parts, document.sha256, part);
    // A settlement sheet holds many payouts: it is a whole document, like a bank's file.
    const isReadable = document.fault === null && document.kind !== 'import';
    const read = bytes && isReadable ? readDocument(bytes) : undefined;
    const isCompared = diff && before !== undefined && read !== undefined;
    const differences = isCompared ? diffDocuments(before, read) : null;
    evidence.push({ ...document, size: bytes?.length ?? document.size, differences });
    if (read !== undefined) before = read;
  }
  return evidence;
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

/** Each time that a document was received. */
async function sightings(db: LedgerReader, sha256: string): Promise<EvidenceOf[]> {
  const documents = await readDocumentsOf(db, sha256);
  const [first] = documents;
  const size = (first && (await bytesOf(db, new PartReader(db), first.sha256, first.part)))?.length ?? null;
  return documents.map(({ part: _, ...document }) => ({ ...document, size, differences: null }));
}

/** The files of a bank or cash book that hold a receipt. They are not compared: each holds many other lines. */
async function receiptFiles(db: LedgerReader, id: number): Promise<EvidenceOf[]> {
  const documents: EvidenceOf[] = [];
  for (const { id: evidence_id, at, source, sha256 } of await readReceiptSources(db, id)) {
    const { length: size } = await readBody(db, sha256);
    const about = { evidence_id, at, run_id: null, kind: 'import', source, sha256, size };
    documents.push({ ...about, fault: null, differences: null });
  }
  return documents;
}

/**
 * Reads a document as it was received, byte for byte.
 *
 * @param sha256 64 hex digits, as reports, `show` and the statement print them
 * @throws UsageError where the ledger holds no such document
 */
export async function readBooksDocument(books: Books, sha256: string): Promise<Buffer> {
  const read = await readEachCourier(books, { newSettings: 'unchecked' }, async (db) => {
    const [first] = SHA256.test(sha256) ? await readDocumentsOf(db, sha256.toLowerCase()) : [];
    return first ? bytesOf(db, new PartReader(db), first.sha256, first.part) : null;
  });
  // The same bytes are the same document, whichever courier sent them.
  const bytes = read.map(({ value }) => value).find((value) => value !== null);
  if (bytes) return bytes;
  throw new UsageError(showingError({ id: 'document-not-held', sha256 }));
}

const SHA256 = /^[0-9a-f]{64}$/i;

/** One place in which two documents differ, and the value in each, as JSON; null where it is missing. */
export interface Difference {
  /** `orders[A2].cod`: an item of a list by its identity, or else by its place. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Fields that identify an item of a list, so that an item that moved is compared with itself. */
const IDENTITIES = ['order_id', 'number', 'id'] as const;

/**
 * The differences of a later document from an earlier one, in the order of the documents. Numbers are compared as text.
 */
function diffDocuments(before: unknown, after: unknown, path = ''): Difference[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const [a, b] = [byIdentity(before), byIdentity(after)];
    if (a && b) {
      const keys = [...new Set([...a.keys(), ...b.keys()])];
      return keys.flatMap((key) => diffDocuments(a.get(key), b.get(key), `${path}[${key}]`));
    }
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => diffDocuments(before[index], after[index], `${path}[${index}]`)).flat();
  }
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diffDocuments(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  const [was, is] = [textOf(before), textOf(after)];
  return was === is ? [] : [{ path, before: was, after: is }];
}

/** A list's items by their identity; null where an item has none, or two have the same. */
function byIdentity(items: readonly unknown[]): Map<string, unknown> | null {
  if (items.length === 0) return new Map();
  const name = IDENTITIES.find((candidate) => items.every((item) => isObject(item) && candidate in item));
  if (name === undefined) return null;
  const found = new Map(items.map((item) => [String((item as Record<string, unknown>)[name]), item]));
  return found.size === items.length ? found : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
