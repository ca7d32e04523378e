import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';
import { typeDecision } from '../helpers/team.ts';

/** Invoice 10001 is 60.00 short, 10002 is 27.00 short; one person gives up at most 50.00 of an invoice. */
let books: OwnBooks;
let ids: { readonly 10001: string; readonly 10002: string };
let desk: RunningDesk | undefined;

interface Row {
  readonly id: number | string;
  readonly command: string;
  readonly undone_at: string | null;
}

beforeEach(async () => {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]\n[approvals]\nwrite_off_above = { USD = "50" }');
  const lines = ['2026-10-01,-9.00,USD,Rent,', '2026-10-20,37.00,USD,Cedar Road 10001,'];
  lines.push('2026-10-21,20.00,USD,Cedar Road 10002,', '2026-11-30,-9.00,USD,Rent,');
  await books.json([
    'import',
    'receipts',
    books.file('a.csv', `date,amount,currency,text,invoice\n${lines.join('\n')}\n`),
  ]);
  const { stdout } = await books.remit(['check', '2026-10', '--json']);
  const found = JSON.parse(stdout).mismatches as { id: string; code: string; invoice_number: number }[];
  const of = (invoice: number) =>
    found.find(({ code, invoice_number }) => code === 'remittance-short' && invoice_number === invoice)!.id;
  ids = { 10001: of(10001), 10002: of(10002) };
});
afterEach(async () => {
  await books.verify();
  await desk?.stop();
  desk = undefined;
});

const by = (name: string) => ['--by', name];
const note = ['--note', 'agreed'];
const RESOLVE = ['mismatch', 'resolve', ...note, ...by('rana'), '--yes'];
const SETTLE = ['settle', '--as', 'other', ...note, ...by('rana')];
const listed = async () => (await books.json<{ settlements: Row[] }>(['settle', 'list'])).settlements;
const statusOf = async (id: string) =>
  (await books.json<{ mismatch: { status: string } }>(['mismatch', 'show', id])).mismatch.status;
const openOf = async (invoice: number) => {
  const { rows } = await books.json<{ rows: Record<string, string | number>[] }>(['report', 'open-items', '2026-11']);
  return rows.find((row) => row.number === invoice)?.open_today ?? '0.00';
};
const resolve = <T>(id: string, ...more: string[]) =>
  books.json<T & { readonly id: number }>(['mismatch', 'resolve', id, ...note, ...by('rana'), ...more]);

describe('resolving a finding with an effect', () => {
  it('gives its amount up under the limit, and leaves the invoice open', async () => {
    const before = await openOf(10002);
    await resolve(ids[10002]);
    expect(await openOf(10002)).toBe(before);
    expect(await listed()).toMatchObject([
      { id: ids[10002], command: 'mismatch resolve', invoice_number: 10002, amount: '27.00', kind: 'resolved' },
    ]);
    expect((await books.remit(['settle', 'list'])).stdout).toMatch(
      /27\.00 +USD +resolved +mismatch resolve +rana +agreed/,
    );
    await books.json(['settle', 'undo', ids[10002], '--reason', 'not agreed', ...by('karim')]);
    expect(await statusOf(ids[10002])).toBe('open');
    expect(await listed()).toMatchObject([{ undone_by: 'karim', undone_reason: 'not agreed' }]);
    const again = await books.remit(['settle', 'undo', ids[10002], '--reason', 'again']);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('nothing was settled or given up under')]);
  });

  it('waits for a second person above the limit', async () => {
    const waiting = await resolve<{ waiting: true; lines: object[] }>(ids[10001]);
    expect(waiting).toMatchObject({
      waiting: true,
      what: 'resolve',
      lines: [{ what: 'resolved', currency: 'USD', amount: '60.00', direction: 'none' }],
    });
    expect([await statusOf(ids[10001]), await listed()]).toEqual(['open', []]);
    expect((await books.remit(['approvals', 'list'])).stdout).toContain(`resolve ${ids[10001]}: agreed`);
    const approve = (name: string) => books.remit(['approvals', 'approve', String(waiting.id), ...by(name), '--json']);
    expect((await approve('rana')).code).toBe(2);
    expect(JSON.parse((await approve('karim')).stdout)).toMatchObject({
      what: 'resolve',
      result: { changed: [{ id: ids[10001], status: 'resolved' }] },
    });
    expect(await listed()).toMatchObject([{ amount: '60.00', by: 'rana', command: 'mismatch resolve' }]);
  });

  it('is not what was proposed once somebody resolved it', async () => {
    const [first, second] = [await resolve(ids[10001]), await resolve(ids[10001])];
    const approve = (id: number) => books.remit(['approvals', 'approve', String(id), ...by('karim')]);
    expect((await approve(first.id)).code).toBe(0);
    expect((await approve(second.id)).stderr).toContain('would no longer do what was proposed');
  });

  it('rests on what is open of its invoice: no approval and no dry run gives up what was settled meanwhile', async () => {
    const dry = await books.json<{ stale_after: string }>([...RESOLVE, ids[10001], '--dry-run']);
    const waiting = await resolve<{ lines: object[] }>(ids[10001]);
    expect(waiting.lines).toMatchObject([
      { what: 'resolved', invoice_number: 10001, invoice_number_text: '10001', amount: '60.00', open: '60.00' },
    ]);
    const { settled } = await books.json<{ settled: Row[] }>([...SETTLE, '10001', '--amount', '0.01']);
    const approve = () => books.remit(['approvals', 'approve', String(waiting.id), ...by('karim')]);
    const approved = await approve();
    expect([approved.code, approved.stderr]).toEqual([2, expect.stringContaining('would no longer do what was propo')]);
    const seen = await books.remit([...RESOLVE, ids[10001], '--seen', dry.stale_after]);
    expect([seen.code, await statusOf(ids[10001])]).toEqual([2, 'open']);
    expect(await listed()).toMatchObject([{ command: 'settle', amount: '0.01' }]);
    await books.json(['settle', 'undo', String(settled[0]!.id), '--reason', 'x']);
    await books.json([...SETTLE, '10002', '--amount', '1']);
    expect((await approve()).code).toBe(0);
  });

  it('gives up no more than is open, and says what to do', async () => {
    await books.remit(['dispute', ids[10002], ...by('rana')]);
    await books.remit(['statement', '2026-10', '--out', 's.xlsx']);
    await books.json([...SETTLE, '10002', '--amount', '20']);
    const refused = 'is about 27.00 USD, and 7.00 USD of its invoice is open now';
    const said = await books.remit([...RESOLVE, ids[10002]]);
    expect([said.code, said.stderr]).toEqual([2, expect.stringContaining(refused)]);
    await typeDecision(path.join(books.folder, 's.xlsx'), ids[10002], { status: 'resolved', note: 'agreed' });
    const taken = await books.remit(['import', 'resolutions', 's.xlsx', ...by('rana')]);
    expect(taken.stderr).toContain(refused);
    await books.json([...SETTLE, '10002', '--amount', '7']);
    const claim = await books.remit(['dispute', 'write-off', ids[10002], '--reason', 'x', ...by('rana')]);
    expect([claim.code, claim.stderr]).toEqual([2, expect.stringContaining('and 0.00 USD of its invoice is open now')]);
    expect(await listed()).toMatchObject([{ amount: '20.00' }, { amount: '7.00' }]);
    await books.remit(['check']);
    expect(await statusOf(ids[10002])).toBe('resolved');
  });

  it('counts for what is settled of its invoice later, until it is undone', async () => {
    await resolve(ids[10002]);
    const settle = ['settle', '10002', '--as', 'other', '--amount', '24', ...note];
    const { id } = await books.json<{ id: number }>(settle);
    expect(id).toBeTypeOf('number');
    await books.json(['settle', 'undo', ids[10002], '--reason', 'x']);
    expect(await books.json(settle)).toMatchObject({ settled: [{ amount: '24.00', open: '3.00' }] });
  });

  it('takes it off the invoice with --settle alone, and one undo takes both back', async () => {
    expect(await resolve(ids[10002], '--settle')).toMatchObject({
      settled: [{ invoice_number: 10002, amount: '27.00', kind: 'write-off', open: '0.00' }],
    });
    const [row, ...others] = await listed();
    expect([row, others]).toMatchObject([{ command: 'mismatch resolve', claim: ids[10002], amount: '27.00' }, []]);
    await books.json(['settle', 'undo', String(row!.id), '--reason', 'x']);
    expect([await statusOf(ids[10002]), await openOf(10002)]).toEqual(['open', '27.00']);
    expect(await resolve(ids[10001], '--settle')).toMatchObject({
      waiting: true,
      lines: [
        { what: 'resolved', amount: null },
        { what: 'write-off', amount: '60.00', open: '0.00' },
      ],
    });
  });

  it('without one needs nobody, and acknowledging gives nothing up', async () => {
    expect(await books.json(['mismatch', 'ack', ids[10001], ...by('rana')])).toMatchObject({ settled: [] });
    expect(await listed()).toEqual([]);
  });
});

describe('one list and one undo', () => {
  it('hold settlements, differences, claims that were written off and resolved findings', async () => {
    await books.remit(['dispute', ids[10002], ...by('rana')]);
    await books.json(['dispute', 'write-off', ids[10002], '--reason', 'too little', ...by('rana')]);
    await books.json(['settle', '10001', '--as', 'rounding', '--amount', '0.01', ...note, ...by('rana')]);
    const { matches } = await books.json<{ matches: { id: number; invoices: number[] }[] }>(['match', 'list']);
    const paid = matches.find(({ invoices }) => invoices.includes(10001))!;
    await books.json(['match', 'remove', String(paid.id), '--reason', 'by hand']);
    const unmatched = await books.json<{ unmatched: { receipts: number[] } }>(['match', 'list', '--unmatched']);
    const [receipt] = unmatched.unmatched.receipts;
    const added = ['match', 'add', String(receipt), '10001', '--difference', 'other', ...note, ...by('rana')];
    const { id } = await books.json<{ id: number }>(added);
    await books.json(['approvals', 'approve', String(id), ...by('karim')]);
    const rows = await listed();
    expect(rows).toMatchObject([
      { command: 'dispute write-off', amount: '27.00', claim: ids[10002], kind: 'write-off' },
      { command: 'settle', amount: '0.01', kind: 'rounding' },
      { command: 'match add', amount: '59.99', kind: 'other', invoice_number: 10001 },
    ]);
    for (const row of rows) await books.json(['settle', 'undo', String(row.id), '--reason', 'all of it']);
    expect((await listed()).every(({ undone_at }) => undone_at !== null)).toBe(true);
    expect([await statusOf(ids[10002]), await openOf(10001), await openOf(10002)]).toEqual(['open', '97.00', '27.00']);
  });

  it('stand in the history of their invoice by their amounts, and its page says what is open as the report does', async () => {
    const page = async () => (await books.remit(['show', 'invoice', '10001'])).stdout.replace(/ +/g, ' ');
    const money = async () => {
      const { settled } = await books.json<{ settled: object[] }>(['show', 'invoice', '10001']);
      return settled;
    };
    const settle = ['settle', '10001', '--as', 'bank-charge', '--amount', '1.00', ...note, ...by('rana')];
    const { settled: made } = await books.json<{ settled: Row[] }>(settle);
    const { id } = made[0]!;
    const settled = await page();
    expect(settled).toMatch(new RegExp(`Settlement ${id}: Bank charge 1\\.00 USD rana agreed`));
    expect(settled).not.toMatch(/(Match|Settlement) .*[^0-9]0\.00 USD/);
    expect(await money()).toMatchObject([{ currency: 'USD', received: '37.00', differences: '1.00', open: '59.00' }]);
    expect(await openOf(10001)).toBe('59.00');
    await books.json(['settle', 'undo', String(id), '--reason', 'not agreed', ...by('karim')]);
    expect(await page()).toContain(`Settlement ${id} undone: not agreed karim`);
    expect(await money()).toMatchObject([{ received: '37.00', differences: '0.00', open: '60.00' }]);
    expect(await openOf(10001)).toBe('60.00');
  });

  it('say when they are approved what was done, as they would have said', async () => {
    const approved = async (...argv: string[]) => {
      const { id } = await books.json<{ id: number }>([...argv, ...by('rana')]);
      const { stdout } = await books.remit(['approvals', 'approve', String(id), ...by('karim')]);
      return stdout.replace(`decision ${id} is approved\n`, '');
    };
    expect(await approved('settle', '10001', '--as', 'other', '--amount', '51', ...note)).toBe(
      'settlement 3: 51.00 USD of invoice 10001 as other; 9.00 USD is still open\n',
    );
    await books.remit(['check']);
    expect(await approved('mismatch', 'resolve', ids[10001], ...note)).toBe('1 mismatch resolved\n');
    books.file('remit.toml', readFileSync(path.join(books.folder, 'remit.toml'), 'utf8').replace('"50"', '"70"'));
    const { stdout } = await books.remit(['approvals', 'list', '--json']);
    const [seen] = JSON.parse(stdout).approvals;
    const asked = await books.remit(['approvals', 'approve', String(seen.id), ...by('rana'), '--json']);
    const { id } = JSON.parse(asked.stdout);
    const policy = await books.remit(['approvals', 'approve', String(id), ...by('karim')]);
    expect(policy.stdout).toContain('the books have this policy now:\n  write_off_above USD: 70.00\n  close: false\n');
  });

  it('are the desk’s and the API’s too', async () => {
    desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
    const post = async (address: string, body: object) => JSON.parse((await desk!.post(address, body)).text);
    expect(await post('/api/v1/mismatches/resolve', { ids: [ids[10001]], note: 'x' })).toMatchObject({ waiting: true });
    const resolved = await post('/api/v1/mismatches/resolve', { ids: [ids[10002]], note: 'x', settle: true });
    expect(resolved).toMatchObject({ settled: [{ amount: '27.00' }] });
    expect(await post(resolved.undo.address, { reason: 'y' })).toMatchObject({ kind: 'reopen-mismatches' });
    expect(await openOf(10002)).toBe('27.00');
    await post('/api/v1/mismatches/resolve', { ids: [ids[10002]], note: 'x' });
    const { settlements } = await desk.json<{ settlements: Row[] }>('/api/v1/settlements');
    expect(settlements.at(-1)).toMatchObject({ id: ids[10002], command: 'mismatch resolve' });
    expect(await post(`/api/v1/settlements/${ids[10002]}/undo`, { reason: 'y' })).toMatchObject({
      settlement: ids[10002],
    });
    expect(await statusOf(ids[10002])).toBe('open');
    const claimed = await post('/api/v1/claims', { ids: [ids[10002]] });
    expect(claimed.undo).toMatchObject({ method: 'POST', address: expect.stringMatching(/decisions\/\d+\/undo$/) });
    expect(await post(claimed.undo.address, { reason: 'too early' })).toMatchObject({ kind: 'withdraw-claims' });
    const { claims } = await books.json<{ claims: { claim: { state: string } }[] }>(['dispute', 'list']);
    expect(claims).toMatchObject([{ claim: { state: 'withdrawn' } }]);
  });
});

describe('a workbook whose statuses are taken back', () => {
  it('lets the rows above the limit wait, and takes the others', async () => {
    await books.remit(['statement', '2026-10', '--out', 's.xlsx']);
    const file = path.join(books.folder, 's.xlsx');
    for (const id of Object.values(ids)) await typeDecision(file, id, { status: 'resolved', note: 'agreed' });
    const taken = await books.json<{ waiting: { id: number }[] }>(['import', 'resolutions', 's.xlsx', ...by('rana')]);
    expect(taken).toMatchObject({
      changed: 1,
      waiting: [{ waiting: true, what: 'resolve', lines: [{ amount: '60.00' }] }],
    });
    expect([await statusOf(ids[10001]), await statusOf(ids[10002])]).toEqual(['open', 'resolved']);
    expect(await listed()).toMatchObject([{ command: 'import resolutions', amount: '27.00' }]);
    await books.json(['approvals', 'approve', String(taken.waiting[0]!.id), ...by('karim')]);
    expect(await statusOf(ids[10001])).toBe('resolved');
    const undo = (await listed())[0]!.id;
    await books.json(['settle', 'undo', String(undo), '--reason', 'x']);
    expect(await statusOf(ids[10002])).toBe('open');
  });
});
