/** Tiny ledgers for tests: say what the documents held, and everything that is not said is consistent with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeLedger } from '../../src/app/close/close.ts';
import { HEADS, importText, type OwnKind } from '../../src/app/selftest/own-files.ts';
import { isDelivered } from '../../src/base/states.ts';
import { type ImportedKind, type Ledger, ofCourier, type Place, usingLedger } from '../../src/ledger/index.ts';
import { DEFAULT_SETTINGS } from './check-settings.ts';
import { type NightDocuments, Nights } from './nights.ts';
import { addMoney, type WireMoney } from './wire-money.ts';

/** Currency to COD and fee, as plain decimal text. */
export type Amounts = Readonly<Record<string, readonly [cod: string, fee: string]>>;

/** An order as the courier's order book holds it. */
export interface BookSpec {
  workflow?: 'STANDARD' | 'RETURN';
  reference_id?: string;
  amounts?: Amounts;
  delivery_state?: string;
  payment_state?: string;
  merchant_invoice?: string | null;
  first_delivered_at?: string | null;
  fee_stated?: boolean;
  stamps?: readonly string[];
  /** It was in the order book the night before, and is gone from it. */
  vanished?: boolean;
  /** Its record cannot be read. */
  unreadable?: boolean;
}

/** A row of an invoice; `book` says where the order's own record differs from it, null that there is none. */
export interface RowSpec {
  order_id: string;
  workflow?: 'STANDARD' | 'RETURN';
  reference_id?: string;
  delivery_state?: string;
  payment_state?: string;
  amounts?: Amounts;
  book?: BookSpec | null;
}

export interface InvoiceSpec {
  number: number;
  period?: string;
  status?: string;
  issued_at?: string;
  rows?: readonly RowSpec[];
  /** Currency to COD, fee and net, where the header does not state the sum of the rows. */
  header?: Readonly<Record<string, readonly [cod: string, fee: string, net: string]>>;
  /** Where the list's row differs from the detail; null where it could not be read. */
  list?: {
    status?: string;
    issued_at?: string;
    order_count?: number;
    amounts?: Readonly<Record<string, readonly [cod: string, fee: string, net: string]>>;
  } | null;
  /** It was listed the night before, and is gone from every list. */
  vanished?: boolean;
  /** The months whose lists hold it, where that is not its own alone. */
  periods?: readonly string[];
  /** Its detail cannot be read, or was not brought at all. */
  detail?: 'unreadable' | 'missing';
}

/** What one night's sync brings. What a former night brought and this one does not name is brought again as it was. */
export interface NightSpec {
  /** The months that were synced; by default those of the invoices. */
  periods?: readonly string[];
  /** Months whose walk did not come to its end. */
  partial?: readonly string[];
  orderBook?: 'complete' | 'partial' | 'none';
  invoices?: readonly InvoiceSpec[];
  /** Orders that stand on no invoice. */
  orders?: readonly (BookSpec & { order_id: string })[];
  /** When the sync began; by default 6 in the morning, from 5 November 2026 on, a day a night. */
  at?: string;
  /** Invoices that are gone from every list from this night on, and orders that are gone from the order book. */
  gone?: readonly (number | string)[];
}

/** A ledger: what the first sync brought, and what those of further nights did. */
export interface LedgerSpec extends NightSpec {
  /** Files of the merchant's own side, as the rows of our CSV without their head, imported at last. */
  own?: Partial<Record<ImportedKind, readonly string[]>>;
  /** Months that are closed after the first night, the first of the books first. */
  closes?: readonly string[];
  nights?: readonly NightSpec[];
  /** What another courier of the same books shows; see {@link OTHER}. */
  other?: NightSpec;
}

/** That courier, as settings name it. */
export const OTHER = { key: 'other', name: 'other', receipts: { payers: [], accounts: [] } };

/** Makes a ledger in a folder of its own, fills it, lends it, and takes it away again. */
export async function withLedger<T>(spec: LedgerSpec, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-ledger-'));
  try {
    return await withLedgerAt(path.join(folder, 'ledger.db'), spec, use);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same at a place of the test's own. */
export function withLedgerAt<T>(
  place: Place | string,
  spec: LedgerSpec,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  return usingLedger(place, { create: true }, async (ledger) => {
    world = new World();
    await ledger.db.transaction().execute((trx) => fill(trx, spec));
    for (const [index, month] of (spec.closes ?? []).entries()) await closeMonth(ledger, month, index === 0);
    await ledger.db.transaction().execute(async (trx) => {
      for (const night of spec.nights ?? []) await fill(trx, night);
    });
    if (spec.other) {
      const [own, theirs] = [world, new World()];
      world = theirs;
      await ofCourier(ledger.db, OTHER.key)
        .transaction()
        .execute((trx) => fill(trx, spec.other!));
      world = own;
    }
    for (const [kind, lines] of Object.entries(spec.own ?? {})) {
      // A line of six cells says the district too.
      const more = kind === 'orders' && lines.some((line) => line.split(',').length > 5) ? ',district' : '';
      const text = `${[HEADS[kind as OwnKind] + more, ...lines].join('\n')}\n`;
      await importText(ledger, { kind: kind as ImportedKind, text, at: IMPORTED_AT });
    }
    return use(ledger);
  });
}

async function closeMonth(ledger: Ledger, month: string, first: boolean): Promise<void> {
  const request = { month, by: 'rana', withOpen: 'planted', first };
  const closed = await closeLedger(ledger, { config: DEFAULT_SETTINGS, now: () => CLOSED_AT }, request);
  if (closed.status === 'refused') throw new Error(closed.reasons.map(({ why }) => why).join('; '));
}

/** What the courier of the ledger that is lent shows. */
let world: World;

/** Brings another night's documents into the ledger that is lent; an invoice or order that is there is replaced. */
export async function fill(db: Ledger['db'], spec: NightSpec): Promise<void> {
  world.take(spec);
  const gone = world.vanishing(spec);
  if (gone.length > 0) {
    await world.sync(db, undefined);
    world.remove(gone);
  }
  await world.sync(db, spec.at);
}

const CLOSED_AT = new Date('2026-11-05T18:00:00Z');
const IMPORTED_AT = new Date('2026-11-19T06:00:00Z');
const DAY = 86_400_000;
const FIRST_NIGHT = Date.parse('2026-11-05T06:00:00Z');

/** The courier's books as a test tells them, night after night. */
class World {
  readonly #invoices = new Map<number, InvoiceSpec>();
  readonly #orders = new Map<string, BookSpec>();
  readonly #periods = new Set<string>();
  readonly #nights = new Nights();
  #partial: ReadonlySet<string> = new Set();
  #book: NonNullable<NightSpec['orderBook']> = 'complete';
  #count = 0;

  take(spec: NightSpec): void {
    const book = spec.orderBook ?? (this.#count === 0 ? 'complete' : this.#book);
    this.#book = book;
    for (const invoice of spec.invoices ?? []) {
      this.#invoices.set(invoice.number, invoice);
      for (const row of invoice.rows ?? []) {
        if (row.book === null) this.#orders.delete(row.order_id);
        else this.#orders.set(row.order_id, { ...bookOf(invoice, row), ...row.book });
      }
    }
    for (const order of spec.orders ?? []) this.#orders.set(order.order_id, order);
    const own = (spec.invoices ?? []).flatMap((invoice) => monthsOf(invoice));
    for (const period of [...(spec.periods ?? own), ...(spec.partial ?? [])]) this.#periods.add(period);
    this.#partial = new Set(spec.partial);
    this.remove(spec.gone ?? []);
  }

  /** What a night shows for the last time. */
  vanishing({ invoices = [], orders = [] }: NightSpec): (number | string)[] {
    const rows = invoices.flatMap((invoice) => invoice.rows ?? []);
    return [
      ...invoices.filter(({ vanished }) => vanished).map(({ number }) => number),
      ...rows.filter(({ book }) => book?.vanished).map(({ order_id }) => order_id),
      ...orders.filter(({ vanished }) => vanished).map(({ order_id }) => order_id),
    ];
  }

  remove(gone: readonly (number | string)[]): void {
    for (const each of gone) {
      if (typeof each === 'number') this.#invoices.delete(each);
      else this.#orders.delete(each);
    }
  }

  async sync(db: Ledger['db'], at: string | undefined): Promise<void> {
    const invoices = [...this.#invoices.values()];
    const night: NightDocuments = {
      at: new Date(at ?? FIRST_NIGHT + this.#count * DAY),
      months: [...this.#periods].sort().map((period) => ({
        period,
        complete: !this.#partial.has(period),
        rows: invoices.filter((invoice) => monthsOf(invoice).includes(period)).map(listRow),
      })),
      details: new Map(invoices.map((invoice) => [invoice.number, detailOf(invoice)])),
      book:
        this.#book === 'none'
          ? null
          : { complete: this.#book === 'complete', records: [...this.#orders].map(([id, spec]) => recordOf(id, spec)) },
    };
    this.#count += 1;
    await this.#nights.bring(db, night);
  }
}

const DEFAULT: Amounts = { USD: ['25.00', '3.00'] };

function monthsOf({ period = '2026-10', periods }: InvoiceSpec): readonly string[] {
  return periods ?? [period];
}

function paymentOf(status: string): string {
  return status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

/** The list's row of an invoice: what the detail says, unless told otherwise. */
function listRow(spec: InvoiceSpec): object {
  const { number, list, rows = [] } = spec;
  if (list === null) return { number, status: 7 };
  const { amounts, ...stated } = list ?? {};
  const { orders: _, ...header } = headerOf(spec);
  const money = amounts ? headerMoney(amounts) : {};
  return { ...header, status_display: '', order_count: rows.length, ...money, ...stated };
}

function detailOf(spec: InvoiceSpec): object | 'missing' {
  if (spec.detail === 'missing') return 'missing';
  if (spec.detail === 'unreadable') return { number: spec.number, status: spec.status ?? 'PAID', orders: 'none' };
  return headerOf(spec);
}

function headerOf({ number, period = '2026-10', status = 'PAID', issued_at, header, rows = [] }: InvoiceSpec) {
  const orders = rows.map((row) => ({
    order_id: row.order_id,
    reference_id: row.reference_id ?? `ref-${row.order_id}`,
    workflow: row.workflow ?? 'STANDARD',
    delivery_state: row.delivery_state ?? 'DELIVERED',
    payment_state: row.payment_state ?? paymentOf(status),
    ...rowMoney(row.amounts ?? DEFAULT),
  }));
  return {
    number,
    status,
    issued_at: issued_at ?? `${period}-28T10:00:00+02:00`,
    ...(header ? headerMoney(header) : sumsOf(orders)),
    orders,
  };
}

function headerMoney(header: NonNullable<InvoiceSpec['header']>) {
  const pick = (place: 0 | 1 | 2): WireMoney => Object.entries(header).map(([code, money]) => [code, money[place]]);
  return { cod: pick(0), delivery_fee: pick(1), net_due_to_merchant: pick(2) };
}

function rowMoney(amounts: Amounts): { cod: WireMoney; delivery_fee: WireMoney } {
  const pick = (place: 0 | 1): WireMoney => Object.entries(amounts).map(([code, money]) => [code, money[place]]);
  return { cod: pick(0), delivery_fee: pick(1) };
}

/** What the rows come to. */
function sumsOf(rows: readonly { cod: WireMoney; delivery_fee: WireMoney }[]) {
  const cod = addMoney(rows.map((row) => row.cod));
  const delivery_fee = addMoney(rows.map((row) => row.delivery_fee));
  return { cod, delivery_fee, net_due_to_merchant: addMoney([cod], [delivery_fee]) };
}

/** The record that agrees with an invoice's row. */
function bookOf(invoice: InvoiceSpec, row: RowSpec): BookSpec {
  return {
    reference_id: row.reference_id ?? `ref-${row.order_id}`,
    workflow: row.workflow ?? 'STANDARD',
    amounts: row.amounts ?? DEFAULT,
    delivery_state: row.delivery_state ?? 'DELIVERED',
    payment_state: row.payment_state ?? paymentOf(invoice.status ?? 'PAID'),
    merchant_invoice: String(invoice.number),
    first_delivered_at: isDelivered(row.delivery_state ?? 'DELIVERED')
      ? `${invoice.period ?? '2026-10'}-10T08:00:00.000Z`
      : null,
  };
}

function recordOf(order_id: string, spec: BookSpec): object {
  const { amounts = DEFAULT, delivery_state = 'DELIVERED', payment_state = 'UNPAID' } = spec;
  if (spec.unreadable) return { order_id, cod: 'none' };
  const { cod, delivery_fee } = rowMoney(amounts);
  const delivered = spec.first_delivered_at
    ? [
        {
          delivery_state: isDelivered(delivery_state) ? delivery_state : 'DELIVERED',
          payment_state,
          timestamp: spec.first_delivered_at,
        },
      ]
    : [];
  return {
    order_id,
    reference_id: spec.reference_id ?? `ref-${order_id}`,
    workflow: spec.workflow ?? 'STANDARD',
    merchant_location: 1,
    number_of_packages: 1,
    cod,
    ...(spec.fee_stated === false ? {} : { delivery_fee }),
    delivery_state,
    payment_state,
    merchant_invoice: spec.merchant_invoice ?? null,
    statestamps: [
      ...(spec.stamps ?? []).map((timestamp) => ({ delivery_state: 'CREATED', payment_state, timestamp })),
      ...delivered,
    ],
  };
}
