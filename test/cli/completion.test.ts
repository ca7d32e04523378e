import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listChecks } from '../../src/app/check.ts';
import { listReports } from '../../src/app/report.ts';
import { remit } from '../helpers/cli.ts';
import { scratchFolder } from '../helpers/folder.ts';

async function script(shell: string): Promise<string> {
  const { code, stdout } = await remit(['completion', shell], { cwd: '/' });
  expect(code).toBe(0);
  return stdout;
}

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What bash offers after some words. */
async function bashOffers(words: readonly string[]): Promise<string[]> {
  const lines = [
    await script('bash'),
    `COMP_WORDS=(remit ${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_remit',
    `printf '%s\\n' "$\{COMPREPLY[@]}"`,
  ];
  return execFileSync('bash', ['--norc', '-c', lines.join('\n')], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe.skipIf(!isInstalled('bash'))('in bash', () => {
  it('offers the commands', async () => {
    expect(await bashOffers(['s'])).toEqual(expect.arrayContaining(['sync', 'statement', 'sandbox']));
    expect(await bashOffers(['sy'])).toEqual(['sync']);
  });

  it("offers a command's own flags and those of every command", async () => {
    const offers = await bashOffers(['sync', '2026-10', '--']);
    expect(offers).toEqual(expect.arrayContaining(['--orders', '--full', '--json', '--quiet']));
    expect(offers).not.toContain('--fail-on');
  });

  it('offers the values of a flag', async () => {
    expect(await bashOffers(['check', '--fail-on', ''])).toEqual(['error', 'warning', 'never']);
    expect(await bashOffers(['completion', ''])).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  });

  it('offers the names of reports, the codes of checks and the operations of the API', async () => {
    const names = listReports().map(({ name }) => name);
    const codes = listChecks().map(({ code }) => code);
    expect(names.length * codes.length).toBeGreaterThan(0);
    expect(await bashOffers(['report', ''])).toEqual(expect.arrayContaining(names));
    expect(await bashOffers(['report', 'tot'])).toEqual(['totals']);
    expect(await bashOffers(['check', '--only', ''])).toEqual(codes);
    expect(await bashOffers(['api', 'createO'])).toEqual(['createOrder']);
  });

  it('goes down into the commands of a command', async () => {
    expect(await bashOffers(['sandbox', 'se'])).toEqual(expect.arrayContaining(['serve', 'seed']));
    expect(await bashOffers(['-C', 'books', 'sandbox', 'serve', '--p'])).toEqual(['--port']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('names every command and its flags', async () => {
    const text = await script(shell);
    for (const { name } of listReports()) expect(text).toContain(name);
    for (const { code } of listChecks()) expect(text).toContain(code);
    for (const word of ['sync', 'check', 'statement', 'sandbox', 'orders', 'fail-on']) expect(text).toContain(word);
  });

  it.skipIf(!isInstalled(shell))('takes the script without complaint', async () => {
    const file = path.join(scratchFolder(), 'completion');
    writeFileSync(file, await script(shell));
    execFileSync(shell, ['-n', file], { stdio: 'pipe' });
  });
});
