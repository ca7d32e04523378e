import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { manPage } from '../../src/cli/man-page.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { scratchFolder } from '../helpers/folder.ts';

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

describe('the manual page', () => {
  it('is where the package says, as a list: npm links no other', () => {
    expect(manifest.man).toEqual(['dist/man/remit.1']);
  });

  it.runIf(has('groff'))('is roff without a fault', async () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], {
      input: await manPage(),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.runIf(has('groff') && has('man'))('shows every command, flag and example as its help does', async () => {
    const file = path.join(scratchFolder(), 'remit.1');
    writeFileSync(file, await manPage());
    const env = { ...process.env, MANWIDTH: '400', LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: '' };
    const { stdout } = spawnSync('man', ['-l', file], { env, encoding: 'utf8' });
    const shown = stdout.replaceAll(/\s+/g, ' ');
    const missing: string[] = [];
    const look = (text: string) => {
      if (!shown.includes(text.replaceAll(/\s+/g, ' ').trim())) missing.push(text);
    };
    const walk = (command: Awaited<ReturnType<typeof buildProgram>>['commands'][number], parent: string) => {
      const name = `${parent} ${command.name()}`;
      look(name);
      look(command.description());
      for (const { flags, description, hidden } of command.options) if (!hidden) look(`${flags} ${description}`);
      for (const child of command.commands) walk(child, name);
    };
    const program = await buildProgram(async () => {});
    for (const command of program.commands) walk(command, 'remit');
    expect(missing).toEqual([]);
    for (const text of ['--directory <dir>', '$ remit backup ledger-2026-11-20.db', '130', 'REMIT_HOME']) look(text);
    expect(missing).toEqual([]);
  });
});
