import { Command } from '@commander-js/extra-typings';
import type { CheckResult, FailOn } from '../../app/check-result.ts';
import { UsageError } from '../../base/errors.ts';
import { asOfOption, example, failOnOption, ledgerOption, PERIOD_FORMS, type Start } from '../command.ts';
import type { Flags, Session, SettingInput, Texts } from '../session.ts';

export const declare = (start: Start) =>
  new Command('check')
    .summary('find what does not agree')
    .description(
      'Runs the checks over a period (every month in the ledger, if none is given), keeps the mismatches and prints them by their causes, the most money first.',
    )
    .argument('[period]', PERIOD_FORMS)
    .option('--only <code...>', 'run only these checks')
    .option('--all', 'list every mismatch, not the causes alone')
    .option('--new', 'show only what opened, reopened or was resolved since the last check')
    .addOption(failOnOption().default('error' as const))
    .addOption(asOfOption())
    .addOption(ledgerOption())
    .addHelpText(...example('remit check 2026-10', 'remit check --only invoice-net --fail-on warning'))
    .action((period, options) => start('check', { period, ...options }, check));

export const completes = async () => ({
  '--only': (await import('../../app/check.ts')).listChecks().map(({ code }) => code),
});

export interface CheckInput extends SettingInput, Texts<'period' | 'asOf'>, Flags<'new' | 'all'> {
  readonly only?: readonly string[] | undefined;
  readonly failOn: FailOn;
}

/** Exits with 3 if an open mismatch is at or above `--fail-on`, else with 1 if a month of the period is incomplete. */
export async function check(session: Session, input: CheckInput): Promise<number> {
  const { checkExitCode } = await import('../../app/check-result.ts');
  const { checkBooks } = await import('../../app/check-books.ts');
  const periods = await session.months(input.period);
  const only = await codesOf(input.only);
  const books = await session.books(input);
  const result = await checkBooks(books, { periods, only, asOf: await session.asOf(input.asOf) });
  await print(session, result, { onlyNew: input.new === true, all: input.all === true });
  return checkExitCode(result, input.failOn);
}

/** The codes of `--only`. @throws UsageError for a code that no check has, or a period that was typed after `--only` */
async function codesOf(only: readonly string[] = []): Promise<string[]> {
  const period = only.flatMap((words) => words.split(',')).find((code) => /^\d{4}|-month$/.test(code));
  if (period === undefined) return (await import('../flags.ts')).knownCodes(only);
  const remedy = 'A period comes before --only: remit check PERIOD --only CODE';
  throw new UsageError(`${JSON.stringify(period)} is no check but a period`, remedy);
}

async function print(session: Session, result: CheckResult, { onlyNew, all }: Record<'onlyNew' | 'all', boolean>) {
  const { checkLines, incompleteLines, newLines } = await import('../lines/check.ts');
  const { needsFilesOrClose } = await import('../../app/check.ts');
  // With --quiet too: whoever reads nothing else must not take an incomplete month for a whole one.
  for (const line of incompleteLines(result)) session.warn(line);
  const { period, open: counts, skipped } = result;
  session.event('checked', { period, open: counts, skipped: skipped.map(({ code }) => code) }, null);
  if (session.json) {
    const { checkJson } = await import('../../app/check-result.ts');
    session.resultJson(checkJson(result, { onlyNew }));
    return;
  }
  const shown = onlyNew ? result.changed : result.mismatches;
  // With --quiet, checks that wait for an import of your own are no news: some people only sync.
  const skippedNews = result.skipped.filter(({ code }) => !needsFilesOrClose(code));
  if (session.quiet && shown.length === 0 && skippedNews.length === 0) return;
  const lines = onlyNew ? newLines : checkLines;
  const options = { ...session.lineOptions, all };
  // With several couriers each has its lines, under its name.
  const { parts = [] } = result;
  const ofCourier = (part: (typeof parts)[number]) => ['', `${part.courier}:`, ...lines(part.result, options)];
  const allLines = parts.length === 0 ? lines(result, options) : parts.flatMap(ofCourier).slice(1);
  session.result(allLines.join('\n'));
}
