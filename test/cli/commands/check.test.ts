import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, send, startFakeCourier } from '../../helpers/courier.ts';
import { temporaryFolder } from '../../helpers/sync.ts';

let courier: FakeCourier;
afterEach(() => courier.close());

test('a check says which months list invoices that the ledger lacks, with its JSON too', async () => {
  const bill = (number: number) =>
    invoiceOf(number, '2026-10-05T09:00:00Z', [
      { order_id: `O${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] },
    ]);
  const unreadable = { ...bill(2), detail: { cod: 'much' } };
  courier = await startFakeCourier({ invoices: [bill(1), unreadable] });
  const cwd = temporaryFolder();
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  expect((await remit(['sync', '2026-10'], { cwd, env })).code).toBe(1);

  const outcome = await remit(['check', '2026-10', '--json'], { cwd, env });
  expect(outcome.stderr).toContain(
    '2026-10 is incomplete: no detail of invoice 2 was ever read; run `remit sync 2026-10`',
  );
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    incomplete: [{ period: '2026-10', why: expect.stringContaining('invoice 2') }],
    mismatches: [{ code: 'document-malformed', invoice_number: 2 }],
  });
});

test('a check shows the months that were asked for, whatever is known of others', async () => {
  const bill = (number: number, issuedAt: string) =>
    invoiceOf(number, issuedAt, [{ order_id: `O${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] }]);
  courier = await startFakeCourier({
    invoices: [bill(1, '2026-09-05T09:00:00Z'), bill(2, '2026-10-05T09:00:00Z')],
    // September states one invoice more than it shows: its listing stays incomplete, whichever month is checked.
    intercept(_request, response, asked, query) {
      if (asked !== '/invoices/' || query.get('month') !== '9') return false;
      const { orders, ...row } = bill(1, '2026-09-05T09:00:00Z');
      const results = [{ ...row, status: 'PAID', status_display: 'Paid', order_count: orders.length }];
      send(response, 200, { count: 2, next: null, previous: null, results });
      return true;
    },
  });
  const cwd = temporaryFolder();
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  const now = new Date('2026-11-20T09:00:00Z');
  expect((await remit(['sync', '2026-09..2026-10'], { cwd, env, now })).code).toBe(1);
  const codes = async (period: string) => {
    const outcome = await remit(['check', period, '--json'], { cwd, env, now });
    const { mismatches } = JSON.parse(outcome.stdout) as { mismatches: { code: string }[] };
    return { exit: outcome.code, codes: mismatches.map(({ code }) => code) };
  };
  expect(await codes('2026-09..2026-10')).toEqual({ exit: 3, codes: ['listing-incomplete'] });
  expect(await codes('2026-10')).toEqual({ exit: 0, codes: [] });
  expect(await codes('2026-09')).toEqual({ exit: 3, codes: ['listing-incomplete'] });
});
