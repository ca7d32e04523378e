import { UsageError } from '../../errors.ts';
import {
  findMismatches,
  knowsInvoice,
  knowsOrder,
  type LedgerReader,
  readClaimHistory,
  readClaims,
  readInvoiceDocuments,
  readInvoiceHeader,
  readInvoiceMissing,
  readInvoiceRows,
  readListedInvoices,
  readMismatchesOf,
  readMismatchHistory,
  readOrderChanges,
  readOrderDocuments,
  readOrderRecord,
  readOrdersByReference,
  readRun,
  readVersions,
  usingSnapshot,
} from '../../ledger/read/index.ts';
import { quoted } from '../../text.ts';
import { type Books, usingBooks } from '../books.ts';
import { showClose } from './close.ts';
import { showReceipt } from './receipt.ts';
import { sidesOf } from './sides.ts';

/** All that is known of an invoice: its lists, its detail and rows, its history, what was found about it, its documents. */
export type ShownInvoice = Awaited<ReturnType<typeof showInvoice>>;
export type ShownOrder = Awaited<ReturnType<typeof showOrder>>;
export type ShownReceipt = Awaited<ReturnType<typeof showReceipt>>;
export type ShownRun = Awaited<ReturnType<typeof showRun>>;
export type ShownClose = Awaited<ReturnType<typeof showClose>>;
export type ShownMismatch = Awaited<ReturnType<typeof showMismatch>>;

/** @throws UsageError for a number that the ledger does not know */
export function showBooksInvoice(books: Books, number: string): Promise<ShownInvoice> {
  return reading(books, (db) => showInvoice(db, number));
}

/** @throws UsageError for an id that the ledger does not know */
export function showBooksOrder(books: Books, id: string): Promise<ShownOrder> {
  return reading(books, (db) => showOrder(db, id));
}

/** @param month such as `2026-10`. @throws UsageError for one that was never closed */
export function showBooksClose(books: Books, month: string): Promise<ShownClose> {
  return reading(books, (db) => showClose(db, month));
}

/** @throws UsageError for an id that the ledger does not know */
export function showBooksReceipt(books: Books, id: string): Promise<ShownReceipt> {
  return reading(books, (db) => showReceipt(db, id, books.config));
}

/** @param id may be shortened while it is unique. @throws UsageError where it names none, or several */
export function showBooksMismatch(books: Books, id: string): Promise<ShownMismatch> {
  return reading(books, (db) => showMismatch(db, id));
}

/** @throws UsageError for a number that no run has */
export function showBooksRun(books: Books, id: string): Promise<ShownRun> {
  return reading(books, (db) => showRun(db, id));
}

function reading<T>(books: Books, use: (db: LedgerReader) => Promise<T>): Promise<T> {
  return usingBooks(books, { readOnly: true }, (ledger) => usingSnapshot(ledger, use));
}

async function showInvoice(db: LedgerReader, text: string) {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number) || !(await knowsInvoice(db, number))) {
    throw new UsageError(`the ledger knows no invoice ${quoted(text)}`, '`remit report invoices` lists them.');
  }
  return {
    number,
    listed: await readListedInvoices(db, number),
    detail: await readInvoiceHeader(db, number),
    missing: await readInvoiceMissing(db, number),
    rows: await readInvoiceRows(db, { invoice: number }),
    versions: await readVersions(db, [number]),
    mismatches: await readMismatchesOf(db, { invoice: number }),
    documents: await readInvoiceDocuments(db, number),
  };
}

async function showRun(db: LedgerReader, text: string) {
  const run = /^\d{1,15}$/.test(text) ? await readRun(db, Number(text)) : null;
  if (run === null) throw new UsageError(`there is no run ${quoted(text)}`, '`remit report runs` lists them.');
  return run;
}

async function showOrder(db: LedgerReader, id: string) {
  if (!(await knowsOrder(db, id))) {
    const named = await readOrdersByReference(db, id);
    const hint =
      named.length === 0
        ? '`remit report orders` lists them.'
        : `It is the reference of ${named.map((order) => quoted(order)).join(', ')}: name the order by its id.`;
    throw new UsageError(`the ledger knows no order ${quoted(id)}`, hint);
  }
  return {
    order_id: id,
    record: await readOrderRecord(db, id),
    rows: await readInvoiceRows(db, { order: id }),
    changes: await readOrderChanges(db, { order: id }),
    mismatches: await readMismatchesOf(db, { order: id }),
    documents: await readOrderDocuments(db, id),
  };
}

export async function showMismatch(db: LedgerReader, id: string) {
  const mismatch = await oneMismatch(db, id);
  return {
    mismatch,
    history: await readMismatchHistory(db, mismatch.id),
    claim: (await readClaims(db, [mismatch.id])).get(mismatch.id) ?? null,
    claim_history: await readClaimHistory(db, mismatch.id),
    sides: await sidesOf(db, mismatch),
  };
}

/** The mismatch that an id, or the beginning of one, names. @throws UsageError where it names none, or several */
export async function oneMismatch(db: LedgerReader, id: string) {
  const [found, ...others] = id.trim() === '' ? [] : await findMismatches(db, id.trim());
  if (!found)
    throw new UsageError(`there is no mismatch ${quoted(id)}`, '`remit mismatch list` lists them with their ids.');
  if (others.length === 0 || found.id === id.trim()) return found;
  throw new UsageError(
    `${quoted(id)} names ${others.length + 1 < 10 ? others.length + 1 : 'ten or more'} mismatches: ${[found, ...others].map((one) => one.id).join(', ')}`,
    'Write more of the id.',
  );
}
