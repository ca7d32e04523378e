import { Command, Option } from '@commander-js/extra-typings';
import { example, ledgerOption, PERIOD_FORMS, type Start } from '../../command.ts';
import { invoiceFilter } from '../../filter-flags.ts';
import type { Session, SettingInput } from '../../session.ts';

const STATUSES = ['open', 'acknowledged', 'resolved', 'all'] as const;

export const declare = (start: Start) =>
  new Command('list')
    .summary('what was found, with ids and notes')
    .description(
      'Lists the mismatches that are not resolved, as the last check left them; --status and --new show others too.',
    )
    .argument('[period]', PERIOD_FORMS)
    .option('--code <code...>', 'only those of these checks')
    .addOption(new Option('--severity <severity...>', 'only these').choices(['error', 'warning', 'info'] as const))
    .addOption(new Option('--status <status...>', 'only these').choices(STATUSES))
    .option('--invoice <number>', 'only those about this invoice')
    .option('--order <id>', 'only those about this order')
    .option('--currency <code>', 'only those in this currency')
    .option('--new', 'only what the last check opened, reopened or resolved')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit mismatch list 2026-10 --severity error', 'remit mismatch list --status all'))
    .action((period, options) => start('mismatch list', { period, ...options }, list));

export interface ListInput extends SettingInput {
  readonly period: string | undefined;
  readonly code?: readonly string[] | undefined;
  readonly severity?: readonly ('error' | 'warning' | 'info')[] | undefined;
  readonly status?: readonly (typeof STATUSES)[number][] | undefined;
  readonly invoice?: string | undefined;
  readonly order?: string | undefined;
  readonly currency?: string | undefined;
  readonly new?: boolean | undefined;
}

export async function list(session: Session, input: ListInput): Promise<number> {
  const [{ listBooksMismatches }, { knownCodes }, lines] = await Promise.all([
    import('../../../app/mismatches/list.ts'),
    import('../../filter-flags.ts'),
    import('../../lines/mismatches.ts'),
  ]);
  const codes = input.code && (await knownCodes(input.code));
  const { severity, order, currency } = input;
  const isNew = input.new === true;
  const periods = (await session.months(input.period)) ?? undefined;
  const { books, number: invoice } = await invoiceFilter(await session.books(input), input.invoice);
  const mismatches = await listBooksMismatches(books, {
    periods,
    codes,
    severities: severity,
    statuses: statusesOf(input.status, isNew),
    invoice,
    order,
    currency,
    isNew,
  });
  if (session.json) session.resultJson({ mismatches });
  else if (mismatches.length > 0 || !session.quiet) {
    const width = session.io.isTTY.stdout ? session.io.columns : undefined;
    session.result(lines.listLines(mismatches, { color: session.color, width }, await session.zone(books)).join('\n'));
    const { changedSinceCheck } = await import('../../../app/disputes/current-findings.ts');
    if (await changedSinceCheck(books)) {
      session.note('the books have changed since the last check: `remit check` brings this list up to date');
    }
  }
  return 0;
}

/** Undefined for all statuses. Without --status, resolved mismatches are left out, except among the news. */
function statusesOf(statuses: ListInput['status'], isNew: boolean) {
  if (statuses === undefined) return isNew ? undefined : (['open', 'acknowledged'] as const);
  return statuses.includes('all') ? undefined : statuses.filter((status) => status !== 'all');
}
