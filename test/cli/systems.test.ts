import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UsageError } from '../../src/base/errors.ts';
import { commandWords } from '../../src/config/key.ts';
import { clearSocket } from '../../src/desk/door/socket.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { languageOf } from '../../src/words/index.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';

const NOW = new Date('2026-11-20T10:00:00Z');

/** Runs what stands behind it in a file system of its own, with an empty folder for /proc. */
const WITHOUT_PROC = [
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs none /proc && exec "$@"',
  'sh',
];
const canHideProc = spawnSync('unshare', [...WITHOUT_PROC, 'true']).status === 0;

/** What docs/systems.md says, by the heading of its part. */
function commandsOf(heading: string): string[] {
  const text = readFileSync(path.resolve('docs/systems.md'), 'utf8');
  const part = text.split(/^## /m).find((each) => each.startsWith(heading))!;
  return [...part.matchAll(/```toml\n(.*?)```/gs)].map(
    ([, toml]) => (parse(toml!) as { api_key_command: string }).api_key_command,
  );
}

describe('other systems', () => {
  it('takes folders whose names have spaces and Arabic letters, through every kind of output', async () => {
    const cwd = scratchFolder();
    const service = path.join(cwd, 'service.db');
    const seeded = await remit(['sandbox', 'seed', '--data', service, '--orders', '40', '--json'], { cwd, now: NOW });
    const { key } = (JSON.parse(seeded.stdout) as { merchants: { key: string }[] }).merchants[0]!;
    const sandbox = await startSandbox({ file: service, port: 0, host: '127.0.0.1', results: 'flat' });
    onTestFinished(() => sandbox.close());
    const books = path.join(cwd, 'دفاتر الشركة', "Rana's books 2026");
    mkdirSync(books, { recursive: true });
    // As Notepad writes it: lines end with CR and LF.
    const settings = [
      '# الإعدادات',
      `api_url = "${sandbox.url}"`,
      'api_key_file = "مفتاح api"',
      'time_zone = "UTC"',
      '',
    ];
    writeFileSync(path.join(books, 'remit.toml'), settings.join('\r\n'));
    writeFileSync(path.join(books, 'مفتاح api'), `${key}\r\n`, { mode: 0o600 });
    const bank = path.join(books, 'كشف الحساب تشرين.csv');
    writeFileSync(bank, ['date,amount,currency,text', '2026-11-02,12.50,USD,تحويل', ''].join('\r\n'));

    const run = async (...argv: string[]) => {
      const outcome = await remit(['-C', books, ...argv], { cwd, now: NOW });
      expect(outcome.code, `${argv.join(' ')}: ${outcome.stderr}`).toBe(0);
      return outcome.stdout;
    };
    await run('sync', '2026-08..2026-11', '--orders');
    await run('check', '2026-10', '--fail-on', 'never');
    const statement = JSON.parse(await run('statement', '2026-10', '--json')) as Record<string, unknown>;
    expect(JSON.stringify(statement)).toContain('دفاتر الشركة');
    expect(existsSync(path.join(books, 'statements', '2026-10.xlsx'))).toBe(true);
    await run('statement', '2026-10', '--format', 'html', '--out', path.join(books, 'بيان تشرين.html'));
    await run('import', 'receipts', bank, '--account', 'صندوق');
    await run('report', 'totals', '2026-10', '--format', 'csv', '--out', path.join(books, 'مجاميع.csv'));
    await run('export', 'parquet', path.join(books, 'جداول'));
    await run('backup', path.join(books, 'نسخة احتياطية.db'));
    await run('verify', '--deep');
  });

  it('keeps backslashes of a command, and takes a quoted program with spaces in its path', () => {
    const program = 'C:\\Program Files\\Vault\\vault.exe';
    expect(commandWords(`"${program}" read "delivery key"`)).toEqual([program, 'read', 'delivery key']);
  });

  it('splits the documented key commands into a program and its arguments', () => {
    expect(commandsOf('macOS').map(commandWords)).toEqual([['security', 'find-generic-password', '-s', 'remit', '-w']]);
    for (const command of commandsOf('Windows')) {
      const [program, ...args] = commandWords(command);
      expect(program).toBe('powershell.exe');
      expect(args.slice(0, -1)).toEqual(['-NoProfile', '-NonInteractive', '-Command']);
      expect(args.at(-1)).toMatch(/Password$/);
    }
  });

  it.skipIf(!canHideProc)('imports a file where there is no /proc, as in a bare root', () => {
    const cwd = scratchFolder();
    writeFileSync(path.join(cwd, 'remit.toml'), 'api_url = "https://api.example.com/v1/external/"\n');
    // Reading it takes longer than the watch over the reading process waits.
    const lines = Array.from({ length: 6_000 }, (_, i) => `2026-10-05,${i}.50,USD,line ${i}`);
    writeFileSync(path.join(cwd, 'bank.csv'), ['date,amount,currency,text', ...lines, ''].join('\n'));
    // By its name, as a shell starts it: without /proc a program does not learn its own path.
    symlinkSync(process.execPath, path.join(cwd, 'this-node'));
    const command = ['this-node', path.resolve('dist/bin/main.js')];
    const env = { ...process.env, PATH: `${cwd}:${process.env.PATH}` };
    const argv = ['import', 'receipts', 'bank.csv', '--account', 'box', '--dry-run'];
    const { status, stderr } = spawnSync('unshare', [...WITHOUT_PROC, ...command, ...argv], {
      cwd,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('refuses a socket on Windows, which has none in files', async () => {
    const refusal = await clearSocket('C:\\desk.sock', 'win32').catch((error: UsageError) => error);
    expect(refusal).toMatchObject({ message: '--socket needs a system with sockets in files' });
    const inArabic = (await languageOf('ar')).explain((refusal as UsageError).explanation);
    expect(inArabic.message).toMatch(/^يحتاج .*--socket/);
  });

  it('has a build for all three systems', () => {
    const workflow = readFileSync(path.resolve('.github/workflows/ci.yml'), 'utf8');
    for (const system of ['ubuntu-latest', 'macos-latest', 'windows-latest']) expect(workflow).toContain(system);
  });

  it('has no two files whose names differ in case alone, nor a name that Windows refuses', () => {
    const files = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
      .trim()
      .split('\n');
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
    const reserved = /(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.|\/|$)|[<>:"|?*\\]|[. ]($|\/)/i;
    expect(files.filter((file) => reserved.test(file))).toEqual([]);
  });
});
