import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ARABIC } from '../../src/words/sentences.ar.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { hasPostgres, newDatabase, PASSWORD } from '../helpers/postgres.ts';

const ADDRESS = 'api_url = "http://127.0.0.1:9/v1/external/"\n';
const POLICY = '[approvals]\nwrite_off_above = { USD = "50", LBP = "4500000" }\nclose = true\nimports = true\n';
const OLD = { write_off_above: { USD: '50.00', LBP: '4500000.00' }, close: true, imports: true, rate_tolerance: '0' };

interface Listed {
  readonly id: number;
  readonly what: string;
  readonly status: string;
  readonly by: string;
  readonly request: object;
}

let books: OwnBooks;
const desks: RunningDesk[] = [];

beforeEach(async () => {
  books = await deskBooks(POLICY);
});
afterEach(async () => {
  for (const one of desks.splice(0)) await one.stop();
});

const setTo = (...lines: string[]) => books.file('remit.toml', ADDRESS + lines.join('\n'));
const waiting = async () =>
  JSON.parse((await books.remit(['approvals', 'list', '--json'])).stdout).approvals as Listed[];
const verdict = (verb: 'approve' | 'refuse', id: number, by = 'karim') =>
  books.remit(['approvals', verb, String(id), '--by', by, '--json']);
/** Whether taking so much off an invoice waits for a second person. */
async function waits(amount: string, invoice = '10001', more: Parameters<OwnBooks['remit']>[1] = {}): Promise<boolean> {
  const argv = ['settle', invoice, '--as', 'write-off', '--amount', amount, '--note', 'x', '--by', 'rana', '--json'];
  const { code, stdout, stderr } = await books.remit(argv, more);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const done = JSON.parse(stdout) as { waiting?: true; settled?: { id: number }[] };
  for (const { id } of done.settled ?? []) await books.remit(['settle', 'undo', String(id), '--reason', 'tried'], more);
  return done.waiting === true;
}
/** Whether closing a month does. */
async function closeWaits(): Promise<boolean> {
  const argv = ['close', '2026-10', '--by', 'rana', '--first', '--with-open', 'agreed', '--json'];
  const { stdout } = await books.remit(argv);
  const done = JSON.parse(stdout) as { waiting?: true };
  if (!done.waiting) await books.json(['reopen', '2026-10', '--reason', 'tried', '--by', 'rana']);
  return done.waiting === true;
}

describe('a looser policy of remit.toml', () => {
  it.each([
    [
      'a limit raised',
      '[approvals]\nwrite_off_above = { USD = "60", LBP = "4500000" }\nclose = true\nimports = true',
      'write_off_above USD: 50.00 → 60.00',
    ],
    [
      'a limit removed',
      '[approvals]\nwrite_off_above = { LBP = "4500000" }\nclose = true\nimports = true',
      'write_off_above USD: 50.00 → none',
    ],
    ['closing by one', POLICY.replace('close = true\n', ''), 'close: true → false'],
    ['imports taken as they are', POLICY.replace('imports = true\n', ''), 'imports: true → false'],
    ['closing said to be by one', POLICY.replace('true', 'false'), 'close: true → false'],
    [
      'the table removed',
      '',
      'write_off_above USD: 50.00 → none, write_off_above LBP: 4500000.00 → none, close: true → false, imports: true → false',
    ],
    ['a wider tolerance of rates', `rate_tolerance = "0.5"\n${POLICY}`, 'rate_tolerance: 0 → 0.5'],
  ])('waits for a second person, who is shown the old and the new values: %s', async (_, toml, values) => {
    setTo(toml);
    const said = await books.remit(['report', 'open-items', '2026-10']);
    expect(said.stderr.match(/remit\.toml asks for a looser policy than the books have/g)).toHaveLength(1);
    expect(said.stderr).toContain(`(${values})`);
    expect([await waits('50.01'), await closeWaits()]).toEqual([true, true]);
    const listed = (await waiting()).filter(({ what }) => what === 'policy');
    expect(listed).toMatchObject([{ status: 'waiting', courier: null, request: { old: OLD } }]);
    expect(said.stderr).toContain(`somebody other than ${listed[0]!.by} approves it`);
    const text = (await books.remit(['approvals', 'list'])).stdout;
    for (const value of values.split(', ')) expect(text).toContain(`policy ${value}`);
    expect((await verdict('approve', listed[0]!.id, listed[0]!.by)).code).toBe(2);
    const asked = JSON.parse((await verdict('approve', listed[0]!.id, 'rana')).stdout);
    expect(asked).toMatchObject({ waiting: true, what: 'policy', by: 'rana' });
    expect(await closeWaits()).toBe(true);
    expect(JSON.parse((await verdict('approve', asked.id)).stdout)).toMatchObject({
      status: 'approved',
      what: 'policy',
      by: 'karim',
      result: { policy: (listed[0]!.request as { new: object }).new },
    });
    expect((await books.remit(['report', 'open-items', '2026-10'])).stderr).toBe('');
    if (values.includes('USD')) expect(await waits('50.01')).toBe(false);
    if (values.includes('close')) expect(await closeWaits()).toBe(false);
    expect((await waiting()).filter(({ what }) => what === 'policy')).toEqual([]);
    // Tightened again, and then loosened as before: that is asked for anew.
    for (const table of [POLICY, toml]) {
      setTo(table);
      await books.remit(['report', 'open-items', '2026-10']);
    }
    expect((await waiting()).filter(({ what }) => what === 'policy')).toMatchObject([{ status: 'waiting' }]);
    await books.verify();
  });

  it('is proposed once; refused, the books keep theirs, and other values are another proposal', async () => {
    setTo('[approvals]\nwrite_off_above = { USD = "60", LBP = "4500000" }\nclose = true\nimports = true');
    for (const argv of [['check'], ['report', 'totals'], ['settle', 'list']]) await books.remit(argv);
    const [first, ...others] = await waiting();
    expect(others).toEqual([]);
    expect((await verdict('refuse', first!.id)).code).toBe(0);
    const said = await books.remit(['report', 'totals']);
    expect(said.stderr).toContain('karim refused it, and the books keep theirs');
    expect([await waits('50.01'), (await waiting()).map(({ what }) => what)]).toEqual([true, ['settle']]);
    setTo('[approvals]\nwrite_off_above = { USD = "70", LBP = "4500000" }\nclose = true\nimports = true');
    expect((await waiting()).map(({ what, request }) => [what, request])).toEqual([
      ['policy', { old: OLD, new: { ...OLD, write_off_above: { USD: '70.00', LBP: '4500000.00' } }, by: first!.by }],
      ['settle', expect.anything()],
    ]);
  });

  it('holds at once in what it tightens, and is stale once another policy holds than it was to change', async () => {
    setTo('[approvals]\nwrite_off_above = { USD = "40", EUR = "10" }\nclose = true\nimports = true\n');
    expect([await waits('40.01'), await waits('40')]).toEqual([true, false]);
    const [settle, first] = await waiting();
    expect(settle!.what).toBe('settle');
    expect(first!.request).toMatchObject({
      old: { write_off_above: { USD: '40.00', LBP: '4500000.00', EUR: '10.00' }, close: true },
      new: { write_off_above: { USD: '40.00', EUR: '10.00' }, close: true },
    });
    setTo('[approvals]\nwrite_off_above = { USD = "30", EUR = "10" }\nclose = true\nimports = true\n');
    expect(await waits('30.01')).toBe(true);
    const stale = await verdict('approve', first!.id);
    expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('no longer do what was proposed')]);
    expect(await waits('30.01')).toBe(true);
    await books.verify();
  });

  it('is proposed by who is named in the command that sees it first, and that person cannot approve it', async () => {
    setTo('');
    expect(await waits('51.00')).toBe(true);
    const { id, by } = (await waiting()).find(({ what }) => what === 'policy')!;
    expect(by).toBe('rana');
    const own = await verdict('approve', id, 'Rana');
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('rana')]);
    expect(await waits('51.00')).toBe(true);
    expect(JSON.parse((await verdict('approve', id)).stdout)).toMatchObject({ status: 'approved', by: 'karim' });
    expect(await waits('51.00')).toBe(false);
    await books.verify();
  });

  it('is not approved by one person alone where a command without a name saw it first', async () => {
    setTo('');
    const said = await books.remit(['check']);
    const [unnamed] = await waiting();
    expect(said.stderr).toContain(`somebody other than ${unnamed!.by} approves it, and then one more person`);
    const first = await books.remit(['approvals', 'approve', String(unnamed!.id), '--by', 'rana', '--note', 'too low']);
    const [asked, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(first.stdout).toContain(`remit approvals approve ${asked!.id} --by NAME`);
    expect(asked).toMatchObject({ what: 'policy', by: 'rana', request: { old: OLD, by: 'rana' } });
    expect((await verdict('approve', unnamed!.id)).code).toBe(2);
    expect((await verdict('approve', asked!.id, 'rana')).code).toBe(2);
    expect(await waits('51.00')).toBe(true);
    expect(JSON.parse((await verdict('approve', asked!.id)).stdout)).toMatchObject({ status: 'approved', by: 'karim' });
    const { approvals } = await books.json<{ approvals: object[] }>(['approvals', 'list', '--all']);
    expect(approvals).toContainEqual(
      expect.objectContaining({
        ...{ id: unnamed!.id, status: 'refused', decided_by: 'rana' },
        note: `proposed anew as decision ${asked!.id}: too low`,
      }),
    );
    expect(await waits('51.00')).toBe(false);
    await books.verify();
  });

  it('is none where the books never had one: their first is taken as it is', async () => {
    const fresh = ownBooks('[approvals]\nclose = true\nimports = true');
    fresh.file('rates.csv', 'date,from,to,rate\n2026-10-01,USD,LBP,90000\n');
    await fresh.json(['import', 'rates', 'rates.csv']);
    expect(await fresh.json(['approvals', 'list'])).toEqual({ approvals: [] });
  });

  it('is listed and approved at the desk, and one that is only looked at computes from the record', async () => {
    setTo('');
    const look = await startDesk(['--read-only'], { cwd: books.folder });
    desks.push(look);
    await look.enter();
    expect(look.stderr()).toContain('asks for a looser policy');
    setTo(POLICY);
    const at = await startDesk([], { cwd: books.folder });
    desks.push(at);
    await at.enter();
    setTo('');
    const settle = (amount: string) =>
      at.post('/api/v1/settlements', { invoices: [10001], as: 'write-off', amount, note: 'x' });
    expect(JSON.parse((await settle('51.00')).text)).toMatchObject({ waiting: true });
    const { approvals } = await look.json<{ approvals: Listed[] }>('/approvals');
    expect(approvals.map(({ what }) => what)).toEqual(['settle', 'policy']);
    const page = (await at.send('/approvals', { headers: { cookie: at.cookie, accept: 'text/html' } })).text;
    expect(page).toMatch(/write_off_above USD.*50\.00.*close.*true.*false/s);
    const { id } = approvals[1]!;
    expect((await look.post(`/api/v1/approvals/${id}/approve`, {})).status).toBe(403);
    expect(approvals[1]!.by).toBe('rana');
    expect((await at.post(`/api/v1/approvals/${id}/approve`, {})).status).toBe(422);
    await at.stop();
    const karims = await startDesk(['--by', 'karim'], { cwd: books.folder });
    desks.push(karims);
    await karims.enter();
    const address = `/api/v1/approvals/${id}/approve`;
    const { lines } = JSON.parse((await karims.post(`${address}?preview=1`, {})).text);
    expect(lines[0]).toMatchObject({ what: 'policy', subject: 'write_off_above USD: 50.00 → none' });
    const { said } = JSON.parse((await karims.post(address, {})).text);
    expect(said).toMatch(
      /^The books have a new approval policy: write_off_above USD: 50\.00 → none, .*close: true → f/,
    );
    const arabic = ARABIC.say({ id: 'policy-changed', changes: ['close: true → false', 'imports: true → false'] });
    expect(arabic).toMatch(/^تغيّرت سياسة الموافقات في الدفاتر: .*close: true → false.*، .*imports/);
    const settleAgain = { invoices: [10001], as: 'write-off', amount: '51.00', note: 'x' };
    expect(JSON.parse((await karims.post('/api/v1/settlements', settleAgain)).text)).toHaveProperty('settled');
    await books.verify();
  });
});

describe.skipIf(!hasPostgres)('a clerk of a shared ledger with settings of their own', () => {
  it('writes off no more than the books let one person, and approves nothing of theirs under another name', async () => {
    const { url, urlFor, query, name } = await newDatabase();
    expect((await books.remit(['ledger', 'copy', url, '--quiet'])).code).toBe(0);
    await query((await books.remit(['ledger', 'grants'], { env: { REMIT_LEDGER: url } })).stdout);
    const users = ['rana', 'karim', 'looker'].map((user) => `${user}_${name}`);
    const roles = ['remit_clerk', 'remit_clerk', 'remit_reader'];
    for (const [at, user] of users.entries())
      await query(`create role ${user} login password '${PASSWORD}' in role ${roles[at]}`);
    const [rana, karim, looker] = users.map((user) => ({ env: { REMIT_LEDGER: urlFor(user) } }));
    try {
      setTo('');
      const said = await books.remit(['report', 'open-items', '2026-10'], looker);
      expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('theirs holds until a second person')]);
      expect(await waits('97.00', '10001', rana)).toBe(true);
      const list = (await books.remit(['approvals', 'list', '--json'], rana)).stdout;
      const { approvals } = JSON.parse(list) as { approvals: (Listed & { database_user: string })[] };
      expect(approvals.map(({ what, database_user }) => [what, database_user])).toEqual([
        ['settle', users[0]],
        ['policy', users[0]],
      ]);
      for (const { id } of approvals) {
        const own = await books.remit(['approvals', 'approve', String(id), '--by', 'the auditor'], rana);
        expect([own.code, own.stderr]).toEqual([2, expect.stringContaining(`database user ${users[0]}`)]);
      }
      const settling = approvals[0]!;
      const sameName = await books.remit(['approvals', 'approve', String(settling.id), '--by', settling.by], karim);
      expect(sameName).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/remit: rana proposed decision \d+, and cannot.*\n.*--by NAME/),
      });
      const policy = String(approvals[1]!.id);
      expect((await books.remit(['approvals', 'approve', policy, '--by', 'karim'], karim)).code).toBe(0);
      expect(await waits('97.00', '10001', rana)).toBe(false);
    } finally {
      for (const user of users) await query(`drop owned by ${user}; drop role ${user}`);
    }
  });
});
