import { nearestWords } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import { numberNamed, numberText } from '../../base/number-texts.ts';
import { readCloseLog } from '../../ledger/queries/closes/closes.ts';
import { findMismatches } from '../../ledger/queries/findings/mismatches.ts';
import { knowsInvoice, readInvoiceNumbers } from '../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { knowsOrder, readOrderNames, readOrdersByReference } from '../../ledger/queries/orders/order.ts';
import { readReceiptSources } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { readRun } from '../../ledger/queries/sync/runs.ts';
import { showingError } from '../../words/errors/showing.ts';
import type { Books } from '../books.ts';
import { readEachCourier } from '../each-courier.ts';

export interface FoundThing {
  readonly kind: 'invoice' | 'order' | 'receipt' | 'mismatch' | 'run' | 'close';
  readonly id: string;
}

/**
 * Finds the thing that a number, id, reference or month names, of whatever kind.
 *
 * @throws UsageError when it names nothing (the hint has the nearest names), or several things
 */
export async function findBooksThing(books: Books, text: string): Promise<FoundThing> {
  const found = await readEachCourier(books, {}, (db) => thingsNamed(db, text));
  const things = new Map(found.flatMap(({ value }) => value).map((thing) => [`${thing.kind} ${thing.id}`, thing]));
  const [only, ...others] = things.values();
  if (only === undefined) {
    const errors = await readEachCourier(books, {}, (db) => nothingNamed(db, text));
    throw errors[0]!.value;
  }
  if (others.length === 0) return only;
  const all = [...things.keys()].slice(0, 10).map((thing) => `remit show ${thing}`);
  throw new UsageError(showingError({ id: 'several-things', name: text, commands: all }));
}

/** All things of one courier that a text names. */
export async function thingsNamed(db: LedgerReader, text: string): Promise<FoundThing[]> {
  const found: FoundThing[] = [];
  // A month, such as `2026-10`, if it was ever closed.
  if (/^\d{4}-\d{2}$/.test(text) && (await readCloseLog(db, text)).length > 0) found.push({ kind: 'close', id: text });
  const texts = await readNumberTexts(db);
  const invoice = numberNamed(text, texts);
  if (invoice !== null && (await knowsInvoice(db, invoice))) {
    found.push({ kind: 'invoice', id: numberText(invoice, texts) });
  }
  if (/^\d{1,15}$/.test(text)) {
    const number = Number(text);
    if ((await readReceiptSources(db, number)).length > 0) found.push({ kind: 'receipt', id: text });
    // A small number means an invoice or a receipt first; a run can always be named by its kind.
    if (found.length === 0 && (await readRun(db, number)) !== null) found.push({ kind: 'run', id: text });
  }
  for (const id of await ordersNamed(db, text)) found.push({ kind: 'order', id });
  // At least four characters of a mismatch's id; what names something else means that.
  if (found.length === 0 && /^[0-9a-f]{4,16}$/.test(text)) {
    for (const { id } of await findMismatches(db, text)) found.push({ kind: 'mismatch', id });
  }
  return found;
}

/** The order of that id, else those of that reference; the `#` that shops write before it and case do not matter. */
export async function ordersNamed(db: LedgerReader, text: string): Promise<string[]> {
  if (await knowsOrder(db, text)) return [text];
  const alternative = text.startsWith('#') ? text.slice(1) : `#${text}`;
  return readOrdersByReference(db, [text, alternative]);
}

/** The numbers of all invoices, as you and the courier know them. */
export async function readInvoiceNames(db: LedgerReader): Promise<string[]> {
  const texts = await readNumberTexts(db);
  return [...(await readInvoiceNumbers(db))].map((number) => numberText(number, texts));
}

async function nothingNamed(db: LedgerReader, text: string): Promise<UsageError> {
  const names = [...(await readInvoiceNames(db)), ...(await readOrderNames(db, text))];
  return new UsageError(showingError({ id: 'nothing-known', name: text, nearest: nearestWords(text, names) }));
}
