import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * How to build what was installed for another Node.js, or not at all: in a clone, in a project that depends on remit, or where
 * remit was installed globally.
 *
 * @param folder a folder of remit's own code
 * @param isInstalled false when a package is missing altogether, so that there is nothing to build
 */
export function rebuildHint(folder: string, isInstalled: boolean): string {
  const [owner = folder, ...inside] = folder.split(`${path.sep}node_modules${path.sep}`);
  const isClone = inside.length === 0;
  const project = isClone ? nearestPackage(folder) : owner;
  const isGlobal = !existsSync(path.join(project, 'package.json'));
  if (!isInstalled && !isClone) return 'Install remit again with this Node.js.';
  if (isGlobal) return 'Run `npm rebuild --global` with this Node.js, or use the one that remit was installed with.';
  const command = isInstalled ? 'npm rebuild' : 'npm ci';
  return `Run \`${command}\` in ${project} with this Node.js, or use the one that remit was installed with.`;
}

function nearestPackage(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(path.join(folder, 'package.json')) || parent === folder ? folder : nearestPackage(parent);
}
