import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What every layer may import: itself, and these. See 'The folders' in docs/architecture.md. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  // What errors say, in each language: any folder throws them.
  'words/errors': ['base'],
  'base/files': ['base', 'words/errors'],
  money: ['base', 'words/errors'],
  config: ['base', 'base/files', 'words/errors'],
  api: ['base', 'money'],
  sandbox: ['base', 'base/files', 'money', 'api'],
  courier: ['base', 'money', 'api'],
  migrations: [],
  ledger: ['base', 'base/files', 'words/errors', 'money', 'migrations'],
  // Pure readers of files; what they read becomes rows in derive.
  imports: ['base', 'words/errors', 'money'],
  derive: ['base', 'words/errors', 'money', 'api', 'imports', 'ledger'],
  sync: ['base', 'words/errors', 'money', 'api', 'courier', 'derive', 'ledger'],
  matching: ['base', 'words/errors', 'money', 'imports'],
  checks: ['base', 'words/errors', 'money', 'imports', 'matching', 'ledger'],
  reports: ['base', 'words/errors', 'money', 'matching', 'ledger', 'checks'],
  words: ['base', 'words/errors', 'money', 'checks', 'reports'],
  render: ['base', 'base/files', 'words/errors', 'money', 'words', 'reports'],
  app: [
    'base',
    'base/files',
    'words/errors',
    'money',
    'config',
    'api',
    'courier',
    'ledger',
    'imports',
    'derive',
    'sync',
    'matching',
    'checks',
    'words',
    'reports',
    'render',
  ],
  'app/demo': ['app', 'base', 'base/files', 'checks', 'config', 'sandbox'],
  desk: ['app', 'base', 'base/files', 'words/errors', 'config', 'money', 'words', 'reports', 'render'],
  cli: ['app', 'app/demo', 'base', 'base/files', 'config', 'desk', 'words', 'render'],
  'cli/sandbox': ['cli', 'base', 'base/files', 'sandbox'],
  // What other programs import.
  programs: ['app', 'base', 'cli', 'config', 'sandbox'],
  executable: ['base', 'cli', 'desk', 'imports'],
};

/** Folders and files that make a layer, the first that fits. */
const LAYERS: readonly [layer: string, pattern: RegExp][] = [
  ['executable', /^src\/executable\.ts$/],
  ['words/errors', /^src\/words\/(errors\/|direction\.ts$|arabic-noun\.ts$)/],
  ['base/files', /^src\/base\/files\//],
  ['migrations', /^migrations\//],
  ['reports', /^reports\//],
  ['app/demo', /^src\/app\/demo\//],
  ['cli/sandbox', /^src\/cli\/commands\/sandbox\//],
  ['cli', /^src\/(main\.ts$|cli\/)/],
  ...[
    'base',
    'money',
    'config',
    'api',
    'sandbox',
    'courier',
    'ledger',
    'imports',
    'derive',
    'sync',
    'matching',
    'checks',
    'words',
    'render',
    'app',
    'desk',
    'programs',
  ].map((layer): [string, RegExp] => [layer, new RegExp(`^src/${layer}/`)]),
];

/** Modules from outside that one layer keeps to itself. */
const KEPT_BY: Record<string, readonly string[]> = {
  'decimal.js': ['money'],
  undici: ['courier'],
  fastify: ['sandbox', 'desk'],
  exceljs: ['render'],
  'hyparquet-writer': ['render'],
  'graphile-worker': ['ledger'],
  '@duckdb/node-api': ['ledger'],
  preact: ['render', 'desk'],
  'preact-render-to-string': ['render'],
  kysely: ['migrations', 'ledger'],
  pg: ['ledger'],
  'better-sqlite3': ['base'],
  'csv-parse': ['imports'],
  saxes: ['imports'],
  'iconv-lite': ['imports'],
  commander: [],
  '@commander-js/extra-typings': ['cli', 'cli/sandbox'],
};

function sourceFiles(): string[] {
  return ['src', 'reports', 'migrations'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
  );
}

function layerOf(file: string): string | undefined {
  return LAYERS.find(([, pattern]) => pattern.test(file))?.[0];
}

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^;'"]*?from\s*)?['"]([^'"]+)['"]/g;
const LAZY = /import\(\s*['"]([^'"]+)['"]/g;

interface Import {
  readonly from: string;
  readonly isType: boolean;
  /** Whether the module is loaded together with this one: no type, and not on demand. */
  readonly loads: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const atOnce = [...text.matchAll(STATIC)].map(([, type, from]) => ({
    from: from!,
    isType: type !== undefined,
    loads: type === undefined,
  }));
  return [...atOnce, ...[...text.matchAll(LAZY)].map(([, from]) => ({ from: from!, isType: false, loads: false }))];
}

function resolved(file: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
}

/** Layers whose files may be loaded before it is known what a command is to do. */
const LIGHT = new Set(['base', 'base/files', 'cli', 'config', 'money', 'render', 'words/errors']);

const files = sourceFiles();

describe('the layers', () => {
  it('every file belongs to one', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
  });

  it('import only from those above them', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const layer = layerOf(file)!;
      for (const { from: specifier } of importsOf(file)) {
        if (!specifier.startsWith('.')) continue;
        const target = resolved(file, specifier);
        const targetLayer = layerOf(target);
        if (targetLayer === layer || MAY_IMPORT[layer]?.includes(targetLayer ?? '')) continue;
        if (target === 'src/cli/commands/sandbox/index.ts' && file === 'src/cli/program.ts') continue;
        wrong.push(`${file} (${layer}) imports ${target} (${targetLayer ?? 'no layer'})`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keep a dependency where it belongs', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const { from: specifier } of importsOf(file)) {
        const [scope = '', name] = specifier.split('/');
        const keepers = KEPT_BY[scope.startsWith('@') ? `${scope}/${name}` : scope];
        if (keepers && !keepers.includes(layerOf(file)!)) wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('a command is declared without loading what it works with', () => {
    const heavy: string[] = [];
    const load = (file: string, trail: readonly string[], done: Set<string>): void => {
      if (done.has(file)) return;
      done.add(file);
      if (!LIGHT.has(layerOf(file)!) && !file.startsWith('src/app/decisions/')) {
        heavy.push([...trail, file].join(' → '));
        return;
      }
      for (const { from, loads } of importsOf(file)) {
        if (loads && from.startsWith('.')) load(resolved(file, from), [...trail, file], done);
      }
    };
    const commands = files.filter((file) => file.startsWith('src/cli/commands/') && layerOf(file) === 'cli');
    for (const file of commands) load(file, [], new Set());
    expect(heavy).toEqual([]);
  });

  it('no file imports itself in a circle', () => {
    const imports = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ from }) => from.startsWith('.'))
          .map(({ from }) => resolved(file, from)),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
        return;
      }
      if (done.has(file)) return;
      for (const next of imports.get(file) ?? []) walk(next, [...trail, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });

  it('the simulator runs the product by its command line, and shares nothing else with it', () => {
    const names = readdirSync(path.join(ROOT, 'soak'), { recursive: true, encoding: 'utf8' });
    const own = names.filter((name) => name.endsWith('.ts')).map((name) => path.posix.join('soak', name));
    const used = own.flatMap((file) => importsOf(file).map(({ from }) => resolved(file, from)));
    expect([...new Set(used.filter((file) => /^(src|reports|migrations)\//.test(file)))]).toEqual(['src/cli/run.ts']);
  });

  it('only the use cases store what checks find', () => {
    const wrong = files.filter(
      (file) =>
        !['checks'].includes(layerOf(file)!) &&
        file !== 'src/app/check.ts' &&
        importsOf(file).some(({ from, isType }) => !isType && /checks\/(run|store)\.ts$/.test(from)),
    );
    expect(wrong).toEqual([]);
  });

  it('every SQL text is in the ledger or the migrations, but for the sandbox, which keeps a file of its own', () => {
    const sql =
      /\b(selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|\.prepare\(|sql(<[^`;]*>)?`)/;
    const wrong = files.filter(
      (file) =>
        !['ledger', 'migrations', 'sandbox'].includes(layerOf(file)!) &&
        // They hand on the text that they are given, and keep texts in a file that has no other reader.
        !['src/base/sqlite/node-sqlite.ts', 'src/base/sqlite/filed-map.ts'].includes(file) &&
        sql.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('rows are written under ledger/write, evidence under ledger/evidence, what nights said under ledger/fleet, and nowhere else', () => {
    const writes = /\b(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/;
    const places = /^src\/(ledger\/(write|evidence|fleet)|sandbox)\//;
    const wrong = files.filter(
      (file) => !places.test(file) && writes.test(readFileSync(path.join(ROOT, file), 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('nothing in the program reaches for the console', () => {
    const wrong = files.filter((file) => /\bconsole\./.test(readFileSync(path.join(ROOT, file), 'utf8')));
    expect(wrong).toEqual([]);
  });
});
