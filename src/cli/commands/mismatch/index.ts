import { Command, Option } from '@commander-js/extra-typings';
import { example, ledgerOption, PERIOD_FORMS, type Start } from '../../command.ts';
import { commandsOfGroup } from '../../decisions.ts';
import { invoiceFilter, knownCodes } from '../../flags.ts';
import type { Flags, Session, SettingInput, Texts } from '../../session.ts';
import { showOne } from '../show.ts';

export const declare = (start: Start) => {
  const mismatch = new Command('mismatch')
    .summary('list what does not agree, and decide about it')
    .description('Lists what the checks found, and records what you decide about it.')
    .addHelpText(...example('remit mismatch list 2026-10', 'remit mismatch ack 4f1c --note "asked the courier"'));
  for (const command of [declareList(start), showCommand(start), ...commandsOfGroup('mismatch', start)])
    mismatch.addCommand(command);
  return mismatch;
};

export const showCommand = (start: Start) =>
  new Command('show')
    .summary('one mismatch, its history and both sides')
    .description('Shows a mismatch, its history, and both documents’ figures (the same as `remit show mismatch`).')
    .argument('<id>', 'its id, which may be shortened while it is unique')
    .addOption(ledgerOption())
    .addHelpText(...example('remit mismatch show 4f1c'))
    .action((id, options) => start('mismatch show', { kind: 'mismatch' as const, id, ...options }, showOne));

const STATUSES = ['open', 'acknowledged', 'resolved', 'all'] as const;

export const declareList = (start: Start) =>
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
    .addHelpText(...example('remit mismatch list 2026-10 --severity error', 'remit mismatch list --status all'))
    .action((period, options) => start('mismatch list', { period, ...options }, list));

export interface ListInput extends SettingInput, Texts<'period' | 'invoice' | 'order' | 'currency'>, Flags<'new'> {
  readonly code?: readonly string[] | undefined;
  readonly severity?: readonly ('error' | 'warning' | 'info')[] | undefined;
  readonly status?: readonly (typeof STATUSES)[number][] | undefined;
}

export async function list(session: Session, input: ListInput): Promise<number> {
  const { listBooksMismatches } = await import('../../../app/mismatches/list.ts');
  const lines = await import('../../lines/mismatches.ts');
  const codes = input.code && (await knownCodes(input.code));
  const { severity: severities, order, currency } = input;
  const isNew = input.new === true;
  const periods = (await session.months(input.period)) ?? undefined;
  const { books, number: invoice } = await invoiceFilter(await session.books(input), input.invoice);
  const statuses = statusesOf(input.status, isNew);
  const filter = { periods, codes, severities, statuses, invoice, order, currency, isNew };
  const mismatches = await listBooksMismatches(books, filter);
  if (session.json) session.resultJson({ mismatches });
  else if (mismatches.length > 0 || !session.quiet) {
    session.result(lines.listLines(mismatches, session.lineOptions, await session.zone(books)).join('\n'));
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
