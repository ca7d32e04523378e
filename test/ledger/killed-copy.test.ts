import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeCourier, invoiceOf, startFakeCourier } from '../helpers/courier.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';
import { runRemit, startRemit } from '../helpers/remit.ts';
import { syncInto, temporaryFolder } from '../helpers/sync.ts';

/** A copy that is killed as soon as there is anything under its name is whole: before that there is nothing. */

let courier: FakeCourier;
let folder: string;
beforeAll(async () => {
  courier = await startFakeCourier({
    invoices: [1, 2, 3].map((number) =>
      invoiceOf(number, '2026-10-01T10:00:00+03:00', [
        { order_id: `A${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] },
      ]),
    ),
  });
  folder = temporaryFolder();
  await syncInto(path.join(folder, 'ledger.db'), courier);
});
afterAll(() => courier.close());

const env = { REMIT_LEDGER: 'ledger.db', REMIT_API_URL: 'http://127.0.0.1:9/' };

async function killWhen(to: string, isThere: () => Promise<boolean>): Promise<void> {
  const { child, ended } = startRemit(['ledger', 'copy', to], env, folder);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver && !(await isThere())) await sleep(1);
  child.kill('SIGKILL');
  await ended;
}

/** The heads of the ledger and of its copy. */
async function heads(copy: string): Promise<unknown[]> {
  return Promise.all(
    [env, { ...env, REMIT_LEDGER: copy }].map(async (where) => {
      const { stdout, stderr } = await runRemit(['verify', '--json'], where, folder);
      return stdout === '' ? stderr : JSON.parse(stdout).head;
    }),
  );
}

test('into a file', async () => {
  const copy = path.join(folder, 'copy.db');
  await killWhen(copy, async () => existsSync(copy));
  const [head, copied] = await heads(copy);
  expect(copied).toBe(head);
});

test.skipIf(!hasPostgres)('into a database', async () => {
  const { url, query } = await newDatabase({ create: 'template template0' });
  const to = `${url.replace(/schema=remit/, 'schema=copy')}`;
  await killWhen(to, async () => {
    const [row] = await query<{ there: string | null }>("select to_regclass('copy.evidence')::text as there");
    return row!.there !== null;
  });
  const [head, copied] = await heads(to);
  expect(copied).toBe(head);
});

test.skipIf(!hasPostgres)('a backup of a damaged server is refused, with the rows that lack theirs', async () => {
  const { url, query } = await newDatabase({ create: 'template template0' });
  expect((await runRemit(['ledger', 'copy', url], env, folder)).code).toBe(0);
  await query('set session_replication_role = replica; delete from remit.invoice where number = 2');
  const { code, stderr } = await runRemit(['backup', 'damaged.db'], { ...env, REMIT_LEDGER: url }, folder);
  expect([code, existsSync(path.join(folder, 'damaged.db'))]).toEqual([1, false]);
  expect(stderr).toMatch(/^remit: the copy of postgresql:\S+ is not sound: a row of \S+ points to no invoice\n/);
});
