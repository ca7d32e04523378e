import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder } from '../../src/cli/installation.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { runRemit } from '../helpers/remit.ts';

describe.skipIf(process.platform === 'win32')("the folder of Node's compile cache", () => {
  it("is in the user's cache folder, as the platform has it", () => {
    const home = scratchFolder();
    expect(compileCacheFolder({ HOME: home }, 'linux')).toBe(path.join(home, '.cache', 'remit'));
    expect(compileCacheFolder({ HOME: home, XDG_CACHE_HOME: '/var/cache' }, 'linux')).toBe('/var/cache/remit');
    expect(compileCacheFolder({ HOME: home, XDG_CACHE_HOME: 'here' }, 'linux')).toBe(
      path.join(home, '.cache', 'remit'),
    );
    expect(compileCacheFolder({ HOME: home }, 'darwin')).toBe(path.join(home, 'Library', 'Caches', 'remit'));
    expect(compileCacheFolder({ LOCALAPPDATA: home }, 'win32')).toBe(path.join(home, 'remit', 'cache'));
  });

  it('is none for a user without a home', () => {
    expect(compileCacheFolder({}, 'linux')).toBeUndefined();
    expect(compileCacheFolder({ HOME: '/nonexistent', XDG_CACHE_HOME: '/var/cache' }, 'linux')).toBeUndefined();
    expect(compileCacheFolder({ HOME: 'here' }, 'darwin')).toBeUndefined();
    expect(compileCacheFolder({}, 'win32')).toBeUndefined();
  });

  it('is filled where Node can, and nowhere else', async () => {
    const cwd = scratchFolder();
    const home = path.join(cwd, 'home');
    mkdirSync(home);
    const env = { HOME: home, XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' };
    expect(await runRemit(['--version'], env, cwd)).toMatchObject({ code: 0, stderr: '' });
    const canCache = Number.parseInt(process.versions.node, 10) >= 22;
    expect(readdirSync(home)).toEqual(canCache ? ['.cache'] : []);
    expect(readdirSync(cwd)).toEqual(['home']);
  });
});
