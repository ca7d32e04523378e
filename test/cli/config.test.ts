import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describePlace } from '../../src/base/place.ts';
import { type Config, type ConfigSources, loadConfig } from '../../src/config/index.ts';
import { readKey } from '../../src/config/key.ts';
import { scratchFolder } from '../helpers/folder.ts';

const KEY = 'dlv_a-key-that-nobody-may-see';

function write(folder: string, name: string, text: string, mode = 0o600): string {
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode });
  chmodSync(file, mode);
  return file;
}

async function books(toml: string, sources: Partial<ConfigSources> = {}): Promise<{ folder: string; config: Config }> {
  const folder = scratchFolder();
  write(folder, 'remit.toml', toml);
  return { folder, config: await loadConfig({ env: {}, cwd: folder, ...sources }) };
}

/** What is wrong with a remit.toml, and the remedy, with the folder left out. */
async function fault(toml: string): Promise<string> {
  const folder = scratchFolder();
  write(folder, 'remit.toml', toml);
  const error = await loadConfig({ env: {}, cwd: folder }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'config', exitCode: 2 });
  const { message, hint } = error as { message: string; hint: string };
  return `${message}\n  → ${hint}`.replaceAll(folder, 'BOOKS');
}

/** Of a courier without a webhook secret. */
const UNSIGNED = {
  secretSource: { kind: 'none', of: 'webhook-secret' },
  signature: 'hex',
  header: 'x-pt-webhook-signature',
};

describe('settings', () => {
  it('have defaults', async () => {
    const { folder, config } = await books('api_url = "https://api.example.com/v1/external"\n');
    expect(config).toEqual({
      folder,
      file: path.join(folder, 'remit.toml'),
      apiUrl: 'https://api.example.com/v1/external/',
      keySource: { kind: 'none' },
      ledger: { kind: 'file', file: path.join(folder, 'ledger.db') },
      statements: path.join(folder, 'statements'),
      concurrency: 4,
      recheckHours: 20,
      recheckPaidDays: 30,
      overdueDays: 30,
      disputeDays: 14,
      invoiceLagDays: 14,
      journal: {},
      accounting: { baseCurrency: null, revalue: false, feeVat: null },
      matchDays: 21,
      remittanceLagDays: 5,
      remittanceTolerance: '0',
      roundingLimit: {},
      timeZone: 'Pacific/Auckland',
      isZoneSet: false,
      rateTolerance: '0',
      referenceRule: ['trim', 'drop-hash', 'ignore-case'],
      returns: 'auto',
      receipts: { accounts: [], payers: [] },
      maps: {},
      pageSize: 100,
      timeoutSeconds: 30,
      deadlineSeconds: 120,
      maxAttempts: 5,
      requestsPerMinute: null,
      requestsPerMonth: null,
      budgetDay: 1,
      ordersFullEvery: 1,
      notifyCommand: null,
      notifyUrl: null,
      couriers: {},
      hasSole: true,
      sole: {
        apiUrl: 'https://api.example.com/v1/external/',
        keySource: { kind: 'none' },
        kind: 'api',
        map: null,
        invoiceLagDays: 14,
        remittanceLagDays: 5,
        receipts: { accounts: [], payers: [] },
        returns: 'auto',
        requestsPerMinute: null,
        requestsPerMonth: null,
        budgetDay: 1,
        ordersFullEvery: 1,
        courierTitle: null,
        courierAddress: null,
        courierEmail: null,
        webhook: UNSIGNED,
      },
      merchantName: null,
      merchantAddress: null,
      courierTitle: null,
      courierAddress: null,
      courierEmail: null,
      courier: null,
      kind: 'api',
      map: null,
      approvals: { writeOffAbove: {}, close: false, imports: false },
      desk: { clerks: [], readers: [] },
      browser: null,
      webhook: UNSIGNED,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('come from remit.toml, with paths relative to its folder', async () => {
    const toml = '# comment\nledger = "data/l.db"\noverdue_days = 45\napi_key_file = "k"\n';
    const { folder, config } = await books(toml);
    expect(config.ledger).toEqual({ kind: 'file', file: path.join(folder, 'data/l.db') });
    expect(config.overdueDays).toBe(45);
    expect(config.keySource).toEqual({ kind: 'file', file: path.join(folder, 'k') });
  });

  it('name whom a night tells: a command that runs in the books folder, and an address', async () => {
    const url = 'https://example.com/hooks/remit?sig=1';
    const { folder, config } = await books(`notify_command = "./tell me"\nnotify_url = "${url}"\n`);
    expect(config.notifyCommand).toEqual({ command: './tell me', folder });
    expect(config.notifyUrl).toBe(url);
  });

  it('say what papers call both sides: a table has its name where it has no title', async () => {
    const { config } = await books(
      'merchant_name = "Cedar Threads"\ncourier_title = "Swift"\napi_url = "https://api.example.com/"\n[couriers.hawk]\nkind = "files"\n[couriers.owl]\ntitle = "Owl Express"\nemail = "a@owl.example"\n',
    );
    const titles = Object.values(config.couriers).map(({ courierTitle }) => courierTitle);
    expect([config.merchantName, config.sole.courierTitle, ...titles]).toEqual([
      'Cedar Threads',
      'Swift',
      'hawk',
      'Owl Express',
    ]);
    expect(await fault('courier_email = "nobody"\n')).toContain('`courier_email` must be a mail address');
  });

  it('say in which currency books are kept, and the tax of fees', async () => {
    const { config } = await books('[accounting]\nbase_currency = "USD"\nrevalue = true\nfee_vat = "7.5% included"\n');
    expect(config.accounting).toEqual({ baseCurrency: 'USD', revalue: true, feeVat: 750 });
  });

  it.each([
    ['base_currency = "dollars"', 'accounting.base_currency must be a currency in quotes'],
    ['revalue = "yes"', 'accounting.revalue must be true or false'],
    ['revalue = true', 'accounting.revalue needs a base currency'],
    ['fee_vat = "11%"', 'such as "11% included"'],
    ['fee_vat = 11', 'such as "11% included"'],
    ['fee_vat = "0% included"', 'such as "11% included"'],
    ['vat = "11% included"', '[accounting] has no setting "vat": it knows base_currency, revalue, fee_vat'],
  ])('of [accounting] are refused: %s', async (line, message) => {
    expect(await fault(`[accounting]\n${line}\n`)).toContain(
      `BOOKS/remit.toml:1: ${message.startsWith('such') ? 'accounting.fee_vat must be' : message}`,
    );
    expect(await fault(`[accounting]\n${line}\n`)).toContain(message);
  });

  it('of a flag come before those of the environment, and these before those of the file', async () => {
    const toml = 'api_url = "https://file.example/"\nledger = "file.db"\nconcurrency = 2\n';
    const env = { REMIT_API_URL: 'https://env.example/', REMIT_LEDGER: 'env.db' };
    const flags = { api_url: 'https://flag.example/', ledger: 'flag.db', concurrency: 9 };
    const seen = async (sources: Partial<ConfigSources>) => {
      const { folder, config } = await books(toml, { ...sources });
      return [config.apiUrl, path.relative(folder, describePlace(config.ledger)), config.concurrency];
    };
    expect(await seen({})).toEqual(['https://file.example/', 'file.db', 2]);
    expect((await seen({ env }))[0]).toBe('https://env.example/');
    expect(await seen({ env, flags })).toEqual(['https://flag.example/', 'flag.db', 9]);
  });

  it('that are empty in the environment count as not set', async () => {
    const { config } = await books('api_url = "https://file.example/"\n', {
      env: { REMIT_API_URL: '', REMIT_LEDGER: '', REMIT_HOME: '', REMIT_API_KEY: '' },
    });
    expect(config.apiUrl).toBe('https://file.example/');
    expect(config.keySource.kind).toBe('none');
  });

  it.each([
    [
      'an unknown one',
      'overdue_day = 3',
      'BOOKS/remit.toml:1: there is no setting `overdue_day`\n  → Did you mean `overdue_days`?',
    ],
    [
      'one of another case',
      '\n\nConcurrency = 3',
      'BOOKS/remit.toml:3: there is no setting `Concurrency`\n  → Did you mean `concurrency`?',
    ],
    [
      'one like no other',
      'colour = "red"',
      'BOOKS/remit.toml:1: there is no setting `colour`\n  → docs/settings.md lists the settings; remove this line.',
    ],
    [
      'a table',
      '# one\n[checks]\noverdue_days = 1',
      'BOOKS/remit.toml:2: there is no setting `checks`\n  → docs/settings.md lists the settings; remove this line.',
    ],
    [
      'a number out of range',
      'concurrency = 0',
      'BOOKS/remit.toml:1: `concurrency` must be a whole number from 1 to 64\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'a number in quotes',
      'overdue_days = "30"',
      'BOOKS/remit.toml:1: `overdue_days` must be a whole number from 0 to 3650\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'a fraction',
      'recheck_hours = 1.5',
      'BOOKS/remit.toml:1: `recheck_hours` must be a whole number from 0 to 8760\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'an address that is none',
      'api_url = "api.example.com"',
      'BOOKS/remit.toml:1: `api_url` must be a web address, such as https://api.example.com/v1/external/\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'an address with a password',
      'api_url = "https://me:secret@x.example/"',
      'BOOKS/remit.toml:1: `api_url` must not hold a user name or a password\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'an address with a query',
      'api_url = "https://x.example/?a=1"',
      'BOOKS/remit.toml:1: `api_url` must end with its path, without ? or #\n  → Correct that line; docs/settings.md has examples.',
    ],
    [
      'an empty text',
      'ledger = ""',
      'BOOKS/remit.toml:1: `ledger` must be a text in quotes, and not empty\n  → Correct that line; docs/settings.md has examples.',
    ],
    ['a line that is no TOML', 'overdue_days = 30\nledger = l.db', 'BOOKS/remit.toml:2 is not valid TOML: '],
    [
      'two sources of the key',
      'api_key_file = "a"\napi_key_command = "b"',
      'BOOKS/remit.toml has both `api_key_file` and `api_key_command`\n  → Keep the one that the key comes from and remove the other.',
    ],
  ])('refuse %s', async (_what, toml, expected) => {
    expect((await fault(toml)).startsWith(expected)).toBe(true);
  });

  it('report all that is wrong with a file at once', async () => {
    const toml = `concurrency = 0\napi_key = "${KEY}"\noverdue_day = 3\napi_key_file = "a"\napi_key_command = "b"\n`;
    const text = await fault(toml);
    expect(text.split('\n')).toEqual([
      'BOOKS/remit.toml has 4 faults',
      expect.stringMatching(/^ {2}BOOKS\/remit\.toml:1: `concurrency` must be .* to 64\. Correct that line/),
      expect.stringMatching(/^ {2}BOOKS\/remit\.toml:2: `api_key` would keep the key itself/),
      '  BOOKS/remit.toml:3: there is no setting `overdue_day`. Did you mean `overdue_days`?',
      expect.stringMatching(/^ {2}BOOKS\/remit\.toml has both .*\. Keep the one/),
      '  → Correct these lines; docs/settings.md lists the settings, with examples.',
    ]);
    expect(text).not.toContain(KEY);
  });

  it.skipIf(process.platform === 'win32')('refuse a file that is a pipe, and do not wait for it', async () => {
    const folder = scratchFolder();
    spawnSync('mkfifo', [path.join(folder, 'remit.toml')]);
    await expect(loadConfig({ env: {}, cwd: folder })).rejects.toThrow('remit.toml is not a regular file');
  });

  it.each(['utf8', 'utf16le'] as const)(
    'are read as Windows programs write them, and so is the key: %s',
    async (encoding) => {
      const folder = scratchFolder();
      const windows = (name: string, text: string) => {
        const file = write(folder, name, '');
        writeFileSync(file, Buffer.from(`\ufeff${text}\r\n`, encoding));
      };
      windows('remit.toml', 'api_url = "https://x.example/"\r\napi_key_file = "مفتاح"');
      windows('مفتاح', KEY);
      const { apiUrl, keySource } = await loadConfig({ env: {}, cwd: folder });
      expect([apiUrl, await readKey(keySource, {})]).toEqual(['https://x.example/', KEY]);
    },
  );

  it.each(['api_key', 'key_token', 'apikey', 'API-KEY', 'password'])('refuse a key in the file: %s', async (name) => {
    const text = await fault(`api_url = "https://x.example/"\n${name} = "${KEY}"`);
    expect(text).toContain(`BOOKS/remit.toml:2: \`${name}\` would keep the key itself`);
    expect(text).not.toContain(KEY);
  });

  it('never quote a broken file, which may hold a key', async () => {
    expect(await fault(`api_key = "${KEY}\n`)).not.toContain(KEY);
    expect(await fault(`x = ${KEY}\n`)).not.toContain(KEY);
  });

  it.each([
    [{ env: { REMIT_API_URL: 'x' } }, 'the environment variable REMIT_API_URL must be a web address'],
    [{ flags: { api_url: 'x' } }, 'the flag --api-url must be a web address'],
    [{ flags: { concurrency: 65 } }, 'the flag --concurrency must be a whole number from 1 to 64'],
  ])('name the flag or variable at fault: %j', async (sources, expected) => {
    await expect(books('', sources)).rejects.toThrow(expected);
  });
});

describe('the books folder', () => {
  it('is -C, else REMIT_HOME, else the current folder', async () => {
    const root = scratchFolder();
    for (const name of ['flag', 'home', 'here']) {
      mkdirSync(path.join(root, name));
      write(path.join(root, name), 'remit.toml', '');
    }
    const cwd = path.join(root, 'here');
    const env = { REMIT_HOME: '../home' };
    const folderOf = async (sources: ConfigSources) => path.basename((await loadConfig(sources)).folder ?? '');
    expect(await folderOf({ env, cwd, directory: '../flag' })).toBe('flag');
    expect(await folderOf({ env, cwd })).toBe('home');
    expect(await folderOf({ env: {}, cwd })).toBe('here');
  });

  it('may be missing where the environment says everything; statements go beside the ledger', async () => {
    const cwd = scratchFolder();
    const env = { REMIT_API_URL: 'https://x.example/v1/external/', REMIT_API_KEY: KEY, REMIT_LEDGER: 'data/l.db' };
    const config = await loadConfig({ env, cwd });
    expect(config).toMatchObject({ folder: null, file: null, keySource: { kind: 'environment' } });
    expect(config.ledger).toEqual({ kind: 'file', file: path.join(cwd, 'data/l.db') });
    expect(config.statements).toBe(path.join(cwd, 'data/statements'));
  });

  it('must be one: no folder becomes a books folder by accident', async () => {
    const cwd = scratchFolder();
    await expect(loadConfig({ env: {}, cwd })).rejects.toThrow(`${cwd} is not a books folder: it holds no remit.toml`);
    await expect(loadConfig({ env: {}, cwd, directory: 'none' })).rejects.toThrow(
      `-C names ${path.join(cwd, 'none')}, which is not a folder`,
    );
    await expect(loadConfig({ env: { REMIT_HOME: 'none' }, cwd })).rejects.toThrow('REMIT_HOME names');
  });
});

describe('the key', () => {
  const readFrom = async (toml: string, env = {}) => {
    const { config } = await books(toml, { env });
    return readKey(config.keySource, env);
  };

  it('comes from REMIT_API_KEY before a file', async () => {
    expect(await readFrom('api_key_file = "none"', { REMIT_API_KEY: ` ${KEY}\n` })).toBe(KEY);
  });

  it('comes from a file that only its owner can read', async () => {
    const folder = scratchFolder();
    const file = write(folder, 'key', `${KEY}\n`);
    expect(await readKey({ kind: 'file', file }, {})).toBe(KEY);
  });

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o660, 0o620, 0o601])(
    'is refused from a file of mode %o',
    async (mode) => {
      const file = write(scratchFolder(), 'key', KEY, mode);
      await expect(readKey({ kind: 'file', file }, {})).rejects.toMatchObject({
        message: `the key file ${file} can be read by others`,
        hint: `Run: chmod 600 ${file}`,
      });
    },
  );

  it('is refused from a folder, which is named as one', async () => {
    const file = scratchFolder();
    await expect(readKey({ kind: 'file', file }, {})).rejects.toThrow(
      `\`api_key_file\` names ${file}, which is a folder`,
    );
  });

  const node = JSON.stringify(process.execPath);
  const command = (script: string, env = {}) => {
    const folder = scratchFolder();
    const file = write(folder, 'key command.mjs', script);
    return readKey({ kind: 'command', command: `${node} '${file}' "a b"`, folder }, env);
  };

  it("comes from a command's output, which runs without a shell", async () => {
    expect(await command(`if (process.argv[2] === 'a b') console.log('${KEY}')`)).toBe(KEY);
  });

  it.each([
    ['nothing', '', 'printed nothing'],
    ['two lines', `console.log('${KEY}\\n${KEY}')`, 'printed 2 lines'],
  ])('is refused from a command that prints %s', async (_what, script, expected) => {
    await expect(command(script)).rejects.toMatchObject({
      message: `\`api_key_command\` in remit.toml ${expected}`,
      hint: expect.stringContaining('it must print the key, and nothing else'),
    });
  });

  it('is refused from a command that fails, without its output', async () => {
    const failing = command(`console.log('${KEY}'); process.exit(3)`);
    await expect(failing).rejects.toThrow('`api_key_command` ended with code 3');
    const error = await failing.catch((caught: unknown) => caught);
    expect(
      JSON.stringify({ ...(error as object), cause: (error as Error).cause, m: (error as Error).message }),
    ).not.toContain(KEY);
    const missing = readKey({ kind: 'command', command: 'no-such-program-here x', folder: scratchFolder() }, {});
    await expect(missing).rejects.toThrow('`api_key_command` could not be run (ENOENT)');
  });

  it.each([
    ['nothing', '', 'is empty'],
    ['two lines', `${KEY}\n${KEY}`, 'has 2 lines'],
    ['words', 'my secret key', 'is not an API key'],
    ['another alphabet', 'ключ', 'is not an API key'],
  ])('is refused when it is %s', async (_what, text, expected) => {
    const file = write(scratchFolder(), 'key', text);
    const refused = readKey({ kind: 'file', file }, {});
    await expect(refused).rejects.toThrow(expected);
    if (text !== '') await expect(refused).rejects.not.toThrow(text);
  });

  it('is missing in so many words', async () => {
    await expect(readKey({ kind: 'none' }, {})).rejects.toThrow('no API key is set');
  });
});
