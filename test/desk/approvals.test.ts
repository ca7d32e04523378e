import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';

interface Waiting {
  readonly waiting: true;
  readonly id: number;
}

let books: OwnBooks;

beforeEach(async () => {
  books = await deskBooks('[approvals]\nwrite_off_above = { USD = "50" }\nclose = true');
});

const settle = (amount: string, by: string, as = 'write-off') =>
  books.json<Waiting & { settled: unknown }>([
    'settle',
    '10001',
    '--as',
    as,
    '--amount',
    amount,
    '--note',
    'x',
    '--by',
    by,
  ]);
const settlements = async () => (await books.json<{ settlements: object[] }>(['settle', 'list'])).settlements;
const approve = (id: number, by: string) => books.remit(['approvals', 'approve', String(id), '--by', by, '--json']);

describe('four eyes', () => {
  it('lets what is above the limit wait, in slices and under another name too, and clears nothing', async () => {
    expect(await settle('50', 'rana')).not.toHaveProperty('waiting');
    for (const [amount, as] of [
      ['0.01', 'write-off'],
      ['10', 'bank-charge'],
      ['47', 'other'],
    ] as const) {
      expect(await settle(amount, 'rana', as)).toMatchObject({ waiting: true, what: 'settle', by: 'rana' });
    }
    expect(await settlements()).toHaveLength(1);
    const { approvals } = await books.json<{ approvals: object[] }>(['approvals', 'list']);
    expect(approvals).toHaveLength(3);
    expect(approvals.at(-1)).toMatchObject({ by: 'rana', what: 'settle', status: 'waiting', decided_by: null });
    const desk = await startDesk([], { cwd: books.folder });
    try {
      await desk.enter();
      const { text } = await desk.send('/approvals', { headers: { cookie: desk.cookie, accept: 'text/html' } });
      expect(text).toContain('Kind: <bdi>Bank charge</bdi>');
      expect(text).toContain('Note: <bdi>x</bdi>');
      const sent = { invoices: '10002', as: 'write-off', note: 'x', currency: 'USD' };
      const waits = 'A second person has to approve this';
      // 7.00 is within the limit of 50.00, and 47.00 with them on 10001 is not.
      for (const [invoices, amount, isAbove] of [
        ['10002', '7', false],
        ['10001', '47', true],
      ] as const) {
        const shown = await desk.submit('/settlements?preview=1', { ...sent, invoices, amount });
        expect([amount, shown.status, shown.text.includes(waits)]).toEqual([amount, 200, isAbove]);
      }
    } finally {
      await desk.stop();
    }
    const line = await books.remit(['settle', '10001', '--as', 'fx', '--note', 'x', '--by', 'rana']);
    expect({ code: line.code, out: line.stdout }).toMatchObject({
      code: 0,
      out: expect.stringContaining('waits for a second person: `remit approvals approve'),
    });
    await books.verify();
  });

  it('is done by a second person and by nobody else, once; both names are in the chain', async () => {
    const { id } = await settle('60', 'Rana');
    for (const by of ['Rana', 'rana', ' RANA', 'Ｒana']) {
      const { code } = await approve(id, by);
      expect({ by, code }).toEqual({ by, code: 2 });
    }
    expect(await settlements()).toEqual([]);
    const approved = JSON.parse((await approve(id, 'karim')).stdout);
    expect(approved).toMatchObject({
      approval: id,
      status: 'approved',
      by: 'karim',
      result: { settled: [{ invoice_number: 10001, amount: '60.00', open: '37.00' }] },
    });
    expect(await settlements()).toMatchObject([{ by: 'Rana', amount: '60.00' }]);
    expect((await approve(id, 'karim')).code).toBe(2);
    expect((await approve(9_999, 'karim')).code).toBe(2);
    const { approvals } = await books.json<{ approvals: object[] }>(['approvals', 'list', '--all']);
    expect(approvals).toMatchObject([{ id, by: 'Rana', decided_by: 'karim', status: 'approved' }]);
    await books.verify();
  });

  it('tells the second approver, and who approves what is no longer open, that it is too late', async () => {
    const [first, second] = [await settle('60', 'karim'), await settle('60', 'karim')];
    const desk = await startDesk([], { cwd: books.folder });
    try {
      await desk.enter();
      const late = async (id: number) => {
        const { status, text } = await desk.post(`/api/v1/approvals/${id}/approve`, {});
        return [status, JSON.parse(text).error?.code];
      };
      expect(await late(first.id)).toEqual([200, undefined]);
      expect(await late(first.id)).toEqual([409, 'conflict']);
      expect(await late(second.id)).toEqual([409, 'proposal-stale']);
      const page = await desk.submit(`/approvals/${first.id}/approve`, {});
      expect([page.status, page.text]).toEqual([409, expect.stringContaining('You decided this already')]);
      const own = await settle('30', 'rana');
      const withdrawn = await desk.post(`/api/v1/approvals/${own.id}/refuse`, {});
      expect(JSON.parse(withdrawn.text)).toMatchObject({ status: 'refused', said: 'Withdrew the proposal.' });
      const refused = await desk.post(`/api/v1/approvals/${second.id}/refuse`, {});
      expect(JSON.parse(refused.text)).toMatchObject({ said: 'Refused.' });
    } finally {
      await desk.stop();
    }
  });

  it('goes on waiting where the books no longer allow it, and ends when it is refused', async () => {
    const first = await settle('60', 'rana');
    const second = await settle('60', 'rana');
    await approve(first.id, 'karim');
    const refused = await approve(second.id, 'karim');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('37.00 USD is open of invoice 10001');
    const { approvals } = await books.json<{ approvals: object[] }>(['approvals', 'list']);
    expect(approvals).toMatchObject([{ id: second.id, status: 'waiting' }]);
    expect(await books.json(['approvals', 'refuse', String(second.id), '--by', 'karim', '--note', 'too much'])).toEqual(
      { approval: second.id, status: 'refused', by: 'karim', note: 'too much' },
    );
    expect((await approve(second.id, 'karim')).code).toBe(2);
    expect(await settlements()).toHaveLength(1);
  });

  it('closes a month with two persons, and refuses at once what cannot be closed', async () => {
    const refused = await books.remit(['close', '2026-10', '--by', 'rana', '--json']);
    expect(refused.code).toBe(1);
    const waiting = await books.json<Waiting>([
      'close',
      '2026-10',
      '--by',
      'karim',
      '--first',
      '--with-open',
      'asked the couriers',
    ]);
    expect(waiting).toMatchObject({ waiting: true, what: 'close' });
    expect((await books.remit(['show', 'close', '2026-10'])).code).toBe(2);
    // Home says that it waits, and who approves it approves the month, whatever is owed at its end.
    const desk = await startDesk([], { cwd: books.folder });
    try {
      await desk.enter();
      const home = await desk.json<{ months: { period: string; state: string }[] }>('/');
      expect(home.months).toContainEqual(expect.objectContaining({ period: '2026-10', state: 'waiting' }));
      const { text } = await desk.send('/approvals', { headers: { cookie: desk.cookie, accept: 'text/html' } });
      expect(text).toContain('>Approve October 2026</button>');
      expect(text).toContain('Closing balance');
      // What stays open, and why it is closed all the same.
      expect(text).toMatch(/because: <bdi>asked the couriers<\/bdi>/);
      expect(text).toMatch(/<td[^>]*>Although<\/td><td[^>]*>[^<]*could not look: the order book was never synced/);
    } finally {
      await desk.stop();
    }
    expect((await approve(waiting.id, 'karim')).code).toBe(2);
    expect(JSON.parse((await approve(waiting.id, 'rana')).stdout)).toMatchObject({
      result: { status: 'closed', period: '2026-10', by: 'karim' },
    });
    expect((await books.remit(['show', 'close', '2026-10'])).code).toBe(0);
    await books.verify();
  });
});

describe('a program at the desk', () => {
  let desk: RunningDesk;
  beforeEach(async () => {
    desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
  });
  afterEach(async () => {
    await desk.stop();
  });

  const tokenOf = async (role: string, name: string, by = 'karim') =>
    (await books.json<{ token: string }>(['serve', 'token', '--role', role, '--name', name, '--by', by])).token;
  const post = (token: string, path: string, body: object, key?: string) =>
    desk.send(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
  const get = (token: string, path: string) => desk.send(path, { headers: { authorization: `Bearer ${token}` } });

  it('looks and decides by its role, with a key; the token is kept as a hash and ends when it is revoked', async () => {
    const [reader, clerk] = [await tokenOf('reader', 'BI'), await tokenOf('clerk', 'ERP')];
    expect((await get(reader, '/api/v1/mismatches')).status).toBe(200);
    expect((await get(`${reader}x`, '/api/v1/')).status).toBe(401);
    expect((await desk.send(`/api/v1/?token=${reader}`)).status).toBe(401);
    expect((await desk.send('/api/v1/', { headers: { cookie: `token=${reader}` } })).status).toBe(401);
    const { rows } = JSON.parse((await get(clerk, '/api/v1/mismatches')).text);
    const body = { ids: [rows[0].id], note: 'asked' };
    expect((await post(reader, '/api/v1/mismatches/ack', body, 'k')).status).toBe(403);
    expect((await post(clerk, '/api/v1/mismatches/ack', body)).status).toBe(400);
    const first = await post(clerk, '/api/v1/mismatches/ack', body, 'k');
    expect(first.status).toBe(200);
    expect(JSON.parse(first.text)).toMatchObject({ by: 'ERP', changed: [{ status: 'acknowledged' }] });
    const again = await post(clerk, '/api/v1/mismatches/ack', body, 'k');
    expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
    expect((await post(clerk, '/api/v1/mismatches/ack', { ...body, note: 'other' }, 'k')).status).toBe(409);
    expect((await post(clerk, '/api/v1/mismatches/ack', { ids: [] }, 'k2')).status).toBe(400);
    const { tokens } = await books.json<{ tokens: object[] }>(['serve', 'token', 'list']);
    expect(tokens).toMatchObject([
      { name: 'BI', role: 'reader' },
      { name: 'ERP', role: 'clerk' },
    ]);
    expect(JSON.stringify(tokens)).not.toContain('sha');
    await books.json(['serve', 'token', 'revoke', 'ERP']);
    expect((await get(clerk, '/api/v1/')).status).toBe(401);
    await books.remit(['backup', 'copy.db']);
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(`${books.folder}/copy.db`).includes(clerk)).toBe(false);
  });

  it('proposes and never approves: 100 of 100 are refused', async () => {
    const token = await tokenOf('clerk', 'ERP');
    const body = { invoices: [10001], as: 'write-off', amount: '60', note: 'x' };
    const proposed = await post(token, '/api/v1/settlements', body, 'p');
    expect(proposed.status).toBe(200);
    const { id } = JSON.parse(proposed.text) as Waiting;
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const path = `${['', '/api/v1'][attempt % 2]}/approvals/${attempt % 3 === 2 ? id + 1 : id}/approve`;
      const answer = await post(
        token,
        path,
        attempt % 5 === 0 ? { note: 7 } : {},
        attempt % 7 === 0 ? undefined : `a${attempt}`,
      );
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
    }
    expect(await settlements()).toEqual([]);
    const shown = await desk.json<{ approvals: object[] }>('/approvals');
    expect(shown.approvals).toMatchObject([{ id, by: 'ERP', status: 'waiting' }]);
    expect((await desk.submit(`/approvals/${id}/approve`, { note: 'checked' })).status).toBe(303);
    expect(await settlements()).toMatchObject([{ by: 'ERP', amount: '60.00' }]);
  });

  it('does not let a person approve at the desk what the same person proposed, nor by a token of that person', async () => {
    const body = { invoices: [10001], as: 'write-off', amount: '60', note: 'x' };
    const own = JSON.parse((await desk.post('/api/v1/settlements', body)).text) as Waiting;
    const token = await tokenOf('clerk', 'Till', 'Rana');
    const named = JSON.parse((await post(token, '/api/v1/settlements', body, 'n')).text) as Waiting;
    for (const { id, waiting } of [own, named]) {
      expect(waiting).toBe(true);
      const shown = await desk.submit(`/approvals/${id}/approve`, {});
      expect([shown.status, shown.text]).toEqual([422, expect.stringContaining('cannot approve it')]);
      expect((await desk.post(`/api/v1/approvals/${id}/approve`, {})).status).toBe(422);
    }
    expect(await settlements()).toEqual([]);
    const { text } = await desk.send('/approvals', { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(text).not.toMatch(/<button[^>]*>Approve/);
    expect(text.match(/You proposed this, or your token did/g)).toHaveLength(2);
    expect((await approve(own.id, 'karim')).code).toBe(0);
  });

  it('finds every answer described', async () => {
    const document = await desk.json<{ paths: Record<string, Record<string, Described>> }>('/api/v1/openapi.json');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    );
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const posts = operations.filter(({ method }) => method === 'post');
    for (const path of [
      'mismatches/ack',
      'mismatches/resolve',
      'mismatches/reopen',
      'settlements',
      'matches',
      'closes',
    ]) {
      expect(posts.map((one) => one.path)).toContain(`/api/v1/${path}`);
    }
    for (const { requestBody, responses } of posts) {
      expect(Object.values(requestBody!.content)[0]!.schema).toMatchObject({ type: 'object' });
      for (const status of ['200', '400', '401', '403', '409', '422']) expect(responses).toHaveProperty(status);
    }
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    expect(await new Validator().validate(document as never)).toMatchObject({ valid: true });
  });
});

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: object;
}
