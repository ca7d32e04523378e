import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usingLedger } from '../../src/ledger/index.ts';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { firstBooks } from '../helpers/first-ledger.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { hasPostgres, newDatabase, PASSWORD } from '../helpers/postgres.ts';
import { runRemit } from '../helpers/remit.ts';

const CEDARS_KEY = 'key-of-cedar-1';
const row = (id: string, cod: string) => ({
  order_id: id,
  reference_id: `ref-${id}`,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '2.00']] as [string, string][],
});
/** The same numbers at two accounts of one address. */
const WORLDS: Record<'swift' | 'cedar', FakeInvoice[]> = {
  swift: [
    invoiceOf(10001, '2026-10-05T10:00:00+00:00', [row('A', '97.00')]),
    invoiceOf(10002, '2026-10-12T10:00:00+00:00', [row('B', '102.00')], { status: 'PENDING_PAYMENT' }),
  ],
  cedar: [invoiceOf(10001, '2026-10-06T10:00:00+00:00', [row('A', '52.00')], { status: 'PENDING_PAYMENT' })],
};

let server: FakeCourier;
beforeAll(async () => {
  server = await startFakeCourier();
  server.world.intercept = (request) => {
    const account = request.headers['x-api-key'] === CEDARS_KEY ? 'cedar' : 'swift';
    if (account === 'cedar') request.headers['x-api-key'] = KEY;
    server.world.invoices = WORLDS[account];
    server.world.organisation = `Zahra at ${account}`;
    return false;
  };
});
afterAll(() => server.close());

const OCTOBER = '2026-11-02T09:00:00Z';
const NOW = '2026-11-20T09:00:00Z';
const at = (cwd: string, now: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  remit(argv, { cwd, now: new Date(now), env });

async function done(cwd: string, now: string, ...argv: string[]): Promise<Outcome> {
  const outcome = await at(cwd, now, argv);
  expect([argv, outcome]).toEqual([argv, { ...outcome, code: 0 }]);
  return outcome;
}

const table = (name: string, key: 'swift' | 'cedar', payers = `"${key.toUpperCase()} DELIVERY"`) =>
  `[couriers.${name}]\napi_url = "${server.url}"\napi_key_file = "${key}.key"\npayers = [${payers}]\n`;
const TOP = 'time_zone = "UTC"\n';

function setTo(cwd: string, ...tables: string[]): void {
  writeFileSync(path.join(cwd, 'remit.toml'), TOP + tables.join(''));
}

/**
 * Books of two couriers of which October's closing balance is 117.30 and 50.00: 77.70 came in of swift that names no
 * invoice.
 */
async function books(): Promise<string> {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'swift.key'), KEY, { mode: 0o600 });
  writeFileSync(path.join(cwd, 'cedar.key'), CEDARS_KEY, { mode: 0o600 });
  setTo(cwd, table('swift', 'swift'), table('cedar', 'cedar'));
  await done(cwd, OCTOBER, 'sync', '2026-10');
  const bank = ['2026-10-08,95.00,USD,SWIFT DELIVERY 10001', '2026-10-20,77.70,USD,SWIFT DELIVERY payout'];
  writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${bank.join('\n')}\n`);
  await done(cwd, OCTOBER, 'import', 'receipts', 'bank.csv');
  await at(cwd, OCTOBER, ['check']);
  return cwd;
}

/** What October comes to: balances, receipts, invoices and what would be claimed. */
async function figures(cwd: string, more: readonly string[] = [], now = NOW) {
  const rows: Record<string, unknown> = {};
  for (const report of ['roll-forward', 'open-items', 'receipts', 'journal']) {
    const { code, stdout, stderr } = await at(cwd, now, [
      'report',
      report,
      ...(report === 'receipts' ? [] : ['2026-10']),
      '--json',
      ...more,
    ]);
    expect([report, code, stderr]).toEqual([report, 0, expect.any(String)]);
    rows[report] = JSON.parse(stdout).rows;
  }
  return rows;
}

/** The same without the names of the couriers. */
const unnamed = (rows: unknown) =>
  (JSON.stringify(rows).match(/\{[^{}]*\}/g) ?? []).map((one) => one.replace(/"courier":"[a-z-]+",?/, '')).sort();

async function closings(cwd: string, ...more: string[]): Promise<[string, string][]> {
  const { stdout, stderr } = await at(cwd, NOW, ['report', 'roll-forward', '2026-10', '--json', ...more]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout).rows.map((one: { courier: string; closing: string }) => [one.courier, one.closing]);
}

/** The settings on record, oldest first: who changed them, and to what. */
function records(cwd: string): Promise<{ actor: string | null; data: string }[]> {
  return usingLedger(path.join(cwd, 'ledger.db'), { readOnly: true }, ({ db }) =>
    db.selectFrom('evidence').select(['actor', 'data']).where('kind', '=', 'settings').orderBy('id').execute(),
  ) as Promise<{ actor: string | null; data: string }[]>;
}

async function headOf(cwd: string): Promise<string> {
  return JSON.parse((await at(cwd, NOW, ['verify', '--json'])).stdout).head;
}

describe('the settings that figures rest on', () => {
  it('are evidence: recorded when they change, with who changed them, and never with a key or where it comes from', async () => {
    const cwd = await books();
    const [first, ...others] = await records(cwd);
    expect(others).toEqual([]);
    expect(first!.actor).not.toBe(null);
    expect(JSON.parse(first!.data)).toMatchObject({
      books: { time_zone: 'UTC', match_days: 21, approvals: { writeOffAbove: {}, close: false } },
      couriers: {
        swift: { api_url: server.url, receipts: { payers: ['SWIFT DELIVERY'], accounts: [] }, lag: 14, kind: 'api' },
        cedar: { receipts: { payers: ['CEDAR DELIVERY'] } },
      },
    });
    const head = await headOf(cwd);
    await done(cwd, NOW, 'report', 'totals');
    await at(cwd, NOW, ['sync', '--dry-run']);
    expect(await headOf(cwd)).toBe(head);
    writeFileSync(path.join(cwd, 'other.key'), KEY, { mode: 0o600 });
    setTo(cwd, 'match_days = 7\n', table('swift', 'swift').replace('swift.key', 'other.key'), table('cedar', 'cedar'));
    await done(cwd, NOW, 'report', 'totals');
    const [, changed, ...more] = await records(cwd);
    expect(more).toEqual([]);
    expect(JSON.parse(changed!.data).books.match_days).toBe(7);
    expect(JSON.stringify(await records(cwd))).not.toMatch(/key/);
    await done(cwd, NOW, 'verify', '--deep');
  });

  it('stay where the table of a courier is taken out: the same figures to the cent, no sync, and a note', async () => {
    const cwd = await books();
    expect(await closings(cwd)).toEqual([
      ['cedar', '50.00'],
      ['swift', '22.30'],
    ]);
    const before = await figures(cwd);
    const claim = await at(cwd, NOW, ['dispute', '2026-10', '--courier', 'swift', '--dry-run', '--json']);
    setTo(cwd, table('cedar', 'cedar'));
    const said = await done(cwd, NOW, 'report', 'roll-forward', '2026-10');
    expect(said.stderr.match(/swift is not in remit\.toml/g)).toHaveLength(1);
    expect(await figures(cwd)).toEqual(before);
    const after = await at(cwd, NOW, ['dispute', '2026-10', '--courier', 'swift', '--dry-run', '--json']);
    expect(JSON.parse(after.stdout)).toEqual(JSON.parse(claim.stdout));
    const { couriers } = JSON.parse((await done(cwd, NOW, 'courier', 'list', '--json')).stdout);
    expect(couriers).toMatchObject([
      { name: 'cedar', in_settings: true },
      { name: 'swift', in_settings: false },
    ]);
    const synced = await done(cwd, NOW, 'sync', '2026-10', '--json');
    expect(JSON.parse(synced.stdout).couriers).toMatchObject([{ name: 'cedar' }]);
    await done(cwd, NOW, 'verify', '--deep');
  });

  it('are found by the key: a rename changes no figure at any instant, and old days are exported', async () => {
    const cwd = await books();
    const before = await figures(cwd);
    const then = await figures(cwd, ['--as-of', '2026-11-03']);
    await done(cwd, NOW, 'courier', 'rename', 'swift', 'swift-express', '--by', 'Rana');
    for (const name of ['swift', 'swift-express']) {
      setTo(cwd, table(name, 'swift'), table('cedar', 'cedar'));
      expect(unnamed(await figures(cwd))).toEqual(unnamed(before));
      expect(unnamed(await figures(cwd, ['--as-of', '2026-11-03']))).toEqual(unnamed(then));
      const own = ['--courier', 'swift-express', '--as-of', '2026-11-03'];
      expect(await closings(cwd, ...own)).toEqual([['swift-express', '22.30']]);
      await done(
        cwd,
        NOW,
        'report',
        'journal',
        '2026-10',
        '--as-of',
        '2026-11-03',
        '--format',
        'hledger',
        '--out',
        `${name}.journal`,
      );
      await done(cwd, NOW, 'statement', '2026-10', '--as-of', '2026-11-03');
      await done(cwd, NOW, 'sync', '2026-10');
    }
    expect(await records(cwd)).toHaveLength(1);
  });

  it.each(['as they were', 'swapped'])(
    'of two couriers that swap names, with tables %s, stay each its own',
    async (how) => {
      const cwd = await books();
      const before = await figures(cwd);
      const then = await figures(cwd, ['--as-of', '2026-11-03']);
      const renames = [
        ['swift', 'tmp'],
        ['cedar', 'swift'],
        ['tmp', 'cedar'],
      ] as const;
      for (const [from, to] of renames) {
        await done(cwd, NOW, 'courier', 'rename', from, to);
        expect(unnamed(await figures(cwd))).toEqual(unnamed(before));
        expect(unnamed(await figures(cwd, ['--as-of', '2026-11-03']))).toEqual(unnamed(then));
      }
      if (how === 'swapped') setTo(cwd, table('cedar', 'swift'), table('swift', 'cedar'));
      await done(cwd, NOW, 'sync', '2026-10', '--full');
      expect(await closings(cwd)).toEqual([
        ['cedar', '22.30'],
        ['swift', '50.00'],
      ]);
      expect(await closings(cwd, '--courier', 'cedar')).toEqual([['cedar', '22.30']]);
      expect(await records(cwd)).toHaveLength(1);
      await done(cwd, NOW, 'verify', '--deep');
    },
  );

  it.each(['as they were', 'swapped'])(
    'of two couriers that swap names and differ in their keys alone, with tables %s, are synced each with its own',
    async (how) => {
      const cwd = await books();
      setTo(cwd, table('swift', 'swift', ''), table('cedar', 'cedar', ''));
      const renames = ['swift tmp', 'cedar swift', 'tmp cedar'].map((names) => names.split(' '));
      for (const names of renames) await done(cwd, NOW, 'courier', 'rename', ...names);
      if (how === 'swapped') setTo(cwd, table('cedar', 'swift', ''), table('swift', 'cedar', ''));
      const { couriers } = JSON.parse((await done(cwd, NOW, 'sync', '2026-10', '--json')).stdout);
      expect(couriers).toMatchObject([
        { name: 'cedar', invoices: { listed: 2 } },
        { name: 'swift', invoices: { listed: 1 } },
      ]);
      await done(cwd, NOW, 'sync', '2026-10', '--courier', 'swift');
      const { rows } = JSON.parse((await done(cwd, NOW, 'report', 'invoices', '2026-10', '--json')).stdout);
      expect(rows.map((one: Record<string, unknown>) => [one.courier, one.number])).toEqual([
        ['cedar', 10001],
        ['cedar', 10002],
        ['swift', 10001],
      ]);
    },
  );

  it('were what they were at an instant, and at the close of a month', async () => {
    const cwd = await books();
    const first = await figures(cwd);
    const close = ['close', '2026-10', '--first', '--with-open', 'known', '--by', 'Rana', '--json'];
    await done(cwd, '2026-11-03T09:00:00Z', ...close);
    const written = async (name: string) => {
      const { stdout } = await done(
        cwd,
        NOW,
        'statement',
        '2026-10',
        '--courier',
        'swift',
        '--format',
        'html',
        '--out',
        name,
        '--json',
      );
      return JSON.parse(stdout).figures;
    };
    const stated = await written('first.html');
    const changes = [
      'match_days = 1\n',
      'remittance_tolerance = "5.00"\n',
      'remittance_lag_days = 1\n',
      'reference_rule = ["trim"]\n',
      'overdue_days = 1\n',
      'returns = "deducted"\n',
    ];
    setTo(cwd, ...changes, table('swift', 'swift', '"SOMEBODY ELSE"'), table('cedar', 'cedar', '"SWIFT DELIVERY"'));
    await at(cwd, '2026-11-10T09:00:00Z', ['check']);
    expect(await records(cwd)).toHaveLength(2);
    expect(await figures(cwd, ['--as-of', '2026-11-02T10:00:00Z'])).toEqual(first);
    expect(await written('second.html')).toEqual(stated);
    const check = (...more: string[]) => at(cwd, NOW, ['check', '2026-10', '--json', ...more]);
    const { mismatches: now } = JSON.parse((await check()).stdout);
    const { mismatches: before } = JSON.parse((await check('--as-of', '2026-11-02T10:00:00Z')).stdout);
    expect(now).not.toEqual(before);
    const pack = await done(cwd, NOW, 'statement', '--close-pack', '2026-10', '--by', 'Rana', '--json');
    expect(JSON.parse(pack.stdout)).toMatchObject({ verified: true });
    await done(cwd, NOW, 'verify', '--deep');
    await done(cwd, NOW, 'backup', 'copy.db');
    await done(cwd, NOW, 'ledger', 'copy', 'other.db');
    for (const ledger of ['copy.db', 'other.db']) {
      expect(await figures(cwd, ['--as-of', '2026-11-02T10:00:00Z', '--ledger', ledger])).toEqual(first);
    }
  });

  it('count as first recorded where none were on record by then, as in books of 1.0.0', async () => {
    const cwd = firstBooks();
    const toml = readFileSync(path.join(cwd, 'remit.toml'), 'utf8');
    const received = async () => {
      const { stdout } = await done(
        cwd,
        '2026-12-10T09:00:00Z',
        'report',
        'roll-forward',
        '--as-of',
        '2026-11-20T10:30:00Z',
        '--json',
      );
      return JSON.parse(stdout).rows;
    };
    const first = await received();
    expect(await records(cwd)).toHaveLength(1);
    const changed = toml.replaceAll(/payers = .*/g, 'payers = ["NOBODY"]');
    expect(changed).not.toBe(toml);
    writeFileSync(path.join(cwd, 'remit.toml'), changed);
    expect(await received()).toEqual(first);
    expect(await records(cwd)).toHaveLength(2);
    const { stdout } = await done(cwd, '2026-12-10T09:00:00Z', 'report', 'roll-forward', '--json');
    expect(JSON.parse(stdout).rows).not.toEqual(first);
    await done(cwd, NOW, 'verify', '--deep');
  });

  it('are no figures of somebody who may only look: those on record count, and a note says where remit.toml differs', async () => {
    const cwd = await books();
    const before = await figures(cwd);
    setTo(cwd, 'match_days = 3\n', table('swift', 'swift', '"SOMEBODY ELSE"'), table('cedar', 'cedar'));
    const stop = new AbortController();
    const serving = remit(['serve', '--read-only', '--port', '0', '--no-open', '--json'], {
      cwd,
      now: new Date(NOW),
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(), 1_500);
    const { stderr } = await serving;
    expect(stderr).toContain('remit.toml differs from the ledger in match_days, receipts of swift');
    expect(await records(cwd)).toHaveLength(1);
    setTo(cwd, table('swift', 'swift'), table('cedar', 'cedar'));
    expect(await figures(cwd)).toEqual(before);
  });

  it('keep the time zone that was recorded first where none is set, and under a closed month', async () => {
    const cwd = await books();
    const toml = readFileSync(path.join(cwd, 'remit.toml'), 'utf8');
    writeFileSync(path.join(cwd, 'remit.toml'), toml.replace(TOP, ''));
    const elsewhere = await at(cwd, NOW, ['report', 'totals'], { TZ: 'Asia/Beirut' });
    expect(elsewhere).toMatchObject({ code: 0 });
    expect(await records(cwd)).toHaveLength(1);
    await done(cwd, NOW, 'close', '2026-10', '--first', '--with-open', 'known', '--by', 'Rana');
    writeFileSync(path.join(cwd, 'remit.toml'), toml.replace('"UTC"', '"Asia/Beirut"'));
    const refused = await at(cwd, NOW, ['report', 'totals']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('was closed in the time zone UTC')]);
    expect(await records(cwd)).toHaveLength(1);
  });

  it('are recorded once by two commands at the same time', async () => {
    const cwd = await books();
    setTo(cwd, 'match_days = 5\n', table('swift', 'swift'), table('cedar', 'cedar'));
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => (await runRemit(['report', 'totals'], {}, cwd)).code),
    );
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(await records(cwd)).toHaveLength(2);
  });
});

describe.skipIf(!hasPostgres)('on PostgreSQL the settings on record', () => {
  it('are those of an instant, are recorded once by two at a time, and are what a reader sees', async () => {
    const cwd = await books();
    const first = await figures(cwd);
    const database = await newDatabase();
    const ledger = database.url;
    await done(cwd, NOW, 'ledger', 'copy', ledger);
    const asOf = ['--as-of', '2026-11-02T10:00:00Z', '--ledger', ledger];
    setTo(cwd, 'match_days = 5\n', table('swift', 'swift', '"SOMEBODY ELSE"'), table('cedar', 'cedar'));
    const reports = Array.from({ length: 4 }, () => at(cwd, NOW, ['report', 'totals', '--ledger', ledger]));
    for (const { code, stderr } of await Promise.all(reports)) expect([code, stderr]).toEqual([0, '']);
    const held = () => database.query("select data from remit.evidence where kind = 'settings' order by id");
    expect(await held()).toHaveLength(2);
    expect(await figures(cwd, asOf)).toEqual(first);
    expect(await closings(cwd, '--ledger', ledger)).toEqual([
      ['cedar', '50.00'],
      ['swift', '100.00'],
    ]);

    const reader = `${database.name}_reader`;
    const { stdout } = await done(cwd, NOW, 'ledger', 'grants', '--ledger', ledger);
    expect(stdout).toContain('select');
    await database.query(
      `create role ${reader} login password '${PASSWORD}'; grant usage on schema remit to ${reader}; grant select on all tables in schema remit to ${reader}`,
    );
    try {
      setTo(cwd, 'match_days = 5\n', table('swift', 'swift'), table('cedar', 'cedar'));
      const looked = await at(cwd, NOW, [
        'report',
        'roll-forward',
        '2026-10',
        '--ledger',
        database.urlFor(reader),
        '--json',
      ]);
      expect([looked.code, looked.stderr]).toEqual([
        0,
        'remit.toml differs from the ledger in receipts of swift: figures are by what the ledger has on record\n',
      ]);
      expect(JSON.parse(looked.stdout).rows).toMatchObject([{ closing: '50.00' }, { closing: '100.00' }]);
      expect(await held()).toHaveLength(2);
    } finally {
      await database.query(`drop owned by ${reader}; drop role ${reader}`);
    }
  });
});

describe('one account is one courier', () => {
  const refused = (named: string) => ({
    code: 2,
    stderr: expect.stringContaining(`remit courier rename ${named}`),
  });
  const errorOf = ({ stderr }: Outcome) => JSON.parse(stderr.trim().split('\n').at(-1)!).error;

  it('refuses two tables, or a table and the flat settings, with one key at one address, before anything is stored', async () => {
    const cwd = await books();
    const head = await headOf(cwd);
    setTo(cwd, table('swift', 'swift'), table('cedar', 'cedar'), table('hawk', 'swift'));
    for (const argv of [['sync'], ['sync', '--courier', 'hawk'], ['sync', '--dry-run']]) {
      const outcome = await at(cwd, NOW, [...argv, '--json']);
      expect([outcome.code, errorOf(outcome)]).toMatchObject([2, { code: 'account-held' }]);
      expect(errorOf(outcome).message).toContain('hawk and swift are one account');
      expect(errorOf(outcome).hint).toContain('remit courier rename swift hawk');
    }
    setTo(
      cwd,
      `api_url = "${server.url}"\napi_key_file = "swift.key"\n`,
      table('swift', 'swift'),
      table('cedar', 'cedar'),
    );
    expect(await at(cwd, NOW, ['sync'])).toMatchObject(refused('swift'));
    expect(await headOf(cwd)).toBe(head);
    const fresh = scratchFolder();
    for (const name of ['a', 'b']) writeFileSync(path.join(fresh, `${name}.key`), KEY, { mode: 0o600 });
    const tables = ['a', 'b'].map(
      (name) => `[couriers.${name}]\napi_url = "${server.url}"\napi_key_file = "${name}.key"\n`,
    );
    setTo(fresh, ...tables);
    expect(await at(fresh, NOW, ['sync', '2026-10'])).toMatchObject(refused('a b'));
    expect(existsSync(path.join(fresh, 'ledger.db'))).toBe(false);
  });

  it('refuses flat settings that became a table of another name, and goes on once the courier is renamed', async () => {
    const cwd = scratchFolder();
    const flat = `api_url = "${server.url}"\napi_key_file = "swift.key"\n[receipts]\npayers = ["SWIFT DELIVERY"]\n`;
    writeFileSync(path.join(cwd, 'swift.key'), KEY, { mode: 0o600 });
    setTo(cwd, flat);
    await done(cwd, OCTOBER, 'sync', '2026-10');
    const before = await closings(cwd);
    const head = await headOf(cwd);
    setTo(cwd, table('swift', 'swift'));
    const outcome = await at(cwd, NOW, ['sync', '2026-09', '--json']);
    expect([outcome.code, errorOf(outcome)]).toMatchObject([2, { code: 'account-held' }]);
    expect(errorOf(outcome).message).toMatch(/swift and zahra-at-swift are one account .*invoice 1000[12]/);
    expect(await headOf(cwd)).toBe(head);
    // Other commands see two couriers until then; what they recorded is no obstacle.
    await done(cwd, NOW, 'report', 'totals');
    await done(cwd, NOW, 'courier', 'rename', 'zahra-at-swift', 'swift');
    await done(cwd, NOW, 'sync', '2026-10');
    expect(unnamed(await closings(cwd))).toEqual(unnamed(before));
    const { couriers } = JSON.parse((await done(cwd, NOW, 'courier', 'list', '--json')).stdout);
    expect(couriers).toMatchObject([{ name: 'swift', in_settings: true }]);
    expect(couriers).toHaveLength(1);
    await done(cwd, NOW, 'verify', '--deep');
  });

  it('refuses another key of the same account, and takes two accounts of one company', async () => {
    const cwd = scratchFolder();
    writeFileSync(path.join(cwd, 'swift.key'), KEY, { mode: 0o600 });
    writeFileSync(path.join(cwd, 'cedar.key'), CEDARS_KEY, { mode: 0o600 });
    setTo(cwd, table('swift', 'swift'));
    await done(cwd, OCTOBER, 'sync', '2026-10');
    setTo(cwd, table('swift', 'swift'), table('cedar', 'cedar'));
    const cedars = WORLDS.cedar;
    WORLDS.cedar = [...cedars, WORLDS.swift[1]!];
    try {
      expect(await at(cwd, NOW, ['sync', '2026-11'])).toMatchObject(refused('swift cedar'));
    } finally {
      WORLDS.cedar = cedars;
    }
    expect(await records(cwd)).toHaveLength(1);
    await done(cwd, NOW, 'sync', '2026-10');
    expect(await closings(cwd)).toMatchObject([
      ['cedar', '50.00'],
      ['swift', expect.any(String)],
    ]);
  });
});
