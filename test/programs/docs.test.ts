import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { usingSandbox } from '../courier/seeded-sandbox.ts';
import { scratchFolder } from '../helpers/folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Below the packages that the programs need. */
const BUILT = path.join(ROOT, 'dist/test/programs');
const ENTRIES = { books: 'src/programs/books.ts', client: 'src/courier/index.ts', sandbox: 'src/programs/sandbox.ts' };

/** The packages as their source is now. @returns the modules of each entry, with what it loads at once */
async function build(): Promise<Record<string, readonly string[]>> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { ...ENTRIES, 'read-child': 'src/imports/formats/read-child.ts' },
    platform: 'node',
    external: [
      /^@fastify\/swagger-ui/,
      'exceljs',
      'graphile-worker',
      '@duckdb/node-api',
      'pg-native',
      'pg-cloudflare',
      /^@aws-sdk\//,
    ],
    logLevel: 'silent',
  });
  const { output } = await bundle.write({ dir: BUILT, cleanDir: true, entryFileNames: '[name].mjs' });
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
  const loadedBy = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const next of chunks.get(name)?.imports ?? []) loadedBy(next, seen);
    return seen;
  };
  const modulesOf = (name: string) =>
    [...loadedBy(`${name}.mjs`)]
      .flatMap((file) => chunks.get(file)?.moduleIds ?? [])
      .map((id) => path.relative(ROOT, id));
  return Object.fromEntries(Object.keys(ENTRIES).map((name) => [name, modulesOf(name)]));
}

test('the examples of docs/books-api.md run as they stand', async () => {
  await build();
  const text = readFileSync(path.join(ROOT, 'docs/books-api.md'), 'utf8');
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code as string);
  expect(examples).toHaveLength(4);
  await usingSandbox('flat', async ({ baseUrl, apiKey }) => {
    const cwd = scratchFolder();
    mkdirSync(path.join(cwd, 'books'));
    writeFileSync(path.join(cwd, 'books', 'remit.toml'), `api_url = "${baseUrl}"\ntime_zone = "UTC"\n`);
    const printed = [];
    for (const example of examples) {
      const code = example.replace(
        /'remit-books\/(\w+)'/g,
        (_, name) => `'${pathToFileURL(path.join(BUILT, `${name}.mjs`))}'`,
      );
      const file = path.join(cwd, 'program.mjs');
      writeFileSync(file, code);
      const run = promisify(execFile)(process.execPath, [file], {
        cwd,
        env: { ...process.env, REMIT_API_KEY: apiKey },
      });
      printed.push(await run);
    }
    expect(printed[0]?.stdout).toMatch(/^synced: complete\n\d+ errors are open\n/);
    expect(printed[1]).toEqual({ stdout: '', stderr: expect.stringMatching(/^usage: |^$/) });
    expect(printed[2]).toEqual({ stdout: 'true\n', stderr: '' });
    expect(printed[3]).toEqual({ stdout: 'PICKUP_ASSIGNED\n', stderr: '' });
  });
});

test('the client alone loads nothing of the ledger, nor of anything else that keeps books', async () => {
  const { client } = await build();
  expect(client).toContain('src/courier/client.ts');
  expect(
    client!.filter((id) =>
      /^src\/(?!courier|api|base|money|words\/(errors|direction))|^migrations|^reports|better-sqlite3|kysely|\/pg\//.test(
        id,
      ),
    ),
  ).toEqual([]);
});
