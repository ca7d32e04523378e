import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../src/app/check-result.ts';
import { stepsToHeader } from '../../src/app/header-from-rows.ts';
import { verifyLedger } from '../../src/app/verify/index.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { readReturns } from '../../src/checks/facts/returns/convention.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { check } from '../checks/options.ts';
import { fill, type InvoiceSpec, type LedgerSpec, type NightSpec, withLedger } from '../helpers/ledger.ts';
import { randomFrom } from '../helpers/random.ts';
import { plantFaults } from './returns/faults.ts';
import {
  CONVENTIONS,
  type Convention,
  cleanWorld,
  Dice,
  headerOf,
  type Invoice,
  MONTHS,
  ourFigures,
  type World,
} from './returns/world.ts';

const WORLDS = Number(process.env.REMIT_RETURN_WORLDS ?? 2);
const SEED = Number(process.env.REMIT_RETURN_SEED ?? 1);

const text = (cents: bigint) => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

function invoiceSpec(invoice: Invoice, convention: Convention): InvoiceSpec {
  const { number, period, rows } = invoice;
  const header = [...headerOf(invoice, convention)].map(([currency, money]) => [currency, money.map(text)]);
  return {
    ...{ number, period, status: 'PENDING_PAYMENT', header: Object.fromEntries(header) },
    issued_at: `${period}-${String(10 + (number % 18)).padStart(2, '0')}T10:00:00Z`,
    rows: rows.map(({ id, isReturn, currency, cod, fee, state, record }) => ({
      ...{ order_id: id, workflow: isReturn ? 'RETURN' : 'STANDARD', delivery_state: state },
      amounts: { [currency]: [text(cod), text(fee)] },
      book: record && { amounts: { [currency]: [text(record.cod), text(record.fee)] } },
    })),
  };
}

function nightOf({ convention, invoices, forgotten }: World): NightSpec {
  const owner = new Map<string, number>();
  for (const { number, rows } of invoices) for (const { id } of rows) if (!owner.has(id)) owner.set(id, number);
  const specs = invoices.map((invoice) => invoiceSpec(invoice, convention));
  return {
    periods: MONTHS,
    // An order's record names the first invoice that lists it.
    invoices: specs.map((spec) => ({
      ...spec,
      rows: spec.rows!.map((row) => ({
        ...row,
        book: row.book ? { ...row.book, merchant_invoice: String(owner.get(row.order_id)) } : null,
      })),
    })),
    orders: forgotten.map(({ id, currency, cod, fee }) => ({
      ...{ order_id: id, workflow: 'RETURN', first_delivered_at: '2026-09-05T08:00:00.000Z' },
      amounts: { [currency]: [text(cod), text(fee)] },
    })),
  };
}

const now = new Date('2026-11-06T12:00:00Z');
/** Payments are late, and links of double rows name one invoice: neither is what is planted here. */
const BESIDE = ['payment-overdue', 'order-invoice-link'];
const look = (ledger: Ledger, only?: readonly string[]) =>
  check(ledger, { periods: MONTHS, now, only: only ?? codesBut() });
const codesBut = (left?: string) =>
  CHECKS.map(({ code }) => code).filter((code) => code !== left && !BESIDE.includes(code));

const found = ({ mismatches }: CheckResult) =>
  mismatches
    .map(({ code, invoice_number, order_id, currency, period, effect }) =>
      JSON.stringify([code, invoice_number, order_id, currency, period, effect]),
    )
    .sort();
const expectedOf = ({ expected }: World) =>
  expected
    .map(({ code, invoice, order, currency, period, effect }) =>
      JSON.stringify([code, invoice, order, currency, period, effect === null ? null : text(effect)]),
    )
    .sort();

const sums = (pairs: readonly (readonly [string, bigint])[]) => {
  const totals = new Map<string, bigint>();
  for (const [key, cents] of pairs) totals.set(key, (totals.get(key) ?? 0n) + cents);
  return [...totals]
    .filter(([, cents]) => cents !== 0n)
    .map(([key, cents]) => `${key} ${text(cents)}`)
    .sort();
};
const unexplained = ({ bridge }: CheckResult) =>
  bridge
    .filter(({ unexplained: rest }) => rest !== '0.00')
    .map(({ period, currency, unexplained: rest }) => `${period} ${currency} ${rest}`)
    .sort();

/** What a page says does not add up from the rows of the invoices to their headers. */
async function leftOf(ledger: Ledger, { convention, invoices }: World): Promise<string[]> {
  const returns = await usingSnapshot(ledger, (db) => readReturns(db, 'auto'));
  const lines = invoices.flatMap((invoice) =>
    [...headerOf(invoice, convention)].flatMap(([currency, header]) => {
      const own = invoice.rows.filter((row) => row.currency === currency);
      const sum = (of: 'cod' | 'fee') => text(own.reduce((total, row) => total + row[of], 0n));
      const [cod, delivery_fee, net_due_to_merchant] = header.map(text) as [string, string, string];
      const rows = { order_cod: sum('cod'), order_delivery_fee: sum('fee') };
      return stepsToHeader(returns, ({ number }) => number === invoice.number, {
        ...{ currency, cod, delivery_fee, net_due_to_merchant },
        ...rows,
      }).flatMap(({ step, code, amount }) =>
        step === 'left' ? [`${code} ${invoice.number} ${currency} ${amount}`] : [],
      );
    }),
  );
  return lines.sort();
}

/** The same as the checks find it. */
const headersOff = ({ mismatches }: CheckResult) =>
  mismatches
    .filter(({ code, order_id }) => order_id === null && /^invoice-(cod-total|fee-total|net)$/.test(code))
    .map(({ code, invoice_number, currency, difference }) => `${code} ${invoice_number} ${currency} ${difference}`)
    .sort();

async function expectVerified(ledger: Ledger): Promise<void> {
  const { problems } = await verifyLedger(ledger, { deep: true, head: null });
  // The helper's pages of the order book are no bytes that a server sent.
  expect(problems.filter(({ what }) => !what.startsWith('page '))).toEqual([]);
}

function using<T>(world: World, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  return withLedger(nightOf(world) as LedgerSpec, use);
}

describe.each(CONVENTIONS)('a courier whose returns are %s', (convention) => {
  it.each(Array.from({ length: WORLDS }, (_, nth) => nth))(
    'world %i: all that is planted is found, and nothing else',
    async (nth) => {
      const dice = new Dice(randomFrom(SEED * 1_000_003 + nth * 101 + CONVENTIONS.indexOf(convention)));
      const world = cleanWorld(dice, convention, 9);
      plantFaults(world, dice, dice.int(0, 4));
      await using(world, async (ledger) => {
        const result = await look(ledger);
        expect(result.returns).toEqual({ returns: convention, returns_basis: 'learnt', invoices_with_returns: 9 });
        expect(found(result)).toEqual(expectedOf(world));
        expect(await leftOf(ledger, world)).toEqual(headersOff(result));
        expect(unexplained(result)).toEqual([]);
        for (const { period, currency, ours } of result.bridge) {
          expect([period, currency, ours]).toEqual([
            period,
            currency,
            text(ourFigures(world, period).get(currency) ?? 0n),
          ]);
        }
        const steps = world.expected.filter(({ code, effect }) => code !== 'delivered-not-invoiced' && effect !== null);
        if (steps.length > 0) {
          const { code } = dice.one(steps);
          const own = steps.filter((each) => each.code === code);
          expect(unexplained(await look(ledger, codesBut(code)))).toEqual(
            sums(own.map(({ period, currency, effect }) => [`${period} ${currency}`, effect!])),
          );
        }
        if (nth % 10 === 0) await expectVerified(ledger);
      });
    },
  );

  it.each([1, 2])('is provisional on %i invoices, and accuses nobody', async (count) => {
    const world = cleanWorld(new Dice(randomFrom(SEED * 7 + count)), convention, count);
    await using(world, async (ledger) => {
      const result = await look(ledger);
      expect(result.returns).toEqual({
        returns: convention,
        returns_basis: 'provisional',
        invoices_with_returns: count,
      });
      expect([found(result), unexplained(result)]).toEqual([[], []]);
    });
  });
});

/** Two ways, and how many invoices speak for each. */
const pairs = (ones: number, others: number) =>
  CONVENTIONS.flatMap((one, at) => {
    const other = CONVENTIONS[(at + 3) % CONVENTIONS.length]!;
    // Rows whose signs differ are no question of convention.
    return one === 'as-stated' || other === 'as-stated' ? [] : [[one, other, ones, others] as const];
  });

it.each([...pairs(1, 1), ...pairs(2, 2), ...pairs(3, 3), ...pairs(4, 3)])(
  'is undecided between %s and %s on %i and %i invoices, says so once, and accuses nobody',
  async (one, other, ones, others) => {
    const dice = new Dice(randomFrom(SEED * 11 + ones));
    const first = cleanWorld(dice, one, ones);
    const second = cleanWorld(dice, other, others, ones + 1);
    await withLedger(nightOf(first) as LedgerSpec, async (ledger) => {
      await ledger.db.transaction().execute((trx) => fill(trx, nightOf(second)));
      const result = await look(ledger);
      const { returns, returns_basis } = result.returns;
      expect([returns, returns_basis]).toEqual([null, 'undecided']);
      expect(result.mismatches.map(({ code, severity, effect }) => [code, severity, effect])).toEqual([
        ['returns-undecided', 'warning', null],
      ]);
      const said = result.mismatches[0]!.message;
      expect(said).toContain(ones > 2 ? 'in more than one way' : 'do not show');
      for (const convention of CONVENTIONS) expect(said).toContain(`${convention}: COD`);
      const touched = new Set([...first.invoices, ...second.invoices].map(({ period }) => period));
      for (const period of touched) {
        const own = result.bridge.filter((line) => line.period === period);
        expect(own.length).toBeGreaterThan(0);
        expect(own.every(({ ours, unexplained: rest }) => ours === null && rest === null)).toBe(true);
        expect(result.incomplete.filter((each) => each.period === period).map(({ why }) => why)).toEqual([
          expect.stringContaining('RETURN'),
        ]);
      }
      await expectVerified(ledger);
    });
  },
);

it.each(pairs(3, 1).concat(pairs(3, 2)))(
  'was learnt as %s, so that later invoices by %s are errors of theirs (%i and %i invoices)',
  async (one, other, ones, others) => {
    const dice = new Dice(randomFrom(SEED * 13 + others));
    const first = cleanWorld(dice, one, ones);
    const second = cleanWorld(dice, other, others, ones + 1);
    await withLedger(nightOf(first) as LedgerSpec, async (ledger) => {
      await look(ledger);
      await ledger.db.transaction().execute((trx) => fill(trx, nightOf(second)));
      const result = await look(ledger);
      expect(result.returns).toMatchObject({ returns: one, returns_basis: 'learnt' });
      const accused = new Set(result.mismatches.map(({ invoice_number }) => invoice_number));
      expect(accused).toEqual(new Set(second.invoices.map(({ number }) => number)));
      expect(result.mismatches.every(({ code }) => code.startsWith('invoice-'))).toBe(true);
      expect(unexplained(result)).toEqual([]);
      await expectVerified(ledger);
    });
  },
);
