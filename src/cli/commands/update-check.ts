import { Command } from '@commander-js/extra-typings';
import { example, printAnswer, type Start } from '../command.ts';
import type { Session, Texts } from '../session.ts';

const REGISTRY = 'https://registry.npmjs.org/';

export const declare = (start: Start) =>
  new Command('update-check')
    .summary('ask whether there is a newer remit')
    .description(
      'Asks the npm registry for the newest version, and says it beside yours. remit never asks by itself, and sends nothing but the name of the package. Exit code 1 when there is a newer one.',
    )
    .option('--registry <url>', `the registry to ask (default: npm_config_registry, or ${REGISTRY})`)
    .addHelpText(...example('remit update-check'))
    .action((options) => start('update-check', options, updateCheck));

/** Exits with 1 if there is a newer version, as also where the registry cannot be asked. */
async function updateCheck(session: Session, input: Texts<'registry'>): Promise<number> {
  const { checkForUpdate } = await import('../../app/update-check.ts');
  const registry = input.registry ?? (session.io.env.npm_config_registry || REGISTRY);
  const checked = await checkForUpdate(registry, session.io.signal);
  const text = `installed ${checked.installed}, newest ${checked.newest}${checked.update ? '' : ': up to date'}`;
  await printAnswer(session, checked, () => text);
  return checked.update ? 1 : 0;
}
