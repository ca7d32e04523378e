// `npm run build`: dist/src, file by file with types, is what programs import; dist/bin, the command line in chunks, is what `remit` runs.
// dist/man is the manual page.
// `node build.mjs cli` makes the command line alone, and only where a source is newer than it: for the demo and the tests.
// Plain JavaScript: nothing is compiled yet in a fresh clone.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = import.meta.dirname;
// A tarball holds the modes of files: they are the same whoever makes it.
process.umask(0o022);
const bin = path.join(root, 'dist', 'bin');
/** Somebody else's work that is built in, by the terms of its licence: its text lies beside. */
const PDFJS = '/*! pdf.js 5.4.624, copyright Mozilla Foundation, Apache License 2.0: pdfjs-dist.LICENSE */';
/** Written last. Node reads it too: the chunks are CommonJS, which Node 20 loads faster than modules. */
const finished = path.join(bin, 'package.json');

if (process.argv[2] !== 'cli') {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace('package.json', 'bin/tsc');
  process.exitCode =
    spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' }).status ?? 1;
  const { manPage } = await import('./dist/src/cli/man-page.js');
  mkdirSync(path.join(root, 'dist', 'man'));
  writeFileSync(path.join(root, 'dist', 'man', 'remit.1'), await manPage());
  shipSqlite();
  sayOverrides();
}
if (!existsSync(finished) || changed('build.mjs', 'npm-shrinkwrap.json', 'src', 'reports', 'migrations')) {
  const bundle = await rolldown({
    cwd: root,
    input: {
      main: 'src/main.ts',
      'read-child': 'src/imports/formats/read-child.ts',
      'sync-child': 'src/desk/syncs/sync-child.ts',
      'desk-thread': 'src/desk/thread/worker.ts',
    },
    platform: 'node',
    // What is served as files, what a command loads only to write a workbook, what is installed only for a fleet, and what other packages ask
    // for only where it is there.
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
  /**
   * What commands share, a file each: rolldown by itself makes sixty of what a check loads, and opening those takes 10 ms. A group takes in
   * all that its modules import and no earlier group has; a command that needs one of them loads them all.
   */
  const shared = {
    run: /src\/(cli\/(run|session)|base\/(counted|place|states))\.ts$/,
    // Every decision is a command, and is declared before it is known which one was typed.
    decisions: /src\/app\/decisions\/every\.ts$/,
    money: /src\/(money\/(fields|units|decimal|returns)|base\/(group|returns))\.ts$/,
    files: /src\/base\/files\/replace\.ts$/,
    sqlite: /src\/base\/sqlite\.ts$/,
    // Files are read in a process of its own, which needs no more than this.
    prices: /src\/(words\/errors\/prices|imports\/formats\/text-forms)\.ts$/,
    settings: /src\/(config\/index|words\/errors\/books)\.ts$/,
    books: /src\/app\/books\.ts$/,
    // What a sync and an import share with a check.
    matching: /src\/(app\/match\/run|derive\/(account|decisions)|imports\/tariff|ledger\/queries\/imports)\.ts$/,
    checks: /src\/app\/check-(books|result)\.ts$/,
  };
  const groups = Object.entries(shared).map(([name, files], at, all) => ({
    name,
    test: (id) => files.test(id.replaceAll(path.sep, '/')),
    priority: all.length - at,
  }));
  // No hashes in the names: the next build then takes the place of this one in Node's compile cache too.
  const chunkFileNames = '[name].js';
  const { output } = await bundle.write({
    dir: bin,
    cleanDir: true,
    format: 'cjs',
    dynamicImportInCjs: false,
    chunkFileNames,
    codeSplitting: { groups },
    // A sixth of what a check loads would be documentation. Licences stay.
    comments: { jsdoc: false },
    sourcemap: true,
    banner: ({ name }) => (name.endsWith('.min') ? PDFJS : ''),
  });
  copyFileSync(path.join(root, 'node_modules', 'pdfjs-dist', 'LICENSE'), path.join(bin, 'pdfjs-dist.LICENSE'));
  // What reads a PDF is somebody else's, and its maps are larger than itself.
  for (const name of readdirSync(bin)) if (/^pdf\..*min\.js\.map$/.test(name)) rmSync(path.join(bin, name));
  // By these sizes src/cli/installation.ts knows a file that was cut off.
  const programs = output.filter(({ type }) => type === 'chunk');
  const sizes = programs.map(({ fileName }) => [fileName, statSync(path.join(bin, fileName)).size]);
  writeFileSync(path.join(bin, 'files.json'), `${JSON.stringify(Object.fromEntries(sizes), null, 1)}\n`);
  writeFileSync(finished, '{ "type": "commonjs" }\n');
}

/** Puts the SQLite of Node 20 that build-sqlite.mjs built beside the programs, so that nobody who installs the package has to. */
function shipSqlite() {
  const from = path.join(root, 'node_modules', 'better-sqlite3-node20');
  const binary = path.join(from, 'build', 'Release', 'better_sqlite3.node');
  if (!existsSync(binary)) return;
  const to = path.join(root, 'dist', 'sqlite-node20');
  cpSync(path.join(from, 'lib'), path.join(to, 'lib'), { recursive: true });
  copyFileSync(path.join(from, 'LICENSE'), path.join(to, 'LICENSE'));
  copyFileSync(binary, path.join(to, `${process.platform}-${process.arch}.node`));
  writeFileSync(path.join(to, 'package.json'), '{ "name": "better-sqlite3", "main": "lib/index.js" }\n');
}

/** Writes `overrides` into the bundled packages that they are about: an npm that installs ours does not know them, and would mend what it finds. */
function sayOverrides() {
  const { overrides } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const [name, versions] of Object.entries(overrides)) {
    const file = path.join(root, 'node_modules', name, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    const text = JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, ...versions } }, null, 2);
    // Another clone may share the file by a link.
    writeFileSync(`${file}.new`, `${text}\n`);
    renameSync(`${file}.new`, file);
  }
}

/** Whether a file, or anything in a folder, is newer than the command line. */
function changed(...sources) {
  const built = statSync(finished).mtimeMs;
  return sources.some((source) => {
    const names = statSync(path.join(root, source)).isDirectory()
      ? readdirSync(path.join(root, source), { recursive: true })
      : [];
    return ['', ...names].some((name) => statSync(path.join(root, source, name)).mtimeMs > built);
  });
}
