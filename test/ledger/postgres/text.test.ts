import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dumpHash } from '../../../src/ledger/dump.ts';
import { usingLedger } from '../../../src/ledger/index.ts';
import { remit } from '../../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const row = (order_id: string) => ({
  order_id,
  cod: [['USD', '25.00']] as [string, string][],
  delivery_fee: [['USD', '3.00']] as [string, string][],
});
const order = (order_id: string, extra: object) => ({
  ...row(order_id),
  workflow: 'STANDARD',
  delivery_state: 'CREATED',
  payment_state: 'UNPAID',
  ...extra,
});

describe('text that no database keeps as it is', () => {
  it.skipIf(!hasPostgres)('is a malformed field, named, in both; all else is kept to the letter', async () => {
    const courier = await startFakeCourier({
      invoices: [
        invoiceOf(1, '2026-10-05T09:00:00Z', [row('A\u0001\u202e بيت 👩‍👧 %_\\')]),
        invoiceOf(2, '2026-10-06T09:00:00Z', [{ ...row('B'), reference_id: 'x\0y' }]),
        // What would end a line or a field, or be no text, where rows are copied.
        invoiceOf(4, '2026-10-08T09:00:00Z', [{ ...row('T'), reference_id: 'a\tb\nc\r\\N \\. \\x41' }]),
        invoiceOf(5, '2026-10-08T09:00:00Z', [{ ...row('U'), reference_id: '\\N' }]),
        invoiceOf(6, '2026-10-08T09:00:00Z', [{ ...row('V'), reference_id: '\\.' }]),
        invoiceOf(3, '2026-10-07T09:00:00Z', [row(`C${'é'.repeat(1_000)}`)]),
      ],
      orders: [
        order('D', { return_reason: 'half \ud800 a pair' }),
        order('E\0', {}),
        order('F', { notes: 'what is not kept may hold \0' }),
      ],
    });
    const { url } = await newDatabase();
    const cwd = scratchFolder();
    try {
      const seen = [];
      for (const ledger of [path.join(cwd, 'ledger.db'), url]) {
        const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: ledger };
        const argv = ['sync', '2026-10', '--orders', '--concurrency', '1', '--quiet'];
        const { code, stderr } = await remit(argv, { cwd, env, now: NOW });
        seen.push([code, stderr, await usingLedger(ledger, {}, ({ db }) => dumpHash(db))]);
      }
      expect(seen[1]).toEqual(seen[0]);
      const [code, stderr] = seen[0]!;
      expect(code).toBe(1);
      expect(stderr).toContain('orders[0].reference_id: holds a NUL character');
      expect(stderr).toContain('orders[0].order_id: is longer than 2,000 bytes');
      expect(stderr).toContain('return_reason: holds half of a surrogate pair');
      expect(stderr).toContain('order_id: holds a NUL character');
      expect(stderr).not.toContain('results[2]');
    } finally {
      await courier.close();
    }
  });
});
