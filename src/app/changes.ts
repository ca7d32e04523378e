import { type Moved, movedFigure, movedFigures } from '../../reports/changes.ts';
import { UsageError } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import { numberText } from '../base/number-texts.ts';
import { parseOrderRecord } from '../derive/order-pages.ts';
import { readOrder } from '../derive/order-record.ts';
import { PartReader, wholeLedger } from '../ledger/index.ts';
import { readClosesInForce } from '../ledger/queries/closes/closes.ts';
import { firstEvidenceOfLastSync, firstEvidenceSince, readEvidenceTime } from '../ledger/queries/evidence/chain.ts';
import {
  type InvoiceVersion,
  readChangedInvoices,
  readPeriods,
  readPresenceMoves,
  readStatusMoves,
  readVersions,
} from '../ledger/queries/invoices/changes.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { countNewOrders, type OrderChange, readOrderChanges } from '../ledger/queries/orders/restatements.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { formatAmount } from '../money/decimal.ts';
import { ORDER_MONEY_FIELDS } from '../money/fields.ts';
import { amountOfUnits } from '../money/units.ts';
import { booksError } from '../words/errors/books.ts';
import type { Books } from './books.ts';
import { type CourierName, readEachCourier } from './each-courier.ts';

export type { Moved };

/** A document that was received: when, and the SHA-256 of its bytes. */
interface Received {
  readonly seen_at: string;
  readonly sha256: string;
}

interface ChangedInvoice extends CourierName {
  readonly number: number;
  readonly number_text: string;
  readonly period: string | null;
}

export interface Changes {
  /** From when on; null where the ledger holds nothing. */
  readonly since: string | null;
  readonly invoices: {
    readonly new: readonly (ChangedInvoice & Received & { status: string })[];
    readonly restated: readonly (ChangedInvoice & { before: Received; after: Received; moved: readonly Moved[] })[];
    readonly vanished: readonly (ChangedInvoice & { seen_at: string })[];
    readonly back: readonly (ChangedInvoice & { seen_at: string })[];
    readonly status: readonly (ChangedInvoice & { from: string; to: string; seen_at: string })[];
  };
  readonly orders: {
    /** How many were first seen. */
    readonly new: number;
    readonly changed: readonly (CourierName & ChangedOrder)[];
    readonly vanished: readonly (CourierName & SeenOrder)[];
    readonly back: readonly (CourierName & SeenOrder)[];
  };
}

type SeenOrder = Pick<OrderChange, 'order_id' | 'reference_id' | 'seen_at'>;

interface ChangedOrder extends SeenOrder {
  readonly delivery_state: readonly [before: string, after: string];
  readonly payment_state: readonly [before: string, after: string];
  /** Whether a state moved backwards. */
  readonly backward: boolean;
  readonly moved: readonly Moved[];
}

/**
 * Reads what couriers changed: invoices and orders that are new, restated, vanished or back.
 *
 * @param since `last`: what the last sync brought; `close`: what became known after the last close; an instant: from
 * then on
 * @throws UsageError for `close` where no month is closed
 */
export async function readBooksChanges(books: Books, since: 'last' | 'close' | Date): Promise<Changes> {
  const parts = await readEachCourier(books, {}, (db) => readChanges(db, since));
  const ofAll = <T extends object>(listOf: (changes: CourierChanges) => readonly T[]) =>
    parts.flatMap(({ courier, value }) => listOf(value).map((change) => ({ courier, ...change })));
  return {
    since: parts.flatMap(({ value }) => value.since ?? []).sort()[0] ?? null,
    invoices: {
      new: ofAll(({ invoices }) => invoices.new),
      restated: ofAll(({ invoices }) => invoices.restated),
      vanished: ofAll(({ invoices }) => invoices.vanished),
      back: ofAll(({ invoices }) => invoices.back),
      status: ofAll(({ invoices }) => invoices.status),
    },
    orders: {
      new: parts.reduce((sum, { value }) => sum + value.orders.new, 0),
      changed: ofAll(({ orders }) => orders.changed),
      vanished: ofAll(({ orders }) => orders.vanished),
      back: ofAll(({ orders }) => orders.back),
    },
  };
}

type CourierChanges = Awaited<ReturnType<typeof readChanges>>;

async function readChanges(db: LedgerReader, since: 'last' | 'close' | Date) {
  const from = await firstEvidence(db, since);
  // Where the ledger holds nothing since then, no evidence is late enough.
  const first = from ?? Number.MAX_SAFE_INTEGER;
  const changed = await readChangedInvoices(db, first);
  const versions = groupBy(await readVersions(db, changed), ({ invoice_number }) => invoice_number);
  const presence = await readPresenceMoves(db, first);
  const statusMoves = await readStatusMoves(db, first);
  const movedNumbers = [...presence, ...statusMoves].map(({ invoice_number }) => invoice_number);
  const periods = await readPeriods(db, [...new Set([...changed, ...movedNumbers])]);
  const texts = await readNumberTexts(db);
  const invoiceOf = (number: number) => {
    return { number, number_text: numberText(number, texts), period: periods.get(number) ?? null };
  };
  const withPresence = (present: 0 | 1) =>
    presence
      .filter((row) => row.present === present)
      .map(({ invoice_number, seen_at }) => ({ ...invoiceOf(invoice_number), seen_at }));
  return {
    // The instant that was asked for, or that of the first evidence.
    since: since instanceof Date ? since.toISOString() : await readEvidenceTime(db, from),
    invoices: {
      new: changed.flatMap((number) => {
        const { evidence_id, status, seen_at, sha256 } = versions.get(number)![0]!;
        return evidence_id < first ? [] : [{ ...invoiceOf(number), status, seen_at, sha256 }];
      }),
      restated: changed.flatMap((number) => {
        const invoiceVersions = versions.get(number)!;
        // Of an invoice that is new too, the first version is the one before.
        const before = invoiceVersions.findLast(({ evidence_id }) => evidence_id < first) ?? invoiceVersions[0]!;
        const after = invoiceVersions.at(-1)!;
        if (before.version === after.version) return [];
        const documents = { before: documentOf(before), after: documentOf(after) };
        return [{ ...invoiceOf(number), ...documents, moved: movedFigures(before, after) }];
      }),
      vanished: withPresence(0),
      back: withPresence(1),
      status: statusMoves.map(({ invoice_number, ...move }) => ({ ...invoiceOf(invoice_number), ...move })),
    },
    orders: await orderChanges(db, first),
  };
}

async function firstEvidence(db: LedgerReader, since: 'last' | 'close' | Date): Promise<number | null> {
  if (since instanceof Date) return firstEvidenceSince(db, since);
  if (since === 'last') return firstEvidenceOfLastSync(db);
  const ofCourier = await readClosesInForce(db);
  // A courier that joined after the last close has none: the last close of the books counts.
  const closes = ofCourier.length > 0 ? ofCourier : await readClosesInForce(wholeLedger(db));
  // The close that was made last, which need not be the latest month's.
  if (closes.length > 0) return Math.max(...closes.map(({ id }) => id));
  throw new UsageError(booksError({ id: 'no-month-closed' }));
}

const documentOf = ({ seen_at, sha256 }: InvoiceVersion): Received => ({ seen_at, sha256 });

async function orderChanges(db: LedgerReader, from: number) {
  const changes = await readOrderChanges(db, { sinceEvidence: from });
  const parts = new PartReader(db);
  const orderOf = ({ order_id, reference_id, seen_at }: OrderChange) => ({ order_id, reference_id, seen_at });
  const changed: ChangedOrder[] = [];
  for (const change of changes) {
    if (change.what !== 'changed') continue;
    changed.push({
      ...orderOf(change),
      delivery_state: [change.from_delivery_state, change.to_delivery_state],
      payment_state: [change.from_payment_state, change.to_payment_state],
      backward: change.backward === 1,
      moved: change.amounts_changed === 1 ? await movedAmounts(parts, change) : [],
    });
  }
  return {
    new: await countNewOrders(db, from),
    changed,
    vanished: changes.filter(({ what }) => what === 'vanished').map(orderOf),
    back: changes.filter(({ what }) => what === 'back').map(orderOf),
  };
}

async function movedAmounts(parts: PartReader, change: OrderChange): Promise<Moved[]> {
  const [before, after] = [await amountsIn(parts, change.from_part), await amountsIn(parts, change.to_part)];
  const currencies = [...new Set([...before.keys(), ...after.keys()])].sort();
  return currencies.flatMap((currency) =>
    ORDER_MONEY_FIELDS.flatMap((field) => {
      const amountIn = (amounts: typeof before) => formatAmount(amountOfUnits(amounts.get(currency)?.[field] ?? 0n));
      return movedFigure(field, currency, amountIn(before), amountIn(after)) ?? [];
    }),
  );
}

/** The amounts in an order's record, by currency. @param part the part of the order book that holds the record */
async function amountsIn(parts: PartReader, part: number) {
  // Its place on a page and its SHA-256 are left at 0 and '': they are not in the amounts.
  const json = await parseOrderRecord(await parts.read(part), 0);
  if (!json.ok) throw json.fault;
  const { amounts } = readOrder(json.value, { sha256: '', part });
  return new Map(amounts.map((row) => [row.currency, row]));
}
