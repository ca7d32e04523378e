// `npm run demo` on a fresh clone: `npm ci` has built already, and a second build would take longer than the demo. Builds only where
// there is no build, or a source is newer than it.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const SOURCES = ['src', 'reports', 'migrations', 'package-lock.json', 'tsconfig.build.json'];

const built = changed('dist/bin/main.js');
if (built === 0 || SOURCES.some((source) => newest(source) > built)) {
  // Through a shell, because npm is a script on Windows.
  process.exitCode = spawnSync('npm run --silent build', { cwd: root, shell: true, stdio: 'inherit' }).status ?? 1;
}

/** When a file or anything in a folder was last changed, in ms. */
function newest(source) {
  const files = statSync(path.join(root, source)).isDirectory()
    ? readdirSync(path.join(root, source), { recursive: true }).map((name) => path.join(source, name))
    : [source];
  return Math.max(...files.map(changed));
}

function changed(file) {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
