import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../command.ts';
import type { Session } from '../session.ts';

const REGISTRY = 'https://registry.npmjs.org/';

export const declare = (start: Start) =>
  new Command('update-check')
    .summary('ask whether there is a newer remit')
    .description(
      'Asks the npm registry for the newest version, and says it beside yours. remit never asks by itself, and sends nothing but the name of the package. Exit code 1 when there is a newer one.',
    )
    .option('--registry <url>', `the registry to ask (default: npm_config_registry, or ${REGISTRY})`)
    .addHelpText('after', example('remit update-check'))
    .action((options) => start('update-check', options, updateCheck));

export interface UpdateCheckInput {
  readonly registry?: string | undefined;
}

/** Exits with 1 if there is a newer version, as also where the registry cannot be asked. */
async function updateCheck(session: Session, input: UpdateCheckInput): Promise<number> {
  const { checkForUpdate } = await import('../../app/update-check.ts');
  const registry = input.registry ?? (session.io.env.npm_config_registry || REGISTRY);
  const checked = await checkForUpdate(registry, session.io.signal);
  if (session.json) session.resultJson(checked);
  else
    session.result(`installed ${checked.installed}, newest ${checked.newest}${checked.update ? '' : ': up to date'}`);
  return checked.update ? 1 : 0;
}
