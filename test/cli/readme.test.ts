import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { buildProgram } from '../../src/cli/program.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { freePort, standIns, waitsFor } from '../helpers/pages.ts';
import { type ShellBlock, shellBlocks } from '../helpers/readme.ts';

/** The pages whose commands a reader goes through from top to bottom. */
const PAGES = ['README.md', 'docs/data.md', 'docs/service.md'];
const blocksOf = (page: string) => shellBlocks(readFileSync(page, 'utf8'));
const blocks = blocksOf('README.md');

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

const asScript = (page: string, { line, text }: ShellBlock): string =>
  [`echo "${page}:${line}" >&2`, text, ...waitsFor(text)].join('\n');

describe('the README', () => {
  it('has its two commands, and package.json what they need', () => {
    const text = blocks.map((block) => block.text).join('\n');
    expect(text).toMatch(/^npm ci && npm run demo +#.*\nnpm ci && npm test +#/);
    expect(manifest.scripts.demo).toContain('main.js demo');
    expect(manifest.scripts.test).toContain('vitest');
  });

  it.skipIf(process.platform === 'win32' || !has('curl')).each(PAGES)(
    '%s holds only commands that run as they stand',
    { timeout: 180_000 },
    async (page) => {
      const folder = scratchFolder();
      const commands = blocksOf(page)
        .filter(({ skip }) => skip === null)
        .map((block) => asScript(page, block));
      const [, port = 'no port'] = /--port (\d+)/.exec(commands.join('\n')) ?? [];
      const script = [
        'set -eo pipefail',
        `trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT`,
        commands.join('\n').replaceAll(port, String(await freePort())),
      ].join('\n');
      const { PATH, HOME, LANG } = process.env;
      const result = spawnSync('bash', ['--norc', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${standIns(folder)}${path.delimiter}${PATH}`, HOME, LANG, NO_COLOR: '1' },
        timeout: 150_000,
      });
      expect({ status: result.status, stderr: result.status === 0 ? '' : result.stderr.slice(-2_000) }).toEqual({
        status: 0,
        stderr: '',
      });
    },
  );

  it('has a line for cron, and docs/night.md a timer and a service, that are real commands', async () => {
    const pages = ['README.md', 'docs/night.md'].map((page) => readFileSync(page, 'utf8')).join('\n');
    const cron = [...pages.matchAll(/^(?:\S+ ){5} *REMIT_HOME=\S+ remit (.+)$/gm)];
    const timer = [...pages.matchAll(/^ExecStart=\/usr\/bin\/env remit (.+)$/gm)];
    expect([cron.length, timer.length]).toEqual([2, 2]);
    for (const [, line = ''] of [...cron, ...timer]) {
      const started: unknown[] = [];
      const program = await buildProgram(async (name, input) => void started.push([name, input]));
      await program.parseAsync(line.split(' '), { from: 'user' });
      const isNight = line.startsWith('night');
      expect(started).toEqual([isNight ? ['night', { failOn: 'error' }] : ['listen', { port: 8377 }]]);
      expect(program.opts()).toEqual(
        line.includes('json') ? { color: true, logFormat: 'json' } : { color: true, quiet: true },
      );
    }
  });

  it('says remit-books after npx: outside a clone, npx remit fetches a stranger’s package', () => {
    expect(manifest.bin['remit-books']).toBe(manifest.bin.remit);
    const below = ['docs', 'src', 'reports'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
    );
    const files = ['README.md', 'CONTRIBUTING.md', ...below.filter((file) => /\.(?:md|tsx?)$/.test(file))];
    expect(files.length).toBeGreaterThan(100);
    const wrong = files.filter((file) => /npx (?:-\S+ )*remit(?![\w-])/.test(readFileSync(file, 'utf8')));
    expect(wrong).toEqual([]);
  });

  it('names only commands and flags that exist, also where a test cannot run them', async () => {
    const skipped = blocks.filter(({ skip }) => skip !== null);
    const lines = skipped.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
    const commands = lines
      .map((line) => /^(?:npx remit-books|remit)\s+([^#|>&]*)/.exec(line)?.[1]?.trim().split(/\s+/))
      .filter((argv) => argv !== undefined);
    expect(commands.length).toBeGreaterThan(0);
    for (const argv of commands) {
      const { code, stdout } = await remit([...argv, '--help'], { cwd: '/' });
      expect([argv.join(' '), code]).toEqual([argv.join(' '), 0]);
      for (const flag of argv.filter((word) => word.startsWith('--'))) expect(stdout).toContain(flag);
    }
  });
});
