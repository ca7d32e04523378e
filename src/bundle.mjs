// `npm run build`, beside the compiler: the command line, with all that it imports, in few files. Loading hundreds of small files takes
// several times as long as most commands work. Plain JavaScript: nothing is compiled yet on a clean clone.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const root = path.join(import.meta.dirname, '..');
const out = path.join(root, 'dist', 'bin');

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: { main: 'src/main.ts', 'read-child': 'src/books/formats/read-child.ts' },
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
});
await bundle.close();
