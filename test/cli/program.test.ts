import { CommanderError } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { VERSION } from '../../src/base/version.ts';
import { buildProgram, commonFlags } from '../../src/cli/program.ts';
import { remit } from '../helpers/cli.ts';

/** What the program understands of a line: the command, its input, and the flags that every command takes. */
async function understand(line: string): Promise<unknown[]> {
  let understood: unknown[] = [];
  const program = await buildProgram(async (name, input) => {
    understood = [name, input, commonFlags(program)];
  });
  await program.parseAsync(line.split(' ').filter(Boolean), { from: 'user' });
  return understood;
}

const none = { period: undefined };

describe('what is typed, and what is understood', () => {
  it.each<[line: string, name: string, input: unknown, common?: unknown]>([
    ['sync', 'sync', none],
    ['sync 2026-10', 'sync', { period: '2026-10' }],
    ['sync 2026-10 --orders --full', 'sync', { period: '2026-10', orders: true, full: true }],
    ['sync --orders 2026-Q4 --dry-run', 'sync', { period: '2026-Q4', orders: true, dryRun: true }],
    [
      'sync --concurrency 8 --api-url http://x/ --ledger l.db',
      'sync',
      { ...none, concurrency: 8, apiUrl: 'http://x/', ledger: 'l.db' },
    ],
    ['sync --accept-account', 'sync', { ...none, acceptAccount: true }],
    ['check', 'check', { ...none, failOn: 'error' }],
    [
      'check 2026-10 --only invoice-net invoice-cod-total',
      'check',
      { period: '2026-10', only: ['invoice-net', 'invoice-cod-total'], failOn: 'error' },
    ],
    ['check --fail-on never', 'check', { ...none, failOn: 'never' }],
    ['night --orders --fail-on warning', 'night', { orders: true, failOn: 'warning' }],
    ['selftest', 'selftest', {}],
    ['update-check --registry http://x/', 'update-check', { registry: 'http://x/' }],
    ['report', 'report', { name: undefined, ...none }],
    [
      'report totals 2026 --format csv --out t.csv --bom',
      'report',
      { name: 'totals', period: '2026', format: 'csv', out: 't.csv', bom: true },
    ],
    ['statement 2026-10 --out s.xlsx', 'statement', { month: '2026-10', out: 's.xlsx', lang: 'en' }],
    ['demo', 'demo', { dir: './remit-demo', failOn: 'never' }],
    ['demo there --fail-on error', 'demo', { dir: 'there', failOn: 'error' }],
    ['init books --api-url http://x/', 'init', { dir: 'books', apiUrl: 'http://x/' }],
    ['doctor', 'doctor', {}],
    ['backup copy.db --force', 'backup', { file: 'copy.db', force: true }],
    ['completion zsh', 'completion', { shell: 'zsh' }],
    ['--json sync', 'sync', none, { json: true }],
    ['sync --json', 'sync', none, { json: true }],
    ['-C books sync -q', 'sync', none, { directory: 'books', quiet: true }],
    ['sync 2026-10 -C books --verbose', 'sync', { period: '2026-10' }, { directory: 'books', verbose: true }],
    ['check --no-color', 'check', { ...none, failOn: 'error' }, { color: false }],
  ])('%s', async (line, name, input, common = {}) => {
    const [gotName, gotInput, gotCommon] = await understand(line);
    expect(gotName).toBe(name);
    expect(gotInput).toEqual(input);
    expect(gotCommon).toEqual({ color: true, ...(common as object) });
  });

  it.each([
    'snyc',
    'sync 2026-10 2026-11',
    'sync --only x',
    'sync --concurrency 0',
    'sync --concurrency many',
    'check --fail-on sometimes',
    'report totals --format pdf',
    'backup',
    'completion powershell',
    'check --only',
  ])('refuses: %s', async (line) => {
    await expect(understand(line)).rejects.toThrow(CommanderError);
    const { code, stdout, stderr } = await remit(line.split(' '), { cwd: '/' });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^remit: .+\n {2}→ .+\n$/);
  });
});

describe('the remedy for a wrong use', () => {
  it.each([
    ['report totals --nonsense', "unknown option '--nonsense'", 'See: remit report --help'],
    ['sandbox seed', "required option '--data <file>' not specified", 'See: remit sandbox seed --help'],
    ['sync 2026-10 2026-11', "too many arguments for 'sync': expected 1 argument but got 2", 'See: remit sync --help'],
    ['statment', "unknown command 'statment'", 'Did you mean statement?'],
  ])('names the command: %s', async (line, sentence, remedy) => {
    const { stderr } = await remit(line.split(' '), { cwd: '/' });
    expect(stderr).toBe(`remit: ${sentence}\n  → ${remedy}\n`);
  });
});

describe('a line that plainly names a command', async () => {
  const declared = async (line: string) =>
    (await buildProgram(async () => {}, line.split(' ').filter(Boolean))).commands.map((command) => command.name());
  const all = await declared('');

  it.each(all)('%s: declares no other', async (name) => {
    expect(await declared(name)).toEqual([name]);
  });

  it.each([
    ['-C report check 2026-10', 'check'],
    ['--json -q sync --help', 'sync'],
    ['--log-format json night', 'night'],
  ])('%s: declares %s alone', async (line, name) => {
    expect(await declared(line)).toEqual([name]);
  });

  it.each(['--help', '--help check', 'help check', 'chekc', '--bogus check', '-qv check', '-C check', '2026-10 check'])(
    'is not %s: all are declared',
    async (line) => {
      expect(await declared(line)).toEqual(all);
    },
  );

  it('has the suggestions of any other that is wrong', async () => {
    const { stderr } = await remit(['-C', 'report', 'check', '--bogus'], { cwd: '/' });
    expect(stderr).toContain("unknown option '--bogus'");
    expect(stderr).toContain('remit check --help');
  });
});

describe('help', async () => {
  const names = (await buildProgram(async () => {})).commands.flatMap((command) =>
    command.commands.length > 0 ? command.commands.map((child) => [command.name(), child.name()]) : [[command.name()]],
  );

  it.each(names.map((words) => [words.join(' '), words]))(
    'of %s shows an example and the common flags',
    async (_name, words) => {
      const { code, stdout, stderr } = await remit([...words, '--help'], { cwd: '/' });
      expect(code).toBe(0);
      expect(stderr).toBe('');
      expect(stdout).toContain(`Usage: remit ${words.join(' ')}`);
      expect(stdout).toMatch(/Example:\n {2}\$ /);
      for (const flag of ['--json', '--quiet', '--verbose', '--no-color', '--directory'])
        expect(stdout).toContain(flag);
    },
  );

  it('goes to standard error, with exit code 2, where a command is missing', async () => {
    const { code, stdout, stderr } = await remit([], { cwd: '/' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: remit');
  });

  it('--version is that of the package', async () => {
    expect(await remit(['--version'], { cwd: '/' })).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    expect(VERSION).toBe(manifest.version);
  });
});
