import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { usingLedger } from '../../../src/ledger/index.ts';
import { invoiceOf } from '../../helpers/courier.ts';
import { startCuttingProxy } from '../../helpers/cutting-proxy.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { asOwner, killServer, makeServer, PASSWORD, urlOf } from '../../helpers/postgres-server.ts';
import { temporaryFolder } from '../../helpers/sync.ts';
import { bringAll, startTeam, type Team } from '../../helpers/team.ts';

/** Of a connection before its first statement: hello, and two messages of the password's proof. */
const LOG_IN = 3;

let team: Team;
beforeEach(async () => {
  team = await startTeam();
});
afterEach(() => team.courier.close());

describe.skipIf(!hasPostgres)('a server that is far away, or takes few connections', () => {
  it('is asked few times for a decision', async () => {
    const { url, place } = await newDatabase();
    await bringAll(team, url);
    await team.run(url, 'check', '--quiet');
    const { mismatches } = JSON.parse((await team.run(url, 'mismatch', 'list', '--json')).stdout);
    const [{ id }] = mismatches;
    const decisions: readonly (readonly [most: number, ...argv: string[]])[] = [
      [16, 'mismatch', 'ack', id, '--note', 'asked', '--yes'],
      [16, 'mismatch', 'resolve', id, '--note', 'asked', '--yes'],
      [16, 'mismatch', 'reopen', id, '--note', 'asked'],
      [16, 'match', 'add', '3', '10002'],
    ];
    for (const [most, ...argv] of decisions) {
      const proxy = await startCuttingProxy(place.port!);
      proxy.cutAt(null);
      const { code } = await team.run(proxy.through(url), ...argv, '--by', 'Rana', '--quiet');
      const trips = proxy.count() - LOG_IN;
      await proxy.close();
      const isFew = (count: number) => count > 5 && count <= most;
      expect([...argv, code, trips]).toEqual([...argv, 0, expect.toSatisfy(isFew)]);
    }
  });

  it('is asked few times for invoices that come one after the other', async () => {
    const tripsOf = async (count: number) => {
      team.courier.world.invoices = Array.from({ length: count }, (_, nth) =>
        invoiceOf(20_001 + nth, '2026-10-01T10:00:00+03:00', [
          { order_id: 'A', cod: [['USD', '100.00']], delivery_fee: [] },
        ]),
      );
      const { url, place } = await newDatabase();
      const proxy = await startCuttingProxy(place.port!);
      proxy.cutAt(null);
      expect(await team.run(proxy.through(url), 'sync', '2026-10', '--quiet')).toMatchObject({ code: 0, stderr: '' });
      await proxy.close();
      return proxy.count();
    };
    const [few, many] = [await tripsOf(8), await tripsOf(40)];
    expect((many - few) / 32).toBeLessThan(3);
  });

  it('is waited for while it works, be it for long', async () => {
    const { place } = await newDatabase();
    const slept = usingLedger(place, {}, ({ db }) =>
      sql<{ done: number }>`select 1 as done from pg_sleep(11)`.execute(db),
    );
    expect((await slept).rows).toEqual([{ done: 1 }]);
  });

  it('is enough for eight nights at a time, where it takes nine connections', async () => {
    // Three more are kept for the owner of everything.
    const server = await makeServer(temporaryFolder(), { max_connections: '12' });
    onTestFinished(() => killServer(server));
    await asOwner(server.port, 'postgres', async (client) => {
      await client.query(`create role merchant login password '${PASSWORD}'`);
      await client.query('create database books owner merchant');
    });
    const ledgers = Array.from({ length: 8 }, (_, nth) =>
      urlOf(server.port, 'books', { user: 'merchant', schema: `merchant_${nth}` }),
    );
    const all = (...argv: string[]) => Promise.all(ledgers.map((url) => team.run(url, ...argv)));
    expect((await all('sync', '2026-10', '--quiet')).map(({ code }) => code)).toEqual(ledgers.map(() => 0));
    const failures = (await all('night', '--json')).map(({ stdout }) => {
      const { sync_failure, match_failure, check_failure } = JSON.parse(stdout);
      return [sync_failure, match_failure, check_failure];
    });
    expect(failures).toEqual(ledgers.map(() => [null, null, null]));
  }, 60_000);
});
