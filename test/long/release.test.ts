import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../helpers/folder.ts';

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});

/** Packs a clone of what is here as a release is packed, and gives back the SHA-256 of the tarball. */
function packed(folder: string, umask: string, env: Record<string, string>): string {
  mkdirSync(folder, { recursive: true });
  for (const file of files.split('\0').filter((name) => name !== '')) cpSync(file, path.join(folder, file));
  // As `npm ci` would install it, in a tenth of the time; by links where both are on one disk.
  const installed = path.join(folder, 'node_modules');
  if (spawnSync('cp', ['-al', 'node_modules', installed]).status !== 0)
    cpSync('node_modules', installed, { recursive: true, verbatimSymlinks: true });
  const script = `umask ${umask} && npm pack --silent`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const tarball = stdout.trim().split('\n').at(-1)!;
  return createHash('sha256')
    .update(readFileSync(path.join(folder, tarball)))
    .digest('hex');
}

it.skipIf(process.platform === 'win32')(
  'two clones in different folders, zones and languages pack the same bytes',
  () => {
    const root = scratchFolder();
    const one = packed(path.join(root, 'a'), '022', { TZ: 'Asia/Beirut', LANG: 'C' });
    const other = packed(path.join(root, 'deeper', 'in', 'ب c'), '077', {
      TZ: 'America/New_York',
      LANG: 'ar_LB.UTF-8',
    });
    expect(other).toBe(one);
  },
  900_000,
);
