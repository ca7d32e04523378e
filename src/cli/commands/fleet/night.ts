import { availableParallelism } from 'node:os';
import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { cleanText } from '../../../base/text.ts';
import { amountText } from '../../../render/figures.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import { ageText } from '../../lines/night.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declareNight = (start: Start) =>
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

export const declareStatus = (start: Start) =>
  new Command('status')
    .summary('a line a merchant: its last good sync, its exit code and why, what is open')
    .description('Shows how each merchant is, by what its last night said; the worst first.')
    .addHelpText('after', example('remit -C fleet fleet status', 'remit -C fleet fleet status --json'))
    .action(() => start('fleet status', {}, status));

async function status(session: Session): Promise<number> {
  const { fleetStatus } = await import('../../../app/fleet/status.ts');
  const merchants = await fleetStatus(fleetProgram(session));
  if (session.json) session.resultJson({ merchants });
  else {
    const now = session.io.now().getTime();
    for (const one of merchants) {
      const { merchant, cell, last_good_sync, exit_code, reason, not_compared, open_errors, short, oldest_open_month } =
        one;
      const age =
        last_good_sync === null
          ? 'no good sync yet'
          : `synced ${ageText(Math.max(0, Math.floor((now - Date.parse(last_good_sync)) / 1_000)))} ago`;
      const parts = [
        `exit code ${exit_code ?? 'none'}`,
        age,
        `${open_errors} open errors`,
        ...short.map(
          ({ currency, amount }) =>
            `${amount.startsWith('-') ? 'short' : 'ahead'} ${amountText(amount.replace('-', ''))} ${currency}`,
        ),
        ...(oldest_open_month === null ? [] : [`open since ${oldest_open_month}`]),
        ...(not_compared.length === 0 ? [] : [`${not_compared.length} not compared`]),
        ...(reason === null ? [] : [reason]),
      ];
      session.result(cleanText(`${merchant} (${cell}): ${parts.join('; ')}`, 2_000));
    }
  }
  return 0;
}
