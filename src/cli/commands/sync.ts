import { Command } from '@commander-js/extra-typings';
import { apiUrlOption, example, ledgerOption, PERIOD_FORMS, type Start, wholeNumber } from '../command.ts';
import type { Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('sync')
    .summary('fetch invoices and their orders into the ledger')
    .description(
      'Fetches the invoices of a period and their orders. Without a period: last month, this month, and the list of every month that was ever synced, so that no old month is restated unseen.',
    )
    .argument('[period]', PERIOD_FORMS)
    .option('--orders', 'fetch the whole order book too')
    .option('--full', 'fetch every invoice again, also where nothing seems to have changed')
    .option(
      '--accept-account',
      'go on though the key belongs to another organisation than the ledger, or another address answers',
    )
    .option('--accept-vanished', 'believe a list that has lost everything that it held')
    .option('--dry-run', 'say what would be fetched, and fetch nothing but the lists')
    .option('--concurrency <n>', 'requests at a time', wholeNumber(1))
    .addOption(apiUrlOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit sync', 'remit sync 2026-10 --orders'))
    .action((period, options) => start('sync', { period, ...options }, sync));

export interface SyncInput extends SettingInput {
  readonly period: string | undefined;
  readonly orders?: boolean | undefined;
  readonly full?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly acceptAccount?: boolean | undefined;
  readonly acceptVanished?: boolean | undefined;
}

/** Exits with 0 if everything was fetched, else with 1. */
export async function sync(session: Session, input: SyncInput): Promise<number> {
  const [{ planBooksSync, syncBooks }, { booksLines, planLines }, { openProgress }] = await Promise.all([
    import('../../app/sync.ts'),
    import('../lines/sync.ts'),
    import('../progress.ts'),
  ]);
  const periods = await session.months(input.period);
  const books = await session.books(input);
  const { orders = false, full = false, acceptAccount = false, acceptVanished = false } = input;
  const request = { periods, orders, full, acceptAccount, acceptVanished };
  const progress = openProgress(session);
  if (input.dryRun) {
    const plan = await planBooksSync(books, request, progress);
    if (session.json) session.resultJson({ dry_run: true, orders, ...plan });
    else session.result(planLines(plan, orders).join('\n'));
    return 0;
  }
  const summary = await syncBooks(books, request, progress);
  const { run: _, ...counts } = summary;
  session.event('synced', counts, null);
  if (session.json) session.resultJson(summary);
  else if (!session.quiet) session.result(booksLines(summary).join('\n'));
  if (summary.status === 'complete') return 0;
  const { printFailure } = await import('../failure.ts');
  if (summary.incomplete.length > 0) {
    printFailure(session, {
      code: 'partial',
      message: 'not all that was due was asked for, because a budget of requests is spent; what was brought is kept',
      hint: 'The next sync goes on there; `remit doctor` says what a night costs.',
      exitCode: 1,
    });
    return 1;
  }
  printFailure(session, {
    code: 'partial',
    message: 'not everything could be brought; the warnings above say what and why, and what was brought is kept',
    hint: 'Run the sync again; what still cannot be read then, the delivery company has to correct.',
    exitCode: 1,
  });
  return 1;
}
