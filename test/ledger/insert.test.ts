import { expect, it } from 'vitest';
import { insertRows } from '../../src/ledger/write/insert.ts';
import { withLedger } from '../helpers/ledger.ts';

const row = { invoice_number: 1, evidence_id: 1, seen_at: '2026-10-01T00:00:00.000Z', status: 'PAID' };

it.each([
  ['more', { ...row, note: 'x' }],
  ['fewer', { invoice_number: 2, evidence_id: 1, seen_at: row.seen_at }],
  ['others', { invoice_number: 2, evidence_id: 1, seen_at: row.seen_at, state: 'PAID' }],
])('a row with %s columns than the first is refused: nothing is left out or null unseen', async (_what, other) => {
  await withLedger({ periods: ['2026-10'] }, async ({ db }) => {
    const rows = [row, other as typeof row];
    await expect(insertRows(db, 'invoice_status', rows)).rejects.toThrow('different columns');
    expect(await db.selectFrom('invoice_status').selectAll().execute()).toEqual([]);
  });
});
