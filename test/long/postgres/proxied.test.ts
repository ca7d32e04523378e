import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPgBouncer, PgBouncer } from '../../helpers/pgbouncer.ts';
import { hasPostgres, newDatabase, PASSWORD, type TestDatabase } from '../../helpers/postgres.ts';
import { asOwner } from '../../helpers/postgres-server.ts';
import { bringAll, startTeam, type Team } from '../../helpers/team.ts';

let team: Team;
beforeEach(async () => {
  team = await startTeam();
});
afterEach(() => team.courier.close());

/** Adds a setting at the top of the books' remit.toml. */
const set = (line: string) =>
  writeFileSync(path.join(team.folder, 'remit.toml'), `${line}\n[receipts]\npayers = ["Cedar Road"]\n`);

/** @returns the ledger's address by way of a PgBouncer with few connections */
async function behindPgBouncer({ url, place }: TestDatabase): Promise<string> {
  const bouncer = await PgBouncer.start(scratchFolder(), place.port!);
  onTestFinished(() => bouncer.kill());
  return url.replace(`:${place.port}/`, `:${bouncer.port}/`);
}

describe.skipIf(!hasPostgres || !hasPgBouncer)('a ledger behind PgBouncer in transaction mode, with a lease', () => {
  it('is brought, read by many at once, verified and decided as without', async () => {
    const database = await newDatabase({ create: 'template template0' });
    const proxied = await behindPgBouncer(database);
    set('ledger_lock = "lease"');
    await bringAll(team, proxied);
    const json = async (...argv: string[]) => {
      const { code, stdout, stderr } = await team.run(proxied, ...argv, '--json');
      expect([argv.join(' '), code, stderr]).toEqual([argv.join(' '), expect.toBeOneOf([0, 3]), expect.any(String)]);
      return JSON.parse(stdout);
    };
    await json('match');
    await json('check');
    const verified = await json('verify');
    expect(verified).toMatchObject({ ok: true, problems: [] });
    expect(verified.documents).toBeGreaterThan(0);
    const names = ['totals', 'invoices', 'orders', 'mismatches', 'receipts', 'ageing', 'roll-forward', 'lag'];
    const read = () => Promise.all(names.map((name) => json('report', name)));
    const first = await read();
    // What `verify` makes and throws away shadows nothing, on whichever connection.
    await Promise.all([json('verify'), json('verify'), json('verify', '--deep')]);
    expect((await read()).map(({ rows }) => rows)).toEqual(first.map(({ rows }) => rows));
    expect(first.map(({ rows }) => rows.length > 0)).toEqual(names.map(() => true));
    const { mismatches } = await json('mismatch', 'list');
    await json('mismatch', 'ack', mismatches[0].id, '--by', 'Rana', '--note', 'asked', '--yes');
    expect(await team.run(database.url, 'report', 'totals')).toMatchObject({ code: 0 });
  });

  it('waits while others have all of its connections: that is no server that is gone', {
    timeout: 120_000,
  }, async () => {
    const database = await newDatabase({ create: 'template template0' });
    const proxied = await behindPgBouncer(database);
    set('ledger_lock = "lease"');
    await bringAll(team, proxied);
    await asOwner(database.place.port!, database.name, async (client) => {
      await client.query('begin; lock table remit.invoice in access exclusive mode');
      const reports = Promise.all([1, 2, 3, 4, 5].map(() => team.run(proxied, 'report', 'totals')));
      await sleep(40_000);
      await client.query('rollback');
      expect((await reports).map(({ code, stderr }) => [code, stderr])).toEqual(Array(5).fill([0, expect.any(String)]));
    });
  });
});

describe.skipIf(!hasPostgres)('a ledger that is copied to a server', () => {
  it('has the lock and the password of remit.toml, or of the file that is named', async () => {
    const database = await newDatabase({ create: 'template template0' });
    const file = path.join(team.folder, 'ledger.db');
    await bringAll(team, file);
    const secret = path.join(team.folder, 'secret');
    writeFileSync(secret, PASSWORD);
    const at = (schema: string, password = '') => {
      const url = new URL(database.url);
      url.searchParams.set('schema', schema);
      url.password = password;
      return url.href;
    };
    const settings = `ledger_lock = "lease"\nledger_password_command = "cat ${secret}"`;
    const triggers = async (schema: string) =>
      (
        await database.query(`select 1 from pg_trigger t join pg_class c on c.oid = t.tgrelid
        join pg_namespace n on n.oid = c.relnamespace where n.nspname = '${schema}' and not t.tgisinternal`)
      ).length;
    writeFileSync(path.join(team.folder, 'to.toml'), settings);
    const named = ['--ledger', file, '--to-settings', 'to.toml', '--quiet'];
    expect(await team.run(file, 'ledger', 'copy', at('one'), ...named)).toMatchObject({ code: 0 });
    set(settings);
    expect(await team.run(file, 'ledger', 'copy', at('two'), '--quiet')).toMatchObject({ code: 0 });
    expect([await triggers('one'), await triggers('two')]).toEqual([0, 0]);
    // A ledger that was made with triggers is sound where they guard nothing any more.
    set('');
    expect(await team.run(file, 'ledger', 'copy', at('three', encodeURIComponent(PASSWORD)), '--quiet')).toMatchObject({
      code: 0,
    });
    expect(await triggers('three')).toBeGreaterThan(10);
    set('ledger_lock = "lease"');
    expect(await team.run(at('three', encodeURIComponent(PASSWORD)), 'verify', '--quiet')).toMatchObject({ code: 0 });
  });
});
