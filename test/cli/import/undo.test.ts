import { expect, it } from 'vitest';
import { undoImport } from '../../../src/app/import/undo.ts';
import { loadConfig } from '../../../src/config/index.ts';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar, sheetBooks } from '../../helpers/settlements.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const TOML = `${CEDAR.replace('"USD"', '"LBP"')}\n[receipts]\npayers = ["Cedar Road"]\n`;
const HEAD = 'date,amount,currency,text,account\n';

/**
 * An invoice of 500,000.00, of which 410,000.00 came in by one file; and 500,000.00 by another, which finds nothing to
 * pay.
 */
async function books(): Promise<OwnBooks & { wrong: number }> {
  const own = sheetBooks(TOML, NOW);
  const sheet = cedar('41018,2026-10-12,Paid,C-1,SO-1,Delivery,500000,0,0,0,500000');
  await own.json(['import', 'settlement', own.file('sheet.csv', sheet), '--map', 'cedar']);
  const wrong = `${HEAD}2026-10-01,1.00,LBP,Fee,LB1\n2026-10-14,410000.00,LBP,Cedar Road invoice 41018,LB1\n2026-10-31,1.00,LBP,Fee,LB1\n`;
  const { import: id } = await own.json<{ import: number }>(['import', 'receipts', own.file('wrong.csv', wrong)]);
  const right = `${HEAD}2026-10-01,2.00,LBP,Fee,LB1\n2026-10-15,500000.00,LBP,Cedar Road,LB1\n2026-10-31,2.00,LBP,Fee,LB1\n`;
  await own.json(['import', 'receipts', own.file('right.csv', right)]);
  return { ...own, wrong: id };
}

interface Mismatches {
  readonly mismatches: readonly { readonly code: string; readonly status: string }[];
}
const open = async (own: OwnBooks) => {
  const { stdout } = await own.remit(['mismatch', 'list', '--json']);
  return (JSON.parse(stdout) as Mismatches).mismatches.filter(({ status }) => status !== 'resolved');
};
const matched = async (own: OwnBooks) =>
  (await own.json<{ matches: { receipts: number[]; receipts_amount: string }[] }>(['match', 'list'])).matches.map(
    ({ receipts, receipts_amount }) => [receipts, receipts_amount],
  );

it('matches anew what is left, and what was found of it is resolved', async () => {
  const own = await books();
  await own.remit(['check', '2026-10']);
  expect(await open(own)).toMatchObject([{ code: 'remittance-short' }, { code: 'receipt-unmatched' }]);
  const undone = await own.json(['import', 'undo', String(own.wrong), '--reason', 'another account']);
  expect(undone).toMatchObject({ resolved: 2 });
  expect(await open(own)).toEqual([]);
  expect(await matched(own)).toEqual([[[5], '500000.00']]);
  await own.verify();
});

it('matches anew where nothing was ever checked', async () => {
  const own = await books();
  await own.json(['import', 'undo', String(own.wrong), '--reason', 'another account']);
  expect(await matched(own)).toEqual([[[5], '500000.00']]);
});

it('is whole or not at all, wherever it ends', async () => {
  const own = await books();
  await own.remit(['check', '2026-10']);
  const before = await matched(own);
  const config = await loadConfig({ cwd: own.folder, env: {} });
  let failed = 0;
  for (let ends = 1; ; ends += 1) {
    let asked = 0;
    const now = () => {
      asked += 1;
      if (asked === ends) throw new Error('killed');
      return NOW;
    };
    const done = await undoImport(
      { config, now, signal: new AbortController().signal, key: async () => '', detail: () => {} },
      { id: own.wrong, reason: 'another account', by: 'rana' },
    ).catch((error: Error) => error.message);
    if (done !== 'killed') break;
    failed += 1;
    expect([await matched(own), await open(own)]).toMatchObject([
      before,
      [{ code: 'remittance-short' }, { code: 'receipt-unmatched' }],
    ]);
    await own.verify();
  }
  expect(failed).toBeGreaterThan(2);
  expect(await matched(own)).toEqual([[[5], '500000.00']]);
  expect(await open(own)).toEqual([]);
});

it('is refused where it alone showed by what a closed month was settled', async () => {
  const own = sheetBooks(TOML, NOW);
  const sheet = cedar('41018,2026-10-12,Paid,C-1,SO-1,Delivery,500000,0,0,0,500000');
  await own.json(['import', 'settlement', own.file('sheet.csv', sheet), '--map', 'cedar']);
  const days = ['10', '14', '18', '22'].map((day) => `2026-10-${day},1.00,LBP,Fee,LB1\n`).join('');
  await own.json(['import', 'receipts', own.file('october.csv', `${HEAD}${days}`)]);
  // The company pays into this account: of October's invoice nothing came in.
  const november = own.file('november.csv', `${HEAD}2026-11-05,7.00,LBP,Cedar Road,LB1\n`);
  const { import: id } = await own.json<{ import: number }>(['import', 'receipts', november]);
  await own.json(['close', '2026-10', '--first', '--with-open', 'as it is', '--by', 'rana']);
  const { stdout } = await own.remit(['report', 'roll-forward', '2026-10', '--format', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([{ closing: '500000.00' }]);
  const refused = await own.remit(['import', 'undo', String(id), '--reason', 'the wrong file']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('2026-10 is closed and rests on it') });
  const journal = await own.remit(['report', 'journal', '2026-10', '--format', 'csv']);
  expect(journal.code).toBe(0);
  await own.json(['reopen', '2026-10', '--reason', 'the wrong file', '--by', 'rana']);
  await own.json(['import', 'undo', String(id), '--reason', 'the wrong file']);
});
