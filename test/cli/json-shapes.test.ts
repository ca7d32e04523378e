import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';

/** Commands of the page that only read, as they are run in the demo's books. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  'report NAME': ['report', 'totals'],
  report: ['report'],
  check: ['check', '2026-11'],
  statement: ['statement', '2026-11'],
  'import list': ['import', 'list'],
  'match list': ['match', 'list'],
  'mismatch list': ['mismatch', 'list'],
  'show invoice': ['show', 'invoice', '10021'],
  'show order': ['show', 'order', 'P-missed'],
  'show receipt': ['show', 'receipt', '7'],
  'show run': ['show', 'run', '2'],
  changes: ['changes'],
  evidence: ['evidence', '10021'],
  verify: ['verify'],
  backup: ['backup', 'copy.db'],
  api: ['api'],
};

/**
 * The fields that a shape names, each with those that it lies in: `bridge`, `steps`, `code`. Lists are passed through.
 */
function pathsOf(shape: string): string[][] {
  const paths: string[][] = [];
  const open: string[] = [];
  let last = '';
  for (const [token, name] of shape.matchAll(/"(\w+)"|[{}]/g)) {
    if (name !== undefined) {
      last = name;
      paths.push([...open, name].filter((part) => part !== ''));
    } else if (token === '{') open.push(last);
    else open.pop();
  }
  return paths;
}

/** Whether a value has a field at a path; a list that is empty has any. */
function has(value: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || (Array.isArray(value) && value.length === 0) || value === null) return true;
  if (Array.isArray(value)) return value.some((one) => has(one, [first, ...rest]));
  return (
    typeof value === 'object' && Object.hasOwn(value, first) && has((value as Record<string, unknown>)[first], rest)
  );
}

it('the JSON of the commands has the fields that docs/data.md names', { timeout: 120_000 }, async () => {
  const page = readFileSync('docs/data.md', 'utf8');
  const rows = [...page.slice(page.indexOf('## The JSON')).matchAll(/^\| (`.*?) \| (.*) \|$/gm)];
  const shapes = rows.flatMap(([, names = '', text = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, shape: /`([{[].*?)`/.exec(text)?.[1] ?? '' })),
  );
  const cwd = scratchFolder();
  await remit(['demo', 'books', '--quiet'], { cwd, now: new Date('2026-11-20T10:00:00Z') });
  const missing: string[] = [];
  for (const [name, argv] of Object.entries(RUNS)) {
    const shape = shapes.find((one) => one.name === name)?.shape ?? '';
    const paths = pathsOf(shape);
    expect([name, paths.length > 1]).toEqual([name, true]);
    const { stdout } = await remit([...argv, '--json'], { cwd: path.join(cwd, 'books') });
    const value = JSON.parse(stdout);
    missing.push(...paths.filter((place) => !has(value, place)).map((place) => `${name}: ${place.join('.')}`));
  }
  expect(missing).toEqual([]);
});
