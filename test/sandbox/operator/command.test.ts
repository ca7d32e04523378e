import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/sandbox/store/open.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { runRemit } from '../../helpers/remit.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const DATA = ['--data', 'courier.db'];
const SEED = ['sandbox', 'seed', ...DATA, '--months', '2026-10..2026-11', '--orders', '120'];

/** Runs a command; `--json` answers come parsed. */
async function run(cwd: string, ...argv: string[]) {
  const { code, stdout, stderr } = await remit(argv, { cwd, now: NOW });
  return { code, stdout, stderr, json: argv.includes('--json') && stdout ? JSON.parse(stdout) : undefined };
}

describe('remit sandbox seed', () => {
  test('prints merchants with their keys, and what it planted', async () => {
    const { code, json } = await run(scratchFolder(), ...SEED, '--plant', '--json');
    expect(code).toBe(0);
    expect(json.merchants).toEqual([
      { name: 'Cedar Threads', key: expect.stringMatching(/^dlv_/) },
      { name: 'Beit Zaatar', key: expect.stringMatching(/^dlv_/) },
    ]);
    expect(json.planted).toHaveLength(25);
    for (const planted of json.planted) {
      const form = ['code', 'invoice_number', 'order_id', 'currency'];
      expect(Object.keys(planted)).toEqual('effect' in planted ? [...form, 'effect'] : form);
      if ('effect' in planted)
        expect([planted.currency, planted.effect]).toEqual([
          expect.any(String),
          expect.stringMatching(/^-?\d+\.\d\d$/),
        ]);
    }
  });

  test('takes the two full months before this one, and this one to date, unless told', async () => {
    const cwd = scratchFolder();
    await run(cwd, 'sandbox', 'seed', ...DATA, '--orders', '90');
    const store = openStore(path.join(cwd, 'courier.db'));
    const [span] = store.all<{ first: string; last: string }>(
      'select min(created_at) as first, max(created_at) as last from delivery_order',
    );
    store.close();
    expect(span?.first).toMatch(/^2026-09-0[1-3]/);
    expect(span?.last).toMatch(/^2026-11-(19|20)/);
  });

  test('refuses a file that holds a world, and wrong options, and leaves no empty file', async () => {
    const cwd = scratchFolder();
    await run(cwd, ...SEED);
    expect(await run(cwd, ...SEED)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${path.join(cwd, 'courier.db')} already holds a world`),
    });
    for (const [extra, why] of [
      [['--months', '2026-13'], '"2026-13" is not a range of months'],
      [['--months', '2026-11..2026-10'], '2026-11..2026-10 ends before it begins'],
      [['--months', '2027-01'], '2027-01 has no whole day before 2026-11-20\n'],
      [['--as-of', '2026-02-30'], '"2026-02-30" is not a day'],
      [['--months', '2026-11', '--plant'], '--plant needs an invoice from before'],
    ] as const) {
      const refused = await run(cwd, 'sandbox', 'seed', '--data', 'other.db', ...extra);
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(why) });
      expect(existsSync(path.join(cwd, 'other.db'))).toBe(false);
    }
  });

  test('says what is wrong with a folder, a port, an address and an option of another action', async () => {
    const cwd = scratchFolder();
    await run(cwd, ...SEED);
    for (const [words, code, why] of [
      [['seed', '--data', '.'], 1, `${cwd} is a folder`],
      [['serve', ...DATA, '--port', '65536'], 2, 'port 65536 of 127.0.0.1 does not exist: ports end at 65535'],
      [['serve', ...DATA, '--host', '203.0.113.9'], 2, 'this machine has no address 203.0.113.9'],
      [['key', 'list', ...DATA, '--merchant', 'Cedar Threads', '--prefix', 'x'], 2, 'list does not take --prefix'],
    ] as const) {
      const refused = await run(cwd, 'sandbox', ...words);
      expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) });
    }
  });

  test('RETURN orders carry money, counted as --returns says, else deducted, also on later days', async () => {
    for (const [words, least, most] of [
      [[], 1, 500_000],
      [['--returns'], 1, 500_000],
      [['--returns', 'charged+return-fees'], 1, 500_000],
      [['--returns', 'as-stated'], -500_000, -1],
    ] as const) {
      const cwd = scratchFolder();
      expect(await run(cwd, ...SEED, '--orders', '300', ...words)).toMatchObject({ code: 0 });
      await run(cwd, 'sandbox', 'run-day', ...DATA, '--days', '3');
      const store = openStore(path.join(cwd, 'courier.db'));
      const cods = store.all<{ cod: number }>(
        `select m.cod from order_money m join delivery_order o using (order_id)
         where o.workflow = 'RETURN' and o.delivery_state <> 'CANCELLED' and m.cod is not null`,
      );
      store.close();
      expect(cods.length).toBeGreaterThan(5);
      for (const { cod } of cods) expect(cod >= least && cod <= most).toBe(true);
    }
    const refused = await run(scratchFolder(), ...SEED, '--returns', 'kept');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"kept" is not a way to count returns') });
  });

  test('quotes a path with spaces in the commands that it names', async () => {
    const cwd = scratchFolder();
    const data = ['--data', 'my courier.db'];
    const missing = await run(cwd, 'sandbox', 'key', 'list', '--merchant', 'Zahra', ...data);
    expect(missing.stderr).toContain(`Make it with: remit sandbox seed --data "${path.join(cwd, 'my courier.db')}"`);
    const seeded = await run(cwd, 'sandbox', 'seed', ...data, '--orders', '90');
    expect(seeded.stderr).toContain('Serve it with: remit sandbox serve --data "my courier.db"');
  });

  test('--plant-drift needs a planted world, and goes alone', async () => {
    const cwd = scratchFolder();
    expect(await run(cwd, 'sandbox', 'seed', ...DATA, '--plant-drift')).toMatchObject({ code: 1 });
    await run(cwd, ...SEED, '--plant');
    expect(await run(cwd, ...SEED, '--plant-drift')).toMatchObject({ code: 2 });
    const { json } = await run(cwd, 'sandbox', 'seed', ...DATA, '--plant-drift', '--json');
    expect(json.planted).toContainEqual({
      code: 'state-regressed',
      invoice_number: null,
      order_id: expect.any(String),
      currency: null,
    });
    expect(await run(cwd, 'sandbox', 'seed', ...DATA, '--plant-drift')).toMatchObject({ code: 2 });
  });
});

describe('remit sandbox operate and run-day', () => {
  test('move, bill and pay in a file, each with one line', async () => {
    const cwd = scratchFolder();
    await run(cwd, ...SEED, '--as-of', '2026-11-02');
    const store = openStore(path.join(cwd, 'courier.db'));
    const sql = `select order_id as id from delivery_order where delivery_state = 'AT_WAREHOUSE' and merchant_id = 1 limit 1`;
    const id = store.get<{ id: string }>(sql)?.id ?? '';
    store.close();

    const operate = (...words: string[]) => run(cwd, 'sandbox', 'operate', ...words, ...DATA);
    expect((await operate('dispatch', id)).stdout).toBe(`order ${id}  IN_TRANSIT  UNPAID\n`);
    expect((await operate('deliver', id, '--json')).json).toEqual({
      order_id: id,
      delivery_state: 'DELIVERED',
      payment_state: 'PENDING_PAYMENT_BY_DRIVER',
    });
    const invoice = await operate('invoice', '--merchant', 'Cedar Threads', '--date', '2026-11-15', '--json');
    expect(invoice.json).toMatchObject({
      issued_at: '2026-11-15T12:00:00.000000+00:00',
      order_count: expect.any(Number),
    });
    expect((await operate('pay', String(invoice.json.number), '--json')).json).toMatchObject({ status: 'PAID' });
    expect((await operate('key')).stdout).toMatch(/^opr_\S+\n$/);
    const days = await run(cwd, 'sandbox', 'run-day', ...DATA, '--days', '2', '--json');
    expect(days.json.days).toMatchObject([{ date: '2026-11-21' }, { date: '2026-11-22' }]);
  });

  test('refuse in one sentence, with what to do', async () => {
    const cwd = scratchFolder();
    await run(cwd, ...SEED);
    for (const [words, code, why] of [
      [['deliver', 'NOPE'], 1, 'there is no order NOPE'],
      [['deliver'], 2, "deliver needs the order's id"],
      [['fly', 'X'], 2, 'it must be one of assign, scan'],
      [['pay'], 2, "pay needs the invoice's number"],
      [['pay', 'X'], 2, '"X" is not an invoice number'],
      [['pay', '10001', '--date', '2026-11-02'], 2, 'pay does not take --date'],
      [['deliver', 'NOPE', '--merchant', 'Cedar Threads'], 2, 'deliver does not take --merchant'],
      [['key', 'mine'], 2, 'key does not take mine'],
      [['pay', '1'], 1, 'there is no invoice 1'],
      [['invoice'], 2, "invoice needs the merchant's name"],
      [['invoice', '--merchant', 'Nobody'], 1, 'The merchants are Cedar Threads, Beit Zaatar.'],
    ] as const) {
      const refused = await run(cwd, 'sandbox', 'operate', ...words, ...DATA);
      expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) });
      expect(refused.stderr.trim().split('\n')).toHaveLength(2);
    }
    const missing = await run(cwd, 'sandbox', 'operate', 'key', '--data', 'none.db');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
    expect(existsSync(path.join(cwd, 'none.db'))).toBe(false);
  });

  test('of many processes at once lose nothing: one delivers, the others are refused', async () => {
    const cwd = scratchFolder();
    await run(cwd, ...SEED, '--as-of', '2026-11-02');
    const store = openStore(path.join(cwd, 'courier.db'));
    const sql = `select order_id as id from delivery_order where delivery_state = 'AT_WAREHOUSE' and merchant_id = 1 limit 1`;
    const id = store.get<{ id: string }>(sql)?.id ?? '';
    const words = ['sandbox', 'operate', 'dispatch', id, ...DATA];
    const codes = (await Promise.all(Array.from({ length: 6 }, () => runRemit(words, {}, cwd)))).map(
      ({ code }) => code,
    );
    expect(codes.sort()).toEqual([0, 1, 1, 1, 1, 1]);
    const stamps = `select count(*) as n from statestamp where order_id = ? and delivery_state = 'IN_TRANSIT'`;
    expect(store.get(stamps, id)).toEqual({ n: 1 });
    store.close();
  });
});
