import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decide, planDecision } from '../../../src/app/mismatches/decide.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { type Outcome, remit, type Surroundings } from '../../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

/** Two invoices of October whose headers are short of their rows: by 5.00, and by four cents. */
beforeEach(() => {
  const rows = [{ order_id: 'A', cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] }] as const;
  const bill = (number: number, cod: string, net: string) =>
    invoiceOf(number, '2026-10-05T10:00:00+00:00', [{ ...rows[0], order_id: `A${number}` }] as never, {
      cod: [['USD', cod]],
      net_due_to_merchant: [['USD', net]],
    });
  courier.world.invoices = [bill(1, '5.00', '3.00'), bill(2, '9.96', '7.96')];
});

const now = new Date('2026-11-20T09:00:00Z');
const later = new Date('2026-11-21T09:00:00Z');

function at(cwd: string, argv: readonly string[], more: Partial<Surroundings> = {}): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: path.join(cwd, 'ledger.db') };
  return remit(argv, { cwd, env, now, ...more });
}

async function checked(): Promise<string> {
  const cwd = scratchFolder();
  expect((await at(cwd, ['sync', '2026-10'])).code).toBe(0);
  expect((await at(cwd, ['check', '2026-10'])).code).toBe(3);
  return cwd;
}

async function listed(cwd: string, ...argv: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse((await at(cwd, ['mismatch', 'list', ...argv, '--json'])).stdout).mismatches;
}

async function idOf(cwd: string, invoice: number): Promise<string> {
  const found = await listed(cwd, '--status', 'all', '--invoice', String(invoice), '--code', 'invoice-cod-total');
  return found[0]!.id as string;
}

const verified = async (cwd: string) => expect((await at(cwd, ['verify'])).stderr).toBe('');

describe('remit mismatch list', () => {
  it('shows what is not resolved, by whatever filter', async () => {
    const cwd = await checked();
    expect(await listed(cwd)).toMatchObject([
      { code: 'invoice-cod-total', invoice_number: 1, effect: '-5.00', status: 'open', note: null },
      { code: 'invoice-cod-total', invoice_number: 2, effect: '-0.04', unit: 'money', severity: 'error' },
    ]);
    expect(await listed(cwd, '2026-10', '--code', 'invoice-net')).toEqual([]);
    expect(await listed(cwd, '2026-09')).toEqual([]);
    expect(await listed(cwd, '--currency', 'USD', '--severity', 'error', '--invoice', '2')).toHaveLength(1);
    expect(await listed(cwd, '--status', 'resolved')).toEqual([]);
    expect(await listed(cwd, '--new')).toHaveLength(2);
    await at(cwd, ['check', '2026-10']);
    expect(await listed(cwd, '--new')).toEqual([]);
    const { stdout } = await at(cwd, ['mismatch', 'list']);
    expect(stdout).toMatch(
      /^[0-9a-f]{16} {2}error {2}invoice-cod-total {2}2026-10 {2}invoice 1 {2}effect -5\.00 USD {2}open\n/,
    );
    expect(stdout).toMatch(/\n2 mismatches, 2 open\n$/);
    expect((await at(cwd, ['mismatch', 'list', '--code', 'nonsense'])).code).toBe(2);
  });
});

describe('remit mismatch show', () => {
  it('says a count as a count, and money with its currency', async () => {
    courier.world.invoices.push(
      invoiceOf(3, '2026-10-06T10:00:00+00:00', [
        { order_id: 'B', cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] },
        { order_id: 'B', cod: [['USD', '10.00']], delivery_fee: [['USD', '2.00']] },
      ]),
    );
    const cwd = await checked();
    const shown = async (code: string) => {
      const [found] = await listed(cwd, '--code', code);
      return (await at(cwd, ['mismatch', 'show', String(found!.id)])).stdout;
    };
    expect(await shown('order-repeated')).toMatch(/: expected 1, actual 2\n {2}effect 8\.00 USD\n/);
    expect(await shown('invoice-cod-total')).toContain('  cod: expected 10.00 USD, actual 5.00 USD\n');
  });
});

describe('a decision', () => {
  it('is kept with who made it and why, as evidence from which the ledger can be made again', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 1);
    const ack = await at(cwd, ['mismatch', 'ack', id.slice(0, 8), '--by', 'Rana', '--note', 'asked', '--json']);
    expect(JSON.parse(ack.stdout)).toMatchObject({
      decision: expect.any(Number),
      by: 'Rana',
      changed: [{ id, status: 'acknowledged', note: 'asked' }],
      left: [],
    });
    const { stdout } = await at(cwd, ['mismatch', 'show', id.slice(0, 8)]);
    expect(stdout).toContain('new → open by remit');
    expect(stdout).toContain('open → acknowledged by Rana: asked');
    expect((await at(cwd, ['show', 'mismatch', id])).stdout).toBe(stdout);
    await verified(cwd);
  });

  it('stays while the data is the same, and opens again with its history when the figures change', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 1);
    await at(cwd, ['mismatch', 'resolve', id, '--by', 'Rana', '--note', 'agreed by phone', '--yes']);
    await at(cwd, ['sync', '2026-10'], { now: later });
    const same = JSON.parse((await at(cwd, ['check', '2026-10', '--json'], { now: later })).stdout);
    expect(same).toMatchObject({ open: { error: 1 }, new: 0, resolved: 0 });
    expect(same.mismatches.map((one: { id: string }) => one.id)).not.toContain(id);
    expect(same.bridge[0]).toMatchObject({ short: '-0.04', steps: [{ code: 'invoice-cod-total', count: 2 }] });

    courier.world.invoices[0]!.cod = [['USD', '4.00']];
    courier.world.invoices[0]!.net_due_to_merchant = [['USD', '2.00']];
    await at(cwd, ['sync', '2026-10'], { now: later });
    await at(cwd, ['check', '2026-10'], { now: later });
    expect(await listed(cwd, '--invoice', '1', '--code', 'invoice-cod-total')).toMatchObject([
      { id, status: 'open', note: 'agreed by phone', actual: '4.00' },
    ]);
    expect((await at(cwd, ['mismatch', 'show', id])).stdout).toMatch(
      /→ resolved by Rana: agreed by phone\n.*resolved → open by remit: its figures have changed: 5\.00 has become 4\.00/,
    );
    await verified(cwd);
  });

  it('by a filter touches what it says and no more', async () => {
    const cwd = await checked();
    const small = ['mismatch', 'resolve', '--max-effect', '0.05', '--currency', 'USD', '--note', 'rounding'];
    const refused = await at(cwd, small);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^remit: this would resolve a mismatch, .+\n {2}→ Give --yes/);
    expect(await listed(cwd)).toHaveLength(2);
    expect((await at(cwd, [...small, '--yes'])).stdout).toBe('1 mismatch resolved\n');
    expect(await listed(cwd)).toMatchObject([{ invoice_number: 1 }]);
    expect((await at(cwd, ['mismatch', 'ack', '--code', 'invoice-cod-total', '--yes'])).stdout).toBe(
      '1 mismatch acknowledged\n',
    );
    expect((await at(cwd, ['mismatch', 'ack', '--code', 'invoice-cod-total', '--yes'])).stdout).toBe(
      '0 mismatches acknowledged\n',
    );
  });

  it('is asked about on a terminal, with what it would touch', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 1);
    const ack = ['mismatch', 'ack', '--invoice', '1'];
    const no = await at(cwd, ack, { typed: [['ack 1? y/n', 'n']] });
    expect(no.stderr).toContain(`acknowledged ${id} `);
    expect(no.stderr).toContain('nothing was changed');
    expect(await listed(cwd, '--status', 'acknowledged')).toEqual([]);
    await at(cwd, ack, { typed: [['ack 1? y/n', 'y']] });
    expect(await listed(cwd, '--status', 'acknowledged')).toHaveLength(1);
  });

  it('that needs a reason asks for it on a terminal, by a filter and by name; nothing typed is refused', async () => {
    const cwd = await checked();
    const resolve = ['mismatch', 'resolve', '--invoice', '1'];
    const reason = ['the reason to resolve', 'agreed by phone'] as const;
    const without = await at(cwd, resolve, { typed: [['the reason to resolve', ' ']] });
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('to resolve a mismatch needs a reason') });
    expect((await at(cwd, [...resolve, '--yes'], { typed: [] })).code).toBe(2);
    const no = await at(cwd, resolve, { typed: [reason, ['resolve 1? y/n', 'n']] });
    expect(no.stderr).toContain('nothing was changed');
    expect(await listed(cwd, '--status', 'resolved')).toEqual([]);
    await at(cwd, resolve, { typed: [reason, ['resolve 1? y/n', 'y']] });
    const [resolved] = await listed(cwd, '--status', 'resolved');
    expect(resolved).toMatchObject({ invoice_number: 1, note: 'agreed by phone' });
    const id = await idOf(cwd, 1);
    await at(cwd, ['mismatch', 'reopen', id], { typed: [['the reason to reopen', 'it never came']] });
    expect(await listed(cwd, '--invoice', '1')).toMatchObject([{ status: 'open', note: 'it never came' }]);
  });

  it('of a second clerk is told who was first, and is no error where it is the same', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 1);
    await at(cwd, ['mismatch', 'ack', id, '--by', 'Rana', '--note', 'asked', '--yes']);
    const second = await at(cwd, ['mismatch', 'ack', id, '--by', 'Sami', '--note', 'I too', '--yes']);
    expect(second).toMatchObject({ code: 0, stdout: '0 mismatches acknowledged\n' });
    expect(second.stderr).toBe(
      `warning: ${id} is already acknowledged by Rana at ${now.toISOString().slice(0, 19).replace('T', ' ')} UTC: asked\n`,
    );
    await at(cwd, ['mismatch', 'resolve', id, '--by', 'Rana', '--note', 'credited', '--yes']);
    const third = await at(cwd, ['mismatch', 'ack', id, '--by', 'Sami', '--yes']);
    expect(third.code).toBe(1);
    expect(third.stderr).toContain('resolved by Rana');
    expect(await listed(cwd, '--status', 'resolved')).toMatchObject([{ note: 'credited' }]);
  });

  it('is overtaken by one that came while it was thought about', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 1);
    const env = { REMIT_LEDGER: path.join(cwd, 'ledger.db') };
    const config = await loadConfig({ env, cwd, directory: undefined, flags: {} });
    const signal = new AbortController().signal;
    const books = { config, now: () => now, signal, key: async () => KEY, detail: () => {} };
    const selection = { ids: [id, await idOf(cwd, 2)], filter: {} };
    const plan = await planDecision(books, { act: 'ack', selection, by: 'Sami', note: 'mine' });
    await at(cwd, ['mismatch', 'resolve', id, '--by', 'Rana', '--note', 'credited', '--yes']);
    expect(await decide(books, plan)).toMatchObject({
      changed: [{ invoice_number: 2, status: 'acknowledged' }],
      left: [{ why: 'other', mismatch: { id, status: 'resolved', note: 'credited' }, last: { actor: 'Rana' } }],
    });
    expect(await listed(cwd, '--status', 'resolved')).toMatchObject([{ id, note: 'credited' }]);
    await verified(cwd);
  });

  it('can be taken back with a reason, unless the data settled it', async () => {
    const cwd = await checked();
    const id = await idOf(cwd, 2);
    await at(cwd, ['mismatch', 'resolve', id, '--note', 'rounding', '--yes']);
    expect((await at(cwd, ['mismatch', 'reopen', id])).code).toBe(2);
    expect((await at(cwd, ['mismatch', 'reopen', id, '--note', 'it is not'])).stdout).toBe('1 mismatch opened again\n');
    courier.world.invoices[1]!.cod = [['USD', '10.00']];
    courier.world.invoices[1]!.net_due_to_merchant = [['USD', '8.00']];
    await at(cwd, ['sync', '2026-10'], { now: later });
    await at(cwd, ['check', '2026-10'], { now: later });
    expect(await listed(cwd, '--invoice', '2', '--status', 'resolved', '--code', 'invoice-cod-total')).toMatchObject([
      { note: 'it is not' },
    ]);
    const gone = await at(cwd, ['mismatch', 'reopen', id, '--note', 'again']);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('resolved by remit');
    expect(gone.stderr).toContain('It opens by itself');
    await verified(cwd);
  });

  it.each([
    ['resolve ffff --yes', 'to resolve a mismatch needs a reason'],
    ['ack ffff --yes', 'there is no mismatch "ffff"'],
    ['ack --yes', 'no mismatch is named'],
    ['ack ffff --code invoice-net --yes', 'ids and a filter were given'],
    ['ack --max-effect 1 --yes', '--max-effect says an amount and no currency'],
    ['ack --max-effect 1,5 --currency USD --yes', '"1,5" is no amount'],
    ['ack ffff --by remit --yes', '"remit" is the name for what remit does by itself'],
  ])('that makes no sense is refused: %s', async (line, sentence) => {
    const cwd = await checked();
    const { code, stderr } = await at(cwd, ['mismatch', ...line.split(' ')]);
    expect(code).toBe(2);
    expect(stderr).toContain(`remit: ${sentence}`);
    expect(stderr).toContain('\n  → ');
  });
});
