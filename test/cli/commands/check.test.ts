import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
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
