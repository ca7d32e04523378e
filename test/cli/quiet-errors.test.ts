import { statSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { runRemit } from '../helpers/remit.ts';
import { temporaryFolder } from '../helpers/sync.ts';

let cwd: string;
beforeAll(async () => {
  cwd = temporaryFolder();
  // Late in a month, so that the faults of its documents are in that month.
  const now = new Date('2026-11-30T10:00:00Z');
  expect((await remit(['demo', 'books', '--quiet'], { cwd, now })).code).toBe(0);
});

/** A process of its own, as a person starts it: on each Node that remit runs on, nothing else may speak. */
describe('where all is well, standard error is empty', () => {
  const written = (...args: string[]): [name: string, args: string[], file: string] => [
    args.join(' '),
    args,
    args.at(-1)!,
  ];

  it.each([
    written('report', 'orders', '--out', 'orders.csv'),
    written('report', 'orders', '--out', 'orders.json'),
    written('report', 'orders', '--out', 'orders.html'),
    written('report', 'orders', '--out', 'orders.xlsx'),
    written('report', 'journal', '2026-10', '--format', 'hledger', '--out', 'october.journal'),
    written('report', 'journal', '2026-10', '--format', 'beancount', '--out', 'october.beancount'),
    written('statement', '2026-10', '--out', 'october.xlsx'),
    written('export', 'parquet', 'tables'),
    written('backup', 'copy.db'),
  ])('%s', async (_, args, file) => {
    const outcome = await runRemit(['-C', 'books', ...args.slice(0, -1), path.resolve(cwd, file), '--quiet'], {}, cwd);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(path.join(cwd, file)).size).toBeGreaterThan(0);
  });

  it.each([
    [['report', 'totals'], 0],
    [['report', 'invoices', '--format', 'csv'], 0],
    [['check', '2026-10', '--quiet'], 3],
    [['verify', '--deep', '--quiet'], 0],
    [['statement', '--from', '2026-10', '--to', '2026-10', '--quiet'], 0],
    [['statement', '--close-pack', '2026-10', '--quiet'], 0],
  ])('%s', async (args, code) => {
    expect(await runRemit(['-C', 'books', ...args], {}, cwd)).toMatchObject({ code, stderr: '' });
  });
});
