import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/sqlite.ts';
import { usingLedger } from '../../../src/ledger/index.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';
import { type FakeCourier, type FakeInvoice, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const row = (order_id: string, cod = '10.00') => ({
  order_id,
  reference_id: `R-${order_id}`,
  cod: [['USD', cod]] as [string, string][],
  delivery_fee: [['USD', '2.00']] as [string, string][],
});
const order = (order_id: string, invoice: number, paid = true, cod = '10.00') => ({
  ...row(order_id, cod),
  workflow: 'STANDARD',
  delivery_state: 'DELIVERED',
  payment_state: paid ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
  merchant_invoice: invoice,
  statestamps: [],
});

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/** October holds a paid invoice of 16.00 net and an unpaid one of 28.00, November one of 8.00. */
beforeEach(() => {
  courier.world.invoices = [
    invoiceOf(1, '2026-10-05T10:00:00+00:00', [row('A'), row('B')]),
    invoiceOf(2, '2026-10-28T10:00:00+00:00', [row('C', '30.00')], { status: 'PENDING_PAYMENT' }),
    invoiceOf(3, '2026-11-02T10:00:00+00:00', [row('D')]),
  ];
  courier.world.orders = [order('A', 1), order('B', 1), order('C', 2, false, '30.00'), order('D', 3)];
});

type Run = (now: string, ...argv: string[]) => Promise<Outcome>;

function booksIn(cwd = scratchFolder()): Run {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  return (now, ...argv) => remit(argv, { cwd, env, now: new Date(now) });
}

async function json<T>(run: Run, now: string, ...argv: string[]): Promise<T> {
  const { stdout, stderr } = await run(now, ...argv, '--json');
  return (stdout === '' ? { stderr } : JSON.parse(stdout)) as T;
}

const NOV3 = '2026-11-03T09:00:00Z';
const NOV5 = '2026-11-05T09:00:00Z';
const NOV9 = '2026-11-09T09:00:00Z';
const DEC3 = '2026-12-03T09:00:00Z';

/** Books with October closed on 5 November. */
async function closed(): Promise<Run> {
  const run = booksIn();
  expect((await run(NOV3, 'sync', '--orders')).code).toBe(0);
  expect(await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first')).toMatchObject({ code: 0, stderr: '' });
  return run;
}

function restate(number: number, cod: string): void {
  const at = courier.world.invoices.findIndex((invoice) => invoice.number === number);
  const before = courier.world.invoices[at]!;
  const rows = before.orders.map((one) => ({ ...one, cod: [['USD', cod]] as [string, string][] }));
  courier.world.invoices[at] = invoiceOf(number, before.issued_at, rows, { status: before.status! });
  courier.world.orders = courier.world.orders.map((one) =>
    rows.some(({ order_id }) => order_id === one.order_id) ? { ...one, cod: [['USD', cod]] } : one,
  );
}

type Reasons = { status: string; reasons: { code: string; why: string; remedy: string }[] };
type Found = { mismatches: Record<string, string | null>[]; skipped: { code: string }[] };
const drift = ({ mismatches }: Found) =>
  mismatches
    .filter(({ code }) => code === 'closed-period-changed')
    .map(({ field, currency, expected, actual }) => [field, currency, expected, actual]);

async function rollForward(run: Run, now: string, period: string) {
  const { rows } = await json<{ rows: Record<string, string>[] }>(run, now, 'report', 'roll-forward', period);
  return rows.map((row) => ({
    period: row.period,
    opening: row.opening,
    restated: row.restated,
    closing: row.closing,
  }));
}

describe('closing and opening again', () => {
  it('leave everything alone while a sync is at work, with exit 4', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    await run(NOV3, 'sync', '--orders');
    const file = path.join(cwd, 'ledger.db');
    const meanwhile = (...argv: string[]) => usingLedger(file, { exclusive: 'sync' }, () => run(NOV5, ...argv));
    const busy = { code: 4, stdout: '', stderr: expect.stringContaining('a sync is at work') };
    expect(await meanwhile('close', '2026-10', '--by', 'rana', '--first')).toMatchObject(busy);
    expect((await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first')).code).toBe(0);
    expect(await meanwhile('reopen', '2026-10', '--by', 'rana', '--reason', 'late')).toMatchObject(busy);
    expect((await run(NOV5, 'reopen', '2026-10', '--by', 'rana', '--reason', 'late')).code).toBe(0);
  });

  it('are told by the doctor, with what has changed since', async () => {
    const run = await closed();
    const closes = async () => {
      const { checks } = await json<{ checks: { name: string; ok: boolean; message: string }[] }>(run, NOV9, 'doctor');
      return checks.filter(({ name }) => name === 'closes').map(({ ok, message }) => [ok, message]);
    };
    expect(await closes()).toEqual([
      [true, '1 month closed, the last 2026-10; by the last check none has changed since'],
    ]);
    restate(2, '31.00');
    await run(NOV9, 'sync', '--orders', '--full');
    await run(NOV9, 'check');
    expect(await closes()).toEqual([[false, '1 month closed, the last 2026-10; changed since: 2026-10']]);
  });
});

describe('remit close', () => {
  it('freezes the figures, the closing balance, the documents and their hash, and prints the head of the chain', async () => {
    const run = booksIn();
    await run(NOV3, 'sync', '--orders');
    const close = await json<Record<string, unknown>>(run, NOV5, 'close', '2026-10', '--by', 'rana', '--first');
    expect(close).toMatchObject({
      status: 'closed',
      period: '2026-10',
      by: 'rana',
      at: NOV5.replace('Z', '.000Z'),
      first: true,
      with_open: null,
      figures: {
        period: '2026-10',
        counts: { invoices: 2, orders: 3 },
        totals: [{ currency: 'USD', cod: '50.00', net_due_to_merchant: '44.00', paid: '16.00', outstanding: '28.00' }],
        roll_forward: [{ currency: 'USD', opening: '0.00', invoiced: '44.00', closing: '44.00' }],
      },
      figures_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      chain_head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(
      (close.documents as { kind: string; subject: string }[]).map(({ kind, subject }) => [kind, subject]),
    ).toEqual([
      ['listing', '2026-10'],
      ['invoice', '1'],
      ['invoice', '2'],
    ]);
    const head = close.chain_head as string;
    expect((await run(NOV9, 'verify', '--deep', '--head', head)).code).toBe(0);
    expect(await json(run, NOV9, 'verify')).toMatchObject({ ok: true, problems: [] });
  });

  it('names every reason at once, each with its remedy, and writes nothing', async () => {
    const run = booksIn();
    // The list of October is last read before it ended, without the order book, and one header is wrong.
    courier.world.invoices[0] = {
      ...courier.world.invoices[0]!,
      net_due_to_merchant: [['USD', '15.00']],
    } as FakeInvoice;
    await run('2026-10-30T09:00:00Z', 'sync', '2026-10');
    const refused = await run('2026-10-30T10:00:00Z', 'close', '2026-10', '--by', 'rana');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    for (const part of [
      '2026-10 has not ended',
      '2026-09, is open',
      '--first',
      'before the month’s end',
      'remit sync 2026-10',
      'the order book was never synced',
      'remit sync --orders',
      'invoice-net (1)',
      '--with-open',
    ]) {
      expect(refused.stderr).toContain(part);
    }
    const { status, reasons } = await json<Reasons>(run, NOV3, 'close', '2026-10', '--by', 'rana');
    expect([status, ...reasons.map(({ code }) => code)]).toEqual([
      'refused',
      'month-before-open',
      'incomplete',
      'not-checked',
      'errors-open',
    ]);
    expect(reasons.every(({ why, remedy }) => why !== '' && remedy !== '')).toBe(true);
    expect(
      (await json<Reasons>(run, NOV3, 'reopen', '2026-10', '--by', 'rana', '--reason', 'x')).reasons[0]!.code,
    ).toBe('not-closed');
  });

  it('takes open errors with a reason, and puts them on record', async () => {
    courier.world.invoices[0] = {
      ...courier.world.invoices[0]!,
      net_due_to_merchant: [['USD', '15.00']],
    } as FakeInvoice;
    const run = booksIn();
    await run(NOV3, 'sync', '--orders');
    const close = await json(run, NOV5, 'close', '2026-10', '--by', 'rana', '--first', '--with-open', 'asked, waiting');
    expect(close).toMatchObject({
      status: 'closed',
      with_open: { reason: 'asked, waiting', findings: [{ code: 'invoice-net', currency: 'USD', effect: '-1.00' }] },
      mismatches: { error: { open: 1, acknowledged: 0 } },
    });
  });

  it('closes months in order, each once, and opens them from the last back', async () => {
    const run = await closed();
    await run(DEC3, 'sync', '--orders');
    const codes = async (...argv: string[]) =>
      (await json<Reasons>(run, DEC3, ...argv, '--by', 'rana')).reasons?.map(({ code }) => code) ?? 'done';
    expect(await codes('close', '2026-10')).toContain('already-closed');
    expect(await codes('close', '2026-11', '--first')).toContain('not-first');
    expect(await codes('close', '2026-09', '--first')).toContain('later-month-closed');
    expect(await codes('close', '2026-11')).toBe('done');
    expect(await codes('reopen', '2026-10', '--reason', 'x')).toEqual(['later-month-closed']);
    expect(await codes('reopen', '2026-11', '--reason', 'x')).toBe('done');
    expect(await codes('reopen', '2026-10', '--reason', 'x')).toBe('done');
    expect(await json(run, DEC3, 'verify')).toMatchObject({ ok: true, problems: [] });
  });
});

describe('a closed month that drifts', () => {
  it('is seen by the night, named, adjusted in the next month, unmoved, and ends with the reopening', async () => {
    const run = await closed();
    restate(1, '7.00');
    const night = await run('2026-12-02T03:00:00Z', 'night', '--orders', '--json');
    const { check } = JSON.parse(night.stdout);
    expect(check.codes.find(({ code }: { code: string }) => code === 'closed-period-changed')).toMatchObject({
      severity: 'error',
      open: expect.any(Number),
    });
    expect(drift(await json<Found>(run, DEC3, 'check', '2026-11'))).toEqual([]);
    const found = await json<Found>(run, DEC3, 'check');
    expect(drift(found)).toEqual([
      ['cod', 'USD', '50.00', '44.00'],
      ['net_due_to_merchant', 'USD', '44.00', '38.00'],
      ['order_cod', 'USD', '50.00', '44.00'],
      // The flag cleared 16.00, and 6.00 less is asked for now.
      ['outstanding', 'USD', '28.00', '22.00'],
      ['paid', 'USD', '16.00', '10.00'],
    ]);
    const [message] = found.mismatches.filter(({ code }) => code === 'closed-period-changed').map((one) => one.message);
    expect(message).toContain('invoice 1 is changed since');
    const page = path.join(scratchFolder(), 'october.html');
    await run(DEC3, 'statement', '2026-10', '--out', page);
    expect(readFileSync(page, 'utf8')).toContain(
      'The month has moved since it was closed: net due was 44.00 USD at the close and is 38.00 USD now.',
    );
    expect(await rollForward(run, DEC3, '2026-10..2026-12')).toEqual([
      { period: '2026-10', opening: '0.00', restated: '0.00', closing: '44.00' },
      { period: '2026-11', opening: '44.00', restated: '0.00', closing: '28.00' },
      { period: '2026-12', opening: '28.00', restated: '-6.00', closing: '22.00' },
    ]);
    expect(await json(run, DEC3, 'reopen', '2026-10', '--by', 'rana', '--reason', 'restated')).toMatchObject({
      status: 'reopened',
      resolved: 5,
    });
    expect(drift(await json<Found>(run, DEC3, 'check'))).toEqual([]);
    expect(await json(run, DEC3, 'verify')).toMatchObject({ ok: true, problems: [] });
  });

  it('is none where an invoice is paid as it should be', async () => {
    const run = await closed();
    courier.world.invoices[1] = { ...courier.world.invoices[1]!, status: 'PAID' };
    courier.world.orders = courier.world.orders.map((one) => ({ ...one, payment_state: 'PAID_TO_MERCHANT' }));
    await run(DEC3, 'sync', '--orders');
    expect(drift(await json<Found>(run, DEC3, 'check'))).toEqual([]);
    expect((await rollForward(run, DEC3, '2026-10'))[0]).toMatchObject({ closing: '44.00' });
  });

  it('books an invoice that comes late, dated in the closed month, in the month that learns of it', async () => {
    const run = await closed();
    courier.world.invoices.push(invoiceOf(9, '2026-10-30T10:00:00+00:00', [row('Z')], { status: 'PENDING_PAYMENT' }));
    courier.world.orders.push(order('Z', 9, false));
    await run(NOV9, 'sync', '--orders');
    expect(drift(await json<Found>(run, NOV9, 'check', '2026-10'))).toContainEqual([
      'closing_balance',
      'USD',
      '44.00',
      '52.00',
    ]);
    expect(await rollForward(run, NOV9, '2026-10..2026-11')).toEqual([
      { period: '2026-10', opening: '0.00', restated: '0.00', closing: '44.00' },
      { period: '2026-11', opening: '44.00', restated: '0.00', closing: '36.00' },
    ]);
  });

  it('is not there before the close', async () => {
    const run = await closed();
    restate(1, '7.00');
    await run(NOV9, 'sync', '--orders');
    const before = await json<Found>(run, NOV9, 'check', '--as-of', '2026-11-04');
    expect(before.skipped.map(({ code }) => code)).toContain('closed-period-changed');
    expect(drift(await json<Found>(run, NOV9, 'check', '--as-of', '2026-11-06'))).toEqual([]);
    expect(drift(await json<Found>(run, NOV9, 'check')).length).toBeGreaterThan(0);
  });
});

describe('what tells of a close', () => {
  it('is the statement, the drill-down, the reports and the changes since', async () => {
    const run = await closed();
    restate(1, '7.00');
    await run(NOV9, 'sync', '--orders');
    const shown = await json<{ closes: Record<string, unknown>[] }>(run, NOV9, 'show', 'close', '2026-10');
    const { chain } = shown.closes[0] as { chain: string };
    expect(shown.closes).toMatchObject([{ actor: 'rana', reopened: null, record: { figures: { period: '2026-10' } } }]);
    expect((await run(NOV9, 'show', 'close', '2026-10')).stdout).toContain(chain);
    const statement = (month: string) => run(NOV9, 'statement', month, '--out', `${month}.xlsx`, '--json');
    expect(JSON.parse((await statement('2026-10')).stdout)).toMatchObject({
      status: 'closed',
      closed: { by: 'rana', at: NOV5.replace('Z', '.000Z'), chain },
    });
    expect(JSON.parse((await statement('2026-11')).stdout)).toMatchObject({ status: 'draft', closed: null });
    for (const report of ['totals', 'roll-forward']) {
      const { notes } = await json<{ notes: string[] }>(run, NOV9, 'report', report, '2026-10');
      expect(notes.join('\n')).toContain('2026-10 was closed by rana on 2026-11-05');
    }
    const changes = await json<{ invoices: { restated: { number: number }[] } }>(
      run,
      NOV9,
      'changes',
      '--since',
      'close',
    );
    expect(changes.invoices.restated.map(({ number }) => number)).toEqual([1]);
  });

  it('names what was edited behind its back', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    await run(NOV3, 'sync', '--orders');
    await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first');
    const db = openDatabase(path.join(cwd, 'ledger.db'));
    expect(() => db.exec("update period_close_figure set value = '1.00'")).toThrow(/append-only|may not/i);
    db.exec('drop trigger period_close_figure_refuses_update');
    db.exec("update period_close_figure set value = '29.00' where figure = 'closing'");
    db.close();
    const { problems } = await json<{ problems: { where: string }[] }>(run, NOV9, 'verify');
    expect(problems.map(({ where }) => where).join('\n')).toContain('period_close_figure');
  });
});

describe('receipts of a closed month', () => {
  /** Imports a cash book of one line; the last word of the text is the invoice. */
  async function receive(run: Run, cwd: string, now: string, ...lines: string[]): Promise<number> {
    writeFileSync(
      path.join(cwd, `${now.slice(0, 10)}.csv`),
      `date,amount,currency,text,invoice\n${lines.join('\n')}\n`,
    );
    const file = `${now.slice(0, 10)}.csv`;
    const { code, stderr } = await run(now, 'import', 'receipts', file, '--by', 'rana');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { imports } = await json<{ imports: { id: number }[] }>(run, now, 'import', 'list');
    return imports.at(-1)!.id;
  }

  it('are no change where they come after its end, and one where they lie in it or are taken away', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    await run(NOV3, 'sync', '--orders');
    await receive(run, cwd, NOV3, '2026-10-06,16.00,USD,courier,1');
    expect(await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first')).toMatchObject({ code: 0 });
    await receive(run, cwd, NOV9, '2026-11-07,20.00,USD,courier,2');
    expect(drift(await json<Found>(run, NOV9, 'check'))).toEqual([]);
    await run(DEC3, 'sync', '--orders');
    await receive(run, cwd, DEC3, '2026-10-30,8.00,USD,courier,2');
    expect(drift(await json<Found>(run, DEC3, 'check'))).toEqual([
      ['closing_balance', 'USD', '28.00', '20.00'],
      ['outstanding', 'USD', '28.00', '20.00'],
      ['received', 'USD', '16.00', '24.00'],
    ]);
    const said = (await run(DEC3, 'check', '--all')).stdout.replaceAll(/\s+/g, ' ');
    expect(said).toContain('matched or decided since; the close stays as it is');
    expect(said).toContain('see that it is right, or `remit reopen 2026-10`');
    expect(await rollForward(run, DEC3, '2026-10..2026-12')).toEqual([
      { period: '2026-10', opening: '0.00', restated: '0.00', closing: '28.00' },
      { period: '2026-11', opening: '28.00', restated: '0.00', closing: '8.00' },
      { period: '2026-12', opening: '8.00', restated: '0.00', closing: '0.00' },
    ]);
    const { matches } = await json<{ matches: { id: number; invoices: number[] }[] }>(run, DEC3, 'match', 'list');
    const [first] = matches.filter(({ invoices }) => invoices.includes(1));
    await run(DEC3, 'match', 'remove', String(first!.id), '--reason', 'another shop', '--by', 'rana');
    expect(drift(await json<Found>(run, DEC3, 'check'))).toContainEqual(['received', 'USD', '16.00', '8.00']);
    expect((await rollForward(run, DEC3, '2026-10'))[0]).toMatchObject({ closing: '28.00' });
    expect(await json(run, DEC3, 'verify')).toMatchObject({ ok: true, problems: [] });
  });
});

describe('an import of the month after a closed one', () => {
  it('can be undone, also where its lines paid an invoice before the close, and other files hold them', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    const receive = async (now: string, file: string, ...lines: string[]) => {
      writeFileSync(path.join(cwd, file), `date,amount,currency,text,invoice\n${lines.join('\n')}\n`);
      const { stdout } = await run(now, 'import', 'receipts', file, '--account', 'till', '--json');
      return String(JSON.parse(stdout).import);
    };
    await run(NOV3, 'sync', '--orders');
    const paid = await receive(NOV3, 'a.csv', '2026-11-03,8.00,USD,courier,3');
    expect(await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first', '--with-open', 'x')).toMatchObject({
      code: 0,
    });
    const [october] = await rollForward(run, NOV5, '2026-10');
    const journals = async () => {
      const journal = await run(NOV9, 'report', 'journal', '2026-10..2026-11');
      expect(journal).toMatchObject({ code: 0, stderr: '' });
      expect((await rollForward(run, NOV9, '2026-10'))[0]).toEqual(october);
    };
    // What both files hold goes on by the later one, which the close did not know.
    const again = await receive(NOV9, 'b.csv', '2026-11-03,8.00,USD,courier,3', '2026-11-08,1.00,USD,other,');
    expect(await run(NOV9, 'import', 'undo', paid, '--reason', 'twice')).toMatchObject({ code: 0 });
    await journals();
    expect(await run(NOV9, 'import', 'undo', again, '--reason', 'wrong')).toMatchObject({ code: 0 });
    await journals();
    expect(await json(run, NOV9, 'verify', '--deep')).toMatchObject({ ok: true });
  });
});

describe('an import under a closed month', () => {
  it('cannot be undone until the month is open again', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    await run(NOV3, 'sync', '--orders');
    writeFileSync(path.join(cwd, 'cash.csv'), 'date,amount,currency,text,invoice\n2026-10-06,16.00,USD,courier,1\n');
    expect((await run(NOV3, 'import', 'receipts', 'cash.csv', '--by', 'rana')).code).toBe(0);
    const [{ id }] = (await json<{ imports: { id: number }[] }>(run, NOV3, 'import', 'list')).imports as [
      { id: number },
    ];
    expect((await run(NOV5, 'close', '2026-10', '--by', 'rana', '--first')).code).toBe(0);
    const undo = () => run(NOV9, 'import', 'undo', String(id), '--reason', 'wrong file', '--by', 'rana');
    expect(await undo()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/2026-10 .*\n?.*remit reopen 2026-10/s),
    });
    await run(NOV9, 'reopen', '2026-10', '--by', 'rana', '--reason', 'wrong file');
    expect((await undo()).code).toBe(0);
  });

  it('cannot be undone where a later month has the money of its lines: they came after the close of their own, or before the first', async () => {
    const cwd = scratchFolder();
    const run = booksIn(cwd);
    writeFileSync(path.join(cwd, 'remit.toml'), '[receipts]\npayers = ["courier"]\n');
    const receive = async (now: string, line: string) => {
      const file = `${line.slice(0, 10)}.csv`;
      writeFileSync(path.join(cwd, file), `date,amount,currency,text,invoice\n${line}\n`);
      const { stdout } = await run(now, 'import', 'receipts', file, '--json');
      return String(JSON.parse(stdout).import);
    };
    await run(NOV3, 'sync', '--orders');
    const early = await receive(NOV3, '2026-09-28,5.00,USD,courier,');
    const close = async (now: string, month: string, ...more: string[]) =>
      expect((await run(now, 'close', month, '--by', 'rana', '--with-open', 'known', ...more)).code).toBe(0);
    await close(NOV5, '2026-10', '--first');
    const late = await receive(NOV9, '2026-10-06,3.00,USD,courier,1');
    await run(DEC3, 'sync', '--orders');
    await close(DEC3, '2026-11');
    const [october, november] = await rollForward(run, DEC3, '2026-10..2026-11');
    for (const [id, month] of [
      [early, '2026-10'],
      [late, '2026-11'],
    ] as const) {
      const { code, stderr } = await run(DEC3, 'import', 'undo', id, '--reason', 'wrong file', '--by', 'rana');
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`${month} is closed`) });
    }
    expect(await rollForward(run, DEC3, '2026-10..2026-11')).toEqual([october, november]);
    expect((await run(DEC3, 'report', 'journal', '2026-10..2026-11')).code).toBe(0);
  });
});

describe('what the courier does to a closed month’s invoice', () => {
  it('is open the other way where it asks for nothing any more, though it was paid', async () => {
    const run = await closed();
    courier.world.invoices[0] = {
      ...invoiceOf(1, '2026-10-05T10:00:00+00:00', []),
      cod: [],
      delivery_fee: [],
      net_due_to_merchant: [],
    };
    await run(NOV9, 'sync', '--orders', '--full');
    const totals = await json<{ rows: Record<string, string>[] }>(run, NOV9, 'report', 'totals', '2026-10');
    expect(totals.rows).toMatchObject([{ net_due_to_merchant: '28.00', paid_on_word: '16.00', outstanding: '12.00' }]);
    expect(drift(await json<Found>(run, NOV9, 'check'))).toContainEqual(['outstanding', 'USD', '28.00', '12.00']);
    expect((await run(NOV9, 'statement', '2026-11', '--out', 'november.xlsx')).code).toBe(0);
  });

  it('moves it to an open month before, where the journal has it as the balance does', async () => {
    const run = await closed();
    courier.world.invoices[0] = invoiceOf(1, '2026-09-28T10:00:00+00:00', [row('A'), row('B')]);
    await run(NOV9, 'sync', '2026-09..2026-11', '--orders', '--full');
    const { rows } = await json<{ rows: Record<string, string>[] }>(run, NOV9, 'report', 'journal', '2026-09');
    expect(rows.filter(({ narration }) => narration?.includes('invoice 1'))).toEqual([]);
    const statement = await run(NOV9, 'statement', '2026-09', '--out', 'september.xlsx');
    expect(statement).toMatchObject({ code: 0 });
  });
});
