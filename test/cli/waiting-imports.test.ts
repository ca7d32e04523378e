import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Surroundings } from '../helpers/cli.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';
import { hasPostgres, newDatabase, PASSWORD } from '../helpers/postgres.ts';

const HEAD = 'date,amount,currency,text,invoice\n';
const BANK = `${HEAD}2026-10-20,97.00,USD,COD,10001\n2026-10-22,-5.50,USD,Stamps,\n2026-10-23,90000,LBP,cash,\n`;
const MORE = `${HEAD}2026-10-20,97.00,USD,COD,10001\n2026-10-25,47.00,USD,COD,10002\n`;

interface Brought {
  readonly import: number | null;
  readonly waiting?: true;
  readonly id: number;
  readonly new: number;
  readonly replaced: number;
}
interface Listed {
  readonly id: number;
  readonly what: string;
  readonly lines: readonly object[];
  readonly request: object;
}

let books: OwnBooks;
let more: Partial<Surroundings>;
const desks: RunningDesk[] = [];

beforeEach(async () => {
  books = await deskBooks('[approvals]\nimports = true');
  books.file('bank.csv', BANK);
  books.file('more.csv', MORE);
  more = {};
});
afterEach(async () => {
  for (const one of desks.splice(0)) await one.stop();
});

/** Puts the books on a server, as one of its users. @returns how the other one runs commands */
async function onServer(): Promise<Partial<Surroundings>> {
  const { url, urlFor, query, name } = await newDatabase();
  expect((await books.remit(['ledger', 'copy', url, '--quiet'])).code).toBe(0);
  await query((await books.remit(['ledger', 'grants'], { env: { REMIT_LEDGER: url } })).stdout);
  const [own, other] = ['rana', 'karim'].map((user) => `${user}_${name}`);
  for (const user of [own, other]) {
    await query(`create role ${user} login password '${PASSWORD}' in role remit_syncer`);
    onTestFinished(async () => void (await query(`drop owned by ${user}; drop role ${user}`)));
  }
  more = { env: { REMIT_LEDGER: urlFor(own!) } };
  return { env: { REMIT_LEDGER: urlFor(other!) } };
}
const bring = (file: string, ...argv: string[]) =>
  books.json<Brought>(['import', 'receipts', file, '--by', 'rana', ...argv], more);
const verdict = (verb: 'approve' | 'refuse', id: number, by: string, how = more) =>
  books.remit(['approvals', verb, String(id), '--by', by, '--json'], how);
const approvals = async () => (await books.json<{ approvals: Listed[] }>(['approvals', 'list'], more)).approvals;
const imports = async () => (await books.json<{ imports: object[] }>(['import', 'list'], more)).imports;
/** What a report's rows are, and what is said below them. */
async function report(name: string, how = more) {
  const { stdout } = await books.remit(['report', name, '--json'], how);
  const shown = JSON.parse(stdout) as { rows: Record<string, unknown>[]; notes: string[] };
  return { rows: shown.rows, notes: shown.notes.filter((note) => note.includes('waits for a second person')) };
}
const open = async (how = more) =>
  (await report('open-items', how)).rows.map(({ number, receipt, open }) => [number ?? receipt, open]);
const UNPAID = [
  [10001, '97.00'],
  [10002, '47.00'],
];

describe.each([
  ['in a file', true],
  ['on a server', hasPostgres],
] as const)('with imports = true, %s, a file of receipts', (where, canRun) => {
  it.skipIf(!canRun)('pays nothing until a second person has approved it, which matches it too', async () => {
    const other = where === 'on a server' ? await onServer() : more;
    const waiting = await bring('bank.csv');
    expect(waiting).toMatchObject({ waiting: true, import: null, new: 3 });
    expect((await bring('bank.csv')).id).toBe(waiting.id);
    expect(await open()).toEqual(UNPAID);
    for (const name of ['receipts', 'open-items', 'ageing', 'roll-forward']) {
      expect(await report(name)).toMatchObject({
        notes: [expect.stringMatching(/^bank\.csv .*3 new lines of it pay/)],
      });
    }
    expect((await report('receipts')).rows).toEqual([]);
    expect(await imports()).toMatchObject([{ id: waiting.id, source: 'bank.csv', actor: 'rana', waiting: true }]);
    expect(await approvals()).toMatchObject([
      {
        id: waiting.id,
        what: 'import',
        request: {
          file: 'bank.csv',
          from: '2026-10-20',
          to: '2026-10-23',
          totals: [
            { currency: 'LBP', count: 1, credits: '90000.00', debits: '0.00' },
            { currency: 'USD', count: 2, credits: '97.00', debits: '5.50' },
          ],
        },
        lines: [
          { what: 'import', subject: 'bank.csv: 1 line, 2026-10-23', currency: 'LBP', amount: '90000.00' },
          { what: 'import', subject: 'bank.csv: 2 lines, 2026-10-20 to 2026-10-22', currency: 'USD', amount: '91.50' },
        ],
      },
    ]);
    const text = (await books.remit(['approvals', 'list'], more)).stdout;
    expect(text).toContain('import bank.csv of 2026-10-20 to 2026-10-23');
    expect(text).toContain('91.50 USD');
    const look = ['approvals', 'approve', String(waiting.id), '--by', 'omar', '--dry-run'];
    expect(await books.json<{ sums: object[] }>(look, other)).toMatchObject({
      sums: expect.arrayContaining([{ currency: 'LBP', direction: 'none', amount: '90000.00' }]),
    });
    expect((await books.remit(look, other)).stdout).toContain('bank.csv: 2 lines, 2026-10-20 to 2026-10-22');
    expect((await verdict('approve', waiting.id, 'Rana')).code).toBe(2);
    await books.json(['match'], more);
    expect(await open()).toEqual(UNPAID);

    const later = { ...more, now: new Date('2026-11-12T09:00:00Z') };
    if (other !== more) {
      // Two persons at the command line of a server are two of its users.
      const own = await verdict('approve', waiting.id, 'karim', later);
      expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('the database user')]);
    }
    const approved = JSON.parse((await verdict('approve', waiting.id, 'karim', { ...later, ...other })).stdout);
    expect(approved).toMatchObject({ status: 'approved', what: 'import', result: { new: 3, file: 'bank.csv' } });
    expect(await imports()).toMatchObject([{ id: approved.result.import, actor: 'rana' }]);
    expect(await open(later)).toEqual([[10002, '47.00']]);
    expect((await report('receipts')).rows).toHaveLength(3);
    expect((await report('receipts')).notes).toEqual([]);
    const then = (argv: string[]) => books.remit([...argv, '--as-of', '2026-11-11', '--json'], later);
    const past = JSON.parse((await then(['report', 'open-items'])).stdout);
    expect(past.rows.map((row: { number: number; open: string }) => [row.number, row.open])).toEqual(UNPAID);
    expect(past.notes).toEqual(expect.arrayContaining([expect.stringContaining('waits for a second person')]));
    expect((await bring('bank.csv')).waiting).toBeUndefined();
    const { stdout } = await books.remit(['verify', '--deep', '--json'], more);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [] });
    if (where === 'in a file') expect(await books.json(['rebuild'], later)).toMatchObject({ changed: 0 });
  });
});

describe('a file that waits', () => {
  it('is taken back by a refusal or by `import undo`, and may be brought again', async () => {
    const first = await bring('bank.csv');
    expect((await verdict('refuse', first.id, 'karim')).code).toBe(0);
    const second = await bring('bank.csv');
    expect(second.id).not.toBe(first.id);
    const undone = await books.json(['import', 'undo', String(second.id), '--reason', 'wrong file', '--by', 'rana']);
    expect(undone).toEqual({
      import: second.id,
      kind: 'receipts',
      file: 'bank.csv',
      rows: 3,
      reason: 'wrong file',
      by: 'rana',
      resolved: 0,
    });
    expect([await imports(), await approvals(), await open()]).toEqual([[], [], UNPAID]);
    const again = await books.remit(['import', 'undo', String(second.id), '--reason', 'x', '--by', 'rana']);
    expect(again.code).toBe(2);
    await books.verify();
  });

  it('is stale once it would bring other lines, and is approved as it was shown beside others', async () => {
    const [first, second] = [await bring('bank.csv'), await bring('more.csv')];
    expect((await verdict('approve', second.id, 'karim')).code).toBe(0);
    const stale = await verdict('approve', first.id, 'karim');
    expect([stale.code, stale.stderr]).toEqual([2, expect.stringContaining('no longer do what was proposed')]);
    expect(await open()).toEqual([]);
    await books.json(['approvals', 'refuse', String(first.id), '--by', 'karim']);
    const rest = await bring('bank.csv');
    expect(rest).toMatchObject({ waiting: true, new: 2 });
    expect((await verdict('approve', rest.id, 'karim')).code).toBe(0);
    await books.verify();
  });

  it('takes out what it replaces only then, and says how much', async () => {
    const { id } = await bring('bank.csv');
    await verdict('approve', id, 'karim');
    books.file('right.csv', BANK.replace('97.00', '96.00'));
    const correction = await bring('right.csv', '--replace');
    expect(correction).toMatchObject({ waiting: true, new: 1, replaced: 1 });
    expect((await approvals())[0]).toMatchObject({
      lines: [
        { what: 'import', currency: 'USD', amount: '96.00' },
        { what: 'replace', currency: 'USD', amount: '97.00', subject: '1 line of 2026-10-20 no longer counts' },
      ],
    });
    expect(await open()).toEqual([[10002, '47.00']]);
    expect((await verdict('approve', correction.id, 'karim')).code).toBe(0);
    expect(await open()).not.toEqual([[10002, '47.00']]);
    await books.verify();
  });

  it('is none without the setting: it is taken as it is', async () => {
    const free = await deskBooks('[approvals]\nclose = true');
    free.file('bank.csv', BANK);
    const brought = await free.json<Brought>(['import', 'receipts', 'bank.csv', '--by', 'rana']);
    expect([brought.waiting, brought.import]).toEqual([undefined, expect.any(Number)]);
  });

  it('of a program pays nothing that it settles by, and is approved at the desk', async () => {
    const desk = await startDesk([], { cwd: books.folder });
    desks.push(desk);
    await desk.enter();
    const made = ['serve', 'token', '--role', 'clerk', '--name', 'ERP', '--by', 'karim'];
    const { token } = await books.json<{ token: string }>(made);
    const headers = (key: string, type: string) => ({
      authorization: `Bearer ${token}`,
      'content-type': type,
      'idempotency-key': key,
    });
    const part = (name: string, value: string) => `--x\r\ncontent-disposition: form-data; ${name}\r\n\r\n${value}\r\n`;
    const body = `${part('name="kind"', 'receipts')}${part('name="file"; filename="made-up.csv"', BANK)}--x--\r\n`;
    const sent = { method: 'POST', body, headers: headers('k', 'multipart/form-data; boundary=x') } as const;
    const brought = JSON.parse((await desk.send('/api/v1/imports', sent)).text);
    expect(brought).toMatchObject({ waiting: true, what: 'import', imports: [{ waiting: true, import: null }] });
    const match = { receipt: 1, invoices: [10001], note: 'x' };
    const matched = await desk.send('/api/v1/matches', {
      method: 'POST',
      headers: headers('m', 'application/json'),
      body: JSON.stringify(match),
    });
    expect(matched.status).toBe(422);
    const page = (await desk.send('/approvals', { headers: { cookie: desk.cookie, accept: 'text/html' } })).text;
    expect(page).toMatch(/Import of receipts.*made-up\.csv: 2 lines, 20 Oct 2026 to 22 Oct 2026.*91\.50/s);
    expect((await verdict('approve', brought.id, 'karim')).code).toBe(2);
    expect(JSON.parse((await desk.post(`/api/v1/approvals/${brought.id}/approve`, {})).text)).toMatchObject({
      status: 'approved',
      what: 'import',
    });
    expect(await open()).toEqual([[10002, '47.00']]);
    await books.verify();
  });
});
