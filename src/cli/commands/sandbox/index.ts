import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import { declare as key } from './key.ts';
import { declare as operate } from './operate.ts';
import { declare as runDay } from './run-day.ts';
import { declare as seed } from './seed.ts';
import { declare as serve } from './serve.ts';
import { declare as webhook } from './webhook.ts';

/** The commands of `remit sandbox`, in the order of the help. */
const COMMANDS = [seed, key, serve, operate, runDay, webhook];

export const declare = (start: Start) => {
  const sandbox = new Command('sandbox')
    .summary("run the delivery company's own service on this machine")
    .description(
      "The delivery company's whole service on this machine, with its own data, to try remit or build against.",
    )
    .addHelpText(
      'after',
      example('remit sandbox seed --data courier.db --plant', 'remit sandbox serve --data courier.db --port 8080'),
    );
  for (const command of COMMANDS) sandbox.addCommand(command(start));
  return sandbox;
};
