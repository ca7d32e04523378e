import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { shellWord } from '../../../base/text.ts';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';

export const declare = (start: Start) =>
  new Command('init')
    .summary("make a fleet's folder")
    .description('Makes a folder with a fleet.toml of one cell, a folder of SQLite files. Never overwrites.')
    .argument('<dir>', 'the folder to make')
    .addHelpText('after', example('remit fleet init fleet'))
    .action((dir) => start('fleet init', { dir }, init));

export async function init(session: Session, { dir }: { dir: string }): Promise<number> {
  const { makeFleet } = await import('../../../app/fleet/merchants.ts');
  const made = await makeFleet(path.resolve(session.io.cwd, dir));
  if (session.json) session.resultJson(made);
  else session.result(session.quiet ? made.folder : `${made.folder} is ready: settings in ${made.settings}`);
  session.note(`Next: ${session.io.program} -C ${shellWord(dir)} fleet add MERCHANT`);
  return 0;
}
