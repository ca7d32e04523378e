import { Command } from '@commander-js/extra-typings';
import type { CheckResult, FailOn } from '../../app/check.ts';
import { UsageError } from '../../errors.ts';
import { asOfOption, example, failOnOption, ledgerOption, PERIOD, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export const declare = (start: Start) =>
  new Command('check')
    .summary('find what does not agree')
    .description(
      'Runs the checks over a period (every month in the ledger, if none is given), keeps and prints the mismatches.',
    )
    .argument('[period]', PERIOD)
    .option('--only <code...>', 'run only these checks')
    .option('--new', 'show only what opened, reopened or was resolved since the last check')
    .addOption(failOnOption().default('error' as const))
    .addOption(asOfOption())
    .addOption(ledgerOption())
    .addHelpText('after', example('remit check 2026-10', 'remit check --only invoice-net --fail-on warning'))
    .action((period, options) => start('check', { period, ...options }, check));

export const completes = async () => ({
  '--only': (await import('../../app/check.ts')).listChecks().map(({ code }) => code),
});

interface CheckInput extends SettingInput {
  readonly period: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly new?: boolean | undefined;
  readonly failOn: FailOn;
  readonly asOf?: string | undefined;
}

/** Exit 3 when an open mismatch is at or above `--fail-on`, else 1 when a month asked for is incomplete. */
async function check(session: Session, input: CheckInput): Promise<number> {
  const { checkBooks, exitCodeOf } = await import('../../app/check.ts');
  const periods = session.months(input.period);
  const only = codesOf(input.only);
  const books = await session.books(settingFlags(input));
  const result = await checkBooks(books, { periods, only, asOf: await session.asOf(input.asOf) });
  await print(session, result, input.new === true);
  return exitCodeOf(result, input.failOn);
}

/** Both `--only a b` and `--only a,b` are natural to type. @throws UsageError for a period among them */
function codesOf(only: readonly string[] = []): string[] {
  const codes = only.flatMap((words) => words.split(',')).filter((code) => code !== '');
  const strayed = codes.find((code) => /^\d{4}|-month$/.test(code));
  if (strayed === undefined) return codes;
  throw new UsageError(
    `${JSON.stringify(strayed)} is no check but a period`,
    'A period comes before --only: remit check PERIOD --only CODE',
  );
}

async function print(session: Session, result: CheckResult, onlyNew: boolean): Promise<void> {
  const [{ checkLines, incompleteLines, newLines }, { isOfOwnSide }] = await Promise.all([
    import('../lines/check.ts'),
    import('../../app/check.ts'),
  ]);
  // Said with --quiet too: who reads nothing else must not take a month for whole that is not.
  for (const line of incompleteLines(result)) session.warn(line);
  const { period, open: counts, skipped } = result;
  session.event('checked', { period, open: counts, skipped: skipped.map(({ code }) => code) }, null);
  if (session.json) {
    const { changed, mismatches, uncompared: _, effects: _effects, reopened: _ids, early: _months, ...rest } = result;
    const shown = onlyNew ? changed : mismatches;
    session.resultJson({ ...rest, mismatches: shown.map(({ note: _note, ...mismatch }) => mismatch) });
    return;
  }
  const news = onlyNew ? result.changed : result.mismatches;
  // What nobody imported is said aloud without --quiet: a night that fetches only is no worse for it.
  const missed = result.skipped.filter(({ code }) => !isOfOwnSide(code));
  if (session.quiet && news.length === 0 && missed.length === 0) return;
  const width = session.io.isTTY.stdout ? session.io.columns : undefined;
  const lines = onlyNew ? newLines : checkLines;
  session.result(lines(result, { color: session.color, width }).join('\n'));
}
