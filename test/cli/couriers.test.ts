import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPORTS } from '../../reports/index.ts';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { typeDecision } from '../helpers/team.ts';
import { readWorkbook } from '../helpers/workbook.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const row = (id: string, cod: string, fee = '2.00') => ({
  order_id: id,
  reference_id: `ref-${id}`,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', fee]] as [string, string][],
});

/** The same numbers at each courier, with other money; one header at fault. */
const WORLDS: Readonly<Record<string, FakeInvoice[]>> = {
  swift: [
    invoiceOf(10001, '2026-10-05T10:00:00+00:00', [row('A', '10.00'), row('B', '20.00')]),
    invoiceOf(10002, '2026-10-12T10:00:00+00:00', [row('C', '30.00')], { cod: [['USD', '25.00']] }),
  ],
  cedar: [
    invoiceOf(10001, '2026-10-06T10:00:00+00:00', [row('A', '11.00')], { status: 'PENDING_PAYMENT' }),
    invoiceOf(10003, '2026-11-02T10:00:00+00:00', [row('D', '7.00')], {
      status: 'PENDING_PAYMENT',
      net_due_to_merchant: [['USD', '9.00']],
    }),
  ],
  north: [invoiceOf(10002, '2026-10-07T10:00:00+00:00', [row('C', '40.00'), row('C', '40.00')])],
};
/** An order's own record, on no invoice. */
const ORDER = {
  order_id: 'Z',
  reference_id: 'ref-Z',
  workflow: 'STANDARD',
  is_exchange: false,
  delivery_state: 'PICKED_UP',
  payment_state: 'UNPAID',
  merchant_invoice: null,
  cod: [],
  delivery_fee: [],
  number_of_packages: 1,
  return_reason: null,
  statestamps: [],
};
const NAMES = ['cedar', 'north', 'swift'] as const;

const servers: FakeCourier[] = [];
const urls: Record<string, string> = {};
beforeAll(async () => {
  // Two accounts at one address, told apart by their keys alone.
  const shared = await startFakeCourier();
  shared.world.intercept = (request) => {
    const account = request.headers['x-api-key'] === 'key-of-cedar-1' ? 'cedar' : 'swift';
    if (account === 'cedar') request.headers['x-api-key'] = KEY;
    shared.world.invoices = WORLDS[account]!;
    shared.world.organisation = `Zahra at ${account}`;
    return false;
  };
  const other = await startFakeCourier({ invoices: WORLDS.north!, organisation: 'Zahra at north' });
  servers.push(shared, other);
  Object.assign(urls, { swift: shared.url, cedar: shared.url, north: other.url });
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Books with some of the couriers. */
function books(...names: readonly string[]): string {
  const cwd = scratchFolder();
  const tables = names.map((name) => {
    const file = `${name}.key`;
    writeFileSync(path.join(cwd, file), name === 'cedar' ? 'key-of-cedar-1' : KEY, { mode: 0o600 });
    return `[couriers.${name}]\napi_url = "${urls[name]}"\napi_key_file = "${file}"\npayers = ["${name.toUpperCase()} DELIVERY"]\n`;
  });
  writeFileSync(path.join(cwd, 'remit.toml'), `time_zone = "UTC"\n${tables.join('')}`);
  return cwd;
}

function at(cwd: string, ...argv: string[]): Promise<Outcome> {
  return remit(argv, { cwd, now: NOW });
}

async function json(cwd: string, ...argv: string[]) {
  const { stdout, stderr } = await at(cwd, ...argv, '--json');
  expect(stderr).not.toContain('at Object');
  return JSON.parse(stdout);
}

async function synced(...names: readonly string[]): Promise<string> {
  const cwd = books(...names);
  expect(await at(cwd, 'sync')).toMatchObject({ code: 0 });
  expect((await at(cwd, 'check')).code).toBeLessThanOrEqual(3);
  return cwd;
}

/**
 * Those of a period. The dashboard names a check that single books skip, and the others number by the whole books: see
 * test/long/couriers.
 */
const OF_PERIOD = REPORTS.filter(
  ({ name, needsPeriod }) => needsPeriod && !['dashboard', 'evidence', 'journal'].includes(name),
).map(({ name }) => name);

describe('three couriers in one set of books', () => {
  it('give, courier by courier, the reports of three single books', async () => {
    const all = await synced(...NAMES);
    for (const name of NAMES) {
      const single = await synced(name);
      for (const report of OF_PERIOD) {
        const own = await json(single, 'report', report, '2026-10');
        expect(await json(all, 'report', report, '2026-10', '--courier', name), report).toEqual(own);
        const { rows, totals } = await json(all, 'report', report, '2026-10');
        const ofName = (one: { courier: string }) => one.courier === name;
        expect([rows.filter(ofName), totals.filter(ofName)], report).toEqual([own.rows, own.totals]);
      }
      const { new: _new, resolved: _resolved, ...own } = await json(single, 'check', '2026-10');
      const { skipped, ...checked } = await json(all, 'check', '2026-10', '--courier', name);
      // Single books have nothing to compare a courier with.
      const alone = skipped.filter(({ code }: { code: string }) => code !== 'order-at-two-couriers');
      expect({ ...checked, skipped: alone }).toMatchObject(own);
    }
    const { rows } = await json(all, 'report', 'invoices', '2026-10');
    expect(new Set(rows.map((one: { courier: string }) => one.courier))).toEqual(new Set(NAMES));
    const check = await json(all, 'check', '2026-10');
    expect(new Set(check.bridge.map((line: { courier_name: string }) => line.courier_name))).toEqual(new Set(NAMES));
    expect(check.mismatches.every((line: { courier: string }) => NAMES.includes(line.courier as 'swift'))).toBe(true);
    expect(await json(all, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('are synced each by itself: one that is down hides nothing of the others', async () => {
    const cwd = books(...NAMES);
    const shared = servers[0]!;
    const intercept = shared.world.intercept!;
    shared.world.intercept = (request, response, ...rest) => {
      if (request.headers['x-api-key'] !== 'key-of-cedar-1') return intercept(request, response, ...rest);
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    try {
      const { code, stdout } = await at(cwd, 'sync', '--json');
      const { status, couriers } = JSON.parse(stdout);
      expect({ code, status }).toEqual({ code: 1, status: 'failed' });
      expect(couriers.map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
        ['cedar', 'failed'],
        ['north', 'complete'],
        ['swift', 'complete'],
      ]);
    } finally {
      shared.world.intercept = intercept;
    }
    const { rows } = await json(cwd, 'report', 'invoices', '2026-10');
    expect(new Set(rows.map((one: { courier: string }) => one.courier))).toEqual(new Set(['north', 'swift']));
  });

  it('are each examined by doctor, with its own address and key', async () => {
    const cwd = books('swift', 'north');
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const examined = async () => {
      const { stdout } = await at(cwd, 'doctor', '--json');
      const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; message: string }[] };
      // The tests' own clock stands still.
      return {
        bad: checks.filter(({ ok, name }) => !ok && name !== 'clock'),
        accounts: checks.filter(({ name }) => name === 'account'),
      };
    };
    expect(await examined()).toMatchObject({
      bad: [],
      accounts: [
        { message: expect.stringMatching(/^swift: .*Zahra at swift/) },
        { message: expect.stringMatching(/^north: .*Zahra at north/) },
      ],
    });
    writeFileSync(path.join(cwd, 'north.key'), 'a-key-that-is-refused', { mode: 0o600 });
    expect(await examined()).toMatchObject({
      bad: [{ name: 'account', message: expect.stringMatching(/^north: /) }],
    });
  });

  it('are told by night and doctor: whose month is not whole, a reason once for all, and when all of them were synced', async () => {
    const cwd = await synced('swift', 'north');
    const doctor = await at(cwd, 'doctor');
    expect(doctor.stdout).toMatch(/is sound: 2 months, last sync 2026-11-20/);
    expect((await at(cwd, 'night')).stdout).toMatch(/^skipped implied-rate, paid-in-another-currency: no table/m);
    // One of which nothing came yet is not passed over because no month of it is held.
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const night = await at(cwd, 'night');
    expect(night.code).toBe(3);
    expect(night.stdout).toContain('sheets: 2026-10 is incomplete: no settlement sheet covers it');
    expect(night.stdout).toMatch(/^north, swift: skipped implied-rate, paid-in-another-currency: no table/m);
    const { incomplete } = await json(cwd, 'check');
    expect(incomplete.filter(({ courier }: { courier: string }) => courier === 'sheets')).toMatchObject([
      { period: '2026-10' },
      { period: '2026-11' },
    ]);
    expect(night.stdout).toContain('the last sync that brought everything: 2026-11-20');
  });

  it('name the courier of which nothing came yet in reports and journal files that ask for no month', async () => {
    const cwd = await synced('swift', 'north');
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const said = 'sheets: nothing of it is in the ledger yet';
    for (const name of ['totals', 'invoices', 'journal']) {
      const report = await json(cwd, 'report', name);
      expect([name, report.rows.length > 0, report.notes.filter((note: string) => note.startsWith(said))]).toEqual([
        name,
        true,
        [expect.any(String)],
      ]);
    }
    const files = await at(cwd, 'report', 'journal', '--format', 'hledger', '--out', 'books.journal');
    expect([files.code, files.stderr]).toEqual([0, expect.stringContaining(said)]);
    expect(files.stderr.match(/wrote /g)).toHaveLength(2);
  });

  it('say what is missing of each: a sync that failed is none, and sheets are imported', async () => {
    const cwd = books('swift');
    writeFileSync(path.join(cwd, 'swift.key'), 'a-key-that-is-refused', { mode: 0o600 });
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    expect((await at(cwd, 'sync', '2026-10')).code).toBe(1);
    const { couriers } = await json(cwd, 'courier', 'list');
    expect(couriers).toMatchObject([
      { name: 'sheets', last_sync: null },
      { name: 'swift', last_sync: null },
    ]);
    const { code, stdout } = await at(cwd, 'check', '2026-10', '--json');
    expect([code, JSON.parse(stdout).incomplete]).toMatchObject([
      1,
      [
        {
          courier: 'sheets',
          why: 'no settlement sheet covers it; run `remit import settlement FILE`',
        },
        { courier: 'swift', why: 'it was never synced; run `remit sync 2026-10`' },
      ],
    ]);
  });

  it('are listed, and renamed with all that is known of them', async () => {
    const cwd = await synced(...NAMES);
    const before = await json(cwd, 'report', 'invoices', '2026-10', '--courier', 'cedar');
    expect(await json(cwd, 'courier', 'list')).toMatchObject({
      couriers: NAMES.map((name) => ({ name, kind: 'api' })),
    });
    const journal = async (name: string) =>
      (await at(cwd, 'report', 'journal', '2026-10', '--format', 'quickbooks', '--courier', name)).stdout;
    const booked = await journal('cedar');
    expect(booked).toContain('cedar-INV-');
    expect(await at(cwd, 'courier', 'rename', 'cedar', 'swift')).toMatchObject({ code: 2 });
    expect(await at(cwd, 'courier', 'rename', 'cedar', 'Cedar')).toMatchObject({ code: 2 });
    expect(await at(cwd, 'courier', 'rename', 'cedar', 'cedar-express')).toMatchObject({ code: 0 });
    const after = await json(cwd, 'report', 'invoices', '2026-10', '--courier', 'cedar-express');
    const unnamed = ({ courier: _, ...row }: { courier: string }) => row;
    expect(after.rows.map(unnamed)).toEqual(before.rows.map(unnamed));
    // A program that goes by ids does not book it again.
    expect(await journal('cedar-express')).toBe(booked);
    const { listed } = await json(cwd, 'show', 'invoice', '10003');
    expect(listed).toMatchObject([{ courier: 'cedar-express' }]);
    await at(cwd, 'close', '2026-10', '--first', '--with-open', 'x', '--by', 'rana');
    await at(cwd, 'dispute', '2026-10..2026-11', '--courier', 'cedar-express', '--yes');
    const { claims } = await json(cwd, 'dispute', 'list');
    const { mismatch } = claims.find(({ courier }: { courier: string }) => courier === 'cedar-express');
    for (const words of ['show 2026-10', 'mismatch list', 'dispute list', `dispute show ${mismatch.id}`]) {
      const named = JSON.stringify(await json(cwd, ...words.split(' '))).match(/(?<="courier":")[^"]*/g)!;
      expect([words, named]).toEqual([words, expect.arrayContaining(['cedar-express'])]);
      expect([words, named]).toEqual([words, expect.not.arrayContaining(['cedar'])]);
    }
    // Settings that still have the old name are the same courier's: nothing is brought a second time.
    const { couriers } = await json(cwd, 'courier', 'list');
    expect(couriers.map(({ name }: { name: string }) => name)).toEqual(['cedar-express', 'north', 'swift']);
    expect(await json(cwd, 'sync', '2026-10')).toMatchObject({
      couriers: [
        { name: 'cedar-express', invoices: { fetched: 0, unchanged: 1 } },
        { name: 'north' },
        { name: 'swift' },
      ],
    });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('refuse names that are none, and --courier where it has no meaning', async () => {
    const cwd = await synced('swift', 'north');
    expect(await at(cwd, 'report', 'totals', '--courier', 'nobody')).toMatchObject({ code: 2 });
    expect(await at(cwd, 'report', 'totals', '--courier', 'Swift!')).toMatchObject({ code: 2 });
    for (const command of [['verify'], ['backup', 'copy.db'], ['close', '2026-10', '--by', 'A']]) {
      expect(await at(cwd, ...command, '--courier', 'swift')).toMatchObject({ code: 2 });
    }
    const asked = await at(cwd, 'show', 'invoice', '10002');
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.stderr).toMatch(/north.*swift/s);
    expect(await at(cwd, 'show', 'invoice', '10001')).toMatchObject({ code: 0 });
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.Bad_Name]\nkind = "files"\n');
    expect(await at(cwd, 'check')).toMatchObject({ code: 2 });
  });
});

describe('a number', () => {
  it('that one courier has needs no --courier; one that several have asks which, by name', async () => {
    const cwd = await synced(...NAMES);
    const asks = async (...argv: string[]) => {
      const { code, stderr } = await at(cwd, ...argv);
      expect({ argv, code }).toEqual({ argv, code: 2 });
      expect(stderr).toMatch(/several couriers have .*north, swift[\s\S]*--courier north/);
    };
    const settling = ['--as', 'other', '--amount', '1.00', '--note', 'x'];
    await asks('settle', '10002', ...settling);
    await asks('match', 'add', '1', '10002');
    await asks('evidence', '10002');
    const { settled } = await json(cwd, 'settle', '10003', ...settling);
    expect(settled).toMatchObject([{ id: 1, invoice_number: 10003, amount: '1.00' }]);
    expect((await at(cwd, 'evidence', '10003')).code).toBe(0);
    expect(await json(cwd, 'settle', 'list')).toMatchObject({ settlements: [{ courier: 'cedar', id: 1 }] });
    expect(await at(cwd, 'settle', 'undo', '1', '--reason', 'x')).toMatchObject({ code: 0 });
    for (const courier of ['north', 'swift']) await at(cwd, 'settle', '10002', ...settling, '--courier', courier);

    const { mismatches } = await json(cwd, 'check', '--all');
    const { id } = mismatches.find(({ code }: { code: string }) => code === 'order-repeated');
    expect(await at(cwd, 'dispute', id)).toMatchObject({ code: 0 });
    expect(await json(cwd, 'dispute', 'list')).toMatchObject({
      claims: [{ courier: 'north', mismatch: { id } }],
      totals: [{ courier: 'north', currency: 'USD' }],
    });
    expect(await at(cwd, 'dispute', 'show', id)).toMatchObject({ code: 0 });
    expect(await at(cwd, 'dispute', 'answer', id, '--accepted', '--note', 'yes')).toMatchObject({ code: 0 });
    expect(await at(cwd, 'dispute', 'write-off', id, '--reason', 'no', '--by', 'Rana')).toMatchObject({ code: 0 });
    const { invoices } = await json(cwd, 'changes');
    expect(new Set(invoices.new.map(({ courier }: { courier: string }) => courier))).toEqual(new Set(NAMES));
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('of a decision that waits is of the whole books: its courier is kept with it', async () => {
    const cwd = await synced('swift', 'cedar');
    appendFileSync(path.join(cwd, 'remit.toml'), '[approvals]\nwrite_off_above = { USD = "0.50" }\nclose = true\n');
    const settling = ['settle', '10003', '--as', 'write-off', '--note', 'x', '--by', 'Rana'];
    const waiting = await json(cwd, ...settling);
    const month = ['close', '2026-10', '--by', 'Rana', '--first', '--with-open', 'known'];
    const close = await json(cwd, ...month);
    expect(await json(cwd, 'approvals', 'list')).toMatchObject({
      approvals: [
        { id: close.id, what: 'close', courier: null },
        { id: waiting.id, what: 'settle', courier: 'cedar' },
      ],
    });
    expect(await json(cwd, 'approvals', 'list', '--courier', 'swift')).toMatchObject({ approvals: [{ id: close.id }] });
    const approved = await json(cwd, 'approvals', 'approve', String(waiting.id), '--by', 'Karim');
    expect(approved).toMatchObject({ result: { settled: [{ invoice_number: 10003 }] } });
    const closed = await json(cwd, 'approvals', 'approve', String(close.id), '--by', 'Karim');
    expect(closed).toMatchObject({ result: { couriers: [{ courier: 'cedar' }, { courier: 'swift' }] } });
    expect(await json(cwd, 'show', 'close', '2026-10')).toMatchObject({
      period: '2026-10',
      closes: [
        { courier: 'cedar', actor: 'Rana' },
        { courier: 'swift', actor: 'Rana' },
      ],
    });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });
});

describe('a decision about a mismatch', () => {
  it('finds the courier that alone has it, and asks for one by name for a filter', async () => {
    const cwd = await synced(...NAMES);
    const { mismatches } = await json(cwd, 'check', '--all');
    const ids = mismatches.map(({ id }: { id: string }) => id);
    const only = mismatches.find(({ id }: { id: string }) => ids.filter((one: string) => one === id).length === 1);
    const { changed } = await json(cwd, 'mismatch', 'ack', only.id, '--note', 'asked', '--by', 'Rana');
    expect(changed).toMatchObject([{ id: only.id, status: 'acknowledged' }]);
    for (const [verb, status] of [
      ['resolve', 'resolved'],
      ['reopen', 'open'],
    ] as const) {
      const decided = await json(cwd, 'mismatch', verb, only.id, '--note', 'credited', '--by', 'Rana');
      expect(decided.changed).toMatchObject([{ id: only.id, status }]);
    }
    const asked = await at(cwd, 'mismatch', 'ack', '--code', only.code, '--yes', '--by', 'Rana');
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.stderr).toMatch(/cedar.*north.*swift/s);
    const starts = [...new Set<string>(ids.map((id: string) => id.slice(0, 1)))];
    for (const start of starts.filter((each) => ids.filter((id: string) => id.startsWith(each)).length > 1)) {
      expect(await at(cwd, 'mismatch', 'ack', start, '--by', 'Rana')).toMatchObject({ code: 2 });
    }
    expect(await at(cwd, 'mismatch', 'ack', 'ffffffffffff', '--by', 'Rana')).toMatchObject({ code: 2 });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });
});

it('a statement that came without mismatches is taken back without asking whose it is', async () => {
  const cwd = await synced('swift', 'north');
  expect((await at(cwd, 'sync', '2026-09')).code).toBe(0);
  expect((await at(cwd, 'statement', '2026-09', '--courier', 'swift', '--out', 's.xlsx')).code).toBe(0);
  const back = await at(cwd, 'import', 'resolutions', 's.xlsx', '--by', 'Rana', '--json');
  expect([back.code, back.stderr]).toEqual([0, '']);
  expect(JSON.parse(back.stdout)).toMatchObject({ rows: 0, changed: 0 });
});

it('of several couriers’ mismatches, one decided and one that waits, both are said', async () => {
  const cwd = await synced('swift', 'north');
  appendFileSync(path.join(cwd, 'remit.toml'), '[approvals]\nwrite_off_above = { USD = "10" }\n');
  const { mismatches } = await json(cwd, 'check', '--all');
  const of = (code: string) => {
    const { courier, id } = mismatches.find((one: { code: string }) => one.code === code);
    return `${courier}/${id}`;
  };
  const resolve = (...ids: string[]) => at(cwd, 'mismatch', 'resolve', ...ids, '--note', 'x', '--by', 'Rana');
  const waits = /^this waits for a second person: `remit approvals approve \d+ --by NAME` does it/m;
  const [small, large] = [of('invoice-cod-total'), of('order-repeated')];
  const both = await resolve(small, large);
  expect(both).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 mismatch resolved\nthis waits/) });
  expect(both.stdout).toMatch(waits);
  // What is left as it is is said beside what waits, too.
  const again = await resolve(small.replace(/.*\//, 'swift/'), large);
  expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining('0 mismatches') });
  expect([again.stderr, again.stdout]).toEqual([expect.stringContaining('already'), expect.stringMatching(waits)]);
  const all = await json(cwd, 'mismatch', 'resolve', small, large, '--note', 'y', '--by', 'Rana');
  expect(all).toMatchObject({ waiting: true, changed: [{ status: 'resolved' }] });
});

describe('the statements of several couriers', () => {
  it('are one a courier, and an index that adds up what may be added', async () => {
    const cwd = await synced(...NAMES);
    const { couriers, index } = await json(cwd, 'statement', '2026-10', '--all');
    expect(path.basename(index)).toBe('2026-10-index.xlsx');
    expect(couriers.map((one: { courier: string; file: string }) => [one.courier, path.basename(one.file)])).toEqual(
      NAMES.map((name) => [name, `2026-10-${name}.xlsx`]),
    );
    expect(readdirSync(path.join(cwd, 'statements')).sort()).toEqual([
      '2026-10-cedar.xlsx',
      '2026-10-index.xlsx',
      '2026-10-north.xlsx',
      '2026-10-swift.xlsx',
    ]);
    expect(await at(cwd, 'statement', '2026-10', '--out', 'one.xlsx')).toMatchObject({ code: 2 });

    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const lacking = await at(cwd, 'statement', '2026-10', '--all');
    expect(lacking).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('2026-10-swift.xlsx'),
      stderr: expect.stringContaining('sheets has no statement: no settlement sheet covers 2026-10'),
    });
    const { sheets } = await readWorkbook(readFileSync(path.join(cwd, 'statements', '2026-10-index.xlsx')));
    const said = [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value));
    expect(said).toContainEqual(expect.stringContaining('sheets has no statement and is in no total'));
  });

  it('have an index that is never written over what somebody did to it', async () => {
    const cwd = await synced('cedar', 'swift');
    const { index } = await json(cwd, 'statement', '2026-10', '--all');
    expect((await json(cwd, 'statement', '2026-10', '--all')).index).toBe(index);
    appendFileSync(index, 'changed');
    const changed = readFileSync(index);
    const statement = path.join(cwd, 'statements', '2026-10-cedar.xlsx');
    rmSync(statement);
    expect(await at(cwd, 'statement', '2026-10', '--all')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2026-10-index.xlsx'),
    });
    expect([readFileSync(index).equals(changed), existsSync(statement)]).toEqual([true, false]);
    const beside = await json(cwd, 'statement', '2026-10', '--all', '--beside', '--lang', 'ar');
    expect(beside.index).not.toBe(index);
    expect(readFileSync(index).equals(changed)).toBe(true);
    const { sheets } = await readWorkbook(readFileSync(beside.index));
    const said = [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value));
    expect(said).toContain('شركة التوصيل');
    const past = await json(cwd, 'statement', '2026-10', '--all', '--as-of', '2026-11-20T09:00:00Z');
    expect(path.basename(past.index)).toBe('2026-10-index as of 2026-11-20T090000Z.xlsx');
  });
});

describe('what other programs and auditors get of several couriers', () => {
  it('is a journal of each, beside each other, in which no two transactions have one number', async () => {
    const cwd = await synced('swift', 'north');
    for (const format of ['hledger', 'beancount', 'csv', 'quickbooks']) {
      const journal = ['report', 'journal', '2026-10', '--format', format];
      expect((await at(cwd, ...journal)).code).toBe(2);
      expect(await at(cwd, ...journal, '--out', `${format}.txt`)).toMatchObject({ code: 0 });
      const texts = ['north', 'swift'].map((name) => readFileSync(path.join(cwd, `${format}-${name}.txt`), 'utf8'));
      expect(texts[0]).toContain('north-INV-10002-USD');
      expect(texts[1]).toContain('swift-INV-10002-USD');
      expect(await at(cwd, ...journal, '--courier', 'north')).toMatchObject({ code: 0, stdout: texts[0] });
    }
  });

  it('is a statement a month of each, and one list of them', async () => {
    const cwd = await synced('swift', 'cedar');
    const range = ['statement', '--from', '2026-10', '--to', '2026-11'];
    const { code, stdout, stderr } = await at(cwd, ...range, '--json');
    const { index, statements, failed } = JSON.parse(stdout);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(failed).toEqual([]);
    expect(statements.map((one: { courier: string; file: string }) => [one.courier, path.basename(one.file)])).toEqual([
      ['cedar', '2026-10-cedar.xlsx'],
      ['cedar', '2026-11-cedar.xlsx'],
      ['swift', '2026-10-swift.xlsx'],
      ['swift', '2026-11-swift.xlsx'],
    ]);
    expect(statements[0].figures[0]).toMatchObject({ courier_name: 'cedar' });
    const { sheets } = await readWorkbook(readFileSync(index));
    const said = [...sheets.values()].flatMap((sheet) => [...sheet.values()].map(({ value }) => value));
    expect(said).toEqual(expect.arrayContaining(['Courier', 'cedar', 'swift', '2026-10-swift.xlsx']));
    // Of one alone it is another list.
    const { index: own } = await json(cwd, ...range, '--courier', 'swift');
    expect(path.basename(own)).toBe('index 2026-10..2026-11-swift.xlsx');
  });

  it('is one close pack of the whole books, and a workbook that is taken back where its mismatches are', async () => {
    const cwd = await synced('swift', 'cedar');
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const made = await at(cwd, 'statement', '--close-pack', '2026-10', '--by', 'Rana', '--json');
    expect(made.stderr).toContain('sheets holds nothing of 2026-10');
    const { folder, files, figures, verified } = JSON.parse(made.stdout);
    expect([made.code, verified]).toEqual([0, true]);
    expect(files.map(({ name }: { name: string }) => name)).toEqual([
      '2026-10-cedar.journal',
      '2026-10-cedar.xlsx',
      '2026-10-swift.journal',
      '2026-10-swift.xlsx',
      'dispute-cedar.csv',
      'dispute-swift.csv',
      'selftest.json',
      'verify.json',
    ]);
    expect(figures.map((one: { courier_name: string }) => one.courier_name)).toEqual(['cedar', 'swift']);
    expect(await at(cwd, 'verify', folder)).toMatchObject({ code: 0, stderr: '' });

    const workbook = path.join(folder, '2026-10-swift.xlsx');
    const { mismatches } = await json(cwd, 'mismatch', 'list', '--courier', 'swift');
    const { id } = mismatches.find(({ code }: { code: string }) => code === 'invoice-cod-total');
    const typed = path.join(cwd, 'typed.xlsx');
    copyFileSync(workbook, typed);
    await typeDecision(typed, id, { status: 'acknowledged', note: 'asked' });
    expect(await json(cwd, 'import', 'resolutions', typed, '--by', 'Rana')).toMatchObject({ changed: 1 });
    const after = await json(cwd, 'mismatch', 'list', '--courier', 'swift');
    expect(after.mismatches.find((one: { id: string }) => one.id === id)).toMatchObject({ status: 'acknowledged' });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('is why a month cannot be closed, said once with the couriers that have it, and each its own in JSON', async () => {
    const cwd = await synced('swift', 'north');
    appendFileSync(
      path.join(cwd, 'remit.toml'),
      '[couriers.pine]\nkind = "files"\n[couriers.sheets]\nkind = "files"\n',
    );
    const close = ['close', '2026-10', '--by', 'Rana', '--first'];
    const { code, stderr } = await at(cwd, ...close);
    expect(code).toBe(1);
    expect(stderr.match(/no settlement sheet covers it/g)).toHaveLength(1);
    expect(stderr).toMatch(/- pine, sheets: .*no settlement sheet covers it/);
    const { reasons } = await json(cwd, ...close);
    const whose = reasons.map((one: { code: string; courier?: string }) => [one.courier, one.code]);
    expect(whose).toEqual(
      expect.arrayContaining([
        ['pine', 'incomplete'],
        ['sheets', 'incomplete'],
        ['swift', 'errors-open'],
      ]),
    );
    // What the order of closes has against it is of the whole books.
    const early = await json(cwd, 'close', '2026-11', '--by', 'Rana', '--first');
    expect(early.reasons.filter((one: { code: string }) => one.code === 'not-ended')).toHaveLength(1);
  });

  it('is packed as a draft that verifies where a courier has it that joined after the close', async () => {
    const cwd = await synced('swift');
    expect(await at(cwd, 'close', '2026-10', '--by', 'Rana', '--with-open', 'known', '--first')).toMatchObject({
      code: 0,
    });
    writeFileSync(path.join(cwd, 'cedar.key'), 'key-of-cedar-1', { mode: 0o600 });
    appendFileSync(
      path.join(cwd, 'remit.toml'),
      `[couriers.cedar]\napi_url = "${urls.cedar}"\napi_key_file = "cedar.key"\n`,
    );
    expect(await at(cwd, 'sync', '2026-10')).toMatchObject({ code: 0 });
    const { folder, status } = await json(cwd, 'statement', '--close-pack', '2026-10');
    expect(status).toBe('draft');
    expect(await at(cwd, 'verify', folder)).toMatchObject({ code: 0, stderr: '' });
  });

  it('goes on where a courier joins later: its first month is closed with those of the others', async () => {
    const cwd = await synced('swift');
    const close = (month: string, ...more: string[]) =>
      at(cwd, 'close', month, '--by', 'Rana', '--with-open', 'known', ...more);
    expect(await close('2026-10', '--first')).toMatchObject({ code: 0 });
    const file = path.join(cwd, 'remit.toml');
    writeFileSync(path.join(cwd, 'cedar.key'), 'key-of-cedar-1', { mode: 0o600 });
    appendFileSync(file, `[couriers.cedar]\napi_url = "${urls.cedar}"\napi_key_file = "cedar.key"\n`);
    const later = { cwd, now: new Date('2026-12-03T09:00:00Z') };
    expect(await remit(['sync', '2026-11'], later)).toMatchObject({ code: 0 });
    // The courier that joined has no close yet.
    const changed = await remit(['changes', '--since', 'close', '--json'], later);
    expect(changed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(changed.stdout).invoices.new).toMatchObject([{ courier: 'cedar', number: 10003 }]);
    const closed = await remit(['close', '2026-11', '--by', 'Rana', '--with-open', 'known', '--json'], later);
    expect(closed).toMatchObject({ code: 0 });
    expect(JSON.parse(closed.stdout).couriers.map((one: { courier: string }) => one.courier)).toEqual([
      'cedar',
      'swift',
    ]);
    expect(JSON.parse((await remit(['verify', '--deep', '--json'], later)).stdout)).toMatchObject({
      problems: [],
      ok: true,
    });
    // October is shown as it was closed, before there was another courier.
    const october = await remit(['statement', '2026-10', '--courier', 'swift', '--json'], later);
    expect(october).toMatchObject({ code: 0 });
  });

  it('opens a month again of a courier too that had nothing by then, so that its first sheet is compared with one close', async () => {
    const cwd = await synced('swift');
    appendFileSync(path.join(cwd, 'remit.toml'), '[couriers.sheets]\nkind = "files"\n');
    const close = ['close', '2026-10', '--by', 'Rana', '--first', '--with-open', 'known'];
    expect(await at(cwd, ...close)).toMatchObject({ code: 0 });
    expect(await at(cwd, 'reopen', '2026-10', '--by', 'Rana', '--reason', 'once more')).toMatchObject({ code: 0 });
    expect(await at(cwd, ...close)).toMatchObject({ code: 0 });
    const sheet = 'invoice,issued_on,order,currency,cod,fee\nES-901,2026-10-20,S-1,USD,50.00,2.00\n';
    writeFileSync(path.join(cwd, 'sheet.csv'), sheet);
    const sent = await at(cwd, 'import', 'settlement', 'sheet.csv', '--courier', 'sheets');
    expect(sent).toMatchObject({ code: 0 });
    const { mismatches } = await json(cwd, 'check', '--courier', 'sheets');
    const moved = mismatches.filter((one: { code: string }) => one.code === 'closed-period-changed');
    const fields = moved.map((one: { field: string }) => one.field).sort();
    expect(fields).toEqual([...new Set(fields)]);
    expect(fields).toContain('cod');
  });
});

describe('one bank and one own book', () => {
  it('have a receipt matched to the courier whose payer or invoice it names, and to no other', async () => {
    const cwd = await synced(...NAMES);
    // 23.00 is the net of cedar's open invoice and 9.00 one of its own; 10002 is a number of two couriers.
    const lines = [
      '2026-10-14,26.00,USD,SWIFT DELIVERY payout',
      '2026-10-15,9.00,USD,CEDAR DELIVERY payout 10001',
      '2026-10-16,76.00,USD,NORTH DELIVERY 10002',
      '2026-10-17,50.00,USD,transfer 10002',
      '2026-10-18,5.00,USD,SWIFT DELIVERY and CEDAR DELIVERY',
      '2026-10-19,12.00,USD,groceries',
    ];
    writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${lines.join('\n')}\n`);
    const imported = await at(cwd, 'import', 'receipts', 'bank.csv');
    expect(imported.stdout).toContain('of swift: 1 of 6 new lines (1 by payer)');
    expect(imported.stdout).toMatch(/^ *1 line left alone: no payer, no invoice's number, no account of a courier$/m);
    const { matches, ambiguous } = await json(cwd, 'match', 'list');
    const whose = matches.map((match: { courier: string; receipts: number[]; invoices: number[] }) => [
      match.courier,
      match.receipts,
      match.invoices,
    ]);
    expect(whose).toEqual([
      ['cedar', [2], [10001]],
      ['north', [3], [10002]],
      ['swift', [1], [10001]],
    ]);
    expect(ambiguous.map((one: { courier: string; receipt: number }) => [one.courier, one.receipt])).toEqual([
      ['cedar', 5],
      ['north', 4],
    ]);
    const check = await at(cwd, 'check', '--only', 'receipt-ambiguous', '--all');
    expect(check.stdout).toMatch(/Receipt 4 .*may be from north and swift/);
    const causes = (await json(cwd, 'report', 'mismatches')).rows.map((row: { cause: string }) => row.cause);
    expect(causes).toContain('1 receipt may be from several couriers (north and swift)');
    // Money that came in once pays one courier's invoice, by hand too.
    const twice = ['match', 'add', '3', '10001', '--courier', 'swift', '--difference', 'other', '--note', 'x'];
    expect(await at(cwd, ...twice)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('receipt 3 is matched to invoices of north'),
    });
    const { rows } = await json(cwd, 'report', 'receipts');
    expect(rows.map((one: { courier: string | null; receipt: number }) => [one.receipt, one.courier]).sort()).toEqual([
      [1, 'swift'],
      [2, 'cedar'],
      [3, 'north'],
      [4, 'north'],
      [5, 'cedar'],
      [6, null],
    ]);
    expect(await json(cwd, 'show', 'receipt', '2')).toMatchObject({ courier: 'cedar' });
    const [file] = (await json(cwd, 'evidence', 'receipt', '2')).documents;
    // The bank's file is in the evidence of all three couriers.
    expect(await json(cwd, 'evidence', file.sha256)).toMatchObject({ documents: [{ evidence_id: file.evidence_id }] });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('do not claim what a receipt may cover that another courier can claim as well', async () => {
    const cwd = await synced(...NAMES);
    const lines = [
      '2026-10-04,-1.00,USD,stamps',
      '2026-10-14,26.00,USD,SWIFT DELIVERY 10001',
      '2026-10-15,28.00,USD,SWIFT DELIVERY and CEDAR DELIVERY',
      '2026-10-30,-1.00,USD,stamps',
    ];
    writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${lines.join('\n')}\n`);
    expect(await at(cwd, 'import', 'receipts', 'bank.csv')).toMatchObject({ code: 0 });
    expect((await at(cwd, 'match', 'list')).stdout).toContain('receipt 3, 28.00 USD: may be from cedar and swift');
    await at(cwd, 'check');
    const claim = await json(
      cwd,
      'dispute',
      '2026-10',
      '--courier',
      'swift',
      '--code',
      'remittance-missing',
      '--dry-run',
    );
    expect(claim.lines).toMatchObject([{ section: 'confirm', invoice_number: 10002, due: '28.00', claimed: '0.00' }]);
    expect(claim.lines[0].what).toContain('A payment of 28.00 USD that came on 2026-10-15 may be for it');
  });

  it('keep a closed month as it was: a receipt that two can claim is in the balance of one, also seen from the close', async () => {
    const cwd = await synced(...NAMES);
    const lines = [
      '2026-10-14,26.00,USD,SWIFT DELIVERY 10001',
      '2026-10-15,5.00,USD,SWIFT DELIVERY and CEDAR DELIVERY',
    ];
    writeFileSync(path.join(cwd, 'bank.csv'), `date,amount,currency,text\n${lines.join('\n')}\n`);
    expect(await at(cwd, 'import', 'receipts', 'bank.csv')).toMatchObject({ code: 0 });
    const closings = async () =>
      (await json(cwd, 'report', 'roll-forward', '2026-10')).rows.map((one: Record<string, string>) => [
        one.courier,
        one.closing,
      ]);
    const before = await closings();
    const close = ['close', '2026-10', '--by', 'Rana', '--first', '--with-open', 'known', '--json'];
    const closed = await at(cwd, ...close);
    expect(closed).toMatchObject({ code: 0 });
    expect(await closings()).toEqual(before);
    for (const name of NAMES) {
      const journal = await at(cwd, 'report', 'journal', '2026-10', '--courier', name);
      expect(journal).toMatchObject({ code: 0, stderr: '' });
    }
    const [cedar] = JSON.parse(closed.stdout).couriers;
    expect(cedar.settings).toMatchObject({ name: 'cedar', others: [{ key: 'north' }, { name: 'swift' }] });
  });

  it('look for an own order at every courier', async () => {
    const cwd = books(...NAMES);
    for (const server of servers) server.world.orders = [ORDER];
    expect(await at(cwd, 'sync', '--orders')).toMatchObject({ code: 0 });
    writeFileSync(
      path.join(cwd, 'shop.csv'),
      'reference,ordered_on,status,currency,cod\nref-A,2026-10-01,handed_over,USD,10.00\nlost-1,2026-10-01,handed_over,USD,5.00\n',
    );
    expect(await at(cwd, 'import', 'orders', 'shop.csv')).toMatchObject({ code: 0 });
    const { mismatches } = await json(cwd, 'check', '--only', 'not-at-courier');
    expect(mismatches.map((one: { reference_id: string }) => one.reference_id)).toEqual(['lost-1']);
    // A is at swift and at cedar: reported once, whichever courier is looked at.
    const sent = await json(cwd, 'check', '--only', 'order-at-two-couriers');
    expect(sent.mismatches).toMatchObject([
      { courier: 'swift', reference_id: 'ref-A', amount: '10.00', currency: 'USD', effect: null, period: '2026-10' },
    ]);
  });

  it('have a tariff of each courier, whose prices are no other’s', async () => {
    const cwd = await synced(...NAMES);
    const file = (name: string, ...lines: string[]) => writeFileSync(path.join(cwd, name), `${lines.join('\n')}\n`);
    file('shop.csv', 'reference,ordered_on,status,currency,cod', 'ref-A,2026-10-01,handed_over,USD,10.00');
    await json(cwd, 'import', 'orders', 'shop.csv');
    const head = 'courier,workflow,district,area,merchant_location,from,to,currency,fee';
    file('wrong.csv', head, 'swift,,,,,,,USD,2.00', 'swfit,,,,,,,USD,2.00');
    const refused = await at(cwd, 'import', 'tariff', 'wrong.csv');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/line 3.*swfit[\s\S]*cedar, north/)]);
    // One price for all orders of each: no tie, because no order is of both.
    file('prices.csv', head, 'swift,,,,,,2026-09-30,USD,2.00', 'cedar,,,,,,,USD,1.50');
    await json(cwd, 'import', 'tariff', 'prices.csv');
    const prices = async () => {
      const { mismatches, skipped } = await json(cwd, 'check', '2026-10', '--only', 'fee-off-tariff');
      const courierOf = ({ courier }: { courier: string }) => courier;
      return [
        mismatches.map((one: { courier: string; effect: string }) => [one.courier, one.effect]),
        skipped.map(courierOf),
      ];
    };
    expect(await prices()).toEqual([[['cedar', '-0.50']], ['north']]);
    // A price that names nobody is of those that have none of their own.
    file('all.csv', head, ',,,,,,,USD,9.00');
    await json(cwd, 'import', 'tariff', 'all.csv');
    expect(await prices()).toEqual([[['cedar', '-0.50']], []]);
    const rename = async (from: string, to: string) =>
      expect(await at(cwd, 'courier', 'rename', from, to)).toMatchObject({ code: 0 });
    await rename('cedar', 'cedar-express');
    expect(await prices()).toEqual([[['cedar-express', '-0.50']], []]);
    // A line is of the courier that bore its name when it was imported, however often that is renamed, and whoever is
    // called so later.
    await rename('swift', 'swift-one');
    file('one.csv', head, 'swift-one,,,,,2026-10-01,,USD,1.25');
    await json(cwd, 'import', 'tariff', 'one.csv');
    await rename('swift-one', 'swift-two');
    await rename('north', 'swift-one');
    const renamed = [
      ['cedar-express', '-0.50'],
      ['swift-two', '-0.75'],
    ];
    expect(await prices()).toEqual([renamed, []]);
    // The same prices of the one that is called so now are not known already.
    file('other.csv', head, 'swift-one,,,,,2026-10-01,,USD,1.25', 'swift-one,,,,,,2026-09-30,USD,1.00');
    expect(await json(cwd, 'import', 'tariff', 'other.csv')).toMatchObject({ new: 2 });
    expect(await json(cwd, 'verify', '--deep')).toMatchObject({ problems: [], ok: true });
  });

  it('keep a courier at the top beside those with tables: each has its own payers', async () => {
    const cwd = books('swift', 'cedar');
    const toml = path.join(cwd, 'remit.toml');
    const key = 'swift.key';
    const top = `api_url = "${urls.swift}"\napi_key_file = "${key}"\n[receipts]\npayers = ["SWIFT DELIVERY"]\n`;
    const [, cedar] = readFileSync(toml, 'utf8').split('[couriers.cedar]');
    writeFileSync(toml, `time_zone = "UTC"\n${top}[couriers.cedar]${cedar}`);
    expect(await at(cwd, 'sync')).toMatchObject({ code: 0 });
    writeFileSync(
      path.join(cwd, 'bank.csv'),
      'date,amount,currency,text\n2026-10-14,26.00,USD,SWIFT DELIVERY\n2026-10-15,9.00,USD,CEDAR DELIVERY 10001\n',
    );
    expect(await at(cwd, 'import', 'receipts', 'bank.csv')).toMatchObject({ code: 0 });
    const { matches, ambiguous } = await json(cwd, 'match', 'list', '--courier', 'cedar');
    expect([matches, ambiguous]).toMatchObject([[{ courier: 'cedar', receipts: [2] }], []]);
    // What cedar is asked for does not take the settings of the other from it.
    expect(await json(cwd, 'match', '--dry-run', '--courier', 'cedar')).toMatchObject({ ambiguous: [] });
    expect((await json(cwd, 'match', 'list')).matches).toHaveLength(2);
  });
});
