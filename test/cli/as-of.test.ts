import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listReports } from '../../src/app/report.ts';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { temporaryFolder } from '../helpers/sync.ts';
import { readWorkbook } from '../helpers/workbook.ts';

const FORMATS = ['table', 'csv', 'json', 'xlsx', 'html'];
const THEN = '2026-11-05T12:00:00Z';

const row = (order_id: string, cod: string, usd = '3.00') => ({
  order_id,
  reference_id: `R-${order_id}`,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', usd]] as [string, string][],
});
const order = (order_id: string, cod: string, delivery_state = 'DELIVERED') => ({
  ...row(order_id, cod),
  workflow: 'STANDARD',
  delivery_state,
  payment_state: 'PAID_TO_MERCHANT',
  statestamps: [],
});

let courier: FakeCourier;
let cwd: string;
beforeAll(async () => {
  courier = await startFakeCourier({
    // One order's record differs from its row, and one header is short: there are mismatches to come and go.
    invoices: [
      invoiceOf(7, '2026-10-05T10:00:00+03:00', [row('A1', '25.00'), row('A2', '40.00')]),
      invoiceOf(8, '2026-10-09T10:00:00+03:00', [row('A3', '10.00')], {
        cod: [['USD', '9.00']],
        status: 'PENDING_PAYMENT',
      }),
    ],
    orders: [order('A1', '25.00'), order('A2', '45.00'), order('A3', '10.00'), order('A4', '70.00')],
  });
  cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'api-key'), KEY, { mode: 0o600 });
  writeFileSync(path.join(cwd, 'remit.toml'), `api_url = "${courier.url}"\napi_key_file = "api-key"\n`);
});
afterAll(async () => {
  await courier.close();
  rmSync(cwd, { recursive: true });
});

const at = (now: string, ...argv: string[]): Promise<Outcome> => remit(argv, { cwd, now: new Date(now) });

/** What the commands print of a past day, asked at some time after it: each file's bytes by its name. */
async function printed(now: string, name: string): Promise<Map<string, string>> {
  const folder = path.join(cwd, name);
  mkdirSync(folder);
  for (const report of listReports()) {
    for (const format of FORMATS) {
      const file = path.join(name, `${report.name}.${format === 'table' ? 'txt' : format}`);
      const outcome = await at(now, 'report', report.name, '--as-of', THEN, '--out', file);
      expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('wrote ') });
    }
  }
  const statement = await at(now, 'statement', '2026-10', '--as-of', THEN, '--out', path.join(name, 's.xlsx'));
  expect(statement.code).toBe(0);
  const { stdout } = await at(now, 'check', '2026-10', '--as-of', THEN, '--json');
  const { generated_at: _at, run: _run, new: _new, resolved: _resolved, ...check } = JSON.parse(stdout);
  const files = readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file), 'latin1')] as const);
  return new Map([...files, ['check', JSON.stringify(check, null, 1)]]);
}

async function headOf(now: string): Promise<string> {
  return JSON.parse((await at(now, 'verify', '--json')).stdout).head;
}

describe('--as-of', () => {
  it('gives the same bytes whenever it is asked, whatever became known since', async () => {
    expect((await at('2026-11-05T06:00:00Z', 'sync', '2026-10', '--orders')).code).toBe(0);
    expect((await at('2026-11-05T07:00:00Z', 'check', '2026-10')).code).toBe(3);
    const first = await printed('2026-11-05T13:00:00Z', 'first');

    // Restated, paid, vanished, changed, new: and all of it checked.
    courier.world.invoices = [
      invoiceOf(7, '2026-10-05T10:00:00+03:00', [row('A1', '20.00'), row('A2', '45.00')]),
      invoiceOf(9, '2026-10-30T10:00:00+03:00', [row('A4', '70.00')]),
    ];
    courier.world.orders = [order('A1', '25.00', 'RETURNED'), order('A2', '45.00'), order('A5', '1.00')];
    courier.world.organisation = 'Zahra Store';
    expect((await at('2026-11-06T06:00:00Z', 'sync', '2026-10', '--orders', '--full')).code).toBe(0);
    expect((await at('2026-11-06T07:00:00Z', 'check', '2026-10')).code).toBe(3);
    expect((await at('2026-11-06T08:00:00Z', 'statement', '2026-10')).code).toBe(0);

    const second = await printed('2026-12-24T13:00:00Z', 'second');
    expect([...second.keys()]).toEqual([...first.keys()]);
    for (const [name, bytes] of second) expect([name, bytes === first.get(name)]).toEqual([name, true]);
    // And it is the past that is shown: the same question of today has another answer.
    const today = await at('2026-12-24T13:00:00Z', 'report', 'invoices', '--format', 'csv');
    expect(today.stdout).not.toBe(second.get('invoices.csv'));
    expect((await at('2026-12-24T13:00:00Z', 'verify', '--deep')).code).toBe(0);
  });

  it('keeps nothing: the ledger is as it was', async () => {
    const before = await headOf('2026-12-24T14:00:00Z');
    await at('2026-12-24T14:00:00Z', 'check', '--as-of', THEN);
    await at('2026-12-24T14:00:00Z', 'statement', '2026-10', '--as-of', THEN, '--out', 'then.xlsx');
    expect(await headOf('2026-12-24T14:00:00Z')).toBe(before);
  });

  it('says when nothing was known yet, and when the day is none', async () => {
    const early = await at(THEN, 'report', 'totals', '--as-of', '2026-11-01');
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringMatching(/knew nothing yet at 2026-11-01 23:59:59 UTC/),
    ]);
    const none = await at(THEN, 'check', '--as-of', 'yesterday');
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/is not a day or an instant\n {2}→ /)]);
  });

  it('takes a day to come, and refuses an instant to come', async () => {
    const now = '2026-12-24T14:00:00Z';
    expect((await at(now, 'report', 'totals', '--as-of', '2026-12-31')).code).toBe(0);
    const { code, stderr } = await at(now, 'report', 'totals', '--as-of', '2026-12-24T14:00:01Z');
    expect([code, stderr]).toEqual([2, expect.stringContaining('"2026-12-24T14:00:01Z" has not come yet')]);
  });
});

describe('the head of the chain', () => {
  const NOW = '2026-12-25T08:00:00Z';

  /** The head on a statement's About sheet. */
  async function statedHead(...flags: string[]): Promise<string> {
    await at(NOW, 'statement', '2026-10', '--out', 'h.xlsx', ...flags);
    const { sheets } = await readWorkbook(readFileSync(path.join(cwd, 'h.xlsx')));
    const texts = [...sheets.get('About')!.values()].map(({ value }) => String(value));
    const row = texts[texts.indexOf('The chain’s head before this statement was written') + 1] ?? '';
    return /^([0-9a-f]{64}) \(row \d+; /.exec(row)?.[1] ?? 'none';
  }

  it('is on statements and HTML reports, of a past day too, and verify finds it again', async () => {
    const past = await statedHead('--as-of', THEN);
    const now = await statedHead();
    const once = readFileSync(path.join(cwd, 'h.xlsx'));
    const { stdout } = await at(NOW, 'report', 'totals', '--format', 'html');
    expect(/chain ends in <code>([0-9a-f]{64})<\/code>/.exec(stdout)?.[1]).toBe(now);
    // A check that finds nothing new leaves no other statement behind.
    expect(await statedHead()).toBe(now);
    expect(readFileSync(path.join(cwd, 'h.xlsx')).equals(once)).toBe(true);
    expect(past).not.toBe(now);
    await at(NOW, 'check');
    for (const head of [past, now]) {
      const verified = await at(NOW, 'verify', '--head', head, '--json');
      expect([verified.code, JSON.parse(verified.stdout)]).toEqual([
        0,
        {
          ok: true,
          head: expect.any(String),
          documents: expect.any(Number),
          rows_checked: expect.any(Number),
          problems: [],
          remedy: null,
        },
      ]);
    }
  });

  it('of another ledger is a problem, with exit code 1', async () => {
    const { code, stdout } = await at(NOW, 'verify', '--head', 'f'.repeat(64), '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { ok: false, problems: [{ where: 'chain', what: expect.stringContaining('is nowhere in it') }] },
    ]);
  });
});
