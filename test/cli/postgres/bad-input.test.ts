import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGINE_QUERY, engineOf } from '../../../src/ledger/dialect/postgres/engine.ts';
import { usingLedger } from '../../../src/ledger/index.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { startPosingServer } from '../../helpers/posing-server.ts';
import { hasPostgres, ICU, newDatabase, PASSWORD } from '../../helpers/postgres.ts';
import { runRemit } from '../../helpers/remit.ts';

const SECRET = 'hunter2hunter2';

/**
 * Runs a command with a ledger, then as `doctor` and with all details: none of them shows a password or, without being
 * asked, a stack.
 */
async function told(ledger: string, argv = ['report', 'runs'], env: Record<string, string> = {}) {
  const cwd = scratchFolder();
  const run = async (...words: string[]) => {
    const outcome = await remit(words, { cwd, env: { REMIT_LEDGER: ledger, ...env } });
    const all = outcome.stderr + outcome.stdout;
    for (const secret of [SECRET, PASSWORD, encodeURIComponent(PASSWORD)]) expect(all).not.toContain(secret);
    return outcome;
  };
  const { code, stdout, stderr } = await run(...argv);
  expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^remit: [^\n]+\n {2}→ [^\n]+\n$/)]);
  await run(...argv, '--verbose');
  await run(...argv, '--json', '--verbose');
  const doctor = await run('doctor', '--verbose');
  expect(doctor.code).not.toBe(0);
  // Nothing was made on the way.
  expect(readdirSync(cwd)).toEqual([]);
  return { code, stderr };
}

describe('an address with a typo', () => {
  it.each([
    ['postgress://u:hunter2hunter2@host/db', /cannot be understood/],
    ['postgresql:/u:hunter2hunter2@host/db', /cannot be understood/],
    ['postgres:u:hunter2hunter2@host/db', /cannot be understood/],
    ['mysql://u:hunter2hunter2@host/db', /cannot be understood/],
    ['postgresql://u:hunter2hunter2@host', /must name one database/],
    ['postgresql://u:hunter2hunter2@host/a/b', /must name one database/],
    ['postgresql://u:hunter2hunter2@host:99999/db', /cannot be understood/],
    ['postgresql://u:hunter2%zz@host/db', /holds a %/],
    ['postgresql://u:hunter2hunter2@host/db?shema=remit', /says "shema"/],
    ['postgresql://u:hunter2hunter2@host/db?schema=pg_catalog', /has a schema that cannot be one/],
    ['postgresql://u:hunter2hunter2@host/db?sslmode=prefer', /sslmode that is none of/],
    ['postgresql://u:hunter2hunter2@host/db#x', /holds a #/],
  ])('%s is told, without its password', async (ledger, sentence) => {
    const { code, stderr } = await told(ledger);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('an engine', () => {
  const say = (version: string, lock: 'advisory' | 'lease' = 'advisory', citus = '') => {
    try {
      return engineOf({ version, citus }, lock).name;
    } catch (error) {
      return (error as Error).message;
    }
  };
  it('is taken, or refused with the reason', () => {
    expect(say('PostgreSQL 15.16 (Debian) on x86_64')).toBe('PostgreSQL 15.16');
    expect(say('PostgreSQL 17beta1 on x86_64')).toBe('PostgreSQL 17beta1');
    expect(say('PostgreSQL 12.22 on x86_64')).toBe('the server is PostgreSQL 12.22, which is too old');
    expect(say('PostgreSQL 15.2-YB-2.27.0.0-b0 on x86_64')).toBe('YugabyteDB 2.27');
    expect(say('PostgreSQL 15.12-YB-2025.1.0.0-b1 on x86_64')).toBe('YugabyteDB 2025.1');
    expect(say('PostgreSQL 11.2-YB-2.20.1.0-b97 on x86_64')).toContain('YugabyteDB 2.20, which is too old');
    expect(say('CockroachDB CCL v24.1.0 (x86_64)')).toContain('its advisory locks do nothing');
    expect(say('CockroachDB CCL v24.1.0 (x86_64)', 'lease')).toBe('CockroachDB 24.1.0');
    expect(say('PostgreSQL 16.1 on x86_64', 'advisory', '12.1-1')).toContain('triggers and advisory locks do not hold');
    expect(say('PostgreSQL 16.1 on x86_64', 'lease', '12.1-1')).toBe('Citus 12.1-1 on PostgreSQL 16.1');
    expect(say('PostgreSQL 8.0.2 on i686, Redshift 1.0')).toContain('does not know');
    expect(say('Materialize v0.9')).toContain('does not know');
  });
});

describe('a server that poses as another', () => {
  it.each([
    [
      'PostgreSQL 12.22 (Debian 12.22-1) on x86_64',
      '',
      /the server is PostgreSQL 12\.22, which is too old\n {2}→ Use PostgreSQL 13 or later/,
    ],
    [
      'CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu)',
      '',
      /CockroachDB 24\.1\.0, and its advisory locks do nothing.*\n.*ledger_lock = "lease"/,
    ],
    [
      'PostgreSQL 16.1 on x86_64',
      '12.1-1',
      /Citus 12\.1-1 on PostgreSQL 16\.1, and triggers and advisory locks do not hold/,
    ],
    ['PostgreSQL 11.2-YB-2.20.1.0-b97 on x86_64', '', /YugabyteDB 2\.20, which is too old\n {2}→ Use YugabyteDB 2\.27/],
    [
      'PostgreSQL 8.0.2 on i686, Redshift 1.0.1',
      '',
      /which remit does not know\n {2}→ Keep the ledger on PostgreSQL 13/,
    ],
    ['\u001b[31mEvil\u0007', '', /which remit does not know/],
  ])('%s is refused before anything is asked of it', async (version, citus, sentence) => {
    const server = await startPosingServer({ version, citus }, SECRET);
    try {
      for (const argv of [['report', 'runs'], ['sync'], ['check'], ['import', 'list']]) {
        const env = { REMIT_API_URL: 'http://127.0.0.1:9/', REMIT_API_KEY: 'k' };
        const { code, stderr } = await told(server.url, argv, env);
        expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
        expect(stderr).toContain('postgresql://rana@127.0.0.1');
      }
      const other = server.asked.filter((text) => !text.startsWith(ENGINE_QUERY) && text !== 'select 1');
      expect(other).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe.skipIf(!hasPostgres)('a server that refuses', () => {
  it('is told in a sentence with the remedy', async () => {
    const { url, query, name, urlFor } = await newDatabase();
    const port = new URL(url).port;
    const cases: [string, RegExp][] = [
      [url.replace(`:${port}`, ':1'), /nothing answers there/],
      [url.replace('127.0.0.1', 'no-such-host.invalid'), /no host of that name|could not be looked up/],
      [url.replace(encodeURIComponent(PASSWORD), SECRET), /refuses the user "remit_owner"/],
      [url.replace(name, 'nowhere'), /there is no database "nowhere"/],
      [url.replace('schema=remit', 'schema=other'), /there is no ledger at/],
      [`${url}&sslmode=verify-full`, /does not encrypt the line/],
      [`${url}&sslmode=verify-full&sslrootcert=none.pem`, /sslrootcert .* cannot be read \(ENOENT\)/],
    ];
    for (const [ledger, sentence] of cases) {
      const { code, stderr } = await told(ledger);
      expect([code, stderr]).toEqual([
        stderr.includes('sslrootcert=none') || stderr.includes('ENOENT') ? 2 : 1,
        expect.stringMatching(sentence),
      ]);
      expect(stderr).toMatch(/\n {2}→ .+/);
    }
    await query(`do $$ begin if not exists (select 1 from pg_roles where rolname = 'nobody_at_all') then
      create role nobody_at_all login password '${PASSWORD}'; end if; end $$`);
    const refused = await told(urlFor('nobody_at_all'));
    expect(refused).toEqual({
      code: 1,
      stderr: expect.stringMatching(/may use\n {2}→ Have the owner run what `remit ledger grants` prints/),
    });
  });

  it('is told for what it is where a user may not read of which version the ledger is', async () => {
    const { query, urlFor } = await newDatabase();
    await query(`do $$ begin if not exists (select 1 from pg_roles where rolname = 'sees_names') then
      create role sees_names login password '${PASSWORD}'; end if; end $$`);
    await query('grant usage on schema remit to sees_names');
    const { stderr } = await told(urlFor('sees_names'));
    expect(stderr).toContain('permission denied for table kysely_migration');
  });

  it('is told where the schema is of a newer remit, of a development version, or of something else', async () => {
    const { url, query } = await newDatabase();
    await query("insert into remit.kysely_migration values ('9999_later', '2030-01-01')");
    expect((await told(url)).stderr).toContain('was made by a newer remit (it holds 9999_later)');
    await query("delete from remit.kysely_migration where name = '9999_later'");
    await query('drop table remit.claim cascade');
    expect((await told(url)).stderr).toContain('lacks the table claim: an earlier development version of remit');
    await query("update remit.kysely_migration set name = '0001_ledger' where name = '0001_schema'");
    expect((await told(url)).stderr).toContain('was made by a development version of remit');
    await query('create schema shop; create table shop.sale (id int)');
    expect((await told(url.replace('schema=remit', 'schema=shop'))).stderr).toContain('but not a remit ledger');
  });

  it('is told where it goes away in the middle, and nothing half-written stays', async () => {
    const { place, query } = await newDatabase();
    const write = usingLedger(place, { exclusive: 'sync' }, (ledger) =>
      ledger.db.transaction().execute(async (trx) => {
        await trx
          .insertInto('run')
          .values({
            id: 7,
            command: 'sync',
            started_at: 'x',
            finished_at: null,
            status: 'running',
            remit_version: '1',
            period: null,
            summary: null,
          })
          .execute();
        await query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'remit' and pid <> pg_backend_pid()",
        );
        await trx.selectFrom('run').selectAll().execute();
      }),
    );
    await expect(write).rejects.toThrow(/shut down in the middle|ended in the middle/);
    expect(await query('select * from remit.run')).toEqual([]);
  });

  it('lets doctor say version, answer time, line, rights and size', async () => {
    const { url } = await newDatabase();
    const cwd = scratchFolder();
    const { stdout } = await remit(['doctor', '--json'], { cwd, env: { REMIT_LEDGER: url } });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] };
    const of = (name: string) => checks.find((check) => check.name === name);
    expect(of('server')).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^PostgreSQL \d+.* answers in [\d.]+ ms$/),
    });
    expect(of('ledger line')?.ok).toBe(true);
    expect(of('rights')?.message).toBe('remit_owner may read the whole ledger');
    expect(of('size')?.message).toMatch(/in the schema remit$/);
    expect(of('ledger')?.message).toMatch(/is sound/);
  });

  it('takes its password from a command, else from PGPASSWORD, else from ~/.pgpass', { timeout: 180_000 }, async () => {
    const { url, name } = await newDatabase();
    const cwd = scratchFolder();
    const bare = new URL(url);
    bare.password = '';
    const settings = (command: string) =>
      writeFileSync(path.join(cwd, 'remit.toml'), `ledger = "${bare.href}"\n${command}\n`);
    writeFileSync(path.join(cwd, 'secret'), `${PASSWORD}\n`);
    const escaped = PASSWORD.replace(/[\\:]/g, '\\$&');
    const passFile = path.join(cwd, '.pgpass');
    writeFileSync(passFile, `127.0.0.1:${bare.port}:${name}:remit_owner:${escaped}\n`, { mode: 0o600 });
    // The driver looks for these itself, in the environment of the process.
    const run = (env: Record<string, string>) =>
      runRemit(['report', 'runs'], { HOME: cwd, PGPASSFILE: '', ...env }, cwd);
    const ok = { code: 0, stderr: '' };
    const refused = {
      code: 1,
      stderr: expect.stringMatching(
        /^remit: [^\n]*password[^\n]*\n {2}→ Give the password in PGPASSWORD, ~\/\.pgpass or `ledger_password_command`[^\n]*\n$/,
      ),
    };
    settings('ledger_password_command = "cat secret"');
    expect(await run({ PGPASSWORD: SECRET, HOME: '/' })).toMatchObject(ok);
    settings('');
    expect(await run({ PGPASSWORD: PASSWORD, HOME: '/' })).toMatchObject(ok);
    expect(await run({})).toMatchObject(ok);
    expect(await run({ PGPASSWORD: SECRET })).toMatchObject(refused);
    // Without any, and from a file that everybody may read.
    expect(await run({ HOME: '/' })).toMatchObject(refused);
    chmodSync(passFile, 0o644);
    expect(await run({})).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('can be read by others\n  → Run: chmod 600'),
    });
    for (const [command, sentence] of [
      ['false', /`ledger_password_command` failed|ledger_password_command/],
      ['echo', /printed nothing/],
      ['printf a\\\\nb', /printed more than one line/],
      ['no-such-program', /ledger_password_command/],
      [`echo ${SECRET}`, /refuses the user/],
    ] as const) {
      settings(`ledger_password_command = "${command}"`);
      const { code, stderr } = await run({});
      expect([command, code, stderr]).toEqual([
        command,
        command.includes(SECRET) ? 1 : 2,
        expect.stringMatching(sentence),
      ]);
      expect(stderr).not.toContain(SECRET);
    }
  });

  it('is read in a database that sorts by the rules of a language as in any other', async () => {
    const { url } = await newDatabase({ create: ICU });
    const { code, stderr } = await told(url);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no ledger at')]);
    expect(await remit(['verify', '--json'], { cwd: scratchFolder(), env: { REMIT_LEDGER: url } })).toMatchObject({
      code: 1,
    });
  });
});
