import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { temporaryFolder } from '../../helpers/sync.ts';

let courier: FakeCourier;
afterEach(() => courier.close());

test('a check says which months list invoices that the ledger lacks, beside the JSON and not in it', async () => {
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
    '2026-10 lists 2 invoices, of which 1 could not be brought and is not checked: remit sync 2026-10',
  );
  expect(Object.keys(JSON.parse(outcome.stdout))).toEqual(['period', 'open', 'skipped', 'mismatches']);
});
