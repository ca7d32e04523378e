import { describe, expect, it } from 'vitest';
import { holdHead } from '../../../src/ledger/evidence/append.ts';
import { type LedgerTransaction, tryOut, usingLedger, usingTransaction } from '../../../src/ledger/index.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';

const COURIER = 'courier';
const nameOf = async (trx: LedgerTransaction) =>
  (await trx.selectFrom('courier').select('name').where('key', '=', COURIER).executeTakeFirst())?.name;
const rename = (trx: LedgerTransaction, name: string) =>
  trx.updateTable('courier').set({ name }).where('key', '=', COURIER).execute();

describe.skipIf(!hasPostgres)('what a transaction was answered', () => {
  it('counts until it writes, takes back what it tried, or has waited for others', async () => {
    const { place, query } = await newDatabase();
    await query(`set session_replication_role = replica; insert into remit.courier values ('${COURIER}', 'one', 1)`);
    const seen = await usingLedger(place, {}, (ledger) =>
      usingTransaction(ledger, async (trx) => {
        const names = [await nameOf(trx)];
        await query(`update remit.courier set name = 'theirs'`);
        names.push(await nameOf(trx));
        await holdHead(trx);
        names.push(await nameOf(trx));
        await rename(trx, 'ours');
        names.push(await nameOf(trx));
        await tryOut(trx, async () => {
          await rename(trx, 'tried');
          names.push(await nameOf(trx));
        });
        names.push(await nameOf(trx));
        return names;
      }),
    );
    expect(seen).toEqual(['one', 'one', 'theirs', 'ours', 'tried', 'ours']);
    expect(await query('select name from remit.courier')).toEqual([{ name: 'ours' }]);
  });
});
