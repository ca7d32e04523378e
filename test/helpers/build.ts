import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Compiles once before all tests: some of them run the command line as a process of its own. A type error does not stop the
 * tests (tsc emits all the same): finding those is the business of `npm run types`.
 */
export default function build(): void {
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'ignore' });
  // With the code caches: what is tested is what is used, and what was built for use is there after the tests.
  spawnSync(process.execPath, ['src/bundle/build.mjs'], { stdio: 'inherit' });
}
