/** Tiny ledgers for tests: say what the documents held, and everything that is not said is consistent with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Ledger, usingLedger, writeCourierOrders, writeInvoice } from '../../src/ledger/index.ts';
import { parseUnits, type Units } from '../../src/money/index.ts';

/** Currency to COD and fee, as plain decimal text. */
export type Amounts = Readonly<Record<string, readonly [cod: string, fee: string]>>;

/** An order as the courier's order book holds it. */
export interface BookSpec {
  reference_id?: string;
  amounts?: Amounts;
  delivery_state?: string;
  payment_state?: string;
  merchant_invoice?: string | null;
  first_delivered_at?: string | null;
  fee_stated?: boolean;
  stamps?: readonly string[];
  vanished?: boolean;
}

/** A row of an invoice; `book` says where the order's own record differs from it, null that there is none. */
export interface RowSpec {
  order_id: string;
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
  vanished?: boolean;
}

export interface LedgerSpec {
  /** The months that were synced; by default those of the invoices. */
  periods?: readonly string[];
  /** Months whose walk did not come to its end. */
  partial?: readonly string[];
  orderBook?: 'complete' | 'partial' | 'none';
  invoices?: readonly InvoiceSpec[];
  /** Orders that stand on no invoice. */
  orders?: readonly (BookSpec & { order_id: string })[];
  /** Moves that syncs saw, oldest first: delivery and payment state before and after. */
  changes?: readonly { order_id: string; delivery?: readonly [string, string]; payment?: readonly [string, string] }[];
}

const SHA = 'a'.repeat(64);
const SEEN = '2026-11-05T06:00:00.000Z';

/** Makes a ledger in a folder of its own, fills it, lends it, and takes it away again. */
export async function withLedger<T>(spec: LedgerSpec, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-ledger-'));
  try {
    return await usingLedger(path.join(folder, 'ledger.db'), { create: true }, async (ledger) => {
      await ledger.db.transaction().execute((trx) => fill(trx, spec));
      return use(ledger);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds to a ledger what the documents held; an invoice or order that is there is replaced. */
export async function fill(db: Ledger['db'], spec: LedgerSpec): Promise<void> {
  const invoices = spec.invoices ?? [];
  const run = await db
    .insertInto('run')
    .values({
      command: 'sync',
      started_at: SEEN,
      finished_at: SEEN,
      status: spec.partial?.length ? 'partial' : 'complete',
      remit_version: '0.1.0',
      summary: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('evidence_body')
    .values({ sha256: SHA, encoding: 'identity', size: 2, body: Buffer.from('{}') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  const periods = spec.periods ?? [...new Set(invoices.map((invoice) => invoice.period ?? '2026-10'))];
  const listing = { run_id: run.id, finished_at: SEEN, stated_count: null, seen_count: 0 };
  for (const period of new Set([...periods, ...(spec.partial ?? [])])) {
    const complete = spec.partial?.includes(period) ? 0 : 1;
    await db
      .insertInto('listing')
      .values({ ...listing, kind: 'invoices', period, complete })
      .execute();
  }
  const book = spec.orderBook ?? 'complete';
  if (book !== 'none') {
    const complete = book === 'complete' ? 1 : 0;
    await db
      .insertInto('listing')
      .values({ ...listing, kind: 'orders', period: null, complete })
      .execute();
  }

  for (const invoice of invoices) {
    await addInvoice(db, invoice);
    if (book === 'none') continue;
    for (const row of invoice.rows ?? []) {
      if (row.book !== null) await addOrder(db, row.order_id, { ...bookOf(invoice, row), ...row.book });
    }
  }
  for (const order of spec.orders ?? []) await addOrder(db, order.order_id, order);
  for (const change of spec.changes ?? []) {
    const [from_delivery_state, to_delivery_state] = change.delivery ?? ['DELIVERED', 'DELIVERED'];
    const [from_payment_state, to_payment_state] = change.payment ?? ['UNPAID', 'UNPAID'];
    const states = { from_delivery_state, to_delivery_state, from_payment_state, to_payment_state };
    const evidence = { seen_at: SEEN, from_page_sha256: SHA, to_page_sha256: SHA };
    await db
      .insertInto('order_state_change')
      .values({ order_id: change.order_id, ...states, ...evidence })
      .execute();
  }
}

async function addInvoice(db: Ledger['db'], spec: InvoiceSpec): Promise<void> {
  const { number, period = '2026-10', status = 'PAID', rows = [], list } = spec;
  const issued_at = spec.issued_at ?? `${period}-28T10:00:00+02:00`;
  const header = headerOf(spec);
  await writeInvoice(db, {
    invoice: {
      number,
      period,
      status,
      issued_at,
      row_count: rows.length,
      detail_sha256: SHA,
      list_status: list === null ? null : (list?.status ?? status),
      list_status_display: null,
      list_issued_at: list === null ? null : (list?.issued_at ?? issued_at),
      list_order_count: list === null ? null : (list?.order_count ?? rows.length),
      list_row_sha256: list === null ? null : SHA,
      vanished_at: spec.vanished ? SEEN : null,
    },
    amounts: header,
    listAmounts: list === null ? [] : list?.amounts ? headerOf({ number, header: list.amounts }) : header,
    orders: rows.map((row, position) => ({
      invoice_number: number,
      position,
      order_id: row.order_id,
      reference_id: row.reference_id ?? `ref-${row.order_id}`,
      workflow: 'STANDARD',
      delivery_state: row.delivery_state ?? 'DELIVERED',
      payment_state: row.payment_state ?? paymentOf(status),
    })),
    orderAmounts: rows.flatMap((row, position) =>
      Object.entries(row.amounts ?? DEFAULT).map(([currency, [cod, fee]]) => ({
        invoice_number: number,
        position,
        currency,
        cod: parseUnits(cod),
        delivery_fee: parseUnits(fee),
      })),
    ),
  });
}

const DEFAULT: Amounts = { USD: ['25.00', '3.00'] };

function paymentOf(status: string): string {
  return status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

/** What the header states, or else what the rows come to. */
function headerOf({ number, header, rows = [] }: InvoiceSpec) {
  const sums = new Map<string, { cod: Units; delivery_fee: Units; net_due_to_merchant: Units }>();
  for (const [currency, [cod, fee, net]] of Object.entries(header ?? {})) {
    sums.set(currency, { cod: parseUnits(cod), delivery_fee: parseUnits(fee), net_due_to_merchant: parseUnits(net) });
  }
  for (const row of header ? [] : rows) {
    for (const [currency, amounts] of Object.entries(row.amounts ?? DEFAULT)) {
      const [cod, fee] = [parseUnits(amounts[0]), parseUnits(amounts[1])];
      const sum = sums.get(currency) ?? { cod: 0n, delivery_fee: 0n, net_due_to_merchant: 0n };
      sums.set(currency, {
        cod: sum.cod + cod,
        delivery_fee: sum.delivery_fee + fee,
        net_due_to_merchant: sum.net_due_to_merchant + cod - fee,
      });
    }
  }
  return [...sums].map(([currency, sum]) => ({ invoice_number: number, currency, ...sum }));
}

/** The record that agrees with an invoice's row. */
function bookOf(invoice: InvoiceSpec, row: RowSpec): BookSpec {
  return {
    reference_id: row.reference_id ?? `ref-${row.order_id}`,
    amounts: row.amounts ?? DEFAULT,
    delivery_state: row.delivery_state ?? 'DELIVERED',
    payment_state: row.payment_state ?? paymentOf(invoice.status ?? 'PAID'),
    merchant_invoice: String(invoice.number),
    first_delivered_at: `${invoice.period ?? '2026-10'}-10T08:00:00.000Z`,
  };
}

async function addOrder(db: Ledger['db'], order_id: string, spec: BookSpec): Promise<void> {
  const { amounts = DEFAULT, delivery_state = 'DELIVERED', payment_state = 'UNPAID' } = spec;
  await writeCourierOrders(db, [
    {
      order: {
        order_id,
        reference_id: spec.reference_id ?? `ref-${order_id}`,
        workflow: 'STANDARD',
        is_exchange: 0,
        delivery_state,
        payment_state,
        merchant_invoice: spec.merchant_invoice ?? null,
        merchant_location: 1,
        number_of_packages: 1,
        return_reason: null,
        customer_id: null,
        area_id: null,
        area_name: null,
        district: null,
        first_delivered_at: spec.first_delivered_at ?? null,
        fee_stated: spec.fee_stated === false ? 0 : 1,
        row_sha256: SHA,
        page_sha256: SHA,
        vanished_at: spec.vanished ? SEEN : null,
      },
      amounts: Object.entries(amounts).map(([currency, [cod, fee]]) => ({
        order_id,
        currency,
        cod: parseUnits(cod),
        delivery_fee: parseUnits(fee),
      })),
      statestamps: (spec.stamps ?? []).map((stamped_at, position) => ({
        order_id,
        position,
        delivery_state: position === 0 ? 'CREATED' : delivery_state,
        payment_state,
        stamped_at,
      })),
    },
  ]);
}
