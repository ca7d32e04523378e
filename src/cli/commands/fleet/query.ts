import { Command } from '@commander-js/extra-typings';
import { example, type Start } from '../../command.ts';
import type { Session } from '../../session.ts';
import { fleetProgram } from './program.ts';

export const declare = (start: Start) =>
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

export async function query(session: Session, { question }: { question: string }): Promise<number> {
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
