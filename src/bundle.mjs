// `npm run build`, after the compiler: the command line again, with all that it imports, in few files. Loading hundreds of small files
// takes several times as long as most commands work. Plain JavaScript: it runs beside what it builds.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist', 'bin');

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: { main: 'dist/src/main.js', 'read-child': 'dist/src/books/formats/read-child.js' },
  platform: 'node',
  // Binaries, what is served as files, and what other packages ask for only where it is there.
  external: [/^better-sqlite3/, /^@fastify\/swagger-ui/, 'pg-native', 'pg-cloudflare', /^@aws-sdk\//],
  logLevel: 'silent',
});
await bundle.write({
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  sourcemap: true,
  // Names stay: a trace without the source map still tells where it was.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
