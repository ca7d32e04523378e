import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cashForecast } from '../../reports/cash-forecast.ts';
import type { ReportContext } from '../../reports/context.ts';
import { dashboard } from '../../reports/dashboard/index.ts';
import { journal } from '../../reports/journal/report.ts';
import { lag } from '../../reports/lag.ts';
import type { Row } from '../../reports/model.ts';
import { openItems } from '../../reports/open-items.ts';
import { rollForward } from '../../reports/roll-forward.ts';
import { lookAtMonths } from '../../src/app/check.ts';
import { closeLedger } from '../../src/app/close/close.ts';
import { matchNow } from '../../src/app/match/run.ts';
import { recordMatches } from '../../src/app/record.ts';
import type { Config } from '../../src/config/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { parseUnits } from '../../src/money/units.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { fill, type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';

const MONTHS = ['2026-09', '2026-10', '2026-11'];
const NOW = () => new Date('2026-11-20T12:00:00Z');

const invoice = (number: number, day: string, status = 'PENDING_PAYMENT'): InvoiceSpec => ({
  number,
  status,
  issued_at: `${day}T10:00:00+03:00`,
  period: day.slice(0, 7),
  rows: [{ order_id: `o${number}`, amounts: { USD: ['25.00', '3.00'] } }],
});

/** Each invoice asks for 22.00; the receipts are one before its invoice, one in part, one late and one for none. */
const SPEC: LedgerSpec = {
  periods: MONTHS,
  invoices: [invoice(1, '2026-09-07'), invoice(2, '2026-10-12'), invoice(3, '2026-10-20')],
  own: {
    receipts: [
      '2026-09-28,22.00,USD,Cedar Road,2',
      '2026-09-30,10.00,USD,Cedar Road,1',
      '2026-10-15,7.50,USD,Cedar Road,',
      '2026-11-03,22.00,USD,Cedar Road,3',
    ],
  },
};

function withBooks<T>(spec: LedgerSpec, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  return withLedger(spec, async (ledger) => {
    await matchNow(ledger, { config: DEFAULT_SETTINGS as Config, now: NOW });
    return use(ledger);
  });
}

type Build = (context: ReportContext) => ReturnType<typeof openItems>;

function read(ledger: Ledger, build: Build, month: string, settings = DEFAULT_SETTINGS): Promise<Row[]> {
  return usingSnapshot(ledger, async (db) => {
    const rows: Row[] = [];
    for await (const row of (await build({ db, settings, periods: [month], period: month })).rows) rows.push(row);
    return rows;
  });
}

const pick = (rows: readonly Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name]));

function close(ledger: Ledger, month: string) {
  const request = { month, by: 'rana', withOpen: 'planted', first: true };
  return closeLedger(ledger, { config: DEFAULT_SETTINGS, now: NOW }, request);
}

describe('open items', () => {
  const COLUMNS = ['kind', 'number', 'receipt', 'issued_on', 'received', 'open', 'received_since', 'open_today'];

  it('are open by the day of each event, with what came since beside them', async () => {
    await withBooks(SPEC, async (ledger) => {
      // The receipt of 28 September pays an invoice of October: until then it is unallocated.
      expect(pick(await read(ledger, openItems, '2026-09'), ...COLUMNS)).toEqual([
        ['invoice', 1, null, '2026-09-07', '10.00', '12.00', '0.00', '12.00'],
        ['unallocated', null, 1, '2026-09-28', '22.00', '-22.00', '0.00', '0.00'],
      ]);
      expect(pick(await read(ledger, openItems, '2026-10'), ...COLUMNS)).toEqual([
        ['invoice', 1, null, '2026-09-07', '10.00', '12.00', '0.00', '12.00'],
        ['unallocated', null, 3, '2026-10-15', '7.50', '-7.50', '0.00', '-7.50'],
        ['invoice', 3, null, '2026-10-20', '0.00', '22.00', '22.00', '0.00'],
      ]);
      const flows = ['opening', 'invoiced', 'received', 'unallocated', 'closing'];
      expect(pick(await read(ledger, rollForward, '2026-09'), ...flows)).toEqual([
        ['0.00', '22.00', '-10.00', '-22.00', '-10.00'],
      ]);
      expect(pick(await read(ledger, rollForward, '2026-10'), ...flows)).toEqual([
        ['-10.00', '44.00', '-22.00', '14.50', '26.50'],
      ]);
    });
  });

  it('of a closed month stay as they were frozen, whatever setting says now whose a receipt is', async () => {
    await withBooks(SPEC, async (ledger) => {
      const before = await read(ledger, openItems, '2026-09');
      expect(await close(ledger, '2026-09')).toMatchObject({
        status: 'closed',
        couriers: [{ open_items: [{ open: '12.00' }, {}] }],
      });
      const settings = { ...DEFAULT_SETTINGS, receipts: { payers: ['Nobody'], accounts: [] } };
      expect(await read(ledger, openItems, '2026-09', settings)).toMatchObject(
        before.map(({ open, net_due_to_merchant, received }) => ({ open, net_due_to_merchant, received })),
      );
      // The journal, with its control, goes by the settings of the close too.
      expect(await read(ledger, journal, '2026-09', settings)).toEqual(await read(ledger, journal, '2026-09'));
      await read(ledger, journal, '2026-10', settings);
    });
  });
});

describe('a difference that is agreed on', () => {
  it('counts from the day of the decision, not from that of its receipt', async () => {
    await withBooks(SPEC, async (ledger) => {
      await ledger.db.transaction().execute((trx) =>
        recordMatches(trx, {
          at: NOW(),
          actor: 'rana',
          matches: [
            {
              rule: 'manual',
              currency: 'USD',
              due: '12.00',
              difference: '-4.50',
              difference_kind: 'other',
              note: 'agreed',
              why: 'agreed',
              reverses: null,
              receipts: [[3, '7.50']],
              invoices: [[1, '7.50', '4.50']],
            },
          ],
        }),
      );
      const flows = ['period', 'received', 'unallocated', 'differences', 'closing'];
      expect(
        pick(
          [...(await read(ledger, rollForward, '2026-10')), ...(await read(ledger, rollForward, '2026-11'))],
          ...flows,
        ),
      ).toEqual([
        ['2026-10', '-29.50', '22.00', '0.00', '26.50'],
        ['2026-11', '-22.00', '0.00', '-4.50', '0.00'],
      ]);
      await read(ledger, journal, '2026-11');
    });
  });
});

describe('the lag', () => {
  it('is to the day on which receipts settled an invoice, which the forecast goes by too', async () => {
    await withBooks(SPEC, async (ledger) => {
      // Paid before it was issued, and 14 days after it; the third is not paid in full.
      expect(pick(await read(ledger, lag, '2026-10'), 'number', 'paid')).toEqual([
        [2, -14],
        [3, 14],
      ]);
      expect(pick(await read(ledger, lag, '2026-09'), 'number', 'paid')).toEqual([[1, null]]);
      const forecast = await read(ledger, cashForecast, '2026-10');
      expect(pick(forecast, 'stage', 'amount')).toEqual([
        ['invoiced', '12.00'],
        ['unallocated', '-7.50'],
      ]);
    });
  });
});

describe('the dashboard', () => {
  it('has the balance, and a bridge whose lines add up from our figure to the courier’s', async () => {
    const spec = {
      ...SPEC,
      invoices: [
        ...SPEC.invoices!,
        { ...invoice(4, '2026-10-25'), header: { USD: ['24.00', '3.00', '21.00'] as const } },
      ],
    };
    await withBooks(spec, async (ledger) => {
      await ledger.db.transaction().execute((trx) => fill(trx, {}));
      const rows = await usingSnapshot(ledger, async (db) => {
        const periods = ['2026-10'];
        const runChecks = () => lookAtMonths(db, { config: DEFAULT_SETTINGS, now: NOW }, periods);
        const report = await dashboard({ db, settings: DEFAULT_SETTINGS, periods, period: '2026-10', runChecks });
        return [...(report.rows as Iterable<Row>)];
      });
      const of = (section: string) =>
        pick(
          rows.filter((row) => row.section === section),
          'figure',
          'amount',
        );
      expect(of('balance')).toEqual([
        ['opening', '-10.00'],
        ['invoiced', '65.00'],
        ['restated', '0.00'],
        ['received', '-7.50'],
        ['marked_paid', '0.00'],
        ['differences', '0.00'],
        ['closing', '47.50'],
        ['received_since', '22.00'],
        ['settled_since', '0.00'],
        ['restated_since', '0.00'],
        ['open_today', '25.50'],
      ]);
      const bridge = of('bridge').map(([figure, amount]) => [figure, parseUnits(String(amount))] as const);
      expect(bridge[0]![0]).toBe('ours');
      expect(bridge.at(-1)![0]).toBe('courier');
      expect(bridge.slice(0, -1).reduce((sum, [, amount]) => sum + amount, 0n)).toBe(bridge.at(-1)![1]);
      expect(bridge.at(-1)![1]).not.toBe(bridge[0]![1]);
    });
  });
});

describe('the control of the balance', () => {
  it('stops where an invoice and its versions are no longer the same', async () => {
    await withBooks(SPEC, async (ledger) => {
      await sql`update invoice_amount set net_due_to_merchant = 230000 where invoice_number = 3`.execute(ledger.db);
      await expect(read(ledger, journal, '2026-10')).rejects.toThrow(
        'the net due of all listed invoices as known with 2026-10 is 66.00 USD by their movements and 67.00 USD by the database',
      );
      await expect(close(ledger, '2026-09')).rejects.toThrow('the control of the balance fails');
    });
  });

  it.each([
    ['period_close_figure', "set value = '-9.00' where figure = 'closing'", '-9.00 USD by the roll-forward and -10.00'],
    [
      'period_close_item',
      "set open = '13.00' where subject = 1 and kind = 'invoice'",
      'and -9.00 USD by its open items',
    ],
  ])('stops where somebody changed what a close froze, in %s', async (table, change, says) => {
    await withBooks(SPEC, async (ledger) => {
      await close(ledger, '2026-09');
      await read(ledger, journal, '2026-09');
      await sql.raw(`drop trigger ${table}_refuses_update`).execute(ledger.db);
      await sql.raw(`update ${table} ${change}`).execute(ledger.db);
      await expect(read(ledger, journal, '2026-09')).rejects.toThrow(`the balance at the end of 2026-09 is`);
      await expect(read(ledger, journal, '2026-09')).rejects.toThrow(says);
    });
  });
});
