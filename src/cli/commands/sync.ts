import { Command } from '@commander-js/extra-typings';
import { apiUrlOption, example, ledgerOption, PERIOD_FORMS, printAnswer, type Start, wholeNumber } from '../command.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

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
    .addHelpText(...example('remit sync', 'remit sync 2026-10 --orders'))
    .action((period, options) => start('sync', { period, ...options }, sync));

type SyncFlags = Flags<'orders' | 'full' | 'dryRun' | 'acceptAccount' | 'acceptVanished'>;
export type SyncInput = SettingInput & Texts<'period'> & SyncFlags;

/** Exits with 0 if everything was fetched, else with 1. */
export async function sync(session: Session, input: SyncInput): Promise<number> {
  const { planBooksSync, syncBooks } = await import('../../app/sync.ts');
  const { booksLines, planLines } = await import('../lines/sync.ts');
  const { openProgress } = await import('../progress.ts');
  const periods = await session.months(input.period);
  const books = await session.books(input);
  const { orders = false, full = false, acceptAccount = false, acceptVanished = false } = input;
  const request = { periods, orders, full, acceptAccount, acceptVanished };
  const progress = openProgress(session);
  if (input.dryRun) {
    const plan = await planBooksSync(books, request, progress);
    return printAnswer(session, { dry_run: true, orders, ...plan }, () => planLines(plan, orders));
  }
  const summary = await syncBooks(books, request, progress);
  const { run: _, ...counts } = summary;
  session.event('synced', counts, null);
  await printAnswer(session, summary, () => booksLines(summary), !session.quiet);
  if (summary.status === 'complete') return 0;
  const { printFailure } = await import('../failure.ts');
  const [message, hint] = summary.incomplete.length > 0 ? BUDGET_SPENT : NOT_ALL_BROUGHT;
  printFailure(session, { code: 'partial', message, hint, exitCode: 1 });
  return 1;
}

const BUDGET_SPENT = [
  'not all that was due was asked for, because a budget of requests is spent; what was brought is kept',
  'The next sync goes on there; `remit doctor` says what a night costs.',
] as const;
const NOT_ALL_BROUGHT = [
  'not everything could be brought; the warnings above say what and why, and what was brought is kept',
  'Run the sync again; what still cannot be read then, the delivery company has to correct.',
] as const;
