import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageing } from '../../../reports/ageing.ts';
import { buildJournal } from '../../../reports/journal/build.ts';
import { balancesOf } from '../../../reports/journal/journal.ts';
import type { JournalBalance } from '../../../reports/journal/model.ts';
import { journal as journalReport } from '../../../reports/journal/report.ts';
import type { Row } from '../../../reports/model.ts';
import { notInvoiced } from '../../../reports/not-invoiced.ts';
import { openItems } from '../../../reports/open-items.ts';
import { rollForward } from '../../../reports/roll-forward.ts';
import { closeLedger } from '../../../src/app/close/close.ts';
import { matchNow } from '../../../src/app/match/run.ts';
import { recordEvidence } from '../../../src/app/record.ts';
import { HEADS, importText } from '../../../src/app/selftest/own-files.ts';
import { readOpen } from '../../../src/app/settle/give-up.ts';
import { recordSettlements } from '../../../src/app/settle/settle.ts';
import type { Config } from '../../../src/config/index.ts';
import { type Ledger, usingTransaction } from '../../../src/ledger/index.ts';
import { readMatches } from '../../../src/ledger/queries/receipts/matches.ts';
import { usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { amountOfUnits, parseUnits } from '../../../src/money/units.ts';
import { inWords } from '../../../src/render/in-words.ts';
import { DEFAULT_SETTINGS as settings } from '../../helpers/check-settings.ts';
import { fill, type InvoiceSpec, withLedger } from '../../helpers/ledger.ts';

const MONTHS = ['2026-09', '2026-10', '2026-11', '2026-12'];

const CURRENCIES = ['EUR', 'USD'];

const invoice = (number: number, status: string, day: string, usd: string, eur?: string): InvoiceSpec => ({
  number,
  status,
  issued_at: `${day}T10:00:00+03:00`,
  period: day.slice(0, 7),
  rows: [
    {
      order_id: `o${number}`,
      amounts: { USD: [usd, '3.00'], ...(eur === undefined ? {} : { EUR: [eur, '1.00'] }) },
      book: { first_delivered_at: `${day}T09:00:00+03:00` },
    },
  ],
});

const textOf = (units: bigint | undefined) => amountOfUnits(units ?? 0n).toFixed(2);

function journalOf(ledger: Ledger, month: string) {
  return usingSnapshot(ledger, (db) =>
    buildJournal(db, { settings, periods: [month], period: month, deliveredBy: 'order' }),
  );
}

/** A ledger and what happens to it, a day a step. */
class Scene {
  readonly #ledger: Ledger;
  #day: number;
  /** The journals of closed months, as they were at their closes. */
  readonly exported = new Map<string, unknown>();

  constructor(ledger: Ledger, start = '2026-11-06') {
    this.#ledger = ledger;
    this.#day = Date.parse(`${start}T09:00:00Z`);
  }

  #now(): Date {
    this.#day += 86_400_000;
    return new Date(this.#day);
  }

  async import(lines: readonly string[]): Promise<void> {
    const text = `${[HEADS.receipts, ...lines].join('\n')}\n`;
    await importText(this.#ledger, { kind: 'receipts', text, at: this.#now() });
    const now = this.#now();
    await matchNow(this.#ledger, { config: settings as Config, now: () => now });
  }

  async removeMatch(which: number): Promise<void> {
    const held = await readMatches(this.#ledger.db);
    const match = held[which % Math.max(held.length, 1)];
    if (!match) return;
    const at = this.#now();
    await usingTransaction(this.#ledger, (trx) =>
      recordEvidence(trx, {
        at,
        kind: 'match-removed',
        actor: 'rana',
        subject: String(match.id),
        data: { why: 'wrong' },
      }),
    );
  }

  /** Writes off some of what is open of an invoice, at most all. */
  async settle(which: number, share: number): Promise<void> {
    const at = this.#now();
    await usingTransaction(this.#ledger, async (trx) => {
      const open = (await readOpen(trx, settings)).filter((one) => one.open !== 0n);
      const one = open[which % Math.max(open.length, 1)];
      if (!one) return;
      const amount = ((one.open * BigInt(share)) / 400n) * 100n;
      await recordSettlements(trx, { at, by: 'rana' }, [
        { ...one, amount, kind: 'write-off', note: 'given up', finding: null },
      ]);
    });
  }

  async sync(invoices: readonly InvoiceSpec[], gone: readonly number[] = []): Promise<void> {
    const at = this.#now().toISOString();
    await this.#ledger.db.transaction().execute((trx) => fill(trx, { periods: MONTHS, invoices, gone, at }));
  }

  async deliver(order_id: string, day: string, usd: string): Promise<void> {
    const orders = [
      { order_id, first_delivered_at: `${day}T09:00:00+03:00`, amounts: { USD: [usd, '1.00'] as const } },
    ];
    const at = this.#now().toISOString();
    await this.#ledger.db.transaction().execute((trx) => fill(trx, { periods: MONTHS, orders, at }));
  }

  async close(month: string, first: boolean): Promise<void> {
    const now = this.#now();
    const request = { month, by: 'rana', withOpen: 'planted', first };
    const closed = await closeLedger(this.#ledger, { config: settings, now: () => now }, request);
    expect(closed).toMatchObject({ status: 'closed' });
    this.exported.set(month, await journalOf(this.#ledger, month));
  }

  /**
   * The journal of each closed month is what it was; uninvoiced COD at each month's end is what `not-invoiced` comes
   * to; each month's balance is one figure in the journal and every report.
   */
  async expectAgreement(): Promise<void> {
    for (const [month, exported] of this.exported) expect(await journalOf(this.#ledger, month)).toEqual(exported);
    const unallocated = new Map<string, bigint>();
    for (const month of MONTHS) {
      const { rows, items, ages } = await usingSnapshot(this.#ledger, async (db) => {
        const context = { db, settings, periods: [month], period: month };
        const report = await rollForward(context);
        const rows = [...(report.rows as Iterable<Record<string, unknown>>)];
        return { rows, items: (await openItems(context)).totals(), ages: (await ageing(context)).totals() };
      });
      const waiting = await usingSnapshot(this.#ledger, async (db) => {
        const { totals } = await notInvoiced({ db, settings, periods: [month], period: month });
        return new Map(totals().map(({ currency, cod }) => [currency, cod]));
      });
      const { opening, transactions } = await journalOf(this.#ledger, month);
      for (const currency of CURRENCIES) {
        const held = (lines: readonly JournalBalance[], accounts = ['courier_receivable', 'unallocated_receipts']) =>
          textOf(
            lines
              .filter(({ account }) => accounts.includes(account))
              .reduce((sum, line) => (line.currency === currency ? sum + line.amount : sum), 0n),
          );
        const openOf = (totals: readonly Row[]) => totals.find((one) => one.currency === currency)?.open ?? '0.00';
        const row = rows.find((one) => one.currency === currency);
        const accrued = balancesOf(opening, transactions).find(
          (line) => line.account === 'uninvoiced_cod' && line.currency === currency,
        );
        expect([month, currency, textOf(accrued?.amount)]).toEqual([month, currency, waiting.get(currency) ?? '0.00']);
        const moved = (unallocated.get(currency) ?? 0n) + parseUnits(String(row?.unallocated ?? '0.00'));
        unallocated.set(currency, moved);
        const waits = held(balancesOf(opening, transactions), ['unallocated_receipts']);
        expect([month, currency, 'unallocated', textOf(moved)]).toEqual([month, currency, 'unallocated', waits]);
        const [before, closing] = [row?.opening ?? '0.00', row?.closing ?? '0.00'];
        expect({
          month,
          currency,
          opening: held(opening),
          journal: held(balancesOf(opening, transactions)),
          openItems: openOf(items),
          ageing: openOf(ages),
        }).toEqual({ month, currency, opening: before, journal: closing, openItems: closing, ageing: closing });
      }
    }
  }
}

const day = fc
  .tuple(fc.constantFrom('2026-09', '2026-10', '2026-11'), fc.integer({ min: 1, max: 28 }))
  .map(([month, n]) => `${month}-${String(n).padStart(2, '0')}`);
const billed = fc.record({
  number: fc.integer({ min: 1, max: 5 }),
  status: fc.constantFrom('PAID', 'PENDING_PAYMENT'),
  day,
  usd: fc.integer({ min: 10, max: 30 }),
  eur: fc.option(fc.integer({ min: 2, max: 9 })),
});
const paid = fc
  .record({
    day,
    amount: fc.integer({ min: -9, max: 40 }),
    currency: fc.constantFrom('USD', 'USD', 'EUR'),
    number: fc.option(fc.integer({ min: 1, max: 5 })),
  })
  .filter(({ amount }) => amount !== 0)
  .map(({ day: on, amount, currency, number }) => `${on},${amount}.00,${currency},Cedar Road,${number ?? ''}`);
const step = fc.oneof(
  fc.record({ do: fc.constant('import' as const), lines: fc.array(paid, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('sync' as const), invoices: fc.array(billed, { maxLength: 2 }) }),
  fc.record({
    do: fc.constant('deliver' as const),
    day,
    id: fc.integer({ min: 1, max: 5 }),
    usd: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ do: fc.constant('gone' as const), number: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('unmatch' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constant('settle' as const), which: fc.nat(9), share: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('close' as const) }),
);
const specOf = ({ number, status, day: on, usd, eur }: typeof billed extends fc.Arbitrary<infer T> ? T : never) =>
  invoice(number, status, on, `${usd}.00`, eur === null ? undefined : `${eur}.00`);
const uniqueBy = { selector: ({ number }: { number: number }) => number };

describe('the journal of books with closed months', () => {
  it('is what was exported, for a closed month, and comes to the closing balance of every month', async () => {
    const worlds = fc.asyncProperty(
      fc.uniqueArray(billed, { ...uniqueBy, minLength: 1, maxLength: 4 }),
      fc.array(step, { minLength: 3, maxLength: 7 }),
      async (first, steps) => {
        const spec = { periods: MONTHS, invoices: first.map(specOf), at: '2026-11-05T06:00:00Z' };
        await withLedger(spec, async (ledger) => {
          const scene = new Scene(ledger);
          const open = ['2026-09', '2026-10'];
          for (const [i, one] of steps.entries()) {
            if (one.do === 'import')
              await scene.import(one.lines.map((line, j) => line.replace('Road', `Road ${i}.${j}`)));
            else if (one.do === 'sync')
              await scene.sync([...new Map(one.invoices.map((of) => [of.number, specOf(of)])).values()]);
            else if (one.do === 'deliver') await scene.deliver(`o${one.id}`, one.day, `${one.usd}.00`);
            else if (one.do === 'gone') await scene.sync([], [one.number]);
            else if (one.do === 'settle') await scene.settle(one.which, one.share);
            else if (one.do === 'unmatch') await scene.removeMatch(one.which);
            else if (open.length > 0) await scene.close(open.shift()!, scene.exported.size === 0);
          }
          await scene.expectAgreement();
        });
      },
    );
    await fc.assert(worlds, { numRuns: Number(process.env.REMIT_CLOSED_RUNS ?? 10) });
  }, 600_000);

  it('books a write-off of a closed month’s invoice on its own day, and its undoing after the next close', async () => {
    const spec = {
      periods: MONTHS,
      invoices: [invoice(1, 'PENDING_PAYMENT', '2026-10-05', '25.00')],
      at: '2026-11-05T06:00:00Z',
    };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger, '2026-11-28');
      const booked = async (month: string) =>
        (await journalOf(ledger, month)).transactions
          .filter(({ id }) => id.includes('DIF'))
          .map(({ id, date }) => `${date} ${id.replace(/-\d+$/, '')}`);
      await scene.close('2026-10', true);
      await scene.settle(0, 2);
      await scene.sync([]);
      await scene.close('2026-11', false);
      expect(await booked('2026-11')).toEqual(['2026-11-30 DIF-1-1-USD']);
      await scene.removeMatch(0);
      expect(await booked('2026-12')).toEqual(['2026-12-01 ADJ-DIF-1-1-USD']);
      await scene.expectAgreement();
    });
  });

  it('takes a receipt back from its invoice in the month after the close, in the roll-forward too', async () => {
    const spec = {
      periods: MONTHS,
      invoices: [invoice(1, 'PENDING_PAYMENT', '2026-09-05', '25.00')],
      at: '2026-11-05T06:00:00Z',
    };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.import(['2026-09-09,22.00,USD,Cedar Road,1']);
      await scene.close('2026-09', true);
      await scene.removeMatch(0);
      await scene.expectAgreement();
      await scene.close('2026-10', false);
      await scene.expectAgreement();
      const { rows } = await usingSnapshot(ledger, (db) => rollForward({ db, settings, periods: MONTHS, period: '' }));
      expect([...(rows as Iterable<Row>)].map(({ received, unallocated }) => [received, unallocated])).toEqual([
        ['-22.00', '0.00'],
        ['22.00', '-22.00'],
        ['0.00', '0.00'],
        ['0.00', '0.00'],
      ]);
    });
  });

  it('keeps a delivery that became known after the close out of the closed month, whatever the clock said', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(1, 'PAID', '2026-10-05', '25.00')], at: '2026-11-05T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.close('2026-10', true);
      // The clock of the machine that closed was a day ahead.
      const late = {
        order_id: 'late',
        first_delivered_at: '2026-10-20T09:00:00+03:00',
        amounts: { USD: ['7.00', '1.00'] as const },
      };
      await ledger.db
        .transaction()
        .execute((trx) => fill(trx, { periods: MONTHS, orders: [late], at: '2026-11-06T06:00:00Z' }));
      await scene.expectAgreement();
      const { transactions } = await journalOf(ledger, '2026-11');
      expect(transactions.map(({ id, date }) => `${date} ${id}`)).toContain('2026-11-06 DEL-late-USD');
    });
  });

  it('keeps the courier’s Paid flag in a closed month, though the invoice’s date moves since to a day whose receipts are held', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(1, 'PAID', '2026-09-01', '10.00')], at: '2026-09-28T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.sync([]);
      await scene.import(['2026-09-07,1.00,USD,Cedar Road 1,', '2026-09-02,1.00,USD,Cedar Road 2,']);
      await scene.close('2026-09', true);
      expect((await journalOf(ledger, '2026-09')).transactions.map(({ id }) => id)).toContain('PAY-1-4-USD');
      await scene.sync([invoice(1, 'PAID', '2026-09-02', '10.00')]);
      await scene.expectAgreement();
    });
  });

  it('keeps an invoice that had gone before the close, though it comes back in a later month', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(2, 'PAID', '2026-09-01', '10.00')], at: '2026-11-05T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.sync([], [2]);
      await scene.close('2026-09', true);
      expect((await journalOf(ledger, '2026-09')).transactions.map(({ id }) => id)).toContain('INV-2-USD');
      await scene.sync([invoice(2, 'PAID', '2026-11-01', '10.00')]);
      await scene.expectAgreement();
    });
  });

  it('keeps it there too where it comes back in a month whose list had it before', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(3, 'PAID', '2026-11-01', '10.00')], at: '2026-11-05T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.sync([invoice(3, 'PAID', '2026-09-01', '10.00')]);
      await scene.sync([], [3]);
      await scene.close('2026-09', true);
      await scene.sync([invoice(3, 'PAID', '2026-11-01', '10.00')]);
      await scene.expectAgreement();
    });
  });

  it('takes back in an open month what moved out of a closed one, with the word that came with it', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(4, 'PAID', '2026-09-01', '10.00')], at: '2026-11-05T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.close('2026-09', true);
      await scene.sync([invoice(4, 'PAID', '2026-11-01', '10.00')]);
      await scene.import(['2026-09-01,1.00,USD,Cedar Road,4']);
      await scene.close('2026-10', false);
      await scene.expectAgreement();
    });
  });

  it('does not take a word again for a currency that was settled by receipts and is no longer stated', async () => {
    const spec = {
      periods: MONTHS,
      invoices: [invoice(1, 'PAID', '2026-09-02', '10.00', '5.00')],
      at: '2026-11-05T06:00:00Z',
    };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.import(['2026-09-02,1.00,EUR,Cedar Road 1,', '2026-09-30,1.00,EUR,Cedar Road 2,']);
      const euros = async () =>
        (await journalOf(ledger, '2026-09')).transactions.filter(({ currency }) => currency === 'EUR');
      const before = await euros();
      expect(before.map(({ id }) => id)).not.toContainEqual(expect.stringMatching(/^PAY/));
      await scene.close('2026-09', true);
      await scene.sync([invoice(1, 'PAID', '2026-09-02', '10.00')]);
      await scene.expectAgreement();
      expect(await euros()).toEqual(before);
      const { opening, transactions } = await journalOf(ledger, '2026-12');
      expect(balancesOf(opening, transactions)).not.toContainEqual(
        expect.objectContaining({ account: 'courier_receivable', currency: 'EUR' }),
      );
    });
  });

  it('says thousands of it as every sentence does', async () => {
    const spec = {
      periods: MONTHS,
      invoices: [invoice(1, 'PAID', '2026-10-05', '2500.00')],
      at: '2026-10-28T06:00:00Z',
    };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.sync([]);
      await scene.close('2026-10', true);
      await scene.import(['2026-10-09,2200.00,USD,Cedar Road,1']);
      await usingSnapshot(ledger, async (db) => {
        const balances = inWords(await rollForward({ db, settings, periods: ['2026-11'], period: '2026-11' }));
        expect(balances.notes()).toContainEqual(
          expect.stringMatching(/^Restated in 2026-11 holds 2,497\.00 USD of changes/),
        );
      });
    });
  });

  it('shows receipts that take the place of the courier’s Paid flag as a pair in the month after the close, and says so', async () => {
    const spec = { periods: MONTHS, invoices: [invoice(1, 'PAID', '2026-10-05', '25.00')], at: '2026-10-28T06:00:00Z' };
    await withLedger(spec, async (ledger) => {
      const scene = new Scene(ledger);
      await scene.sync([]);
      await scene.close('2026-10', true);
      await scene.import(['2026-10-09,22.00,USD,Cedar Road,1']);
      await scene.expectAgreement();
      await usingSnapshot(ledger, async (db) => {
        const context = { db, settings, periods: ['2026-11'], period: '2026-11' };
        const balances = inWords(await rollForward(context));
        expect([...(balances.rows as Iterable<object>)]).toEqual([
          expect.objectContaining({ opening: '0.00', restated: '22.00', received: '-22.00', closing: '0.00' }),
        ]);
        expect(balances.notes()).toContainEqual(
          expect.stringMatching(/^Restated in 2026-11 holds 22\.00 USD of changes to closed months/),
        );
        const booked = inWords(await journalReport(context));
        const lines = [...(booked.rows as Iterable<Record<string, unknown>>)];
        const shown = lines.map(({ date, transaction, account, debit, credit }) => [
          date,
          String(transaction).replace(/^(ADJ-PAY-1)-\d+-USD-\d+$/, '$1-N-USD-N'),
          account,
          debit ?? `-${credit}`,
        ]);
        expect(shown).toEqual([
          ['2026-11-01', 'ADJ-PAY-1-N-USD-N', 'Cash or bank', '-22.00'],
          ['2026-11-01', 'ADJ-PAY-1-N-USD-N', 'Courier receivable', '22.00'],
          ['2026-11-09', 'REC-1-USD', 'Cash or bank', '22.00'],
          ['2026-11-09', 'REC-1-USD', 'Unallocated receipts', '-22.00'],
          ['2026-11-10', 'ALC-1-1-M1-USD', 'Unallocated receipts', '22.00'],
          ['2026-11-10', 'ALC-1-1-M1-USD', 'Courier receivable', '-22.00'],
        ]);
        expect(booked.notes()).toContainEqual(expect.stringMatching(/^Adjustments \(ADJ\)/));
      });
    });
  });
});
