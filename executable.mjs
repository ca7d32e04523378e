// `npm run executable`: remit as one file for the system that it is made on, with Node.js and its SQLite inside: dist/executable/remit.
// Plain JavaScript, as build.mjs is.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const root = import.meta.dirname;
const folder = path.join(root, 'dist', 'executable');
const file = path.join(folder, process.platform === 'win32' ? 'remit.exe' : 'remit');
const work = path.join(folder, 'parts');

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 25 || (major === 25 && minor < 5)) {
  process.stderr.write(
    `remit: an executable is made by Node.js 25.5 or later, not by ${process.versions.node}\n` +
      '  → Take Node.js 26 for it: `npm install --prefix /tmp/node26 node@26`, then `PATH=/tmp/node26/node_modules/node/bin:$PATH npm run executable`.\n',
  );
  process.exit(1);
}

/** What writes exceljs' zip asks for buffers in a way of which Node warns outside a folder of packages. */
const WITHOUT_WARNING = {
  name: 'buffers',
  transform: (code, id) =>
    /archiver-utils.index\.js$/.test(id)
      ? code.replaceAll(/new Buffer\((size|0)\)/g, 'Buffer.alloc($1)').replaceAll('new Buffer(', 'Buffer.from(')
      : null,
};
/** Names stay, for the traces of `--verbose`. */
const WITHOUT_SPACE = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

rmSync(folder, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
for (const [name, input] of [
  ['main', 'src/executable.ts'],
  ['read-child', 'src/imports/formats/read-child.ts'],
  ['desk-thread', 'src/desk/thread/worker.ts'],
]) {
  const bundle = await rolldown({
    cwd: root,
    input: { [name]: input },
    platform: 'node',
    external: ['graphile-worker', '@duckdb/node-api', 'pg-native', 'pg-cloudflare', /^@aws-sdk\//, /^better-sqlite3/],
    plugins: [WITHOUT_WARNING],
    logLevel: 'silent',
  });
  await bundle.write({
    dir: work,
    format: 'cjs',
    codeSplitting: false,
    dynamicImportInCjs: false,
    minify: WITHOUT_SPACE,
  });
}

// The page at which the service's API is tried is made of files.
const page = path.join(root, 'node_modules', '@fastify', 'swagger-ui', 'static');
const files = readdirSync(page).map((name) => [name, readFileSync(path.join(page, name), 'base64')]);
writeFileSync(path.join(work, 'docs-page.json'), JSON.stringify(Object.fromEntries(files)));

const node = path.join(work, path.basename(process.execPath));
copyFileSync(process.execPath, node);
// A quarter of Node is names for debuggers.
const isStripped = process.platform !== 'win32' && run('strip', [node]);
/** By the names under which src/base/program.ts reads them. */
const assets = ['read-child.js', 'desk-thread.js', 'docs-page.json'].map((name) => {
  const packed = path.join(work, `${name}.gz`);
  writeFileSync(packed, gzipSync(readFileSync(path.join(work, name)), { level: 9 }));
  return [`${name}.gz`, packed];
});
writeFileSync(
  path.join(work, 'sea.json'),
  JSON.stringify({
    main: path.join(work, 'main.js'),
    executable: node,
    output: file,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(assets),
  }),
);
if (!run(process.execPath, ['--build-sea', path.join(work, 'sea.json')])) process.exit(1);
// What was changed has no valid signature left, and macOS starts nothing without one.
if (process.platform === 'darwin' && !run('codesign', ['--sign', '-', '--force', file])) process.exit(1);
rmSync(work, { recursive: true });
const size = (statSync(file).size / 1e6).toFixed(1);
const hint =
  isStripped || process.platform === 'win32' ? '' : '; `strip` of the binutils would make it a quarter smaller';
process.stdout.write(`${path.relative(process.cwd(), file)}: ${size} MB${hint}\n`);

/** @returns whether the program is there and was content */
function run(program, args) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0 && !error) process.stderr.write(stderr);
  return status === 0;
}
