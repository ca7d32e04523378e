import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/base/place.ts';
import { CHECKS } from '../../src/checks/catalogue/index.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import * as client from '../../src/courier/index.ts';
import { openapiDocument } from '../../src/desk/openapi.ts';
import { describeNew } from '../../src/ledger/index.ts';
import * as books from '../../src/programs/books.ts';
import * as sandbox from '../../src/programs/sandbox.ts';
import { remit } from '../helpers/cli.ts';
import { invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { FIRST_FILES, firstBooks } from '../helpers/first-ledger.ts';
import { hasPostgres, newDatabase } from '../helpers/postgres.ts';

/**
 * What others build on, in files: whoever changes it sees it in a diff. CONTRIBUTING says what may change, and in which
 * version.
 */
const expectFrozen = (name: string, lines: readonly string[]) =>
  expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../goldens/frozen/${name}.txt`);

describe('the ledger', () => {
  const schemaOf = async (place: string) =>
    (await describeNew(placeOf(place)))
      .map(({ name, definition }) => `-- ${name}\n${definition}\n`)
      .sort((a, b) => (a < b ? -1 : 1));

  it('has these tables, views, indexes and triggers in SQLite', async () => {
    await expectFrozen('schema-sqlite', await schemaOf('ledger.db'));
  });

  it.skipIf(!hasPostgres)('has these in PostgreSQL', async () => {
    await expectFrozen('schema-postgres', await schemaOf((await newDatabase()).url));
  });
});

it('the books of 1.0.0, and the migration that made them, stay as they were released', async () => {
  const files = [...FIRST_FILES, 'migrations/0001_schema.ts', 'migrations/money.ts'];
  const digests = files.map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
  await expectFrozen('released', digests);
});

it('the commands have these arguments and flags', async () => {
  const lines = (command: CommandUnknownOpts, parent: string): string[] => {
    const help = command.createHelp();
    const name = `${parent}${command.name()}`;
    const values = command.registeredArguments.map((one) => `  ${help.argumentTerm(one)}${choices(one.argChoices)}`);
    const flags = command.options.map(({ flags, argChoices }) => `  ${flags}${choices(argChoices)}`);
    return [name, ...values, ...flags, ...command.commands.flatMap((child) => lines(child, `${name} `))];
  };
  await expectFrozen('commands', lines(await buildProgram(async () => {}), ''));
});

const choices = (words: readonly string[] | undefined) => (words === undefined ? '' : ` = ${words.join(' | ')}`);

it('the codes of checks and errors, the settings, the operations and the names for programs are these', async () => {
  const codes = [...readFileSync('src/base/errors.ts', 'utf8').matchAll(/readonly code = '([a-z-]+)'/g)];
  const of = (title: string, names: readonly string[]) => [title, ...names.map((name) => `  ${name}`), ''];
  const { paths } = openapiDocument() as { paths: Record<string, object> };
  await expectFrozen('names', [
    ...of(
      'checks',
      CHECKS.map(({ code, severity }) => `${code} ${severity}`),
    ),
    ...of(
      'errors',
      codes.map(([, code]) => code!),
    ),
    ...of(
      'settings',
      Object.entries(SETTINGS).map(([name, setting]) => `${name} ${JSON.stringify(setting)}`),
    ),
    ...of(
      'the web desk',
      Object.entries(paths).flatMap(([at, methods]) => Object.keys(methods).map((method) => `${method} ${at}`)),
    ),
    ...of('remit-books/books', Object.keys(books).sort()),
    ...of('remit-books/client', Object.keys(client).sort()),
    ...of('remit-books/sandbox', Object.keys(sandbox).sort()),
  ]);
});

/** In copies of the books of the first schema, in this order; what the first ones decide the later ones find. */
const RUNS = [
  'report',
  'check',
  'mismatch list',
  'match list',
  'import list',
  'settle list',
  'dispute list',
  'approvals list',
  'courier list',
  'serve token list',
  'changes',
  'changes --since 2026-11-01',
  'show invoice 10003',
  'show order HJCMFK4F5X',
  'show receipt 3',
  'show run 1',
  'evidence 10003',
  'statement 2026-10',
  'verify --deep',
  'doctor',
  'api',
  'backup copy.db',
  'export parquet lake',
  'match',
  'match remove 1 --by rana --reason wrong',
  'match add 3 10003 10005 --by rana',
  'settle 10040 --as write-off --by rana --note agreed --dry-run',
  'settle 10040 --as write-off --by rana --note agreed --yes',
  'settle list',
  'settle undo 29 --by rana --reason wrong',
  'mismatch show bcbeb8c528075b37',
  'show mismatch bcbeb8c528075b37',
  'mismatch ack bcbeb8c528075b37 --by rana --note seen',
  'mismatch resolve bcbeb8c528075b37 --by rana --note mended',
  'mismatch reopen bcbeb8c528075b37 --by rana --note again',
  'dispute bcbeb8c528075b37 --by rana --dry-run --include-possible',
  'dispute bcbeb8c528075b37 --by rana --yes --include-possible --out claim.txt',
  'import receipts cash.csv --account box',
  'import undo 48 --by rana --reason wrong',
  'close 2026-09 --by rana --first --with-open known',
  'show close 2026-09',
  'reopen 2026-09 --by rana --reason late',
  'courier rename med-post med --by rana',
];

/** Each field's place in a value, with its kinds; the keys of a table of any keys are `*`. */
function shapeOf(value: unknown, at = '', into = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  into.set(at, (into.get(at) ?? new Set()).add(kind));
  if (Array.isArray(value)) for (const one of value) shapeOf(one, `${at}[]`, into);
  else if (kind === 'object') {
    for (const [key, one] of Object.entries(value as object)) {
      shapeOf(one, `${at}.${/^[a-z][a-z0-9_]*$/.test(key) ? key : '*'}`, into);
    }
  }
  return into;
}

it('the JSON of the commands has these fields', async () => {
  const folder = firstBooks();
  writeFileSync(path.join(folder, 'cash.csv'), 'date,amount,currency,text\n2026-11-03,12.50,USD,cash\n');
  const courier = await startFakeCourier({
    invoices: [
      invoiceOf(1, '2026-11-05T10:00:00Z', [
        { order_id: 'A', cod: [['USD', '5.00']], delivery_fee: [['USD', '1.00']] },
      ]),
    ],
  });
  const nights = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'other.db', REMIT_HOME: folder };
  const lines: string[] = [];
  const failed: string[] = [];
  const run = async (words: string, env: Record<string, string> = {}) => {
    const argv = [...words.split(' '), '--json'];
    const { stdout, stderr } = await remit(argv, { cwd: folder, env, now: new Date('2026-11-20T10:00:00Z') });
    if (stdout === '') failed.push(`${words}: ${stderr}`);
    const value = JSON.parse(stdout || '{}');
    const shape = [...shapeOf(value)].map(([at, kinds]) => `  ${at || '.'} ${[...kinds].sort().join(' ')}`);
    lines.push(words, ...shape.sort());
    return value;
  };
  for (const words of RUNS) await run(words);
  const { reports } = (await run('report')) as { reports: { name: string }[] };
  for (const { name } of reports) {
    const { columns } = (await run(`report ${name}${['runs', 'paid-orders'].includes(name) ? '' : ' 2026-10'}`)) as {
      columns?: { name: string; type: string }[];
    };
    lines.push(`  columns of ${name}`, ...(columns ?? []).map((column) => `    ${column.name} ${column.type}`));
  }
  for (const words of ['sync 2026-11', 'night', 'api invoices year=2026 month=11']) await run(words, nights);
  await courier.close();
  expect(failed).toEqual([]);
  await expectFrozen('json', lines);
}, 300_000);
