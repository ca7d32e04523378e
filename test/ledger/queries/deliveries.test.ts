import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn } from '../../../src/base/day.ts';
import { PAYMENT_STATES } from '../../../src/base/states.ts';
import { BalanceBook } from '../../../src/checks/facts/balances/book.ts';
import { type CustodySum, EVER, readCustody, sumCustody } from '../../../src/checks/facts/custody.ts';
import { type Delivery, readDeliveries, readSummedDeliveries } from '../../../src/ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../../src/ledger/queries/snapshot.ts';
import { STANDARD_SIGNS } from '../../../src/money/returns.ts';
import { MAX_AMOUNT, MAX_UNITS, parseUnits } from '../../../src/money/units.ts';
import { DEFAULT_SETTINGS } from '../../helpers/check-settings.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { type LedgerSpec, type RowSpec, withLedgerAt } from '../../helpers/ledger.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const ZONES = [
  ...['UTC', 'Asia/Beirut', 'Africa/Cairo', 'Africa/Casablanca', 'Asia/Kathmandu', 'America/New_York'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'America/Nuuk', 'Pacific/Apia'],
];
const QUARTER = 900_000;
/**
 * The quarters of an hour about changes of the clock, of some years, in which a day begins in one of the zones, and
 * those before them.
 */
const YEARS = [2009, 2011, 2024, 2026] as const;
const EDGES = ZONES.flatMap((zone) =>
  YEARS.flatMap((year) => {
    const found: number[] = [];
    for (const [from, to] of [
      [Date.UTC(year, 2, 8), Date.UTC(year, 3, 1)],
      [Date.UTC(year, 9, 24), Date.UTC(year, 10, 8)],
    ] as const) {
      let day = dayIn(new Date(from), zone);
      for (let at = from; at < to; at += QUARTER) {
        const next = dayIn(new Date(at), zone);
        if (next !== day) found.push(at - QUARTER, at);
        day = next;
      }
    }
    return found;
  }),
);

/** A timestamp as a courier may write it: any offset, and forms that ISO 8601 allows. */
const TIMESTAMP = fc
  .record({
    quarter: fc.oneof(
      fc.constantFrom(...EDGES),
      fc.integer({ min: 0, max: 1_200 }).map((n) => Date.UTC(2026, 9, 20) + n * QUARTER),
    ),
    within: fc.constantFrom(0, 1, 449_999, 899_999),
    offset: fc.constantFrom(0, 120, 180, -150, 345, -570, 7, 840),
    form: fc.constantFrom('Z', '+hh:mm', '+hh:mm', '+hh:mm', '+hhmm', 'blank', 'small', 'none', ' Z'),
  })
  .map(({ quarter, within, offset, form }) => {
    const minutes = form.startsWith('+') ? offset : 0;
    const local = new Date(quarter + within + minutes * 60_000).toISOString().slice(0, -1);
    const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
    const sign = minutes < 0 ? '-' : '+';
    const [hours, rest] = [two(Math.abs(minutes) / 60), two(Math.abs(minutes) % 60)];
    if (form === '+hh:mm') return `${local}${sign}${hours}:${rest}`;
    if (form === '+hhmm') return `${local}${sign}${hours}${rest}`;
    if (form === 'blank') return `${local.replace('T', ' ')}Z`;
    if (form === 'small') return `${local.toLowerCase()}z`;
    if (form === 'none') return local;
    return form === ' Z' ? ` ${local}Z` : `${local}Z`;
  });

const MAX = MAX_AMOUNT.replaceAll(',', '');
const AMOUNTS = fc.constantFrom(
  { USD: ['25.00', '3.00'] },
  { USD: ['-25.00', '3.00'], LBP: ['900000', '0'] },
  { USD: ['0', '3.00'] },
  { USD: [MAX, '0'] },
  { USD: [`-${MAX}`, '0'] },
  {},
) as fc.Arbitrary<NonNullable<RowSpec['amounts']>>;

const BOOKS = fc.sample(
  fc.array(
    fc.record({
      at: TIMESTAMP,
      amounts: AMOUNTS,
      later: AMOUNTS,
      isReturn: fc.boolean(),
      invoice: fc.integer({ min: 0, max: 5 }),
    }),
    {
      minLength: 600,
      maxLength: 600,
    },
  ),
  1,
)[0]!;

/**
 * Orders on five invoices and on none. Some records say something else a night later, and some rows move to another
 * invoice.
 */
const SPEC: LedgerSpec = {
  periods: ['2026-10'],
  ...night(firstNight),
  nights: [night((one, index) => ({ ...one, amounts: index % 5 === 0 ? one.later : one.amounts }))],
};

/** On which invoice an order is at first: some move to another. */
function firstNight(one: { amounts: RowSpec['amounts'] & object; invoice: number }, index: number) {
  return { ...one, invoice: index % 7 === 0 ? (one.invoice + 1) % 6 : one.invoice };
}

function night(
  as: (one: (typeof BOOKS)[number], index: number) => Pick<(typeof BOOKS)[number], 'amounts' | 'invoice'>,
) {
  const now = BOOKS.map((one, index) => ({
    ...one,
    ...as(one, index),
    order_id: `O${String(index).padStart(5, '0')}`,
  }));
  const row = ({ order_id, at, amounts, isReturn }: (typeof now)[number]) => {
    const workflow = isReturn ? ('RETURN' as const) : ('STANDARD' as const);
    return { order_id, workflow, amounts, first_delivered_at: at };
  };
  return {
    invoices: [1, 2, 3, 4, 5].map((number) => ({
      number,
      // Rows of such amounts come to more than an invoice holds.
      rows: now.filter(({ invoice }) => invoice === number).map((one) => ({ order_id: one.order_id, book: row(one) })),
    })),
    orders: now.filter(({ invoice }) => invoice === 0).map(row),
  };
}

interface Sum {
  readonly orders: number;
  readonly cod: bigint;
  readonly delivery_fee: bigint;
}

/** Sums by what tells deliveries apart, without those of nothing. */
class Sums {
  readonly #sums = new Map<string, Sum>();

  add(key: string, { orders, cod, delivery_fee }: Sum): void {
    if (orders === 0 && cod === 0n && delivery_fee === 0n) return;
    const sum = this.#sums.get(key) ?? { orders: 0, cod: 0n, delivery_fee: 0n };
    this.#sums.set(key, {
      orders: sum.orders + orders,
      cod: sum.cod + cod,
      delivery_fee: sum.delivery_fee + delivery_fee,
    });
  }

  sorted() {
    return [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/**
 * What is to come of {@link BOOKS}: each order on its day, with the amounts of the first night, which showed it
 * delivered.
 */
function expected(zone: string) {
  const sums = new Sums();
  for (const [index, { at, isReturn, ...one }] of BOOKS.entries()) {
    const [first, then] = [firstNight(one, index).invoice, one.invoice];
    const listings = [first > 0 && `${first} 1`, first !== then && first > 0 && `${first} 0`];
    if (first !== then && then > 0) listings.push(`${then} 1`);
    const like = [dayIn(at, zone), isReturn ? 'RETURN' : 'STANDARD', listings.filter(Boolean).sort().join()].join(' ');
    for (const [currency, [cod, fee]] of Object.entries(one.amounts)) {
      const [units, delivery_fee] = [parseUnits(cod), parseUnits(fee)];
      sums.add(`${like} ${currency}`, { orders: units === 0n ? 0 : 1, cod: units, delivery_fee });
    }
  }
  return sums.sorted();
}

/** @param digits how much of a day tells deliveries apart */
async function read(all: readonly AsyncIterable<readonly Delivery[]>[], digits = 10) {
  const sums = new Sums();
  for (const pages of all) {
    for await (const page of pages) {
      for (const { date, workflow, listings, amounts } of page) {
        const listed = listings.map((one) => `${one.invoice_number} ${one.listed}`).sort();
        const like = `${date.slice(0, digits)} ${workflow} ${listed.join()}`;
        for (const { currency, ...sum } of amounts) sums.add(`${like} ${currency}`, sum);
      }
    }
  }
  return sums.sorted();
}

async function compare(db: LedgerReader): Promise<void> {
  for (const zone of ZONES) {
    const sums = expected(zone);
    expect(await read([readSummedDeliveries(db, { zone })])).toEqual(sums);
    const each = { zone, prices: false };
    expect(await read([readDeliveries(db, each)])).toEqual(sums);
    const states = { day: '2026-10-31', before: null };
    const byMonth = await read([readDeliveries(db, each)], 7);
    expect(await read([readSummedDeliveries(db, { zone, states })], 7)).toEqual(byMonth);
    const withoutListed = { notCounting: [2, 4] };
    const some = await read([readDeliveries(db, { ...each, withoutListed })], 7);
    expect(some.length).toBeLessThan(byMonth.length);
    expect(await read([readSummedDeliveries(db, { zone, withoutListed, states })], 7)).toEqual(some);
    const others = readSummedDeliveries(db, { zone, onlyListed: withoutListed });
    expect(await read([readDeliveries(db, { ...each, withoutListed }), others], 7)).toEqual(byMonth);
  }
}

const STATES = fc.sample(
  fc.array(
    fc.record({
      payment_state: fc.constantFrom(...PAYMENT_STATES, 'UNHEARD_OF'),
      stamps: fc.array(fc.record({ payment_state: fc.constantFrom(...PAYMENT_STATES), stamped_at: TIMESTAMP }), {
        maxLength: 4,
      }),
    }),
    { minLength: 600, maxLength: 600 },
  ),
  1,
)[0]!;

function placed(lines: readonly CustodySum[]) {
  const sums = new Map<string, readonly [bigint, number]>();
  for (const { where, since, currency, district, invoices, cod, orders } of lines) {
    const key = `${where} ${since} ${currency} ${district} ${invoices.length > 0}`;
    const [units, count] = sums.get(key) ?? [0n, 0];
    sums.set(key, [units + cod, count + orders]);
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Gives the orders of {@link BOOKS} random states and stamps, and adds up where each is. */
async function comparePlaces(db: LedgerReader): Promise<void> {
  await db.deleteFrom('statestamp').execute();
  for (const [index, { payment_state, stamps }] of STATES.entries()) {
    const order_id = `O${String(index).padStart(5, '0')}`;
    await db.updateTable('courier_order').set({ payment_state }).where('order_id', '=', order_id).execute();
    const rows = stamps.map((stamp, position) => ({ order_id, position, delivery_state: 'DELIVERED', ...stamp }));
    if (rows.length > 0)
      await db
        .insertInto('statestamp')
        .values(rows as never)
        .execute();
  }
  for (const timeZone of ['UTC', 'Asia/Beirut', 'Australia/Lord_Howe']) {
    const book = await BalanceBook.read(db, { ...DEFAULT_SETTINGS, timeZone });
    for (const month of ['2026-10', '2026-11', EVER]) {
      const request = { month, returns: STANDARD_SIGNS, timeZone };
      const lines: CustodySum[] = [];
      for await (const order of readCustody(db, book, request)) lines.push(...order);
      expect(placed(await sumCustody(db, book, request))).toEqual(placed(lines));
    }
  }
}

describe('deliveries that the ledger adds up', () => {
  it('come to what their orders come to, on each zone’s days', async () => {
    await withLedgerAt(path.join(scratchFolder(), 'ledger.db'), SPEC, ({ db }) => compare(db));
  });

  it.skipIf(!hasPostgres)('do so in PostgreSQL', async () => {
    const { place } = await newDatabase();
    await withLedgerAt(place, SPEC, ({ db }) => compare(db));
  });

  it('are where each of their orders is', async () => {
    await withLedgerAt(path.join(scratchFolder(), 'ledger.db'), SPEC, ({ db }) => comparePlaces(db));
  });

  it.skipIf(!hasPostgres)('are there in PostgreSQL too', async () => {
    const { place } = await newDatabase();
    await withLedgerAt(place, SPEC, ({ db }) => comparePlaces(db));
  });

  it('come to more than the ledger’s integers hold', async () => {
    const amounts = { USD: [MAX, '0'], LBP: ['0', MAX] } as const;
    const orders = ['A', 'B', 'C'].map((order_id) => ({
      order_id,
      amounts,
      first_delivered_at: '2026-10-10T08:00:00Z',
    }));
    await withLedgerAt(path.join(scratchFolder(), 'ledger.db'), { orders }, async ({ db }) => {
      const units = 3n * MAX_UNITS;
      expect(await read([readSummedDeliveries(db, { zone: 'UTC' })])).toEqual([
        ['2026-10-10 STANDARD  LBP', { orders: 0, cod: 0n, delivery_fee: units }],
        ['2026-10-10 STANDARD  USD', { orders: 3, cod: units, delivery_fee: 0n }],
      ]);
    });
  });

  it('are added up: orders of one day and one invoice are one sum a currency', async () => {
    const rows = Array.from({ length: 10_100 }, (_, index) => ({
      order_id: `A${index}`,
      amounts: { USD: ['1.00', '3.00'], LBP: ['5', '0'] } as const,
      book: { first_delivered_at: `2026-10-10T${index % 2 ? '01' : '23'}:59:59.5+03:00` },
    }));
    await withLedgerAt(path.join(scratchFolder(), 'ledger.db'), { invoices: [{ number: 1, rows }] }, async ({ db }) => {
      const pages: string[][] = [];
      for await (const page of readSummedDeliveries(db, { zone: 'Asia/Beirut' }))
        pages.push(
          page.map(({ date, amounts: [sum] }) => `${date} ${sum?.currency} ${sum?.orders} ${sum?.cod}`).sort(),
        );
      expect(pages).toEqual([
        ['2026-10-10 LBP 10000 500000000', '2026-10-10 USD 10000 100000000'],
        ['2026-10-10 LBP 100 5000000', '2026-10-10 USD 100 1000000'],
      ]);
    });
  });
});
