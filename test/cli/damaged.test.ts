import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scratchFolder } from '../helpers/folder.ts';
import { copyInstallation, expectDamageTold } from '../helpers/installation.ts';
import { runProgram } from '../helpers/remit.ts';

it('a file of remit that is missing, empty or cut is told in one sentence, also where it is the one that explains failures', async () => {
  const installation = copyInstallation();
  const { files, main } = installation;
  const cwd = scratchFolder();
  // A command that fails, so that the failure is explained.
  const args = ['report', 'totals'];
  const holding = (text: string) => files.find((file) => readFileSync(file, 'utf8').includes(text))!;
  await expectDamageTold(installation, holding('function explainFailure'), args, cwd);
  // A proof must not take a damaged program for a damaged ledger.
  await expectDamageTold(installation, holding('function replay('), ['verify'], cwd);
  expect((await runProgram(main, args, {}, cwd)).stderr).toMatch(/ is not a books folder: /);
});

it('main.js needs none of the other files until it has looked at them', () => {
  const { main } = copyInstallation();
  expect(readFileSync(main, 'utf8')).not.toMatch(/^(?:const|let|var) .*require\("\.\//m);
});
