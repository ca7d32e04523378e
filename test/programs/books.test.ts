import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { InterruptedError, type OpenOptions, openBooks, RemitError, UsageError } from '../../src/programs/books.ts';
import { startSandbox } from '../../src/programs/sandbox.ts';
import { remit } from '../helpers/cli.ts';
import { firstBooks } from '../helpers/first-ledger.ts';
import { scratchFolder } from '../helpers/folder.ts';

const NOW = new Date('2026-11-05T08:00:00Z');
const now = () => NOW;

/** A books folder over a small world of the company's service. */
async function newBooks(options: OpenOptions = {}) {
  const sandbox = await startSandbox({ seed: 'books', clock: now });
  onTestFinished(() => sandbox.close());
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'key'), sandbox.key, { mode: 0o600 });
  const settings = [`api_url = "${sandbox.url}"`, 'api_key_file = "key"', 'time_zone = "UTC"'];
  writeFileSync(path.join(folder, 'remit.toml'), `${settings.join('\n')}\n`);
  return { folder, sandbox, books: openBooks(folder, { now, ...options }) };
}

it('each command is a method that gives what its --json gives, and prints nothing', async () => {
  const { folder, books } = await newBooks();
  const json = async (...argv: string[]) =>
    JSON.parse((await remit([...argv, '--json'], { cwd: folder, now: NOW })).stdout);
  expect(await books.sync({ orders: true })).toMatchObject({ status: 'complete' });
  const [invoice] = (await books.report({ name: 'invoices' })).rows;
  const shown = await books.show({ kind: 'invoice', id: String(invoice?.number) });
  expect(shown).toEqual(await json('show', 'invoice', String(invoice?.number)));
  writeFileSync(path.join(folder, 'cash.csv'), 'date,amount,currency,text\n2026-10-12,12.50,USD,cash\n');
  const receipts = { file: path.join(folder, 'cash.csv'), account: 'box', by: 'rana' };
  expect(await books.importReceipts({ ...receipts, dryRun: true })).toMatchObject({ import: null });
  expect(await books.importReceipts(receipts)).toMatchObject({ kind: 'receipts' });
  expect((await books.check({ period: '2026-10' })).open.error).toEqual(expect.any(Number));
  expect(await books.mismatches.list()).toEqual(await json('mismatch', 'list'));
  expect(await books.match.list()).toEqual(await json('match', 'list'));
  expect(await books.imports.list()).toEqual(await json('import', 'list'));
  expect(await books.report({ name: 'totals' })).toEqual(await json('report', 'totals'));
  const open = (await books.report({ name: 'invoices', status: 'PENDING_PAYMENT' })).rows;
  const settle = { invoices: [String(open[0]?.number)], as: 'write-off', note: 'agreed', by: 'rana' } as const;
  const preview = await books.settle({ ...settle, currency: 'USD', amount: '0.01', dryRun: true });
  expect(preview.preview).toBe(true);
  const settled = await books.settle({ ...settle, currency: 'USD', amount: '0.01', seen: preview.stale_after! });
  expect('settled' in settled && settled.settled[0]).toMatchObject({ currency: 'USD', amount: '0.01' });
  expect(await books.settle.list()).toEqual(await json('settle', 'list'));
  if (!('settled' in settled)) throw new Error('nothing was settled');
  const undo = { id: settled.settled[0]!.id, reason: 'by mistake', by: 'rana', dryRun: true } as const;
  expect((await books.settle.undo(undo)).preview).toBe(true);
  expect((await books.dispute({ period: '2026-10', dryRun: true })).dry_run).toBe(true);
  expect(await books.dispute.list()).toEqual(await json('dispute', 'list'));
  const closed = await books.close({ month: '2026-10', by: 'rana', first: true, withOpen: 'known' });
  expect(closed).toMatchObject({ status: 'closed', period: '2026-10' });
  const statement = await books.statement({ month: '2026-10' });
  expect(statement).toMatchObject({
    month: '2026-10',
    status: 'closed',
    file: expect.stringMatching(/2026-10\.xlsx$/),
  });
  expect(await books.approvals.list({ all: true })).toEqual({ approvals: [] });
  expect((await books.verify()).ok).toBe(true);
});

it('several books are open at once, and what one is told is not heard by another', async () => {
  const [one, other] = await Promise.all([newBooks(), newBooks()]);
  const synced = await Promise.all([one.books.sync(), other.books.sync()]);
  expect(synced.map(({ status }) => status)).toEqual(['complete', 'complete']);
  await one.books.close();
  await expect(one.books.check()).rejects.toThrow(UsageError);
  expect(await other.books.mismatches.list()).toHaveProperty('mismatches');
});

it('what a command does not take, or needs, is an error with a remedy', async () => {
  const { books } = await newBooks();
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: RemitError) => error,
    );
  expect(await failure(books.check({ periods: '2026-10' } as object))).toMatchObject({
    code: 'usage',
    message: 'check has no option "periods"',
    hint: 'Did you mean period?',
  });
  expect((await failure(books.check({ failOn: 'nothing' } as object)))?.message).toContain('none of its choices');
  expect((await failure(books.match.remove({ id: 1 } as never)))?.message).toBe('match remove needs reason');
  expect((await failure(books.settle({ as: 'other', note: 'x' } as never)))?.message).toBe('settle needs invoices');
  expect(await failure(books.check())).toBeInstanceOf(RemitError);
  expect((await failure(books.check('2026-10' as never)))?.message).toBe('check takes its arguments as one object');
  const both = books.importReceipts({ file: 'a.csv', files: ['b.csv'] } as never);
  expect((await failure(both))?.message).toBe('import receipts takes file or files, not both');
  expect(() => openBooks(undefined as never)).toThrow('openBooks needs a books folder');
});

it('gives a report in the format that is asked for', async () => {
  const folder = firstBooks();
  const books = openBooks(folder, { now });
  const printed = async (...argv: string[]) => (await remit(['report', ...argv], { cwd: folder, now: NOW })).stdout;
  const journal: string = await books.report({ name: 'journal', courier: 'med-post', format: 'hledger' });
  expect(journal).toBe(await printed('journal', '--courier', 'med-post', '--format', 'hledger'));
  expect(await books.report({ name: 'totals', format: 'csv' })).toBe(await printed('totals', '--format', 'csv'));
  const out = path.join(folder, 'totals.xlsx');
  const written: null = await books.report({ name: 'totals', format: 'xlsx', out });
  expect([written, existsSync(out)]).toEqual([null, true]);
  expect((await books.report()).reports.map(({ name }) => name)).toContain('totals');
});

it('a signal ends what is at work', async () => {
  const abort = new AbortController();
  const { books } = await newBooks({ signal: abort.signal });
  const syncing = books.sync({ orders: true });
  abort.abort();
  await expect(syncing).rejects.toThrow(InterruptedError);
  await expect(books.check()).rejects.toThrow(InterruptedError);
});

it('a program that has nobody at a terminal hears nothing of it', async () => {
  const { folder } = await newBooks();
  mkdirSync(path.join(folder, 'else'));
  const program = `
    import { openBooks } from '${path.resolve('src/programs/books.ts')}';
    await openBooks(${JSON.stringify(folder)}).doctor();`;
  const args = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', program];
  if (Number.parseInt(process.versions.node, 10) < 22) return;
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('');
});

it('reads an option as the command line would, and refuses what could not be typed', async () => {
  const books = openBooks(firstBooks(), { now });
  const ids = (found: { readonly mismatches: readonly { readonly id: string }[] }) =>
    found.mismatches.map(({ id }) => id);
  const errors = ids(await books.mismatches.list({ severity: ['error'] }));
  expect(ids(await books.mismatches.list({ severity: 'error' }))).toEqual(errors);
  expect(errors.length).toBeGreaterThan(0);
  const settling = { as: 'rounding', note: 'cents', by: 'rana', dryRun: true } as const;
  const previews = await Promise.all(
    [[10040], '10040', ['10040']].map((invoices) => books.settle({ ...settling, invoices })),
  );
  expect(new Set(previews.map((preview) => JSON.stringify(preview))).size).toBe(1);
  expect(await books.evidence({ id: 10003 })).toEqual(await books.evidence({ id: ['10003'] }));
  const refusals: readonly [() => Promise<unknown>, string][] = [
    [() => books.settle({ ...settling, invoices: [10040], amount: 0.01 as never }), 'neither a text nor a whole'],
    [() => books.settle({ ...settling, invoices: [10040], dryRun: 'no' as never }), 'neither true nor false'],
    [() => books.settle({ ...settling, invoices: [10040], seen: 'abc' }), 'seen of settle cannot be read'],
    [() => books.settle({ ...settling, invoices: [{}] as never }), 'invoices of settle is neither'],
    [() => books.match.remove({ id: 'x' as never, reason: 'y' }), 'id of match remove cannot be read'],
    [() => books.sync({ concurrency: 'four' as never }), 'concurrency of sync cannot be read'],
    [() => books.check({ yes: true } as never), 'check has no option "yes"'],
  ];
  for (const [call, message] of refusals) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toContain(message);
  }
});

it('keeps the ledger whole, and runs a fleet', async () => {
  const { folder, books } = await newBooks();
  const verified = await books.sync({ orders: true }).then(() => books.verify());
  expect(await books.rebuild()).toMatchObject({ changed: 0, head: verified.head });
  expect(await books.ledger.copy({ to: path.join(folder, 'copy.db') })).toMatchObject({ head: verified.head });
  expect(Object.keys(await books.export.parquet({ dir: path.join(folder, 'parquet') }))).toContain('tables');
  const dir = path.join(folder, 'fleet');
  await books.fleet.init({ dir });
  const { fleet } = openBooks(dir, { now });
  await fleet.add({ merchant: 'm001' });
  expect(await fleet.status()).toMatchObject({ merchants: [{ merchant: 'm001', last_good_sync: null }] });
});

it('makes a books folder, and tells why a receipt is matched', async () => {
  const parent = scratchFolder();
  const dir = path.join(parent, 'new');
  const made = await openBooks(dir, { now }).init({ apiUrl: 'https://api.example.com/v1/external/' });
  expect(made).toEqual({ folder: dir, settings: path.join(dir, 'remit.toml') });
  expect((await openBooks(dir, { now }).couriers.list()).couriers).toEqual([]);
  const folder = firstBooks();
  const books = openBooks(folder, { now });
  const { stdout } = await remit(['match', 'explain', 'receipt', '3', '--json'], { cwd: folder, now: NOW });
  expect(await books.match.explain({ words: ['receipt', 3] })).toEqual(JSON.parse(stdout));
  const letter = await books.dispute.letter({ month: '2026-10' }).catch((error: unknown) => error);
  expect(letter instanceof UsageError || typeof (letter as { letter: string }).letter === 'string').toBe(true);
  expect(await books.couriers.rename({ from: 'med-post', to: 'med', by: 'rana' })).toEqual({
    courier: 'med',
    was: 'med-post',
    by: 'rana',
  });
});
