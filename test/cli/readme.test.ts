import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { buildProgram } from '../../src/cli/program.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';
import { type ShellBlock, shellBlocks } from '../helpers/readme.ts';

const MAIN = path.resolve('dist/bin/main.js');
/** The pages whose commands a reader goes through from top to bottom. */
const PAGES = ['README.md', 'docs/service.md'];
const blocksOf = (page: string) => shellBlocks(readFileSync(page, 'utf8'));
const blocks = blocksOf('README.md');

const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Stand-ins for npm and npx, on the PATH before the real ones: `npx remit` is this checkout's build, `npm run demo` is what
 * package.json says of it, and what would install or test all over again is only looked up.
 */
function standIns(folder: string): string {
  const bin = path.join(folder, '.bin');
  mkdirSync(bin);
  const write = (name: string, script: string) => {
    writeFileSync(path.join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };
  const run = `exec "${process.execPath}" "${MAIN}"`;
  write('remit', `${run} "$@"`);
  write('npx', `[ "$1" = remit ] || { echo "npx $1 is not expected here" >&2; exit 1; }\nshift\n${run} "$@"`);
  write(
    'npm',
    `case "$*" in ci|test) ;; "run demo") ${run} demo ;; *) echo "npm $* is not expected here" >&2; exit 1 ;; esac`,
  );
  return bin;
}

/** A port that nobody listens on, in the place of the page's: whatever runs on this machine, the page is tested. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A block, and after one that starts a service in the background, the wait that a reader needs no words for. */
function asScript(page: string, { line, text }: ShellBlock): string {
  const ports = [...text.matchAll(/--port (\d+).*&\s*$/gm)].map(([, port]) => port);
  const waits = ports.map((port) => `until (echo > /dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done`);
  return [`echo "${page}:${line}" >&2`, text, ...waits].join('\n');
}

describe('the README', () => {
  it('has its two commands, and package.json what they need', () => {
    const text = blocks.map((block) => block.text).join('\n');
    expect(text).toContain('npm ci && npm run demo\nnpm ci && npm test');
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

  it('has a line for cron, and docs/night.md a timer, that are real commands', async () => {
    const pages = ['README.md', 'docs/night.md'].map((page) => readFileSync(page, 'utf8')).join('\n');
    const cron = [...pages.matchAll(/^(?:\S+ ){5} *REMIT_HOME=\S+ remit (.+)$/gm)];
    const timer = [...pages.matchAll(/^ExecStart=\/usr\/bin\/env remit (.+)$/gm)];
    expect([cron.length, timer.length]).toEqual([2, 1]);
    for (const [, line = ''] of [...cron, ...timer]) {
      const started: unknown[] = [];
      const program = await buildProgram(async (name, input) => void started.push([name, input]));
      await program.parseAsync(line.split(' '), { from: 'user' });
      expect(started).toEqual([['night', { orders: true, failOn: 'error' }]]);
      expect(program.opts()).toEqual(
        line.includes('json') ? { color: true, logFormat: 'json' } : { color: true, quiet: true },
      );
    }
  });

  it('names only commands and flags that exist, also where a test cannot run them', async () => {
    const skipped = blocks.filter(({ skip }) => skip !== null);
    const lines = skipped.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
    const commands = lines
      .map((line) => /^(?:npx )?remit\s+([^#|>&]*)/.exec(line)?.[1]?.trim().split(/\s+/))
      .filter((argv) => argv !== undefined);
    expect(commands.length).toBeGreaterThan(0);
    for (const argv of commands) {
      const { code, stdout } = await remit([...argv, '--help'], { cwd: '/' });
      expect([argv.join(' '), code]).toEqual([argv.join(' '), 0]);
      for (const flag of argv.filter((word) => word.startsWith('--'))) expect(stdout).toContain(flag);
    }
  });
});
