import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PRIVATE_FILE } from '../../../base/private.ts';

const FILE = 'open-desk.html';

/**
 * Opens an address in the person's browser, without a shell. Every user of a machine sees the arguments of its processes, so that the
 * browser is given a file, which its owner alone reads and which leads to the address. Where there is no browser, the printed link is enough.
 *
 * @param folder where the file is written: a browser in a sandbox reads the person's own folders, and not the temporary ones
 * @returns takes the file away
 */
export function openBrowser(url: string, folder: string): () => void {
  const file = path.join(folder, FILE);
  const remove = () => rmSync(file, { force: true });
  try {
    remove();
    writeFileSync(file, pageTo(url), { mode: PRIVATE_FILE, flag: 'wx' });
  } catch {
    return remove;
  }
  const [program, ...args] = opener(process.platform);
  const child = spawn(program!, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.on('error', remove);
  child.unref();
  return remove;
}

function pageTo(url: string): string {
  return `<!DOCTYPE html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>remit</title>
`;
}

function opener(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
