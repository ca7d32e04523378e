import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
  new Command('night')
    .summary('the night of every merchant, with its order book')
    .description(
      "Runs `remit night --orders` for every merchant, each in a process of its own. With a `database` in fleet.toml any number of workers on any number of machines share the nights. A night that failed is tried again three times. Exits with the code of the worst merchant's, and with 0 where mismatches alone were found.",
    )
    .option('--jobs <n>', 'how many nights at a time (default: one a processor)', wholeNumber(1))
    .option(
      '--limit <seconds>',
      'after which a night is asked to stop; 30 seconds later it is killed',
      wholeNumber(1),
      1_800,
    )
    .addHelpText('after', example('remit -C fleet fleet night --jobs 8 --limit 900'))
    .action((options) => start('fleet night', options, night));

interface NightInput {
  readonly jobs?: number | undefined;
  readonly limit: number;
}

async function night(session: Session, { jobs = availableParallelism(), limit }: NightInput): Promise<number> {
  const { runFleetNight } = await import('../../../app/fleet/night.ts');
  const done = await runFleetNight(fleetProgram(session), {
    jobs,
    limit,
    ended: ({ merchant, attempt, exit_code, reason, is_done }) =>
      session.event(
        'night',
        { merchant, attempt, exit_code, reason },
        `${merchant}: ${is_done ? `done, exit code ${exit_code}` : `failed at attempt ${attempt}`}${reason === null ? '' : `: ${reason}`}`,
      ),
  });
  if (session.json) session.resultJson(done);
  else {
    session.result(`${counted(done.done, 'merchant')} had their night, ${done.failed.length} had none`);
    for (const { merchant, reason } of done.failed) session.result(`${merchant}: ${reason}`);
  }
  return done.exit_code;
}
