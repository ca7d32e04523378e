import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';

/** Everything in which a command may be named: source, pages, help. */
const FILES = ['src', 'reports', 'docs', 'migrations']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .concat(readdirSync('.').filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md'))
  .filter((file) => /\.(ts|md)$/.test(file));

/** `remit xyz` in backquotes, at the prompt of an example, or after a word that asks to type it. */
const NAMED =
  /(?:`|^\s*\$ |'\$ |\b(?:[Rr]un|[Ww]rite|[Ss]ee|with|first|again):? )remit ((?:-C \S+ )?[a-z][a-z0-9-]*(?: [a-z][a-z-]*)?)/gm;
/** The lines of shell blocks. */
const BLOCK = /^```sh\n(.*?)^```/gms;
const IN_BLOCK = /^(?:npx )?remit ((?:-C \S+ )?[a-z][a-z0-9-]*(?: [a-z][a-z-]*)?)/gm;
const PROSE = /^(runs?|or|and|itself|is|with)\b/;

function namedIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const blocks = [...text.matchAll(BLOCK)].flatMap(([, block = '']) => [...block.matchAll(IN_BLOCK)]);
  return [...text.matchAll(NAMED), ...blocks]
    .map(([, words = '']) => words.replace(/^-C \S+ /, ''))
    .filter((words) => !PROSE.test(words));
}

it('every command that is named anywhere exists', async () => {
  const program: CommandUnknownOpts = await buildProgram(async () => {});
  const found = FILES.flatMap((file) => namedIn(file).map((words) => ({ file, words })));
  expect(found.length).toBeGreaterThan(50);
  const unknown = found.filter(({ words }) => {
    const [name, next] = words.split(' ');
    const command = program.commands.find((candidate) => candidate.name() === name);
    if (!command) return true;
    return (
      next !== undefined && command.commands.length > 0 && !command.commands.some((child) => child.name() === next)
    );
  });
  expect(unknown).toEqual([]);
});
