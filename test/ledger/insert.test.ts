import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dumpHash, type WrittenPart, writtenParts } from '../../src/ledger/dump.ts';
import { fillFile } from '../../src/ledger/fill.ts';
import { usingLedger } from '../../src/ledger/open.ts';
import { insertRows } from '../../src/ledger/write/insert.ts';
import { withLedger } from '../helpers/ledger.ts';
import { temporaryFolder } from '../helpers/sync.ts';

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

it('a new file is filled in a thread with all rows that it is sent, however many wait for it', async () => {
  const file = path.join(temporaryFolder(), 'copy.db');
  await withLedger({ periods: ['2026-10'] }, async ({ db }) => {
    const numbers = Array.from({ length: 100 }, (_, number) => ({ ...row, invoice_number: number }));
    await insertRows(db, 'invoice_status', numbers);
    async function* rowByRow(): AsyncGenerator<WrittenPart> {
      for await (const { table, rows } of writtenParts(db)) for (const each of rows) yield { table, rows: [each] };
    }
    await fillFile(file, rowByRow());
    expect(await usingLedger(file, {}, (copy) => dumpHash(copy.db))).toBe(await dumpHash(db));
  });
});

it.each([
  ['cannot be made', 'none/copy.db', '[1,1,"2026-10-01","PAID"]', /cannot be opened/],
  ['refuses a row', 'copy.db', '[1]', /NOT NULL constraint failed/],
])('a file that %s: its thread says why, and no more parts are asked for', async (_what, name, written, why) => {
  const folder = temporaryFolder();
  const columns = ['invoice_number', 'evidence_id', 'seen_at', 'status'];
  const table = {
    table: 'invoice_status',
    columns: columns.map((column) => ({ name: column, type: 'text' as const })),
    key: columns.slice(0, 2),
  };
  let isEnded = false;
  async function* endless(): AsyncGenerator<WrittenPart> {
    try {
      for (;;) yield { table, rows: [written] };
    } finally {
      isEnded = true;
    }
  }
  await expect(fillFile(path.join(folder, name), endless())).rejects.toMatchObject({
    code: 'ledger',
    message: expect.stringMatching(why),
  });
  expect([isEnded, readdirSync(folder).filter((each) => each.endsWith('.db-journal'))]).toEqual([true, []]);
});
