import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildJournal } from '../../../reports/journal/build.ts';
import { balancesOf, journalOf } from '../../../reports/journal/journal.ts';
import type { Journal } from '../../../reports/journal/model.ts';
import { postInvoiced } from '../../../reports/journal/post.ts';
import { readOpen } from '../../../src/app/settle/give-up.ts';
import { recordSettlements } from '../../../src/app/settle/settle.ts';
import { usingTransaction } from '../../../src/ledger/index.ts';
import { usingSnapshot } from '../../../src/ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../../src/money/units.ts';
import { journalFiles } from '../../../src/render/journal/index.ts';
import { journalSettings } from '../../../src/render/journal/settings.ts';
import { DEFAULT_SETTINGS as settings } from '../../helpers/check-settings.ts';
import { withLedger } from '../../helpers/ledger.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'remit-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

const KINDS = ['write-off', 'bank-charge', 'rounding', 'fx', 'other'] as const;

/** A month in which some of an invoice is settled in each of the ways. */
function settled(): Promise<Journal> {
  const amounts = { USD: ['100.00', '3.00'] as const };
  const spec = {
    periods: ['2026-10', '2026-11'],
    invoices: [{ number: 1, status: 'PENDING_PAYMENT', rows: [{ order_id: 'A', amounts }] }],
  };
  return withLedger(spec, async (ledger) => {
    await usingTransaction(ledger, async (trx) => {
      const [one] = await readOpen(trx, settings);
      await recordSettlements(
        trx,
        { at: new Date('2026-11-09T09:00:00Z'), by: 'rana' },
        KINDS.map((kind, at) => ({ ...one!, amount: parseUnits(`${at + 1}.50`), kind, note: kind, finding: null })),
      );
    });
    return usingSnapshot(ledger, (db) =>
      buildJournal(db, { settings, periods: ['2026-10', '2026-11'], period: '2026', deliveredBy: 'order' }),
    );
  });
}

it('books each kind of settlement on its day, to the account of its kind', async () => {
  const journal = await settled();
  const days = journal.transactions.filter(({ id }) => id.startsWith('DIF-')).map(({ id, date }) => [id, date]);
  expect(days).toEqual(KINDS.map((_, at) => [`DIF-${at + 1}-1-USD`, '2026-11-09']));
  const closing = balancesOf(journal.opening, journal.transactions);
  const balance = (account: string) => formatUnits(closing.find((one) => one.account === account)?.amount ?? 0n);
  expect(
    ['write_off', 'bank_charges', 'rounding', 'exchange_differences', 'other_differences', 'courier_receivable'].map(
      balance,
    ),
  ).toEqual(['1.50', '2.50', '3.50', '4.50', '5.50', '79.50']);
});

it.skipIf(!has('hledger') || !has('bean-check'))('hledger and beancount check it', async () => {
  expectBothPass(await settled());
});

it.skipIf(!has('hledger') || !has('bean-check'))('they check accounts that lie below others', () => {
  const charged = postInvoiced({
    ...{ number: 118, date: '2026-10-28', currency: 'USD' },
    ...{ cod: parseUnits('150.00'), delivery_fee: parseUnits('9.69'), net_due_to_merchant: parseUnits('140.31') },
    fees: [
      ['delivery_fees', parseUnits('8.00')],
      ['charge:handling', parseUnits('1.50')],
      ['tax:wht', parseUnits('0.19')],
    ],
  })!;
  const journal = journalOf({ period: '2026-10', from: '2026-10-01', to: '2026-10-31' }, [charged], null);
  expectBothPass(journal, { receivables: 'Assets:Courier', courier_receivable: 'Assets:Courier:Owed' });
});

/** Both engines read a journal without a word. @param accounts as `[journal]` names them */
function expectBothPass(journal: Journal, accounts?: Record<string, string>): void {
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  for (const [format, program, args] of [
    ['hledger', 'hledger', ['check', '--strict', 'ordereddates', '-f']],
    ['beancount', 'bean-check', []],
  ] as const) {
    const file = path.join(folder, `kinds.${format}`);
    writeFileSync(
      file,
      [...journalFiles(journal, format, journalSettings(accounts, format), { standsAlone: true })[0]!.pieces].join(''),
    );
    const { status, stdout, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8', env });
    expect([format, status, stdout + stderr]).toEqual([format, 0, '']);
  }
}
