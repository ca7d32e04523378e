import { expect, it } from 'vitest';
import { closeLedger } from '../../src/app/close/close.ts';
import { matchNow } from '../../src/app/match/run.ts';
import { recordEvidence, recordMatches } from '../../src/app/record.ts';
import { recordSettlements } from '../../src/app/settle/settle.ts';
import type { Config } from '../../src/config/index.ts';
import type { MatchEvidence } from '../../src/derive/decisions.ts';
import { readMatches } from '../../src/ledger/queries/receipts/matches.ts';
import { parseUnits } from '../../src/money/units.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';
import { fill, type InvoiceSpec, type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const invoice = (number: number, cod: string): InvoiceSpec => ({
  number,
  status: 'PENDING_PAYMENT',
  issued_at: '2026-09-10T10:00:00Z',
  period: '2026-09',
  rows: [{ order_id: `o${number}`, amounts: { USD: [cod, '0.00'] } }],
});

/** Receipt 1 pays invoice 1 in part; receipt 2 pays nothing, and then some of invoice 2. */
const SPEC: LedgerSpec = {
  periods: ['2026-09'],
  invoices: [invoice(1, '100.00'), invoice(2, '80.00'), invoice(3, '60.00')],
  own: { receipts: ['2026-09-12,90.00,USD,Cedar Road,1', '2026-09-20,25.00,USD,Cedar Road,'] },
};

const TAKEN_OFF = { amount: parseUnits('7.00'), open: parseUnits('60.00') };
const BY_HAND: MatchEvidence = {
  ...{ rule: 'manual', currency: 'USD', due: '80.00', difference: '0.00', difference_kind: null, note: null },
  ...{ why: 'by hand', reverses: null, receipts: [[2, '25.00']], invoices: [[2, '25.00', '0.00']] },
};

const at = (hour: number) => new Date(`2026-11-20T${hour}:00:00Z`);

it('names what moved each figure: the invoice that was restated, the receipt that was matched or no longer is', async () => {
  await withLedger(SPEC, async (ledger) => {
    const config = DEFAULT_SETTINGS as Config;
    await matchNow(ledger, { config, now: () => at(10) });
    await ledger.db
      .transaction()
      .execute((trx) =>
        recordSettlements(trx, { at: at(10), by: 'rana' }, [
          { ...{ number: 3, currency: 'USD', kind: 'other', note: 'agreed', finding: null }, ...TAKEN_OFF },
        ]),
      );
    const request = { month: '2026-09', by: 'rana', withOpen: 'planted', first: true };
    await closeLedger(ledger, { config: DEFAULT_SETTINGS, now: () => at(11) }, request);
    const why = async () => {
      const { mismatches } = await check(ledger, { now: at(13), only: ['closed-period-changed'] });
      const inDollars = mismatches.filter(({ currency }) => currency !== 'EUR');
      const said = inDollars.map(({ field, message }) => [
        field,
        /now: (.*?);.*: (.*?), or `remit/s.exec(message)!.slice(1),
      ]);
      return Object.fromEntries(said);
    };

    await ledger.db.transaction().execute(async (trx) => {
      const restated = [invoice(1, '95.00'), ...SPEC.invoices!.slice(1)];
      await fill(trx, { periods: ['2026-09'], invoices: restated, at: at(12).toISOString() });
      await recordMatches(trx, { at: at(12), actor: 'rana', matches: [BY_HAND] });
    });
    const [askWhy, byHand] = ['ask the delivery company why', 'see that it is right'];
    const restated = ['invoice 1 is changed since', askWhy];
    expect(await why()).toEqual({
      ...{ cod: restated, net_due_to_merchant: restated, order_cod: restated },
      received: ['receipt 2 is matched to invoice 2 since', byHand],
      outstanding: ['invoice 1 is changed, receipt 2 is matched to invoice 2 since', askWhy],
    });

    const [match, agreed] = await readMatches(ledger.db);
    await ledger.db.transaction().execute(async (trx) => {
      for (const { id } of [match!, agreed!]) {
        const removed = { kind: 'match-removed' as const, actor: 'rana', subject: String(id), data: { why: 'wrong' } };
        await recordEvidence(trx, { at: at(12), ...removed });
      }
    });
    expect(await why()).toMatchObject({
      cod: restated,
      received: ['receipt 1 is no longer matched to invoice 1, receipt 2 is matched to invoice 2 since', byHand],
      differences: ['what is agreed on invoice 3 is changed since', byHand],
    });

    await ledger.db.transaction().execute(async (trx) => {
      const late = (number: number, currency: string): InvoiceSpec => {
        return {
          ...invoice(number, '1.00'),
          rows: [{ order_id: `o${number}`, amounts: { [currency]: ['9.00', '0.00'] } }],
        };
      };
      const invoices = [
        invoice(1, '95.00'),
        ...SPEC.invoices!.slice(1),
        late(4, 'USD'),
        late(5, 'USD'),
        late(6, 'EUR'),
      ];
      await fill(trx, { periods: ['2026-09'], invoices, at: at(12).toISOString() });
    });
    expect(await why()).toMatchObject({
      cod: ['invoice 1 is changed, invoices 4 and 5 are new since', askWhy],
      invoices: ['invoices 4, 5 and 6 are new since', askWhy],
    });
  });
});
