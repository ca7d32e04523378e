import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startDesk } from '../helpers/desk.ts';
import { deskBooks } from '../helpers/desk-books.ts';
import type { OwnBooks } from '../helpers/own-books.ts';
import { dumpLedger } from '../helpers/sync.ts';
import { typeDecision } from '../helpers/team.ts';

interface Preview {
  readonly preview: boolean;
  readonly lines: { readonly what: string }[];
  readonly letter: string | null;
  readonly stale_after: string | null;
  readonly refusals: { readonly code: string }[];
}

/** Invoice 10001 is 60.00 short, 10002 is 27.00 short, and a receipt of 9.00 pays nothing yet. */
let books: OwnBooks;
let short: string;

beforeEach(async () => {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]\n[approvals]\nwrite_off_above = { USD = "50" }');
  const lines = ['2026-10-01,-9.00,USD,Rent,', '2026-10-20,37.00,USD,Cedar Road 10001,'];
  lines.push('2026-10-21,20.00,USD,Cedar Road 10002,', '2026-10-22,9.00,USD,Cedar Road,', '2026-11-30,-9.00,USD,Rent,');
  const text = `date,amount,currency,text,invoice\n${lines.join('\n')}\n`;
  await books.json(['import', 'receipts', books.file('a.csv', text)]);
  const { stdout } = await books.remit(['check', '2026-10', '--json']);
  const found = JSON.parse(stdout).mismatches as { id: string; code: string; invoice_number: number }[];
  short = found.find(({ code, invoice_number }) => code === 'remittance-short' && invoice_number === 10002)!.id;
});

const ledger = () => dumpLedger(path.join(books.folder, 'ledger.db'));
const evidence = async () => JSON.parse((await books.remit(['verify', '--json'])).stdout).evidence;
const dry = async <T extends Preview>(argv: readonly string[]): Promise<T> => {
  const { code, stdout } = await books.remit([...argv, '--dry-run', '--json']);
  expect([argv, code]).toEqual([argv, 0]);
  return JSON.parse(stdout);
};
const by = ['--by', 'rana'];

describe('a decision on the command line', () => {
  it('is shown as the API shows it, and decides nothing', async () => {
    const settled = await books.json<{ settled: { id: number }[] }>([
      ...['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x', ...by],
    ]);
    const { id: proposal } = await books.json<{ id: number }>([
      ...['settle', '10001', '--as', 'other', '--amount', '55', '--note', 'x', ...by],
    ]);
    const { unmatched, matches } = await books.json<{
      unmatched: { receipts: number[] };
      matches: { id: number }[];
    }>(['match', 'list']);
    const [receipt] = unmatched.receipts;
    await books.json(['mismatch', 'ack', short, ...by]);
    const { imports } = await books.json<{ imports: { id: number }[] }>(['import', 'list']);
    const before = [ledger(), await evidence()];
    const settlement = settled.settled[0]!.id;
    const imported = imports.at(-1)!.id;
    const month = '2026-10';
    const desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
    const shown: [string[], string, object][] = [
      [
        ['settle', '10002', '--as', 'write-off', '--note', 'x'],
        '/settlements',
        { invoices: [10002], as: 'write-off', note: 'x' },
      ],
      [
        ['settle', '10001', '--as', 'write-off', '--note', 'x'],
        '/settlements',
        { invoices: [10001], as: 'write-off', note: 'x' },
      ],
      [['settle', 'undo', String(settlement), '--reason', 'x'], `/settlements/${settlement}/undo`, { reason: 'x' }],
      [['settle', 'undo', '9', '--reason', 'x'], '/settlements/9/undo', { reason: 'x' }],
      [['match', 'add', String(receipt), '10002', '--part'], '/matches', { receipt, invoices: [10002], part: true }],
      [
        ['match', 'remove', String(matches[0]!.id), '--reason', 'x'],
        `/matches/${matches[0]!.id}/remove`,
        { reason: 'x' },
      ],
      [['mismatch', 'ack', short, '--note', 'again'], '/mismatches/ack', { ids: [short], note: 'again' }],
      [['mismatch', 'ack', short], '/mismatches/ack', { ids: [short] }],
      [['mismatch', 'resolve', short, '--note', 'x'], '/mismatches/resolve', { ids: [short], note: 'x' }],
      [
        ['mismatch', 'resolve', short, '--note', 'x', '--settle'],
        '/mismatches/resolve',
        { ids: [short], note: 'x', settle: true },
      ],
      [['mismatch', 'reopen', short, '--note', 'x'], '/mismatches/reopen', { ids: [short], note: 'x' }],
      [['dispute', 'answer', short, '--note', 'x'], '/claims/answer', { ids: [short], note: 'x' }],
      [['close', month, '--first'], '/closes', { month, first: true }],
      [['close', month, '--first', '--with-open', 'x'], '/closes', { month, first: true, with_open: 'x' }],
      [['reopen', month, '--reason', 'x'], `/closes/${month}/reopen`, { reason: 'x' }],
      [['approvals', 'approve', String(proposal)], `/approvals/${proposal}/approve`, {}],
      [['approvals', 'refuse', String(proposal)], `/approvals/${proposal}/refuse`, {}],
      [['import', 'undo', String(imported), '--reason', 'x'], `/imports/${imported}/undo`, { reason: 'x' }],
    ];
    const counts: Record<string, [number, number]> = {};
    for (const [argv, address, body] of shown) {
      const name = argv.join(' ');
      const api = JSON.parse((await desk.post(`/api/v1${address}?preview=1`, body)).text);
      expect([name, await dry([...argv, ...by])]).toEqual([name, api]);
      counts[argv.slice(0, 2).join(' ')] = [api.lines.length, api.refusals.length];
      expect([name, api.lines.length + api.refusals.length]).not.toEqual([name, 0]);
      for (const line of api.lines) expect(line.amount ?? '0').toMatch(/^-?\d+(\.\d+)?$/);
    }
    expect([ledger(), await evidence()]).toEqual(before);
    await desk.stop();
    await books.verify();
  });

  it('of a claim has its letter, receipts that are taken off, and the total of the letter', async () => {
    const preview = await dry<Preview & { claim: null; dry_run: true; totals: object[]; sums: object[] }>([
      'dispute',
      '2026-10',
      ...by,
    ]);
    expect(preview).toMatchObject({ claim: null, dry_run: true, preview: true, refusals: [] });
    expect(preview.letter).toContain('9.00 USD');
    const desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
    const api = JSON.parse((await desk.post('/api/v1/claims?preview=1', { month: '2026-10' })).text);
    const { letter, sums, stale_after, refusals } = preview;
    expect(api).toMatchObject({ letter, sums, stale_after, refusals });
    expect(api.lines).toContainEqual(expect.objectContaining({ what: 'receipt-unallocated', amount: '-9.00' }));
    expect(preview.totals).toMatchObject([{ owed_to_us: (sums as { amount: string }[])[0]!.amount }]);
    const argv = ['dispute', '2026-10', '--yes', '--seen', stale_after!, '--out', 'claim.txt', '--json', ...by];
    const claimed = await books.remit(argv);
    expect([claimed.code, JSON.parse(claimed.stdout)]).toMatchObject([0, { claim: expect.any(Number) }]);
    const none = await dry(['dispute', '2026-10', ...by]);
    expect(none).toMatchObject({ letter: null, stale_after: null, refusals: [{ code: 'usage' }] });
    await desk.stop();
  });

  it('says in text too what holds it to what was shown, of a claim beside its letter', async () => {
    const held = (argv: readonly string[]) => books.remit([...argv, ...by, '--dry-run']);
    const head = /nothing was decided; --seen ([0-9a-f]{64}) decides this and nothing else/;
    const claim = await held(['dispute', '2026-10']);
    expect(claim.stdout).not.toMatch(head);
    expect(claim.stderr).toMatch(head);
    expect(head.exec(claim.stderr)![1]).toBe((await dry(['dispute', '2026-10', ...by])).stale_after);
    await books.remit(['statement', '2026-10', '--out', 's.xlsx']);
    await typeDecision(path.join(books.folder, 's.xlsx'), short, { status: 'resolved', note: 'agreed' });
    const taken = ['import', 'resolutions', 's.xlsx'];
    const { stdout } = await held(taken);
    expect(stdout).toMatch(/1 decision would be taken back/);
    const { code } = await books.remit([...taken, ...by, '--seen', head.exec(stdout)![1]!]);
    expect([code, (await held(taken)).stdout]).toEqual([0, expect.stringContaining('already imported')]);
  });

  it('of a workbook shows its rows, and holds it to them', async () => {
    await books.remit(['statement', '2026-10', '--out', 's.xlsx']);
    await typeDecision(path.join(books.folder, 's.xlsx'), short, { status: 'resolved', note: 'agreed' });
    const argv = ['import', 'resolutions', 's.xlsx', ...by];
    const shown = await dry(argv);
    expect(shown).toMatchObject({
      import: null,
      changed: 1,
      dry_run: true,
      lines: [{ what: 'resolved', amount: '27.00' }],
    });
    await books.json(['mismatch', 'ack', short, ...by]);
    const stale = await books.remit([...argv, '--seen', shown.stale_after!, '--json']);
    expect([stale.code, JSON.parse(stale.stderr).error.code]).toEqual([2, 'stale']);
    expect(await dry([...argv, '--seen', shown.stale_after!])).toMatchObject({ refusals: [{ code: 'stale' }] });
    expect((await books.json<{ imports: object[] }>(['import', 'list'])).imports).toHaveLength(1);
  });

  it('is refused with --seen where what it touches changed, and decides what was shown otherwise', async () => {
    const argv = ['settle', '10002', '--as', 'write-off', '--note', 'x', ...by];
    const { stale_after: seen } = await dry(argv);
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x', ...by]);
    await books.json(['settle', '10002', '--as', 'other', '--amount', '1', '--note', 'x', ...by]);
    const stale = await books.remit([...argv, '--seen', seen!, '--json']);
    expect([stale.code, JSON.parse(stale.stderr).error.code]).toEqual([2, 'stale']);
    expect(await dry([...argv, '--seen', seen!])).toMatchObject({ stale_after: null, refusals: [{ code: 'stale' }] });
    expect(await dry(['dispute', '2026-10', ...by, '--seen', seen!])).toMatchObject({ refusals: [{ code: 'stale' }] });
    const { stale_after: again } = await dry(argv);
    expect(await dry([...argv, '--seen', again!])).toMatchObject({ stale_after: again, refusals: [] });
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x', ...by]);
    expect(await books.json([...argv, '--seen', again!])).toMatchObject({ settled: [{ amount: '26.00' }] });
    // Sent again, it would do something else.
    expect((await books.remit([...argv, '--seen', again!])).code).toBe(2);
    expect((await books.remit([...argv, '--seen', 'x'])).code).toBe(2);
    const text = await books.remit([...argv.slice(0, 1), '10001', ...argv.slice(2), '--dry-run']);
    expect(text.stdout).toMatch(
      /write-off invoice 10001: 58\.00 USD, open afterwards 0\.00\n.*in all 58\.00 USD\n.*--seen/,
    );
    await books.verify();
  });

  it('that waits is held to what was shown too, and says that it waits', async () => {
    const argv = ['settle', '10001', '--as', 'write-off', '--note', 'x', ...by];
    const { stale_after: seen, lines } = await dry(argv);
    expect(lines).toMatchObject([{ amount: '60.00', open: '0.00' }]);
    await books.json(['settle', '10001', '--as', 'other', '--amount', '1', '--note', 'x', ...by]);
    expect((await books.remit([...argv, '--seen', seen!])).code).toBe(2);
    const desk = await startDesk([], { cwd: books.folder });
    await desk.enter();
    const sent = await desk.post('/api/v1/settlements', { invoices: [10001], as: 'write-off', note: 'x' });
    expect(JSON.parse(sent.text)).toMatchObject({
      waiting: true,
      said: expect.stringMatching(/^Decision \d+ waits for a second person/),
    });
    await desk.stop();
  });
});
