import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { openDatabase } from '../../src/base/sqlite.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, send, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

const MAIN = path.resolve('dist/bin/main.js');
const NOBODY = 65_534;

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

function invoices(): FakeInvoice[] {
  return [1, 2].map((number) =>
    invoiceOf(number, `2026-10-0${number}T10:00:00+00:00`, [
      { order_id: `A${number}`, cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] },
      { order_id: `B${number}`, cod: [['LBP', '900000.00']], delivery_fee: [['USD', '2.00']] },
    ]),
  );
}

/** A books folder of the fake courier's merchant, who has two sound invoices. */
function makeBooks(settings = ''): string {
  const folder = scratchFolder();
  courier.world.invoices = invoices();
  delete courier.world.intercept;
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  writeFileSync(
    path.join(folder, 'remit.toml'),
    settings || `api_url = "${courier.url}"\napi_key_file = "api-key"\nmax_attempts = 1\n`,
  );
  return folder;
}

async function syncedBooks(): Promise<string> {
  const folder = makeBooks();
  expect((await remit(['sync', '2026-10'], { cwd: folder })).code).toBe(0);
  return folder;
}

/** All checks and all reports, as messages list them. */
const CODES = CHECKS.map(({ code }) => code).join(', ');
const NAMES = REPORTS.map(({ name }) => name).join(', ');

/** What a person sees, without what differs from run to run or grows with each check and report. */
function told({ code, stdout, stderr }: Outcome, folder: string): string {
  const text = `exit ${code}\n${stdout && `--- standard output\n${stdout}`}--- standard error\n${stderr}`;
  return text
    .replaceAll(folder, 'BOOKS')
    .replaceAll(CODES, 'CODES')
    .replaceAll(NAMES, 'NAMES')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/, [\d.]+ \w+, [\d.]+ s\b/g, ', SIZE, TIME')
    .replaceAll(/ in [\d.]+ s\b/g, ' in TIME');
}

async function expectGolden(name: string, outcome: Outcome, folder: string): Promise<void> {
  const text = told(outcome, folder);
  expect(text).not.toContain(KEY);
  expect(text).not.toMatch(/\n\s+at /);
  await expect(text).toMatchFileSnapshot(`../goldens/cli/${name}.txt`);
}

/** Nothing half-written: no file but those that were there, and the ledger's own. */
function expectNothingLeft(folder: string, ...more: string[]): void {
  const own = ['api-key', 'remit.toml', 'ledger.db', 'ledger.lock', 'statements', ...more];
  expect(readdirSync(folder).filter((name) => !own.includes(name))).toEqual([]);
}

describe('the settings', () => {
  it('no-books: not a books folder', async () => {
    const folder = scratchFolder();
    await expectGolden('no-books', await remit(['sync'], { cwd: folder }), folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('no-key: no API key', async () => {
    const folder = makeBooks(`api_url = "${courier.url}"\n`);
    await expectGolden('no-key', await remit(['sync'], { cwd: folder }), folder);
    expectNothingLeft(folder);
  });

  it('no-address: no address of the API', async () => {
    const folder = makeBooks('api_key_file = "api-key"\n');
    await expectGolden('no-address', await remit(['sync'], { cwd: folder }), folder);
  });

  it('key-in-settings: the key itself in remit.toml', async () => {
    const folder = makeBooks(`api_key = "${KEY}"\n`);
    await expectGolden('key-in-settings', await remit(['sync'], { cwd: folder }), folder);
  });

  it.skipIf(process.platform === 'win32')('key-readable: a key file that others can read', async () => {
    const folder = makeBooks();
    chmodSync(path.join(folder, 'api-key'), 0o644);
    await expectGolden('key-readable', await remit(['sync'], { cwd: folder }), folder);
  });

  it('month: a month that does not exist', async () => {
    const folder = makeBooks();
    for (const argv of [
      ['sync', '2026-13'],
      ['check', '2026-13'],
      ['report', 'totals', '2026-13'],
      ['statement', '2026-13'],
    ]) {
      await expectGolden('month', await remit(argv, { cwd: folder }), folder);
    }
    expectNothingLeft(folder);
  });

  it.each(['serve', 'listen'])('port: one that does not exist, to %s at', async (command) => {
    const folder = makeBooks();
    writeFileSync(path.join(folder, 'secret'), 'x'.repeat(40), { mode: 0o600 });
    appendFileSync(path.join(folder, 'remit.toml'), 'webhook_secret_file = "secret"\n');
    expect((await remit(['sync', '2026-10'], { cwd: folder })).code).toBe(0);
    const { code, stderr } = await remit([command, '--port', '99999'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('the port 99999 is not available')]);
  });

  it('statement-of-a-quarter: more than a month', async () => {
    const folder = makeBooks();
    await expectGolden('statement-of-a-quarter', await remit(['statement', '2026-Q4'], { cwd: folder }), folder);
  });

  it('errors for machines: one line of JSON on standard error, nothing on standard output', async () => {
    const folder = makeBooks();
    for (const argv of [
      ['--json', 'sync', '2026-13'],
      ['sync', '--nonsense', '--json'],
    ]) {
      const { code, stdout, stderr } = await remit(argv, { cwd: folder });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(JSON.parse(stderr)).toEqual({
        error: { code: 'usage', message: expect.any(String), hint: expect.any(String), exit_code: 2 },
      });
    }
  });
});

describe('the API', () => {
  it('wrong-key: a key that it does not know', async () => {
    const folder = makeBooks();
    writeFileSync(path.join(folder, 'api-key'), 'another-key-0123456789', { mode: 0o600 });
    const outcome = await remit(['sync', '2026-10'], { cwd: folder });
    expect(outcome.stderr).not.toContain('another-key-0123456789');
    await expectGolden('wrong-key', outcome, folder);
  });

  it('wrong-address: an address at which it is not', async () => {
    const folder = makeBooks();
    const outcome = await remit(['sync', '2026-10', '--api-url', courier.url.replace('external', 'internal')], {
      cwd: folder,
    });
    await expectGolden('wrong-address', outcome, folder);
  });

  it('unreachable: nobody answers', async () => {
    const folder = makeBooks();
    const closed = await startFakeCourier();
    await closed.close();
    await expectGolden(
      'unreachable',
      await remit(['sync', '2026-10', '--api-url', closed.url], { cwd: folder }),
      folder,
    );
  });

  it('html: a page instead of JSON', async () => {
    const folder = makeBooks();
    courier.world.intercept = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Please log in</title>');
      return true;
    };
    await expectGolden('html', await remit(['sync', '2026-10'], { cwd: folder }), folder);
  });

  const details: [name: string, what: string, override: Partial<FakeInvoice>][] = [
    ['amount-text', 'an amount 12.3x', { cod: [['USD', '12.3x']] }],
    ['amount-number', 'an amount that is a JSON number', { detail: { cod: [['USD', 12.3]] } }],
    ['amount-range', "an amount beyond the ledger's range", { cod: [['USD', '9223372036854775.00']] }],
    ['field-missing', 'a missing field', { detail: { orders: undefined } }],
  ];

  it.each(details)('%s: %s keeps one invoice out, and no other', async (name, _what, override) => {
    const folder = makeBooks();
    Object.assign(courier.world.invoices[1]!, override);
    await expectGolden(name, await remit(['sync', '2026-10', '--quiet'], { cwd: folder }), folder);
    const { stdout } = await remit(['report', 'invoices', '2026-10', '--format', 'csv'], { cwd: folder });
    expect(stdout.split('\r\n').filter((line) => /^[a-z-]+,1,/.test(line)).length).toBe(2);
    expect(stdout).not.toMatch(/^[a-z-]+,2,/m);
    const { stdout: json, code } = await remit(['sync', '2026-10', '--json', '--full'], { cwd: folder });
    expect(code).toBe(1);
    expect(JSON.parse(json)).toMatchObject({ status: 'partial' });
  });

  it('failure: a server that fails', async () => {
    const folder = makeBooks();
    courier.world.intercept = (_request, response) => {
      send(response, 500, { error: 'true', message: 'Unexpected error.', details: 'Internal server error.' });
      return true;
    };
    await expectGolden('failure', await remit(['sync', '2026-10'], { cwd: folder }), folder);
  });
});

describe('the ledger', () => {
  const commands = [
    ['sync', '2026-10'],
    ['check'],
    ['report', 'totals'],
    ['statement', '2026-10'],
    ['backup', 'copy.db'],
  ];

  it('no-ledger: nothing was ever synced', async () => {
    const folder = makeBooks();
    for (const argv of commands.slice(1)) await expectGolden('no-ledger', await remit(argv, { cwd: folder }), folder);
    expectNothingLeft(folder);
  });

  it('never-synced: this month was not', async () => {
    const folder = await syncedBooks();
    for (const argv of [
      ['check', '2025-01'],
      ['report', 'totals', '2025-01'],
      ['statement', '2025-01'],
    ]) {
      const name = argv[0] === 'check' ? 'never-synced-check' : 'never-synced';
      await expectGolden(name, await remit(argv, { cwd: folder }), folder);
    }
    expectNothingLeft(folder);
    expect(readdirSync(path.join(folder, 'statements'))).toEqual([]);
  });

  it('not-a-database: another file under its name', async () => {
    const folder = makeBooks();
    const file = path.join(folder, 'ledger.db');
    writeFileSync(file, 'Dear diary, '.repeat(1_000));
    for (const argv of commands) await expectGolden('not-a-database', await remit(argv, { cwd: folder }), folder);
    expect(readFileSync(file, 'utf8')).toMatch(/^Dear diary/);
  });

  it('another-database: a database that is no ledger', async () => {
    const folder = makeBooks();
    const other = openDatabase(path.join(folder, 'ledger.db'));
    other.exec('create table recipe (name text)');
    other.close();
    for (const argv of commands) await expectGolden('another-database', await remit(argv, { cwd: folder }), folder);
  });

  it('newer: made by a newer remit', async () => {
    const folder = await syncedBooks();
    const db = openDatabase(path.join(folder, 'ledger.db'));
    db.exec("insert into kysely_migration values ('9999_future', '2030-01-01T00:00:00Z')");
    db.close();
    for (const argv of commands) await expectGolden('newer', await remit(argv, { cwd: folder }), folder);
  });

  it('development: made before the first release', async () => {
    const folder = await syncedBooks();
    const file = path.join(folder, 'ledger.db');
    const db = openDatabase(file);
    db.exec(
      "delete from kysely_migration where name <> '0001_schema'; update kysely_migration set name = '0001_ledger'",
    );
    db.exec("insert into kysely_migration values ('0005_views', '2026-01-01T00:00:00Z')");
    db.close();
    const before = readFileSync(file);
    for (const argv of commands) await expectGolden('development', await remit(argv, { cwd: folder }), folder);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('lacks-table: made by a development version with the same migration', async () => {
    const folder = await syncedBooks();
    const file = path.join(folder, 'ledger.db');
    const db = openDatabase(file);
    db.exec('pragma foreign_keys = off; drop table claim_event; drop table claim');
    db.close();
    const before = readFileSync(file);
    for (const argv of commands) await expectGolden('lacks-table', await remit(argv, { cwd: folder }), folder);
    expect(readFileSync(file).equals(before)).toBe(true);
    const { problems } = JSON.parse((await remit(['verify', '--json'], { cwd: folder })).stdout);
    expect(problems).toContainEqual({ where: 'table claim', what: 'it is missing' });
  });

  it('busy: another sync is at work', async () => {
    const folder = await syncedBooks();
    const lock = openDatabase(path.join(folder, 'ledger.lock'));
    lock.exec('begin exclusive');
    onTestFinished(() => void lock.close());
    await expectGolden('busy', await remit(['sync', '2026-10'], { cwd: folder }), folder);
    // Readers and backups do not wait for it.
    expect((await remit(['check'], { cwd: folder })).code).toBe(0);
    expect((await remit(['backup', 'copy.db'], { cwd: folder })).code).toBe(0);
  });

  it('unknown names of reports and checks', async () => {
    const folder = await syncedBooks();
    await expectGolden('no-report', await remit(['report', 'profits'], { cwd: folder }), folder);
    await expectGolden('no-check', await remit(['check', '--only', 'vibes'], { cwd: folder }), folder);
  });
});

describe('the disk', () => {
  it('out-folder: a folder that is not there', async () => {
    const folder = await syncedBooks();
    for (const argv of [
      ['report', 'totals', '--out', 'none/t.xlsx'],
      ['statement', '2026-10', '--out', 'none/t.xlsx'],
    ]) {
      await expectGolden('out-folder', await remit(argv, { cwd: folder }), folder);
    }
    await expectGolden('backup-folder', await remit(['backup', 'none/t.db'], { cwd: folder }), folder);
    expectNothingLeft(folder);
  });

  it('out-is-folder: a folder in the place of the file', async () => {
    const folder = await syncedBooks();
    mkdirSync(path.join(folder, 'there'));
    await expectGolden('out-is-folder', await remit(['report', 'totals', '--out', 'there'], { cwd: folder }), folder);
  });

  it('open-elsewhere: the workbook is open in a spreadsheet program', async () => {
    const folder = await syncedBooks();
    expect((await remit(['statement', '2026-10'], { cwd: folder })).code).toBe(0);
    const before = readFileSync(path.join(folder, 'statements/2026-10.xlsx'));
    writeFileSync(path.join(folder, 'statements/.~lock.2026-10.xlsx#'), ',someone,there,;');
    await expectGolden('open-elsewhere', await remit(['statement', '2026-10'], { cwd: folder }), folder);
    expect(readFileSync(path.join(folder, 'statements/2026-10.xlsx')).equals(before)).toBe(true);
  });

  it('backup-exists: a backup never takes the place of a file by accident', async () => {
    const folder = await syncedBooks();
    writeFileSync(path.join(folder, 'copy.db'), 'precious');
    await expectGolden('backup-exists', await remit(['backup', 'copy.db'], { cwd: folder }), folder);
    expect(readFileSync(path.join(folder, 'copy.db'), 'utf8')).toBe('precious');
    expect((await remit(['backup', 'copy.db', '--force'], { cwd: folder })).code).toBe(0);
    await expectGolden('backup-itself', await remit(['backup', 'ledger.db', '--force'], { cwd: folder }), folder);
  });

  /** Runs the command line as a process of its own: as a user whom permissions stop, or on a disk of its own. */
  function runAs(uid: number | undefined, argv: string[], cwd: string): Outcome {
    const result = spawnSync(process.execPath, [MAIN, ...argv], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NO_COLOR: '1' },
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    return { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr };
  }

  const isRoot = process.getuid?.() === 0;
  // Permissions do not stop root, so that root becomes nobody; that works only where nobody can read this checkout.
  const canBeStopped = process.platform !== 'win32' && (!isRoot || runAs(NOBODY, ['--version'], '/').code === 0);

  it.skipIf(!canBeStopped)('read-only: a folder in which nothing can be written', async () => {
    const folder = await syncedBooks();
    const fresh = makeBooks();
    for (const books of [folder, fresh]) {
      chmodSync(path.join(books, 'api-key'), 0o400);
      const own = ['api-key', 'ledger.db', 'remit.toml'].filter((name) => existsSync(path.join(books, name)));
      if (isRoot) execFileSync('chown', [String(NOBODY), ...own.map((name) => path.join(books, name))]);
      chmodSync(books, 0o555);
      onTestFinished(() => chmodSync(books, 0o755));
    }
    const run = (argv: string[], books: string) => runAs(isRoot ? NOBODY : undefined, argv, books);
    expect(run(['report', 'totals'], folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('2026-10') });
    await expectGolden('read-only-report', run(['report', 'totals', '--out', 't.csv'], folder), folder);
    await expectGolden('read-only-first-sync', run(['sync', '2026-10'], fresh), fresh);
    expect(readdirSync(fresh).sort()).toEqual(['api-key', 'remit.toml']);
  });

  const canMount = isRoot && process.platform === 'linux' && spawnSync('mount', ['--version']).status === 0;

  it.skipIf(!canMount)('full: a disk without space', async () => {
    const folder = await syncedBooks();
    const disk = path.join(folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      return; // A container may forbid it even to root.
    }
    onTestFinished(() => void execFileSync('umount', [disk]));
    const report = path.join(disk, 't.xlsx');
    writeFileSync(report, 'what was there');
    writeFileSync(path.join(disk, 'filler'), Buffer.alloc(12 * 1024));
    await expectGolden(
      'full-report',
      await remit(['report', 'invoices', '--out', 'disk/t.xlsx'], { cwd: folder }),
      folder,
    );
    await expectGolden('full-backup', await remit(['backup', 'disk/t.db'], { cwd: folder }), folder);
    await expectGolden('full-sync', await remit(['sync', '2026-10', '--ledger', 'disk/l.db'], { cwd: folder }), folder);
    const seed = ['sandbox', 'seed', '--data', 'disk/s.db'];
    const key = ['sandbox', 'key', 'create', '--merchant', 'Zahra', '--data', 'disk/s.db'];
    await expectGolden('full-sandbox', await remit(seed, { cwd: folder }), folder);
    await expectGolden('full-sandbox', await remit(key, { cwd: folder }), folder);
    expect(readFileSync(report, 'utf8')).toBe('what was there');
    expect(readdirSync(disk).filter((name) => !/^(filler|t\.xlsx|l\.(db|lock).*)$/.test(name))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'a ledger that may not grow is told, and the next sync begins anew',
    async () => {
      const folder = makeBooks();
      const limited = spawn(
        'bash',
        ['--norc', '-c', `ulimit -f 40; exec "${process.execPath}" "${MAIN}" sync 2026-10`],
        {
          cwd: folder,
          env: { PATH: process.env.PATH },
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      );
      let stderr = '';
      limited.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const [code] = await once(limited, 'close');
      expect(code).toBe(1);
      expect(stderr).toMatch(/^remit: the disk (that holds|failed while) .+\n {2}→ .+\n$/);
      const outcome = await remit(['sync', '2026-10', '--json'], { cwd: folder });
      expect(outcome.code).toBe(0);
      expect(JSON.parse(outcome.stdout)).toMatchObject({ status: 'complete', invoices: { listed: 2, fetched: 2 } });
    },
  );
});

describe('a secret that was put in the wrong place', () => {
  const SECRET = 'sk-live-4f9c2b7d8e1a';
  it.each([
    ['a password behind the ? of the ledger', `ledger = "postgresql://h/db?user=u&password=${SECRET}"`],
    ['a parameter that there is none of', `ledger = "postgresql://h/db?key=${SECRET}"`],
    ['a parameter without a value', `ledger = "postgresql://h/db?${SECRET}"`],
    ['the key where its file is named', `api_key_file = "${SECRET}"`],
    ['the key where a command is named', `api_key_command = "${SECRET}"`],
    [
      'the password where a command is named',
      `ledger_password_command = "${SECRET}"\nledger = "postgresql://127.0.0.1:1/db"`,
    ],
  ])('is never printed: %s', async (_, line) => {
    const folder = scratchFolder();
    const address = line.includes('ledger =') ? '' : 'api_url = "http://127.0.0.1:1/v1/external/"\n';
    writeFileSync(path.join(folder, 'remit.toml'), `${address}${line}\n`);
    for (const argv of [
      ['doctor'],
      ['doctor', '--json'],
      ['sync', '--verbose'],
      ['report', 'totals'],
      ['night', '--json'],
    ]) {
      const { code, stdout, stderr } = await remit(argv, { cwd: folder });
      expect([argv, code !== 0, `${stdout}${stderr}`.includes(SECRET)]).toEqual([argv, true, false]);
    }
  });
});
