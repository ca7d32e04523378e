// SQLite's bindings in the bundle: their dozen files of JavaScript take longer to find and compile than the binary to load. Only the
// binary stays where it is.
import { createRequire } from 'node:module';
import path from 'node:path';

const { resolve } = createRequire(import.meta.url);
/** Those that src/sqlite.ts chooses from. */
const PACKAGES = ['better-sqlite3', 'better-sqlite3-node20'];

/** A plugin of the bundler: puts the bindings that are installed in the place of src/sqlite-package.ts. */
export function packSqlite(root) {
  const loader = path.join(root, 'src', 'sqlite-package.ts');
  return {
    name: 'sqlite',
    resolveId: (id) => (id === 'bindings' ? id : null),
    load(id) {
      if (id === 'bindings') return BINDINGS;
      return path.normalize(id) === loader ? loaderOf(PACKAGES.filter(isInstalled)) : null;
    },
    transform(code, id) {
      // It looks for its binary beside itself.
      const isLocator = /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/.test(id);
      return isLocator ? `${libOf('better-sqlite3')}\n${code.replaceAll('__dirname', 'lib()')}` : null;
    },
  };
}

function isInstalled(name) {
  try {
    return resolve(name) !== '';
  } catch {
    return false;
  }
}

/** A package that is not there when the bundle is made may be when it runs. */
function loaderOf(names) {
  const cases = names.map((name) => `case ${JSON.stringify(name)}: return require(${JSON.stringify(name)});`);
  return `import { createRequire } from 'node:module';
export function loadPackage(name) {
  switch (name) { ${cases.join(' ')} default: return createRequire(import.meta.url)(name); }
}`;
}

/** Code of a function that finds a binding's own folder, and throws where the package is not installed: with the first database, as ever. */
function libOf(name) {
  return `const outside = require('node:module').createRequire(__filename);
const lib = () => require('node:path').dirname(outside.resolve(${JSON.stringify(name)}));`;
}

/** What `bindings` would find, in the one place where `npm rebuild` puts it. */
const BINDINGS = `${libOf('better-sqlite3-node20')}
module.exports = (file) => outside(require('node:path').join(lib(), '..', 'build', 'Release', file));`;
