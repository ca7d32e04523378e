/**
 * Three couriers that number invoices and orders alike, and of which everything else differs: two have an API, one
 * sends sheets.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { type Outcome, remit } from './cli.ts';
import {
  type FakeCourier,
  type FakeInvoice,
  type FakeRow,
  invoiceOf,
  KEY,
  type Pair,
  startFakeCourier,
} from './courier.ts';

export const COURIERS = ['cedar', 'olive', 'swift'] as const;
export type CourierName = (typeof COURIERS)[number];
/** The one that sends sheets. */
const OF_SHEETS: CourierName = 'olive';

export const NOW = new Date('2026-11-20T09:00:00Z');
const EARLIER = new Date('2026-11-02T09:00:00Z');

/** What makes the money of a courier its own. */
const shareOf = (name: CourierName) => COURIERS.indexOf(name) + 1;

const money = (amount: number) => amount.toFixed(2);

/** An order on an invoice; every amount bears the courier's share. */
function row(name: CourierName, id: string, cod: number, more: Partial<FakeRow> = {}): FakeRow {
  const share = shareOf(name);
  return {
    order_id: id,
    reference_id: `SO-${name}-${id}`,
    workflow: 'STANDARD',
    delivery_state: 'DELIVERED',
    cod: [['USD', money(cod + share)]],
    delivery_fee: [['USD', money(2 + share / 4)]],
    ...more,
  };
}

/** @param isLater after the courier restated its first invoice */
function invoicesOf(name: CourierName, isLater: boolean): FakeInvoice[] {
  const share = shareOf(name);
  const lbp: Pair[] = [['LBP', `${share}00000.00`]];
  const first = row(name, 'A', isLater ? 90 : 100);
  return [
    invoiceOf(10001, `2026-09-0${share}T10:00:00+00:00`, [first, row(name, 'B', 40)]),
    invoiceOf(10002, `2026-09-1${share}T10:00:00+00:00`, [
      row(name, 'C', 30),
      row(name, 'D', 20, { cod: [['USD', money(20 + share)], ...lbp] }),
    ]),
    invoiceOf(10003, `2026-10-0${share}T10:00:00+00:00`, [row(name, 'E', 70), row(name, 'F', 10)], {
      status: 'PENDING_PAYMENT',
      cod: [['USD', money(80 + share)]],
    }),
    invoiceOf(10004, `2026-10-1${share}T10:00:00+00:00`, [row(name, 'G', 15), row(name, 'G', 15)], {
      status: 'PENDING_PAYMENT',
    }),
    invoiceOf(10005, `2026-10-1${share + 3}T10:00:00+00:00`, [
      row(name, 'H', 60),
      row(name, 'R', share, { workflow: 'RETURN', delivery_state: 'DELIVERED_AT_WAREHOUSE' }),
    ]),
  ];
}

const stamp = (day: string, delivery_state: string) => ({
  delivery_state,
  payment_state: 'UNPAID',
  timestamp: `${day}T08:00:00.000000+00:00`,
});

/**
 * The order book: a record for each row, one of which states other COD; one order delivered and not invoiced, one on
 * its way.
 */
function ordersOf(name: CourierName, invoices: readonly FakeInvoice[]) {
  const share = shareOf(name);
  const record = (one: FakeRow, invoice: number | null, states: readonly ReturnType<typeof stamp>[]) => ({
    is_exchange: false,
    payment_state: 'UNPAID',
    merchant_invoice: invoice,
    number_of_packages: 1,
    return_reason: null,
    ...one,
    statestamps: states,
    customer_location: { id: share, area: { id: share, name_en: `Area of ${name}`, district: `District ${share}` } },
  });
  const listed = invoices.flatMap(({ number, issued_at, orders }) =>
    orders.map((one) => {
      const day = `${issued_at.slice(0, 8)}0${share}`;
      const differs = one.order_id === 'E' ? { cod: [['USD', money(72 + share)]] as Pair[] } : {};
      return record({ ...one, ...differs }, number, [stamp(day, 'PICKED_UP'), stamp(day, one.delivery_state!)]);
    }),
  );
  const once = [...new Map(listed.map((one) => [one.order_id, one])).values()];
  return [
    ...once,
    record(row(name, 'Y', 33), null, [stamp(`2026-10-0${share}`, 'DELIVERED')]),
    record(row(name, 'Z', 44, { delivery_state: 'PICKED_UP' }), null, [stamp(`2026-11-0${share}`, 'PICKED_UP')]),
  ];
}

/** The same payouts as a sheet with stated totals. */
function sheetOf(name: CourierName, isLater: boolean): string {
  const lines = invoicesOf(name, isLater).flatMap(({ number, issued_at, status = 'PAID', orders, ...header }) => {
    const day = issued_at.slice(0, 10);
    const said = status === 'PAID' ? 'Paid' : 'Pending';
    const of = (pairs: readonly Pair[], currency: string) => pairs.find(([one]) => one === currency)?.[1] ?? '';
    const figures = ({ cod, delivery_fee }: Pick<FakeRow, 'cod' | 'delivery_fee'>) =>
      [of(cod, 'USD'), of(cod, 'LBP'), of(delivery_fee, 'USD')].join(',');
    return [
      ...orders.map((one) => [number, day, said, one.order_id, one.reference_id, one.workflow, figures(one)].join(',')),
      `Total,,,,,,${figures(header)}`,
    ];
  });
  return `Payout,Date,Status,AWB,Ref,Type,COD $,COD LL,Fee\n${lines.join('\n')}\n`;
}

const MAP = `[maps.sheet]
kind = "settlement"
totals_row = "Total"
columns = { invoice = "Payout", issued_on = "Date", status = "Status", order = "AWB", reference = "Ref", workflow = "Type", cod = { USD = "COD $", LBP = "COD LL" }, fee = { USD = "Fee" } }
`;

/**
 * What is imported of a courier beside its own documents. Every third order asks for another COD in the shop's book.
 */
function ownFilesOf(name: CourierName): Readonly<Record<string, string>> {
  const share = shareOf(name);
  const orders = invoicesOf(name, false).flatMap((invoice) => invoice.orders);
  const shop = [...new Map(orders.map((one) => [one.reference_id, one])).values()].flatMap((one, at) =>
    one.cod.map(([currency, amount]) => {
      const asked = at % 3 === 2 && currency === 'USD' ? money(Number(amount) + share) : amount;
      return `${one.reference_id},2026-09-01,handed_over,${currency},${asked}`;
    }),
  );
  const net = (number: number) =>
    Number(invoicesOf(name, false).find((one) => one.number === number)!.net_due_to_merchant[0]![1]);
  const payer = `${name.toUpperCase()} DELIVERY`;
  const bank = [
    `2026-09-2${share},${money(net(10001))},USD,${payer} 10001`,
    `2026-09-2${share + 3},${money(net(10002) - share)},USD,${payer} 10002`,
    `2026-10-2${share},${money(net(10005))},USD,${payer} payout`,
    `2026-10-2${share + 3},${share}.77,USD,${payer} unknown`,
  ];
  return {
    orders: `reference,ordered_on,status,currency,cod\n${shop.join('\n')}\n`,
    receipts: `date,amount,currency,text\n${bank.join('\n')}\n`,
    tariff: `courier,workflow,district,area,merchant_location,from,to,currency,fee\n${name},STANDARD,,,,,,USD,2.00\n`,
  };
}

/** Books of some of the couriers. */
export interface CourierBooks {
  readonly folder: string;
  readonly ledger: string;
  /** Says in the settings which couriers there are. */
  setCouriers(...names: readonly CourierName[]): void;
  /**
   * Brings everything of a courier: its documents and, later, a restatement; its orders in the shop, its lines at the
   * bank, its prices; decisions.
   */
  bring(name: CourierName): Promise<void>;
  /**
   * The first part of it, of 2 November: the documents as they first were, and the shop's, the bank's and the agreed
   * figures.
   */
  bringFirst(name: CourierName): Promise<void>;
  /** The rest. */
  bringRest(name: CourierName): Promise<void>;
  /** Runs a command. @param ledger in the place of the folder's own */
  run(argv: readonly string[], more?: { readonly ledger?: string; readonly now?: Date }): Promise<Outcome>;
  /** Reads what a command prints with --json, whatever it ends with. */
  json<T = Record<string, unknown>>(argv: readonly string[], more?: { readonly ledger?: string }): Promise<T>;
}

/** The couriers' servers, and books of what they say. */
export interface CourierWorld {
  books(): CourierBooks;
  /** Stops the servers, and removes the books. */
  close(): Promise<void>;
}

export async function startCouriers(): Promise<CourierWorld> {
  const servers = new Map<CourierName, FakeCourier>();
  for (const name of COURIERS) {
    if (name !== OF_SHEETS) servers.set(name, await startFakeCourier({ organisation: `Zahra at ${name}` }));
  }
  const folders: string[] = [];
  return {
    books() {
      const folder = mkdtempSync(path.join(tmpdir(), 'remit-test-'));
      folders.push(folder);
      return booksIn(folder, servers);
    },
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function booksIn(folder: string, servers: ReadonlyMap<CourierName, FakeCourier>): CourierBooks {
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    return name;
  };
  file('key', KEY);
  const run: CourierBooks['run'] = (argv, { ledger, now = NOW } = {}) =>
    remit(argv, { cwd: folder, now, env: ledger === undefined ? {} : { REMIT_LEDGER: ledger } });
  const done = async (argv: readonly string[], now = NOW) => {
    const { code, stderr } = await run(argv, { now });
    expect([argv, code, stderr]).toEqual([argv, 0, expect.any(String)]);
  };
  const bringDocuments = (name: CourierName, isLater: boolean) => {
    const server = servers.get(name);
    const now = isLater ? NOW : EARLIER;
    if (!server) {
      const sheet = file(`sheet-${name}-${isLater}.csv`, sheetOf(name, isLater));
      return done(['import', 'settlement', sheet, '--courier', name, '--by', 'Rana'], now);
    }
    server.world.invoices = invoicesOf(name, isLater);
    server.world.orders = ordersOf(name, server.world.invoices);
    return done(['sync', '2026-09..2026-10', '--orders', '--full', '--concurrency', '1', '--courier', name], now);
  };
  return {
    folder,
    ledger: path.join(folder, 'ledger.db'),
    run,
    setCouriers(...names) {
      const tables = names.map((name) => {
        const server = servers.get(name);
        const where = server ? `api_url = "${server.url}"\napi_key_file = "key"` : 'kind = "files"\nmap = "sheet"';
        return `[couriers.${name}]\n${where}\npayers = ["${name.toUpperCase()} DELIVERY"]\n`;
      });
      file('remit.toml', `time_zone = "UTC"\n${tables.join('')}${MAP}`);
    },
    async bring(name) {
      await this.bringFirst(name);
      await this.bringRest(name);
    },
    async bringFirst(name) {
      await bringDocuments(name, false);
      for (const [kind, text] of Object.entries(ownFilesOf(name))) {
        await done(['import', kind, file(`${kind}-${name}.csv`, text), '--by', 'Rana'], EARLIER);
      }
    },
    async bringRest(name) {
      await bringDocuments(name, true);
      expect((await run(['check', '--courier', name])).code).toBe(3);
      const here = ['--courier', name, '--by', 'Rana'];
      await done(['settle', '10004', '--as', 'other', '--amount', `${shareOf(name)}.00`, '--note', 'agreed', ...here]);
      await done(['mismatch', 'ack', '--code', 'order-repeated', '--note', `asked ${name}`, '--yes', ...here]);
      await done(['dispute', '--code', 'invoice-cod-total', '--out', `claim-${name}.txt`, '--yes', ...here]);
    },
    async json(argv, more) {
      const { stdout, stderr } = await run([...argv, '--json'], more);
      if (stdout === '') throw new Error(`${argv.join(' ')}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
