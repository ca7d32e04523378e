import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ageing } from '../../reports/ageing.ts';
import { cashForecast } from '../../reports/cash-forecast.ts';
import type { ReportContext } from '../../reports/context.ts';
import { dashboard } from '../../reports/dashboard/index.ts';
import { journal } from '../../reports/journal/report.ts';
import { lag } from '../../reports/lag.ts';
import type { Row } from '../../reports/model.ts';
import { openItems } from '../../reports/open-items.ts';
import { rollForward } from '../../reports/roll-forward.ts';
import { closeLedger } from '../../src/app/close/close.ts';
import { matchNow } from '../../src/app/match/run.ts';
import { recordEvidence, recordMatches } from '../../src/app/record.ts';
import { recordSettlements } from '../../src/app/settle/settle.ts';
import { runChecks } from '../../src/checks/run.ts';
import type { Config } from '../../src/config/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { readMatches } from '../../src/ledger/queries/receipts/matches.ts';
import { usingSnapshot } from '../../src/ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../src/money/units.ts';
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

const OCTOBER = { month: '2026-10', by: 'rana', withOpen: 'planted', first: false };

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

/** What is open today of the invoices and receipts up to a month's end, from the tables alone: no flag settles any. */
async function openTodayUpTo({ db }: Ledger, month: string): Promise<string> {
  const sumOf = async (query: string) =>
    (await sql.raw<{ units: number }>(query).execute(db)).rows.reduce((sum, { units }) => sum + BigInt(units), 0n);
  const inForce = 'join receipt_match m on m.id = s.match_id and m.removed_at is null';
  const ofInvoices = `join invoice i on i.number = s.invoice_number where substr(i.issued_at, 1, 7) <= '${month}'`;
  const ofReceipts = `join receipt r on r.id = s.receipt_id where substr(r.date, 1, 7) <= '${month}'`;
  const net = await sumOf(`select s.net_due_to_merchant as units from invoice_amount s ${ofInvoices}`);
  const settled = await sumOf(`select s.amount as units from receipt_match_invoice s ${inForce} ${ofInvoices}`);
  const named = await sumOf(`select s.named as units from receipt_match_invoice s ${inForce} ${ofInvoices}`);
  const came = await sumOf(`select amount as units from receipt where substr(date, 1, 7) <= '${month}'`);
  const used = await sumOf(`select s.amount as units from receipt_match_receipt s ${inForce} ${ofReceipts}`);
  return formatUnits(net - settled - named - (came - used));
}

/** The figures of the balance on the dashboard, and the totals of both lists of open items. */
async function balanceOf(ledger: Ledger, month: string) {
  const { figures, lists } = await usingSnapshot(ledger, async (db) => {
    const context = { db, settings: DEFAULT_SETTINGS, periods: [month], period: month };
    const { rows } = await dashboard({ ...context, runChecks: () => runChecks(db, { ...context, now: NOW() }) });
    const lists = [(await openItems(context)).totals()[0], (await ageing(context)).totals()[0]];
    return {
      figures: pick(
        [...(rows as Iterable<Row>)].filter(({ section }) => section === 'balance'),
        'figure',
        'amount',
      ),
      lists,
    };
  });
  const names = ['closing', 'received_since', 'settled_since', 'restated_since', 'open_today'];
  const page = names.map((name) => figures.find(([figure]) => figure === name)![1]);
  for (const list of lists) {
    expect(list).toMatchObject({
      open: page[0],
      ...Object.fromEntries(names.slice(1).map((name, i) => [name, page[i + 1]])),
    });
  }
  const [closing, received, settledSince, restated, today] = page.map((amount) => parseUnits(String(amount)));
  expect(closing! - received! - settledSince! + restated!).toBe(today);
  return page;
}

describe('what is open today of a month', () => {
  const names = ['kind', 'number', 'receipt', 'net_due_to_merchant', 'open', 'restated_since', 'open_today'];
  const asking = (number: number, day: string, usd: string): InvoiceSpec => ({
    ...invoice(number, day),
    rows: [{ order_id: `o${number}`, amounts: { USD: [usd, '0.00'] } }],
  });
  const spec: LedgerSpec = {
    periods: MONTHS,
    invoices: [
      asking(1, '2026-09-08', '100.00'),
      asking(2, '2026-09-14', '80.00'),
      asking(3, '2026-09-20', '60.00'),
      asking(4, '2026-10-03', '45.00'),
    ],
    own: { receipts: ['2026-09-09,90.00,USD,Cedar Road,1', '2026-09-17,80.00,USD,Cedar Road,2'] },
  };

  it('has the receipts that pay nothing any more, and the invoices that were paid and are not', async () => {
    await withBooks(spec, async (ledger) => {
      await close(ledger, '2026-09');
      const at = new Date('2026-11-20T13:00:00Z');
      const match = (await readMatches(ledger.db)).find(({ invoices }) => invoices[0]!.number === 1);
      await ledger.db.transaction().execute(async (trx) => {
        const gone = { number: 3, currency: 'USD', amount: parseUnits('20.00'), open: parseUnits('60.00') };
        const settlement = { ...gone, kind: 'write-off' as const, note: 'given up', finding: null };
        await recordSettlements(trx, { at, by: 'rana' }, [settlement]);
        const removed = {
          kind: 'match-removed' as const,
          actor: 'rana',
          subject: String(match!.id),
          data: { why: 'wrong' },
        };
        await recordEvidence(trx, { at, ...removed });
        const restated = [
          asking(1, '2026-09-08', '100.00'),
          asking(2, '2026-09-14', '75.00'),
          ...spec.invoices!.slice(2),
        ];
        await fill(trx, { periods: MONTHS, invoices: restated, at: at.toISOString() });
      });
      // Closed with 10 and 60 open; 90 came in for nothing, and 5 too much.
      expect(await balanceOf(ledger, '2026-09')).toEqual(['70.00', '0.00', '20.00', '-5.00', '45.00']);
      expect(await balanceOf(ledger, '2026-10')).toEqual(['115.00', '0.00', '20.00', '-5.00', '90.00']);
      expect(await balanceOf(ledger, '2026-11')).toEqual(['90.00', '0.00', '0.00', '0.00', '90.00']);
      for (const month of MONTHS)
        expect((await balanceOf(ledger, month)).at(-1)).toBe(await openTodayUpTo(ledger, month));
      expect(pick(await read(ledger, openItems, '2026-09'), ...names)).toEqual([
        ['invoice', 1, null, '100.00', '10.00', '90.00', '100.00'],
        ['unallocated', null, 1, '0.00', '0.00', '-90.00', '-90.00'],
        ['invoice', 2, null, '0.00', '0.00', '-5.00', '-5.00'],
        ['invoice', 3, null, '60.00', '60.00', '0.00', '40.00'],
      ]);
      // The receipt is taken back from its invoice in the first month that is open.
      const flows = ['opening', 'invoiced', 'restated', 'received', 'unallocated', 'differences', 'closing'];
      expect(pick(await read(ledger, rollForward, '2026-10'), ...flows)).toEqual([
        ['70.00', '45.00', '0.00', '90.00', '-90.00', '0.00', '115.00'],
      ]);
      await read(ledger, journal, '2026-10');
      // The next close freezes what was open, and nothing that was not.
      expect(await closeLedger(ledger, { config: DEFAULT_SETTINGS, now: NOW }, OCTOBER)).toMatchObject({
        couriers: [{ open_items: [{ open: '100.00' }, { open: '-90.00' }, { open: '60.00' }, { open: '45.00' }] }],
      });
    });
  });

  it('is that of its month alone, whatever a later invoice takes', async () => {
    await withBooks(SPEC, async (ledger) => {
      for (const month of MONTHS)
        expect((await balanceOf(ledger, month)).at(-1)).toBe(await openTodayUpTo(ledger, month));
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
        const context = { db, settings: DEFAULT_SETTINGS, periods, period: '2026-10' };
        const report = await dashboard({ ...context, runChecks: () => runChecks(db, { ...context, now: NOW() }) });
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
