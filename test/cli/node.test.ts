import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { rebuildHint } from '../../src/base/sqlite/better-sqlite3.ts';
import { loadNodeSqlite } from '../../src/base/sqlite/node-sqlite.ts';
import { isSupportedNode, SUPPORTED_NODE } from '../../src/cli/installation.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { type Ended, runRemit } from '../helpers/remit.ts';

const CHECKOUT = path.resolve('.');

/** Runs remit after a script that changes what it finds around it. */
async function runAfter(script: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, 'ledger.db'), '');
  writeFileSync(path.join(cwd, 'before.mjs'), script);
  const env = {
    NODE_OPTIONS: `--import ${pathToFileURL(path.join(cwd, 'before.mjs'))}`,
    REMIT_API_URL: 'http://127.0.0.1:9/',
    REMIT_API_KEY: 'key',
    REMIT_LEDGER: 'ledger.db',
    ...more,
  };
  return runRemit(args, env, cwd);
}

describe('a Node.js that remit does not run on', () => {
  const onNode = (version: string) =>
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;

  it.each([
    ['18.20.8', false],
    ['20.18.0', false],
    ['20.18.1', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.13.1', false],
    ['22.14.0', true],
    ['23.11.1', false],
    ['24.0.0', true],
    ['24.0.0-nightly2025050612345', true],
    ['26.1.0', true],
  ])('%s: %s', (version, isSupported) => {
    expect(isSupportedNode(version)).toBe(isSupported);
  });

  it('is what package.json says', () => {
    expect(manifest.engines.node).toBe(SUPPORTED_NODE);
  });

  it('is told at the start, before anything is loaded that could fail on it', async () => {
    const message = 'remit runs on Node.js 20 (from 20.18.1), 22 (from 22.14), and 24 and later, not on 18.20.8';
    expect(await runAfter(onNode('18.20.8'), ['--version'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `remit: ${message}\n  → Install a current Node.js from https://nodejs.org, then run \`npm ci\` where remit is installed.\n`,
    });
    const { stderr } = await runAfter(onNode('18.20.8'), ['doctor', '--json']);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'installation', message, hint: expect.any(String), exit_code: 1 },
    });
  });
});

describe('SQLite for another Node.js', () => {
  const dlopenFails = (message: string) => `process.dlopen = () => {
    throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'ERR_DLOPEN_FAILED' });
  };`;
  const WRONG_VERSION = dlopenFails(
    "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127. This version of Node.js requires\nNODE_MODULE_VERSION 115.",
  );
  const WRONG_MACHINE = dlopenFails('/x/better_sqlite3.node: invalid ELF header');
  const OLD_SYSTEM = dlopenFails(
    "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /x/linux-x64.node)",
  );
  const notFound = (pattern: string) => `import Module from 'node:module';
    const { _resolveFilename } = Module;
    Module._resolveFilename = function (name, ...rest) {
      if (${pattern}.test(name)) throw Object.assign(new Error(\`Cannot find module '\${name}'\`), { code: 'MODULE_NOT_FOUND' });
      return _resolveFilename.call(this, name, ...rest);
    };`;
  const NOT_BUILT = notFound('/better_sqlite3\\.node$|x64\\.node$|arm64\\.node$/');
  const node = `Node.js ${process.versions.node}`;
  const otherwise = 'or use Node.js 22.16 or later, which has an SQLite of its own.';
  const rebuild = `Run \`node src/build-sqlite.mjs\` in ${CHECKOUT} with this Node.js (on Node.js 20 it needs python3, make and a C++ compiler), ${otherwise}`;
  /** Node's own would take its place from 22.16 on. */
  const ALONE = { REMIT_SQLITE: 'better-sqlite3' };
  const ownSqlite = loadNodeSqlite();
  /** What is to be done where no other is allowed: with a Node that has its own, to allow it. */
  const alone = (hint: string) =>
    ownSqlite === undefined ? hint : `Unset REMIT_SQLITE: ${node} has an SQLite of its own.`;

  const COMMANDS = [
    ['report', 'totals'],
    ['sync', '2026-10'],
    ['check'],
    ['backup', 'copy.db'],
    ['demo', 'demo'],
    ['sandbox', 'key', 'create', '--data', 'shop.db', '--merchant', 'Shop'],
    ['sandbox', 'serve', '--data', 'ledger.db', '--port', '0'],
  ];

  it.each(COMMANDS.map((args) => [args.join(' '), args]))(
    'is told as that, with the remedy: remit %s',
    async (_, args) => {
      const { code, stderr } = await runAfter(WRONG_VERSION, [...args, '--quiet'], ALONE);
      expect(stderr).toBe(
        `remit: SQLite was built for another Node.js than ${node}, which runs now\n  → ${alone(rebuild)}\n`,
      );
      expect(code).toBe(1);
    },
  );

  it.each([
    [
      'of another machine',
      WRONG_MACHINE,
      /cannot load SQLite: \/x\/better_sqlite3\.node: invalid ELF header$/,
      rebuild,
    ],
    [
      'for a newer system',
      OLD_SYSTEM,
      /^this system is too old for the SQLite that remit brings, which needs GLIBC_2\.34$/,
      rebuild,
    ],
    ['that was never built', NOT_BUILT, new RegExp(`^SQLite was not built for ${node}$`), rebuild],
  ])('or %s', async (_, script, sentence, hint) => {
    const { code, stderr } = await runAfter(script, ['report', 'totals', '--json'], ALONE);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'installation', message: expect.stringMatching(sentence), hint: alone(hint), exit_code: 1 },
    });
    expect(code).toBe(1);
  });

  it('is a finding of the doctor', async () => {
    const { code, stdout } = await runAfter(WRONG_VERSION, ['doctor'], ALONE);
    expect(stdout).toContain(`SQLite was built for another Node.js than ${node}`);
    expect(stdout).toContain(alone('node src/build-sqlite.mjs'));
    expect(code).toBe(1);
  });

  it.skipIf(ownSqlite === undefined)("leaves the work to Node's own, and the doctor says so", async () => {
    const { code, stdout, stderr } = await runAfter(OLD_SYSTEM, [
      'sandbox',
      'key',
      'create',
      '--data',
      'shop.db',
      '--merchant',
      'Shop',
    ]);
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: '', stdout: expect.any(String) });
    const doctor = await runAfter(OLD_SYSTEM, ['doctor']);
    expect(doctor.stdout).toMatch(
      /✓ sqlite {5}node:sqlite; better-sqlite3 does not load: this system is too old for the SQLite that remit brings, which needs GLIBC_2\.34\n/,
    );
    expect(doctor.stderr).toBe('');
  });

  it.runIf(ownSqlite === undefined)("cannot be Node's own before 22.16", async () => {
    const { code, stderr } = await runAfter('', ['report', 'totals'], { REMIT_SQLITE: 'node' });
    expect(stderr).toBe(
      `remit: ${node} has no SQLite of its own that remit could use\n  → Use Node.js 22.16 or later, or unset REMIT_SQLITE.\n`,
    );
    expect(code).toBe(1);
  });

  it('is chosen by a name that there is', async () => {
    const { code, stderr } = await runAfter('', ['report', 'totals'], { REMIT_SQLITE: 'sqlite3' });
    expect(stderr).toContain('REMIT_SQLITE is neither `better-sqlite3` nor `node`');
    expect(code).toBe(2);
  });

  it('has its remedy where remit is installed', () => {
    const root = scratchFolder();
    const [project, global] = ['project', 'lib'].map((name) =>
      path.join(root, name, 'node_modules', 'remit', 'dist', 'src'),
    );
    for (const folder of [project!, global!]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(root, 'project', 'package.json'), '{}');
    expect(rebuildHint(project!, { isInstalled: false })).toMatch(
      new RegExp(`npm install better-sqlite3.*\` in ${path.join(root, 'project')}`),
    );
    expect(rebuildHint(global!, { isInstalled: false })).toMatch(/npm install --global better-sqlite3/);
    expect(rebuildHint(path.resolve('src/cli'), { isInstalled: false })).toContain(`\`npm ci\` in ${CHECKOUT} with`);
  });
});
