import { Command } from '@commander-js/extra-typings';
import type { CheckResult, FailOn } from '../../app/check.ts';
import { UsageError } from '../../errors.ts';
import { example, failOnOption, ledgerOption, PERIOD, type Start } from '../command.ts';
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
    .addOption(failOnOption().default('error' as const))
    .addOption(ledgerOption())
    .addHelpText('after', example('remit check 2026-10', 'remit check --only invoice-net --fail-on warning'))
    .action((period, options) => start('check', { period, ...options }, check));

export const completes = async () => ({
  '--only': (await import('../../app/check.ts')).listChecks().map(({ code }) => code),
});

interface CheckInput extends SettingInput {
  readonly period: string | undefined;
  readonly only?: readonly string[] | undefined;
  readonly failOn: FailOn;
}

/** Exit 3 when an open mismatch is at or above `--fail-on`. */
async function check(session: Session, input: CheckInput): Promise<number> {
  const { checkBooks, isFailure } = await import('../../app/check.ts');
  const periods = session.months(input.period);
  const only = codesOf(input.only);
  const books = await session.books(settingFlags(input));
  const result = await checkBooks(books, { periods, only });
  await print(session, result);
  return isFailure(result, input.failOn) ? 3 : 0;
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

async function print(session: Session, result: CheckResult): Promise<void> {
  const { checkLines, lackingLines } = await import('../lines/check.ts');
  for (const line of lackingLines(result)) session.warn(line);
  const { period, open: counts, skipped } = result;
  session.event('checked', { period, open: counts, skipped: skipped.map(({ code }) => code) }, null);
  if (session.json) {
    const { notSynced: _never, lacking: _lacking, mismatches, ...rest } = result;
    session.resultJson({ ...rest, mismatches: mismatches.map(({ note: _note, ...mismatch }) => mismatch) });
    return;
  }
  const isClean = result.mismatches.length === 0 && result.skipped.length === 0;
  if (session.quiet && isClean) return;
  const width = session.io.isTTY.stdout ? session.io.columns : undefined;
  session.result(checkLines(result, { color: session.color, width }).join('\n'));
}
