import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { formatAmount, parseAmount } from '../../src/money/decimal.ts';
import { parseUnits } from '../../src/money/units.ts';
import { inCodes } from '../../src/render/in-words.ts';
import { check } from '../checks/options.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { type LedgerSpec, withLedgerAt } from '../helpers/ledger.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';

const MONTH = '2026-10';
const NOW = new Date('2026-11-20T08:00:00Z');

const WORLD: LedgerSpec = {
  orderBook: 'complete',
  invoices: [
    {
      number: 1,
      status: 'PENDING_PAYMENT',
      rows: [
        { order_id: 'A', amounts: { LBP: ['900000.5', '0'], USD: ['25.00', '3.125'] } },
        { order_id: 'B', amounts: { USD: ['-12.3456', '4.75'] }, delivery_state: 'CANCELLED' },
        { order_id: 'C', amounts: {} },
      ],
      header: { USD: ['12.65', '7.875', '4.00'], LBP: ['900000.5', '0', '900000.5'] },
    },
    { number: 2, rows: [{ order_id: 'D' }, { order_id: 'E', delivery_state: 'AWAITING_RETURN' }, { order_id: 'F' }] },
    { number: 3, status: 'PENDING_PAYMENT', rows: [{ order_id: 'G' }], issued_at: '2026-10-07T10:00:00+02:00' },
    { number: 4, rows: [{ order_id: 'H' }] },
    {
      number: 5,
      period: '2026-09',
      status: 'PENDING_PAYMENT',
      rows: [{ order_id: 'I' }],
      issued_at: '2026-09-28T10:00:00+02:00',
    },
  ],
  orders: [
    { order_id: 'J', delivery_state: 'IN_TRANSIT', amounts: { USD: ['20.00', '3.00'] } },
    {
      order_id: 'W',
      delivery_state: 'DELIVERED',
      amounts: { USD: ['77.00', '3.00'], EUR: ['0.5', '0'] },
      first_delivered_at: '2026-10-03T09:00:00+03:00',
    },
    { order_id: 'X', delivery_state: 'DELIVERED', amounts: {}, first_delivered_at: '2026-10-31T23:59:59+03:00' },
  ],
  nights: [
    {
      orderBook: 'complete',
      gone: [4],
      invoices: [
        {
          number: 2,
          rows: [
            { order_id: 'D', amounts: { USD: ['26.00', '3.00'], EUR: ['1', '0'] } },
            { order_id: 'E', delivery_state: 'AWAITING_RETURN' },
            { order_id: 'J', amounts: { USD: ['12.00', '3.00'] } },
          ],
        },
        { number: 3, status: 'PAID', rows: [{ order_id: 'G' }], issued_at: '2026-10-07T10:00:00+02:00' },
      ],
    },
    {
      invoices: [
        {
          number: 2,
          rows: [
            { order_id: 'D', amounts: { USD: ['26.00', '3.00'], EUR: ['1', '0'] } },
            { order_id: 'J', amounts: { USD: ['10.00', '3.00'] } },
          ],
        },
      ],
    },
  ],
  own: { receipts: ['2026-11-02,22.00,USD,invoice 3,3'] },
};

interface Pair {
  readonly report: string;
  readonly view: string;
  /** Rows of the view that are of the month; all of them when absent. */
  readonly where?: string;
  /** The report's column to the view's, where it is called otherwise. */
  readonly called?: Readonly<Record<string, string>>;
  /** Columns that no view has: shares, buckets, and what the settings have a say in. */
  readonly without?: readonly string[];
  /** Rows of the report that the view is about. */
  readonly rows?: (row: Row) => boolean;
}
type Row = Record<string, unknown>;

const OF_MONTH = `period = '${MONTH}'`;
const SETTLED = ['received', 'differences', 'paid_on_word', 'outstanding', 'basis'];

const PAIRS: readonly Pair[] = [
  { report: 'totals', view: 'totals', where: OF_MONTH, without: SETTLED },
  {
    report: 'invoices',
    view: 'invoices',
    where: OF_MONTH,
    without: SETTLED,
    // What vanished after money of it moved is in no document, and so in no view.
    rows: ({ orders }) => orders !== 0,
  },
  { report: 'orders', view: 'invoice_rows', where: OF_MONTH },
  {
    report: 'mismatches',
    view: 'mismatches',
    where: `id in (select mismatch_id from mismatch_month where ${OF_MONTH})`,
    // The report says these in sentences.
    without: ['claim', 'cause'],
  },
  { report: 'fees', view: 'fees', where: OF_MONTH, without: ['fee_an_order', 'fee_share'] },
  {
    report: 'returns',
    view: 'returns',
    where: OF_MONTH,
    without: ['rate', 'by', 'reference_id'],
    rows: ({ by }) => by === undefined || by === 'district',
  },
  // The report goes by receipts where they settle an invoice.
  { report: 'lag', view: 'lag', where: OF_MONTH, without: ['paid'] },
  { report: 'not-invoiced', view: 'not_invoiced', where: OF_MONTH },
  {
    report: 'changes',
    view: 'invoice_changes',
    where: OF_MONTH,
    without: ['order_id', 'difference'],
    rows: ({ what }) => what !== 'order restated',
  },
  {
    report: 'changes',
    view: 'order_changes',
    where: OF_MONTH,
    without: ['what', 'unit', 'difference'],
    rows: ({ what }) => what === 'order restated',
  },
  { report: 'evidence', view: 'month_documents', where: OF_MONTH, without: ['order_id', 'evidence', 'kind', 'fault'] },
  {
    report: 'receipts',
    view: 'receipts',
    called: { left: 'left_over' },
    without: ['kind', 'whose', 'status', 'invoices', 'rule', 'import', 'line'],
  },
  { report: 'runs', view: 'runs' },
];

async function rowsOf(ledger: Ledger, name: string): Promise<{ rows: Row[]; money: Set<string> }> {
  const entry = REPORTS.find((one) => one.name === name)!;
  return usingSnapshot(ledger, async (db) => {
    const report = await entry.build({ db, settings: DEFAULT_SETTINGS, periods: [MONTH], period: MONTH });
    const rows: Row[] = [];
    for await (const row of inCodes(report).rows) rows.push(row);
    return { rows, money: new Set(report.columns.filter(({ type }) => type === 'money').map((column) => column.name)) };
  });
}

/** A cell of either database as the reports write it. */
function plain(cell: unknown, isMoney: boolean): unknown {
  if (cell === null || cell === undefined) return null;
  if (isMoney) return formatAmount(parseAmount(String(cell)));
  return cell;
}

const sorted = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();

async function compare(ledger: Ledger): Promise<void> {
  await check(ledger, { periods: ['2026-09', MONTH], settings: DEFAULT_SETTINGS, now: NOW });
  for (const { report, view, where = '1 = 1', called = {}, without = [], rows: about = () => true } of PAIRS) {
    const { rows, money } = await rowsOf(ledger, report);
    const wanted = rows.filter(about);
    const names = Object.keys(rows[0] ?? {}).filter((name) => !without.includes(name));
    const seen = (await sql<Row>`select * from ${sql.table(view)} where ${sql.raw(where)}`.execute(ledger.db)).rows;
    const isMoney = (name: string) =>
      money.has(name) || (view === 'order_changes' && ['before', 'after'].includes(name));
    const shown = seen.map((row) =>
      Object.fromEntries(names.map((name) => [name, plain(row[called[name] ?? name], isMoney(name))])),
    );
    const zero = (name: string, cell: unknown) => (isMoney(name) && cell === null ? '0.00' : cell);
    const same = (each: readonly Row[]) =>
      each.map((row) => Object.fromEntries(names.map((name) => [name, zero(name, plain(row[name], isMoney(name)))])));
    expect(wanted.length, `${view} shows nothing`).toBeGreaterThan(0);
    expect([view, sorted(same(shown))]).toEqual([view, sorted(same(wanted))]);
    for (const row of seen) {
      for (const name of Object.keys(row).filter((one) => one.endsWith('_units'))) {
        const text = row[name.slice(0, -'_units'.length)];
        const units = row[name];
        if (units !== null) expect([view, name, String(units)]).toEqual([view, name, String(parseUnits(String(text)))]);
        else if (row.unit === undefined) expect([view, name, text]).toEqual([view, name, null]);
      }
    }
  }
  const [receipt] = (await sql<Row>`select * from receipts`.execute(ledger.db)).rows;
  expect(receipt).toMatchObject({ receipt: 1, currency: 'USD', amount_units: 220000 });
  const kinds = (
    await sql<Row>`select kind from documents where sha256 is not null group by kind order by kind`.execute(ledger.db)
  ).rows;
  expect(kinds.map(({ kind }) => kind)).toContain('invoice');
}

/** Four invoices that the ledger holds each, and whose COD of 300 trillion each adds up to more than it can hold. */
const ABSURD: LedgerSpec = {
  invoices: [
    { number: 1, rows: [{ order_id: 'A' }] },
    ...[2, 3, 4, 5].map((number) => ({
      number,
      rows: [
        { order_id: `B${number}`, delivery_state: 'CANCELLED', amounts: { LBP: ['300000000000000.25', '0'] } as const },
      ],
    })),
  ],
};

const TOO_MUCH = `the amounts of ${MONTH} in LBP add up to more than the ledger can hold exactly`;
const COMMAND = `remit report orders ${MONTH} --currency LBP`;

async function overflow(ledger: Ledger): Promise<void> {
  const views = ['totals', 'fees', 'returns'].map((view) => sql`select * from ${sql.table(view)}`.execute(ledger.db));
  for (const failure of await Promise.all(views.map((view) => view.catch((error: Error) => error.message)))) {
    expect(failure).toContain(`${TOO_MUCH}: look for an absurd amount with \`${COMMAND}\``);
  }
  const reports = ['totals', 'orders', 'invoices', 'fees', 'returns'];
  const commands = [
    ...reports.map((name) => () => rowsOf(ledger, name)),
    () => check(ledger, { periods: [MONTH], settings: DEFAULT_SETTINGS, now: NOW }),
  ];
  for (const command of commands) {
    const error = await command().catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'money', message: TOO_MUCH, hint: expect.stringContaining(COMMAND) });
  }
}

describe('a month whose amounts add up to more than the ledger can hold is named, with its currency', () => {
  it('in SQLite', () => withLedgerAt(`${scratchFolder()}/ledger.db`, ABSURD, overflow));

  it.skipIf(!hasPostgres)('in PostgreSQL', async () => {
    await withLedgerAt((await newDatabase()).place, ABSURD, overflow);
  });
});

describe('the rows of the reports as views', () => {
  it('in SQLite', () => withLedgerAt(`${scratchFolder()}/ledger.db`, WORLD, compare));

  it.skipIf(!hasPostgres)('in PostgreSQL', async () => {
    await withLedgerAt((await newDatabase()).place, WORLD, compare);
  });
});
