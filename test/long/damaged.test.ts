import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from '../helpers/folder.ts';
import { copyInstallation, expectDamageTold } from '../helpers/installation.ts';
import { runProgram } from '../helpers/remit.ts';

const COMMANDS: string[][] = [
  ['-C', 'books', 'verify', '--deep'],
  ['-C', 'books', 'sync'],
  ['-C', 'books', 'statement'],
  ['-C', 'books', 'check'],
  ['-C', 'books', 'report', 'totals', '--format', 'csv'],
  ['sandbox', 'seed', '--data', 'new/courier.db'],
  ['doctor'],
  ['--version'],
];

it('each file of remit that is missing, empty or cut is named by every command, before it does anything', {
  timeout: 1_800_000,
}, async () => {
  const installation = copyInstallation();
  const cwd = scratchFolder();
  expect((await runProgram(installation.main, ['demo', 'books', '--quiet'], {}, cwd)).code).toBe(0);
  const before = stateOf(cwd);
  // Each file by one of the commands, in turn: what looks at the files is the same for all.
  for (const [index, file] of installation.files.entries()) {
    await expectDamageTold(installation, file, COMMANDS[index % COMMANDS.length]!, cwd);
  }
  expect(installation.files.length).toBeGreaterThan(200);
  expect(stateOf(cwd)).toEqual(before);
});

/** Every file of a folder, with its size and time. */
function stateOf(folder: string): unknown[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return [name, size, mtimeMs];
  });
}
