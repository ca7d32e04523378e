import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { startRemit } from '../../helpers/remit.ts';

it.each([
  ['while it seeds', '.remit-demo'],
  ['while it syncs', 'ledger.db'],
])('a demo begins anew where an earlier one was killed %s', { timeout: 60_000 }, async (_when, sign) => {
  const cwd = scratchFolder();
  const folder = path.join(cwd, 'remit-demo');
  const { child, ended } = startRemit(['demo'], {}, cwd);
  const file = path.join(folder, sign);
  for (let waited = 0; waited < 2_000 && !existsSync(file) && child.exitCode === null; waited++) await setTimeout(10);
  child.kill('SIGKILL');
  await ended;
  const finished = !existsSync(path.join(folder, '.remit-demo'));
  const again = await remit(['demo'], { cwd });
  expect([again.code, finished || again.stderr.includes('it begins anew')]).toEqual([0, true]);
  expect(again.stdout).toMatch(finished ? /0 fetched/ : /(\d+) of the \1 faults that were planted are found/);
  expect(existsSync(path.join(folder, '.remit-demo'))).toBe(false);
});
