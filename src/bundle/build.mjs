// `npm run build`, beside the compiler: the command line, with all that it imports, in few files. Loading hundreds of small files takes
// several times as long as most commands work. Plain JavaScript: nothing is compiled yet on a clean clone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { FIRST_PACK } from './load.mjs';
import { writePack } from './pack.mjs';
import { packSqlite } from './sqlite.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const out = path.join(root, 'dist', 'bin');
/** What is loaded by name: by main.ts, and by what starts a process to read files in. */
const PACKED = {
  run: { file: 'src/cli/run.ts', exports: ['run'] },
  failure: { file: 'src/cli/failure.ts', exports: ['explainFailure'] },
  'read-child': { file: 'src/books/formats/read-child.ts', exports: [] },
};
/** What is served as files, and what other packages ask for only where it is there. */
const EXTERNAL = [/^@fastify\/swagger-ui/, 'pg-native', 'pg-cloudflare', /^@aws-sdk\//];
/** A larger chunk is a pack of its own: one that is not needed is not even read. */
const LARGE = 100_000;
/** What the small chunks are put in that common commands leave alone: those that help loads, and the others. */
const [HELP, REST] = ['help', 'rest'];
/** What the code caches are made with, see train.mjs: this first, which makes books. */
const DEMO = [['demo', 'books', '--quiet']];
/** What these load is used most: it has a pack of its own, and their caches replace those of the demo. */
const COMMON = [
  ['-C', 'books', 'report', 'totals'],
  ['-C', 'books', 'check'],
];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const pack = await buildPacks();
await buildProgram('read-child', 'packed:read-child');
// Last: build-if-stale.mjs takes it for a sign that all is there.
await buildProgram('main', 'src/main.ts');
makeCaches();

/** @returns puts the small chunks in packs again: the common ones in the first, those of help and the others beside it */
async function buildPacks() {
  const input = Object.fromEntries(Object.entries(PACKED).map(([name, { file }]) => [name, file]));
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [packSqlite(root)],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    dir: out,
    format: 'cjs',
    entryFileNames: '[name]',
    chunkFileNames: '[name]-[hash]',
    sourcemap: true,
    dynamicImportInCjs: false,
    // Else it is put beside what every command needs.
    codeSplitting: { groups: [{ name: 'typebox', test: /@sinclair[\\/]typebox/ }] },
  });
  await bundle.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  const large = chunks.filter(({ code }) => code.length > LARGE);
  for (const chunk of large) writePack(out, chunk.fileName, [chunk]);
  const small = chunks.filter((chunk) => !large.includes(chunk));
  const packSmall = (packOf) => {
    const of = (pack) => small.filter((chunk) => packOf(chunk) === pack);
    const elsewhere = large.map(({ fileName }) => [fileName, fileName]);
    for (const pack of [HELP, REST]) {
      const own = of(pack);
      if (own.length > 0) writePack(out, pack, own);
      elsewhere.push(...own.map(({ fileName }) => [fileName, pack]));
    }
    // The first pack last: until then nothing asks for the others.
    writePack(out, FIRST_PACK, of(FIRST_PACK), new Map(elsewhere));
  };
  packSmall(() => FIRST_PACK);
  return ({ common, help }) =>
    packSmall(({ fileName }) => (common.includes(fileName) ? FIRST_PACK : help.includes(fileName) ? HELP : REST));
}

/** A program of its own, with the loader; what is packed is taken from the packs. */
async function buildProgram(name, input) {
  const byFile = new Map(Object.entries(PACKED).map(([entry, { file }]) => [path.join(root, file), entry]));
  const loader = JSON.stringify(path.join(import.meta.dirname, 'load.mjs'));
  const packed = {
    name: 'packed',
    resolveId(id, importer) {
      if (id.startsWith('packed:')) return id;
      const entry = importer && byFile.get(path.resolve(path.dirname(importer), id));
      return entry ? `packed:${entry}` : null;
    },
    load(id) {
      // One loader for all: a class must not be there twice.
      if (id === 'packed:')
        return `import { loaderOf } from ${loader}; export const load = loaderOf(import.meta.dirname);`;
      if (!id.startsWith('packed:')) return null;
      const entry = id.slice('packed:'.length);
      return `import { load } from 'packed:'; export const { ${PACKED[entry].exports.join(', ')} } = load('${entry}');`;
    },
  };
  const bundle = await rolldown({ cwd: root, input, platform: 'node', plugins: [packed], logLevel: 'silent' });
  await bundle.write({ file: path.join(out, `${name}.js`), format: 'esm', codeSplitting: false, sourcemap: true });
  await bundle.close();
}

function makeCaches() {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-build-'));
  try {
    train(DEMO, folder);
    pack({ common: train(COMMON, folder), help: train([['--help']], folder) });
    train([['--help'], ...COMMON], folder);
  } catch {
    // Everything works without a cache, only more slowly.
    process.stderr.write('remit: no code cache could be made: commands start more slowly\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the names of the chunks that the lesson loaded */
function train(lesson, folder) {
  const args = [path.join(import.meta.dirname, 'train.mjs'), out, JSON.stringify(lesson)];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`a lesson ended with ${status}`);
  return JSON.parse(stdout.toString());
}
