import { describe, expect, it } from 'vitest';
import { checkExitCode } from '../../src/app/check-result.ts';
import { fill, type LedgerSpec, withLedger } from '../helpers/ledger.ts';
import { check } from './options.ts';

const SOUND: LedgerSpec = { invoices: [{ number: 1, rows: [{ order_id: 'A' }] }] };

/** Why October is incomplete, and the exit code that follows. */
const look = (spec: LedgerSpec) =>
  withLedger(spec, async (ledger) => {
    const result = await check(ledger, { periods: ['2026-10'] });
    return { whys: result.incomplete.map(({ why }) => why), code: checkExitCode(result, 'never') };
  });

describe('a month that may lack something', () => {
  it('is none when it was read whole after its end', async () => {
    expect(await look(SOUND)).toEqual({ whys: [], code: 0 });
  });

  it.each<[string, LedgerSpec, RegExp]>([
    ['was never synced', { periods: ['2026-09'] }, /never synced/],
    ['has a list that did not come whole', { ...SOUND, partial: ['2026-10'] }, /did not bring all of it/],
    [
      'lists an invoice without a detail',
      { invoices: [{ number: 1, rows: [], detail: 'missing' }] },
      /no detail of invoice 1/,
    ],
    [
      'has an invoice whose newer detail cannot be read',
      { ...SOUND, nights: [{ invoices: [{ number: 1, rows: [{ order_id: 'A' }], detail: 'unreadable' }] }] },
      /newer detail of invoice 1 could not be brought or read.*older figures/,
    ],
    [
      'has a row that cannot be read in its list',
      { invoices: [{ number: 1, rows: [{ order_id: 'A' }], list: null }] },
      /cannot be read at 2026-10 1/,
    ],
    ['was last read before it ended', { ...SOUND, at: '2026-10-31T23:59:00Z' }, /before the month’s end/],
  ])('%s', async (_, spec, why) => {
    const { whys, code } = await look(spec);
    expect(whys).toEqual([expect.stringMatching(why)]);
    expect(code).toBe(1);
  });

  it('keeps its older figures and its findings until the newer detail is read', async () => {
    const bad = { number: 1, rows: [{ order_id: 'A' }], header: { USD: ['20.00', '3.00', '17.00'] as const } };
    await withLedger({ invoices: [bad] }, async (ledger) => {
      const run = () => check(ledger, { periods: ['2026-10'] });
      const before = await run();
      await fill(ledger.db, { invoices: [{ ...bad, detail: 'unreadable' }] });
      const during = await run();
      expect(during.bridge).toEqual(before.bridge);
      expect(during.mismatches.map(({ code }) => code).sort()).toEqual(['document-malformed', 'invoice-cod-total']);
      await fill(ledger.db, SOUND);
      expect((await run()).mismatches.map(({ code }) => code)).toEqual(['invoice-restated', 'invoice-restated']);
    });
  });
});
