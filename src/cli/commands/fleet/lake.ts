import { Command } from '@commander-js/extra-typings';
import { counted } from '../../../base/counted.ts';
import { example, type Start, wholeNumber } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declareLake = (start: Start) =>
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

export const declareQuery = (start: Start) =>
  new Command('query')
    .summary('ask the lake: totals, mismatches, owed, ageing, custody, or SQL')
    .description(
      'Asks the lake by DuckDB, with exact decimals. A question with a name gives the rows of the reports of every merchant; anything else is SQL over totals, invoices, orders, mismatches, receipts, balances, custody and ageing.',
    )
    .argument('<question>', 'totals, mismatches, owed, ageing, custody, or SQL')
    .addHelpText(
      'after',
      example(
        'remit -C fleet fleet query owed',
        'remit -C fleet fleet query "select currency, sum(net_due_to_merchant) from totals group by all"',
      ),
    )
    .action((question) => start('fleet query', { question }, query));

async function query(session: Session, { question }: { question: string }): Promise<number> {
  const { queryFleet } = await import('../../../app/fleet/lake.ts');
  const { columns, rows } = await queryFleet(fleetProgram(session), question);
  if (session.json) session.resultJson({ rows });
  else {
    const { renderRows } = await import('../../../render/report.ts');
    await renderRows({ columns, rows }, session.io.stdout, {
      generatedAt: session.io.now(),
      color: session.color,
      width: session.io.columns ?? null,
    });
  }
  return 0;
}
