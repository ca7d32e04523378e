import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { Client, operations } from '../../src/courier/index.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { usingSandbox } from './seeded-sandbox.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(ROOT, 'docs/client.md'), 'utf8');

test('the examples run as they stand', async () => {
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code as string);
  expect(examples).toHaveLength(2);
  // The client as its source is now, whatever was built before.
  const file = path.join(scratchFolder(), 'client.mjs');
  const bundle = await rolldown({ cwd: ROOT, input: 'src/courier/index.ts', platform: 'node', logLevel: 'silent' });
  await bundle.write({ file, codeSplitting: false });
  await usingSandbox('flat', async ({ baseUrl, apiKey }) => {
    const env = { ...process.env, REMIT_API_URL: baseUrl, REMIT_API_KEY: apiKey };
    const printed = [];
    for (const example of examples) {
      const code = example.replace("'remit-books/client'", `'${pathToFileURL(file)}'`);
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT, env });
      const { stdout, stderr } = await run;
      expect(stderr).toBe('');
      printed.push(stdout);
    }
    expect(printed[0]).toMatch(/^Invoices of .+, October 2026\n(\d+ [A-Z_]+ \d+ orders \[\[".*"\]\]\n)+$/);
    expect(printed[1]).toBe('PICKUP_REQUESTED\n');
  });
});

test('the table holds every operation, with its request and summary, and a method of the client', () => {
  const rows = [...text.matchAll(/^\| `(\w+)\(.*?\)` \| (GET|POST|PATCH) (\S+) \| (.*) \|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const expected = Object.entries(operations).map(([name, { method, path: route, summary }]) => [
    name,
    method,
    `/${route}`,
    summary[0]?.toLowerCase() + summary.slice(1),
  ]);
  expect(rows).toEqual(expected);
  for (const [name] of rows) expect(Client.prototype).toHaveProperty(name as string);
});
