import { nearestWords } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import { type NumberTexts, numberNamed, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import { ambiguitiesOf, type MatchSettings, readMatchBooks } from '../../checks/facts/receipts/match-books.ts';
import { readSettlements } from '../../checks/facts/receipts/settlements.ts';
import { type Returns, readReturns } from '../../checks/facts/returns/convention.ts';
import type { Config } from '../../config/index.ts';
import type { CloseRecord } from '../../derive/decisions.ts';
import { readAgain } from '../../derive/imports.ts';
import { readBody } from '../../ledger/index.ts';
import { readClosedRecord, readCloseLog } from '../../ledger/queries/closes/closes.ts';
import { readInvoiceDocuments, readOrderDocuments } from '../../ledger/queries/evidence/documents.ts';
import { findMismatchesBy, readMismatchesOf } from '../../ledger/queries/findings/mismatches.ts';
import { readVersions } from '../../ledger/queries/invoices/changes.ts';
import {
  knowsInvoice,
  readInvoiceHeader,
  readInvoiceRows,
  readListedInvoices,
  readWhyMissing,
} from '../../ledger/queries/invoices/invoice.ts';
import { readInvoiceCharges, readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readOrderNames, readOrderRecord } from '../../ledger/queries/orders/order.ts';
import { readOrderChanges } from '../../ledger/queries/orders/restatements.ts';
import { readInvoiceMatches, readReceiptMatches } from '../../ledger/queries/receipts/match-history.ts';
import { type ReceiptSource, readReceiptSources } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { readRun } from '../../ledger/queries/sync/runs.ts';
import { eachRowSum } from '../../money/fields.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { Wanted } from '../../words/errors/books.ts';
import { showingError } from '../../words/errors/showing.ts';
import type { Books } from '../books.ts';
import { ofOneCourier, readEachCourier } from '../each-courier.ts';
import { stepsToHeader } from '../header-from-rows.ts';
import { explainSubject } from '../match/explain.ts';
import { mismatchInNumberTexts } from '../mismatches/in-number-texts.ts';
import { ordersNamed, readInvoiceNames } from './find.ts';
import { showMismatch } from './mismatch.ts';

/** All that is known of an invoice: its rows in lists, its detail and rows, history, mismatches and documents. */
export type ShownInvoice = Awaited<ReturnType<typeof showInvoice>>;

export type ShownOrder = Awaited<ReturnType<typeof showOrder>>;

/** A receipt, and the courier that it is from; null if it is from none. */
export type ShownReceipt = Awaited<ReturnType<typeof showReceipt>> & { readonly courier: string | null };

export type ShownRun = Awaited<ReturnType<typeof showRun>>;

export type ShownClose = Awaited<ReturnType<typeof showBooksClose>>;

export type ShownMismatch = Awaited<ReturnType<typeof showMismatch>>;

/** @throws UsageError for a number that the ledger does not know */
export function showBooksInvoice(books: Books, number: string): Promise<ShownInvoice> {
  return fromOne(books, { kind: 'invoice', name: number }, (db, config) => showInvoice(db, number, config));
}

/** @throws UsageError for an id that the ledger does not know */
export function showBooksOrder(books: Books, id: string): Promise<ShownOrder> {
  return fromOne(books, { kind: 'order', name: id }, (db) => showOrder(db, id));
}

/** A month is closed for all couriers, and shown courier by courier. @throws UsageError for one never closed */
export async function showBooksClose(books: Books, month: string) {
  const shown = await readEachCourier(books, {}, async (db) =>
    (await readCloseLog(db, month)).length === 0 ? null : showClose(db, month),
  );
  // A row's `courier` is the key: the name takes its place.
  const closes = shown.flatMap(({ courier, value }) => (value?.closes ?? []).map((close) => ({ ...close, courier })));
  if (closes.length === 0) throw new UsageError(showingError({ id: 'never-closed', month }));
  return {
    period: month,
    closes: closes.sort((a, b) => a.id - b.id),
    mismatches: shown.flatMap(({ courier, value }) => (value?.mismatches ?? []).map((one) => ({ ...one, courier }))),
  };
}

/** Shows a receipt as the books of the courier that it is from see it. @throws UsageError for an unknown id */
export async function showBooksReceipt(books: Books, id: string): Promise<ShownReceipt> {
  const wholeBooks = { ...books, config: { ...books.config, courier: null } };
  const shown = await readEachCourier(wholeBooks, {}, (db, { config }) => showReceipt(db, id, config));
  const byOwner = shown.find(({ value: { whose, matches } }) => whose !== null || matches.length > 0);
  return { courier: byOwner?.courier ?? null, ...(byOwner ?? shown[0]!).value };
}

/** @param id may be shortened while it is unique. @throws UsageError when it names no mismatch, or several */
export function showBooksMismatch(books: Books, id: string): Promise<ShownMismatch> {
  return fromOne(books, { kind: 'mismatch', name: id }, (db) => showMismatch(db, id));
}

/** @throws UsageError for a number that no run has */
export function showBooksRun(books: Books, id: string): Promise<ShownRun> {
  return fromOne(books, { kind: 'run', name: id }, (db) => showRun(db, id));
}

/** Shows a thing from the rows of the one courier that has it. */
function fromOne<T>(books: Books, what: Wanted, use: (db: LedgerReader, config: Config) => Promise<T>): Promise<T> {
  return ofOneCourier(books, what, async (db, { key, name, config }) =>
    withCourierName(await use(db, config), key, name),
  );
}

/** Puts a courier's name in place of its key, in every row of what is shown. */
function withCourierName<T>(shown: T, key: string, name: string): T {
  if (Array.isArray(shown)) return shown.map((one) => withCourierName(one, key, name)) as T;
  // Amounts and instants are instances of classes: they hold no courier.
  if (shown === null || typeof shown !== 'object' || Object.getPrototypeOf(shown) !== Object.prototype) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([field, value]) => [
      field,
      field === 'courier' && value === key ? name : withCourierName(value, key, name),
    ]),
  ) as T;
}

async function showInvoice(db: LedgerReader, text: string, config: Config) {
  const texts = await readNumberTexts(db);
  const number = numberNamed(text, texts);
  if (number === null || !(await knowsInvoice(db, number))) {
    const nearest = nearestWords(text, await readInvoiceNames(db));
    throw new UsageError(showingError({ id: 'no-invoice', name: text, nearest }));
  }
  const detail = await readInvoiceHeader(db, number);
  const rows = await readInvoiceRows(db, { invoice: number });
  return {
    number,
    number_text: numberText(number, texts),
    ...(await sheetCharges(db, number)),
    listed: withInvoiceTexts(await readListedInvoices(db, number), texts),
    detail,
    header_from_rows: detail === null ? [] : headerFromRows(await readReturns(db, config.returns), detail, rows),
    settled: await paymentOf(db, number, config),
    missing: await readWhyMissing(db, number),
    rows: withInvoiceTexts(rows, texts),
    versions: withInvoiceTexts(await readVersions(db, [number]), texts),
    matches: (await readInvoiceMatches(db, number)).map(({ why, ...match }) => {
      return { ...match, why: textInNumberTexts(why, texts) };
    }),
    mismatches: await shownMismatches(db, { invoice: number }),
    documents: await readInvoiceDocuments(db, number),
  };
}

/** The sums of an invoice's rows, and the steps from there to its header, per currency. */
function headerFromRows(
  returns: Returns,
  { number, amounts }: NonNullable<Awaited<ReturnType<typeof readInvoiceHeader>>>,
  rows: Awaited<ReturnType<typeof readInvoiceRows>>,
) {
  const currencies = new Set([amounts, ...rows.map((row) => row.amounts)].flatMap(Object.keys));
  return [...currencies].sort().map((currency) => {
    const sums = eachRowSum((field) =>
      formatUnits(rows.reduce((sum, row) => sum + parseUnits(row.amounts[currency]?.[field] ?? '0'), 0n)),
    );
    const figures = { currency, ...amounts[currency], ...sums };
    // Only this invoice's steps: `returns` is about all of the courier's.
    return { currency, ...sums, steps: stepsToHeader(returns, (invoice) => invoice.number === number, figures) };
  });
}

/**
 * What an invoice asks for, and what of that was paid or is open, per currency. `paid_on_word`: what only the courier's
 * Paid flag shows.
 */
async function paymentOf(db: LedgerReader, number: number, config: Config) {
  const { invoices } = await readSettlements(db, config);
  return invoices
    .filter((one) => one.number === number)
    .map(({ currency, net, received, differences, paid_on_word, outstanding }) => ({
      currency,
      due: formatUnits(net),
      received: formatUnits(received),
      differences: formatUnits(differences),
      paid_on_word: formatUnits(paid_on_word),
      open: formatUnits(outstanding),
    }));
}

/** The mismatches of an invoice or order, in which payouts have the courier's numbers. */
async function shownMismatches(db: LedgerReader, of: Parameters<typeof readMismatchesOf>[1]) {
  const texts = await readNumberTexts(db);
  return (await readMismatchesOf(db, of)).map((one) => mismatchInNumberTexts(one, texts));
}

/** Adds the number by which you and the courier know the invoice to each row. */
function withInvoiceTexts<R extends { readonly invoice_number: number }>(rows: readonly R[], texts: NumberTexts) {
  return rows.map((row) => ({ ...row, invoice_number_text: numberText(row.invoice_number, texts) }));
}

/** What a settlement sheet keeps back, by kind; nothing for an invoice that did not come as a sheet. */
async function sheetCharges(db: LedgerReader, number: number) {
  const charges = await readInvoiceCharges(db, number);
  return charges.length === 0 ? {} : { charges: charges.map((one) => ({ ...one, amount: formatUnits(one.amount) })) };
}

async function showRun(db: LedgerReader, text: string) {
  const run = /^\d{1,15}$/.test(text) ? await readRun(db, Number(text)) : null;
  if (run === null) throw new UsageError(showingError({ id: 'no-run', name: text }));
  return run;
}

async function showOrder(db: LedgerReader, text: string) {
  const [id, ...others] = await ordersNamed(db, text);
  if (id === undefined) {
    const nearest = nearestWords(text, await readOrderNames(db, text));
    throw new UsageError(showingError({ id: 'no-order', name: text, nearest }));
  }
  if (others.length > 0) {
    throw new UsageError(showingError({ id: 'reference-of-several', reference: text, orders: [id, ...others] }));
  }
  return {
    order_id: id,
    record: await readOrderRecord(db, id),
    rows: withInvoiceTexts(await readInvoiceRows(db, { order: id }), await readNumberTexts(db)),
    changes: await readOrderChanges(db, { order: id }),
    mismatches: await shownMismatches(db, { order: id }),
    documents: await readOrderDocuments(db, id),
  };
}

/**
 * All that is known of a receipt: its line in the file, the files that hold it, whose it is, every match that ever used
 * it, what is left of it, and the possible matches if it is ambiguous.
 *
 * @throws UsageError for an id that the ledger does not know
 */
async function showReceipt(db: LedgerReader, text: string, settings: MatchSettings) {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  const books = await readMatchBooks(db, settings);
  const { texts } = books;
  const receipt = books.receipts.get(id);
  if (!receipt) throw new UsageError(showingError({ id: 'no-receipt', name: text }));
  const explained = await explainSubject(db, settings, { books, subject: { receipt: String(id) } });
  const [first, ...others] = await readReceiptSources(db, id);
  const ambiguity = ambiguitiesOf(books).get(id);
  const { amount, left, evidence_id: _, ...line } = receipt;
  return {
    receipt: { ...line, amount: formatUnits(amount) },
    raw: await rawLine(db, first!),
    import: fileOf(first!),
    seen_in: others.map(fileOf),
    whose: books.courierReceipts.get(id) ?? null,
    by_hand: books.leftToPeople.has(id),
    matches: (await readReceiptMatches(db, id)).map(({ why, invoices, ...match }) => ({
      ...match,
      why: textInNumberTexts(why, texts),
      invoices: invoices.map((share) => ({ ...share, number_text: numberText(share.number, texts) })),
    })),
    left: formatUnits(left),
    ways: ambiguity
      ? {
          rule: ambiguity.rule,
          ways: ambiguity.ways.map(({ invoices }) => invoices),
          ways_text: ambiguity.ways.map(({ invoices }) => invoices.map((number) => numberText(number, texts))),
          too_many: ambiguity.tooMany,
        }
      : null,
    explained,
  };
}

function fileOf({ id, at, actor, format, source, sha256, map }: ReceiptSource) {
  return { id, at, actor, format, source, sha256, map };
}

/** The line as the file has it: the file was kept, and is read again. */
async function rawLine(db: LedgerReader, source: ReceiptSource): Promise<string | null> {
  const bytes = await readBody(db, source.sha256);
  const map = source.column_map === null ? null : JSON.parse(source.column_map);
  const read = await readAgain('receipts', bytes, source.source, { map });
  if (read.kind !== 'receipts') return null;
  return read.file.statements.flatMap(({ lines }) => lines)[source.position]?.raw ?? null;
}

/** Every close of a month, the newest last, and what has drifted from the one in force. */
async function showClose(db: LedgerReader, month: string) {
  const closes = [];
  const texts = await readNumberTexts(db);
  for (const close of await readCloseLog(db, month)) {
    const record = (await readClosedRecord(db, close.id)) as CloseRecord;
    // An invoice has the number by which you and the courier know it.
    const documents = record.documents.map((one) => {
      return { ...one, subject_text: one.kind === 'invoice' ? numberText(Number(one.subject), texts) : one.subject };
    });
    closes.push({ ...close, record: { ...record, documents } });
  }
  const drift = await findMismatchesBy(db, { periods: [month], codes: ['closed-period-changed'] });
  const unresolved = drift.filter(({ status }) => status !== 'resolved');
  return { closes, mismatches: unresolved.map((one) => mismatchInNumberTexts(one, texts)) };
}
