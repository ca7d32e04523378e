import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
  new Command('lake')
    .summary('the figures of all merchants as Parquet files')
    .description(
      'Writes the rows of the reports of each merchant whose books changed as Parquet, by view, merchant and month: dates are DATE and TIMESTAMP, amounts DECIMAL. A part is replaced whole or not at all.',
    )
    .option('--since <run>', 'list what changed since this run of it (default: the last one)', wholeNumber(0))
    .addHelpText('after', example('remit -C fleet fleet lake'))
    .action((options) => start('fleet lake', options, lake));

async function lake(session: Session, { since }: { since?: number | undefined }): Promise<number> {
  const { writeLake } = await import('../../../app/fleet/lake.ts');
  const written = (merchant: string) => session.event('lake', { merchant }, `${merchant}: written`);
  const done = await writeLake(fleetProgram(session), { since: since ?? null, written });
  if (session.json) session.resultJson(done);
  else {
    session.result(
      `${done.lake}: run ${done.run}, ${counted(done.changed.length, 'merchant')} changed, ${done.unchanged} as they were`,
    );
    for (const merchant of done.removed) session.result(`${merchant}: removed, for it is no longer in the fleet`);
    for (const { merchant, reason } of done.failed) session.result(`${merchant}: FAILED, as it was: ${reason}`);
  }
  return done.failed.length > 0 ? 1 : 0;
}
