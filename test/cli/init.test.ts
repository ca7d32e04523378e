import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { readKey } from '../../src/config/key.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';

const URL = 'https://api.example.com/v1/external/';
const KEY = 'dlv_0123456789abcdef';

function answers(address: string, key: string, zone = '', names: readonly string[] = []): [string, string][] {
  return [
    ['Address of the API', address],
    ['API key (not shown', key],
    ['Time zone of your books', zone],
    ['Your name on letters', names[0] ?? ''],
    ['Your address', names[1] ?? ''],
    ['Name of the delivery company', names[2] ?? ''],
    ['Its address', ''],
    ['Its e-mail', ''],
  ];
}

describe('on a terminal', () => {
  it('asks for the address and the key, and makes a books folder that works', async () => {
    const cwd = scratchFolder();
    const { code, stdout, stderr } = await remit(['init', 'books'], { cwd, typed: answers(URL, KEY) });
    expect(code).toBe(0);
    const folder = path.join(cwd, 'books');
    expect(stdout).toBe(`${folder} is ready: settings in ${path.join(folder, 'remit.toml')}\n`);
    expect(stderr).toContain('Address of the API');
    expect(stderr).toContain('API key');

    const config = await loadConfig({ env: {}, cwd: folder });
    expect(config.apiUrl).toBe(URL);
    expect(await readKey(config.keySource, {})).toBe(KEY);
    expect(statSync(path.join(folder, 'statements')).isDirectory()).toBe(true);
    if (process.platform !== 'win32') expect(statSync(path.join(folder, 'api-key')).mode & 0o777).toBe(0o600);
  });

  it('never shows the key, and keeps it out of the settings', async () => {
    const cwd = scratchFolder();
    const { stdout, stderr } = await remit(['init'], { cwd, typed: answers(URL, KEY) });
    expect(stdout + stderr).not.toContain(KEY);
    expect(readFileSync(path.join(cwd, 'remit.toml'), 'utf8')).not.toContain(KEY);
  });

  it('offers what the environment says, and leaves the key for later', async () => {
    const cwd = scratchFolder();
    const { code, stderr } = await remit(['init'], { cwd, typed: answers('', ''), env: { REMIT_API_URL: URL } });
    expect(code).toBe(0);
    expect(stderr).toContain(`[${URL}]`);
    const file = path.join(cwd, 'api-key');
    expect(stderr).toContain(`Put the API key into ${file}, for you alone to read (chmod 600), or set REMIT_API_KEY.`);
    expect((await loadConfig({ env: {}, cwd })).keySource).toEqual({ kind: 'file', file });
  });
});

it('asks what papers call both sides, and leaves what was not said for later', async () => {
  const cwd = scratchFolder();
  const typed = answers(URL, KEY, '', ['Cedar "Threads"', 'Hamra 12', 'Swift']);
  expect(await remit(['init'], { cwd, typed })).toMatchObject({ code: 0 });
  expect(await loadConfig({ env: {}, cwd })).toMatchObject({
    merchantName: 'Cedar "Threads"',
    merchantAddress: 'Hamra 12',
    courierTitle: 'Swift',
    courierAddress: null,
  });
});

describe('the time zone of new books', () => {
  it('is asked for, with that of the machine for an empty answer', async () => {
    const [named, empty] = [scratchFolder(), scratchFolder()];
    const env = { TZ: 'Asia/Riyadh' };
    const { stderr } = await remit(['init'], { cwd: named, env, typed: answers(URL, KEY, 'Asia/Beirut') });
    expect(stderr).toContain('Time zone of your books [Asia/Riyadh]');
    expect((await loadConfig({ env: {}, cwd: named })).timeZone).toBe('Asia/Beirut');
    expect((await remit(['init'], { cwd: empty, env, typed: answers(URL, KEY) })).code).toBe(0);
    expect((await loadConfig({ env: {}, cwd: empty })).timeZone).toBe('Asia/Riyadh');
  });

  it('makes no books where there is no such zone', async () => {
    const cwd = scratchFolder();
    const { code, stderr } = await remit(['init'], { cwd, typed: answers(URL, KEY, 'Beirut') });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('such as "Asia/Beirut"') });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('is that of the machine without a terminal, and stays so elsewhere', async () => {
    const cwd = scratchFolder();
    await remit(['init', '--api-url', URL], { cwd, env: { TZ: 'Asia/Beirut' } });
    expect((await loadConfig({ env: { TZ: 'Europe/Paris' }, cwd })).timeZone).toBe('Asia/Beirut');
  });
});

describe('without a terminal', () => {
  it('takes flags', async () => {
    const cwd = scratchFolder();
    const argv = ['init', 'books', '--api-url', URL, '--api-key-file', 'books/secret', '--json'];
    const { code, stdout } = await remit(argv, { cwd });
    expect(code).toBe(0);
    const folder = path.join(cwd, 'books');
    expect(JSON.parse(stdout)).toEqual({ folder, settings: path.join(folder, 'remit.toml') });
    const config = await loadConfig({ env: {}, cwd: folder });
    expect(config.keySource).toEqual({ kind: 'file', file: path.join(folder, 'secret') });
  });

  it('takes a command that prints the key, quotes and all', async () => {
    const cwd = scratchFolder();
    const command = `pass show "delivery \\ key"`;
    expect((await remit(['init', '--api-key-command', command, '--api-url', URL], { cwd })).code).toBe(0);
    expect((await loadConfig({ env: {}, cwd })).keySource).toEqual({ kind: 'command', command, folder: cwd });
  });

  it('takes the environment', async () => {
    const cwd = scratchFolder();
    expect((await remit(['init'], { cwd, env: { REMIT_API_URL: URL } })).code).toBe(0);
    const config = await loadConfig({ env: {}, cwd });
    expect(config.apiUrl).toBe(URL);
    const file = path.join(cwd, 'api-key');
    expect(config.keySource).toEqual({ kind: 'file', file });
    const { stderr } = await remit(['sync'], { cwd });
    expect(stderr).toBe(
      `remit: \`api_key_file\` names no file that can be read (ENOENT)\n  → Put the key there, for you alone to read (chmod 600), or correct \`api_key_file\` in remit.toml.\n`,
    );
    writeFileSync(file, KEY, { mode: 0o600 });
    expect(await readKey(config.keySource, {})).toBe(KEY);
  });

  it('never writes a key of the environment to disk', async () => {
    const cwd = scratchFolder();
    const { code, stderr } = await remit(['init'], { cwd, env: { REMIT_API_URL: URL, REMIT_API_KEY: KEY } });
    expect(code).toBe(0);
    expect(stderr).toContain('REMIT_API_KEY is used where it is set; elsewhere, such as in cron, put the API key into');
    expect(readdirSync(cwd).sort()).toEqual(['remit.toml', 'statements']);
    expect(readFileSync(path.join(cwd, 'remit.toml'), 'utf8')).not.toContain(KEY);
  });

  it('says what is missing', async () => {
    const { code, stderr } = await remit(['init'], { cwd: scratchFolder() });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'remit: the address of the API is not known\n  → Give --api-url, or set REMIT_API_URL; where the delivery companies send sheets, --sheets-of NAME.\n',
    );
  });

  it('refuses an address that is none', async () => {
    const { code, stderr } = await remit(['init', '--api-url', 'api.example.com'], { cwd: scratchFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain('the address of the API must be a web address');
  });
});

it.each(['remit.toml', 'api-key'])('never overwrites %s', async (name) => {
  const cwd = scratchFolder();
  writeFileSync(path.join(cwd, name), 'mine');
  const { code, stderr } = await remit(['init', '--api-url', URL], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(`${path.join(cwd, name)} exists already`);
  expect(readFileSync(path.join(cwd, name), 'utf8')).toBe('mine');
});

it('quotes the folder in what to type next', async () => {
  const cwd = scratchFolder();
  const { stderr } = await remit(['init', 'my books', '--api-url', URL], { cwd });
  expect(stderr).toContain(`-C "${path.join(cwd, 'my books')}" doctor`);
  expect((await remit(['-C', 'no books', 'sync'], { cwd })).stderr).toContain(
    `Make it with: remit init "${path.join(cwd, 'no books')}"`,
  );
  writeFileSync(path.join(cwd, 'a file'), '');
  expect((await remit(['-C', 'a file', 'sync'], { cwd })).stderr).toContain('Name the folder that it is in.');
});

// What a full disk does to a file, done by a limit on its size.
it.skipIf(process.platform === 'win32')(
  'leaves nothing half-written where the disk is full, and says where',
  async () => {
    const cwd = scratchFolder();
    const script = 'ulimit -f 0; exec "$0" "$@"';
    const argv = [process.execPath, path.resolve('dist/bin/main.js'), 'init', '--api-url', URL];
    const { status, stderr } = spawnSync('bash', ['--norc', '-c', script, ...argv], { cwd, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(`remit: ${path.join(cwd, 'remit.toml')} cannot be written: `);
    expect(readdirSync(cwd)).toEqual(['statements']);
  },
);

it('explains every setting that it does not set', async () => {
  const cwd = scratchFolder();
  await remit(['init', '--api-url', URL], { cwd });
  const text = readFileSync(path.join(cwd, 'remit.toml'), 'utf8');
  for (const line of text.split('\n').filter((commented) => /^# \w+ = /.test(commented))) {
    writeFileSync(path.join(cwd, 'remit.toml'), line.slice(2));
    await expect(loadConfig({ env: {}, cwd })).resolves.toBeDefined();
  }
});
