import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';

interface Waiting {
  readonly id: number;
}

const WRITE_OFF = { invoices: [10001], as: 'write-off', amount: '5.00', note: 'agreed' };

let books: OwnBooks;
const desks: RunningDesk[] = [];

async function desk(env: Record<string, string> = {}): Promise<RunningDesk> {
  const started = await startDesk([], { cwd: books.folder, env });
  await started.enter();
  desks.push(started);
  return started;
}

async function tokenOf(env: Record<string, string>, name = 'ERP', by = 'rana'): Promise<string> {
  const made = await books.remit(['serve', 'token', '--role', 'clerk', '--name', name, '--by', by, '--json'], { env });
  return JSON.parse(made.stdout).token;
}

const program = (desk: RunningDesk, token: string) => (address: string, body: object, key: string) =>
  desk.send(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });

beforeEach(async () => {
  books = await deskBooks('[approvals]\nwrite_off_above = { USD = "50" }\nclose = true');
});
afterEach(async () => {
  for (const one of desks.splice(0)) await one.stop();
});

describe.each([
  ['in a file', true],
  ['on a server', hasPostgres],
] as const)('a decision of a program, %s', (where, canRun) => {
  it.skipIf(!canRun)('is made once under a key, whichever desk it is sent to, and belongs to who sent it', async () => {
    const env: Record<string, string> = {};
    if (where === 'on a server') {
      const { url } = await newDatabase();
      expect((await books.remit(['ledger', 'copy', url, '--quiet'])).code).toBe(0);
      env.REMIT_LEDGER = url;
    }
    const [one, two] = [await desk(env), await desk(env)];
    const token = await tokenOf(env);
    // Of two desks in one process one may find the file busy: then it has decided nothing, and is asked again.
    const send = async (each: RunningDesk) => {
      for (;;) {
        const answer = await program(each, token)('/api/v1/settlements', WRITE_OFF, 'k');
        if (answer.status !== 409) return answer;
        expect(JSON.parse(answer.text).error.code).not.toBe('key-used');
      }
    };
    const answers = await Promise.all([one, two, one, two].map(send));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(JSON.parse(answers[0]!.text)).toMatchObject({
      settled: [{ amount: '5.00', open: '92.00' }],
      said: 'Wrote off 1 invoice (5.00 USD).',
      undo: { method: 'POST' },
    });
    const { settlements } = JSON.parse((await books.remit(['settle', 'list', '--json'], { env })).stdout);
    expect(settlements).toHaveLength(1);
    const other = await tokenOf(env, 'BI');
    expect((await program(two, other)('/api/v1/settlements', WRITE_OFF, 'k')).status).toBe(409);
    expect((await program(one, token)('/api/v1/settlements', { ...WRITE_OFF, amount: '6.00' }, 'k')).status).toBe(409);
    const { address, body } = JSON.parse(answers[0]!.text).undo;
    expect((await program(two, token)(address, { ...body, reason: 'not agreed' }, 'u')).status).toBe(200);
    const after = JSON.parse((await books.remit(['settle', 'list', '--json'], { env })).stdout);
    expect(after.settlements).toMatchObject([{ undone_by: 'ERP' }]);
  });
});

describe('a preview', () => {
  it('shows what a decision does, decides nothing, and holds the decision to it', async () => {
    const at = await desk();
    const shown = await at.post('/api/v1/settlements?preview=1', WRITE_OFF);
    const preview = JSON.parse(shown.text);
    expect(preview).toMatchObject({
      preview: true,
      lines: [
        {
          what: 'write-off',
          subject: 'invoice 10001',
          currency: 'USD',
          amount: '5.00',
          direction: 'none',
          open: '92.00',
        },
      ],
      sums: [{ currency: 'USD', direction: 'none', amount: '5.00' }],
      letter: null,
      refusals: [],
    });
    expect((await books.json<{ settlements: object[] }>(['settle', 'list'])).settlements).toEqual([]);
    // Another invoice does not matter; this one does.
    await books.json(['settle', '10002', '--as', 'other', '--amount', '1', '--note', 'x']);
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x']);
    const stale = await at.post('/api/v1/settlements', { ...WRITE_OFF, seen: preview.stale_after });
    expect([stale.status, JSON.parse(stale.text).error.code]).toEqual([409, 'stale']);
    const again = JSON.parse((await at.post('/api/v1/settlements?preview=1', WRITE_OFF)).text);
    await books.json(['settle', '10002', '--as', 'other', '--amount', '1', '--note', 'x']);
    const done = await at.post('/api/v1/settlements', { ...WRITE_OFF, seen: again.stale_after });
    expect([done.status, JSON.parse(done.text).settled[0].open]).toEqual([200, '91.00']);
    await books.verify();
  });

  it('names what the books refuse, and is for whoever may decide', async () => {
    const at = await desk();
    const refused = await at.post('/api/v1/settlements?preview=1', { ...WRITE_OFF, amount: '500' });
    expect(refused.status).toBe(200);
    expect(JSON.parse(refused.text)).toMatchObject({ preview: true, lines: [], refusals: [{ code: 'usage' }] });
    expect((await at.post('/api/v1/settlements?preview=1', { ...WRITE_OFF, invoices: 'x' })).status).toBe(400);
  });
});

describe('a proposal', () => {
  const approve = (id: number, by: string) => books.remit(['approvals', 'approve', String(id), '--by', by, '--json']);

  it('shows what it does, and does nothing else: what was open when it was made is compared', async () => {
    const settled = await books.json<Waiting>(['settle', '10001', '--as', 'write-off', '--note', 'x', '--by', 'rana']);
    const { approvals } = await books.json<{ approvals: object[] }>(['approvals', 'list']);
    expect(approvals).toMatchObject([
      { what: 'settle', lines: [{ what: 'write-off', amount: '97.00', invoice_number: 10001, open: '0.00' }] },
    ]);
    const text = (await books.remit(['approvals', 'list'])).stdout;
    expect(text).toContain('97.00 USD');
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x']);
    const stale = await approve(settled.id, 'karim');
    expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('no longer do what was proposed')]);
    expect((await books.json<{ settlements: object[] }>(['settle', 'list'])).settlements).toHaveLength(1);
    const at = await startDesk([], { cwd: books.folder });
    desks.push(at);
    await at.enter();
    expect((await at.post(`/api/v1/approvals/${settled.id}/refuse`, {})).status).toBe(200);
  });

  it('of a close is stale once a figure of the month is another, and shows why it is closed with open items', async () => {
    const close = ['close', '2026-10', '--first', '--with-open', 'the bank is late', '--by', 'rana'];
    const { id } = await books.json<Waiting>(close);
    expect((await books.remit(['approvals', 'list'])).stdout).toContain('the bank is late');
    // What is undone again does not matter.
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x']);
    await books.json(['settle', 'undo', '1', '--reason', 'x']);
    await books.json(['settle', '10002', '--as', 'other', '--amount', '2', '--note', 'x']);
    const stale = await approve(id, 'karim');
    expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('no longer do what was proposed')]);
    expect((await books.remit(['show', 'close', '2026-10'])).code).toBe(2);
  });

  it('of a token is its maker’s, under any spelling, and no token bears a person’s name', async () => {
    const at = await desk();
    const token = await tokenOf({}, 'ERP', 'Karim');
    const body = { ...WRITE_OFF, amount: '60.00' };
    const { id } = JSON.parse((await program(at, token)('/api/v1/settlements', body, 'k')).text);
    for (const by of ['karim', 'ERP', 'k\u200Darim', 'КАRIM'.replace('К', 'K')]) {
      const { code } = await approve(id, by);
      expect([by, code]).toEqual([by, 2]);
    }
    expect((await approve(id, 'rana')).code).toBe(0);
    const named = await books.remit(['serve', 'token', '--role', 'clerk', '--name', 'Rana', '--by', 'karim']);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('name of a person')]);
  });
});

describe('a rate of one’s own', () => {
  it('pays beyond what came in only with a second person, in slices too, and a check says so', async () => {
    books.file(
      'cash.csv',
      'date,amount,currency,text,invoice\n2026-10-20,9000.00,LBP,cash,\n2026-10-21,9000.00,LBP,cash,\n',
    );
    books.file('rates.csv', 'date,from,to,rate\n2026-10-01,USD,LBP,90000\n');
    await books.json(['import', 'receipts', 'cash.csv']);
    await books.json(['import', 'rates', 'rates.csv']);
    // 0.10 USD is worth 9,000 LBP: at 100 it would pay 90.00.
    const match = (receipt: string, rate: string) =>
      books.json<Waiting>(['match', 'add', receipt, '10001', '--rate', rate, '--part', '--by', 'rana', '--note', 'x']);
    expect(await match('1', '100')).toMatchObject({ waiting: true, lines: [{ amount: '90.00', open: '7.00' }] });
    expect(await match('1', '200')).not.toHaveProperty('waiting');
    expect(await match('2', '1000')).toMatchObject({ waiting: true });
    const { mismatches } = JSON.parse((await books.remit(['check', '--only', 'implied-rate', '--json'])).stdout);
    expect(mismatches).toMatchObject([
      {
        code: 'implied-rate',
        invoice_number: 10001,
        currency: 'USD',
        amount: '44.90',
        expected: '90000',
        actual: '200',
      },
    ]);
    await books.verify();
  });
});

describe('a desk of a team', () => {
  it('reads its lists and limits anew at each request', async () => {
    const settings = (clerks: string, limit: string) =>
      writeFileSync(
        path.join(books.folder, 'remit.toml'),
        `api_url = "http://127.0.0.1:9/v1/external/"\n[approvals]\nwrite_off_above = { USD = "${limit}" }\n[desk]\nclerks = [${clerks}]\nreaders = ["auditor"]\n`,
      );
    settings('"rana", "karim"', '90');
    writeFileSync(path.join(books.folder, 'secret'), 'a-secret-of-the-proxy-and-the-desk\n', { mode: 0o600 });
    const origin = 'https://desk.example.com';
    const argv = ['--public-origin', origin, '--auth-header', 'X-User', '--proxy-secret-file', 'secret'];
    const team = await startDesk(argv, { cwd: books.folder });
    desks.push(team);
    const settle = (user: string, amount: string) =>
      team.send('/api/v1/settlements', {
        method: 'POST',
        headers: {
          host: 'desk.example.com',
          origin,
          'sec-fetch-site': 'same-origin',
          'x-remit-proxy-secret': 'a-secret-of-the-proxy-and-the-desk',
          'x-user': user,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ ...WRITE_OFF, amount }),
      });
    expect(JSON.parse((await settle('rana', '5.00')).text)).toHaveProperty('settled');
    settings('"rana"', '10');
    expect((await settle('karim', '5.00')).status).toBe(403);
    expect(JSON.parse((await settle('rana', '60.00')).text)).toMatchObject({ waiting: true });
  });
});
