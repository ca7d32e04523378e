import { Command } from '@commander-js/extra-typings';
import type { FailOn } from '../../app/check-result.ts';
import type { Night } from '../../app/night/model.ts';
import { apiUrlOption, example, failOnOption, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { LineOptions } from '../lines/check.ts';
import type { Flags, Session, SettingInput } from '../session.ts';

export const declare = (start: Start) =>
  new Command('night')
    .summary('what cron runs: sync, check, and one summary of what is new')
    .description(
      'Syncs, checks every month that is held, and prints one summary: what opened, reopened or was resolved and its effect, what could not be fetched, which months are incomplete, and how old the last complete sync is. Where there is news or trouble, the summary goes to `notify_command` and `notify_url` too; with --quiet it is printed only then.',
    )
    .option('--orders', 'fetch the whole order book even if no sync ever did; once one has, every night does')
    .option('--no-orders', 'leave the order book out')
    .addOption(failOnOption().default('error' as const))
    .addOption(apiUrlOption())
    .addOption(ledgerOption())
    .addHelpText(...example('remit night --quiet', 'remit night --no-orders'))
    .action((options) => start('night', options, night));

export type NightInput = SettingInput & Flags<'orders'> & { readonly failOn: FailOn };

/** Exits with the code of the night's worst part. */
export async function night(session: Session, { orders, failOn, ...input }: NightInput): Promise<number> {
  const { hasNews, hasTrouble, runNight } = await import('../../app/night/index.ts');
  const { nightLines, subjectOf } = await import('../lines/night.ts');
  const { openProgress } = await import('../progress.ts');
  const { explainFailure } = await import('../failure.ts');
  const { env, signal } = session.io;
  const books = await session.books(input);
  const zone = await session.zone(books);
  const explain = (error: unknown) => {
    const { code, message, hint, exitCode } = explainFailure(error, signal);
    session.detail((error as Error).stack ?? message);
    return { code, message: session.mask(message), hint: session.mask(hint), exit_code: exitCode };
  };
  const textOf = (night: Night, options: LineOptions) => session.mask(nightLines(night, options, zone).join('\n'));
  /** The summary as `notify_command` and `notify_url` get it. */
  const inWords = (night: Night) => ({
    subject: subjectOf(night, zone),
    text: textOf(night, { color: false, width: undefined }),
  });
  const progress = openProgress(session);
  // The summary has the warnings; only a JSON log has each of them when it comes, too.
  const warn = session.logFormat === 'json' ? progress.warn : () => {};
  const night = await runNight(books, { orders: orders ?? null, failOn, env, explain, inWords }, { ...progress, warn });
  logNight(session, night);
  const isShown = !session.quiet || hasNews(night) || hasTrouble(night);
  await printAnswer(session, night, () => textOf(night, session.lineOptions), isShown);
  return night.exit_code;
}

function logNight(session: Session, night: Night): void {
  const { sync, sync_failure, match_failure, check, check_failure, notified, exit_code, last_good_sync, age_seconds } =
    night;
  if (sync) {
    const { run: _, ...counts } = sync;
    session.event('synced', counts, null);
  }
  if (check) {
    const { period, open, skipped } = check;
    session.event('checked', { period, open, skipped: skipped.map(({ code }) => code) }, null);
  }
  if (session.logFormat !== 'json') return;
  for (const failure of [sync_failure, match_failure, check_failure])
    if (failure) session.log('error', 'failed', { ...failure });
  for (const { ok, ...delivery } of notified) session.log(ok ? 'info' : 'error', 'notified', { ok, ...delivery });
  session.event('night', { exit_code, new: check?.new, resolved: check?.resolved, last_good_sync, age_seconds }, null);
}
