import { type CheckResult, runChecks } from '../../checks/run.ts';
import { usingLedger } from '../../ledger/index.ts';
import { checkLines } from '../check-lines.ts';
import { allMonths, typedMonths } from '../months.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

/** The least severity at which a mismatch makes the exit code 3. */
export type FailOn = 'error' | 'warning' | 'never';

export interface CheckInput extends SettingInput {
  readonly period: string | undefined;
  readonly only?: readonly string[];
  readonly failOn: FailOn;
}

/** `remit check`: exit 3 when an open mismatch is at or above `--fail-on`. */
export async function check(session: Session, input: CheckInput): Promise<number> {
  const typed = typedMonths(session, input.period);
  const config = await session.config(settingFlags(input));
  const result = await usingLedger(config.ledger, {}, async (ledger) => {
    const { periods } = typed ?? (await allMonths(ledger));
    // Both `--only a b` and `--only a,b` are natural to type.
    const only = input.only?.flatMap((codes) => codes.split(',')).filter((code) => code !== '');
    return runChecks(ledger, { periods, settings: config, now: session.io.now(), ...(only ? { only } : {}) });
  });
  for (const month of result.notSynced)
    session.note(`${month} was never synced and is not checked: remit sync ${month}`);
  for (const { period, missing, listed } of result.lacking)
    session.note(
      `${period} lists ${listed} invoices, of which ${missing} could not be brought and are not checked: remit sync ${period}`,
    );
  print(session, result);
  return checkExitCode(result, input.failOn);
}

/** 3 when a mismatch that is open is severe enough, otherwise 0. */
export function checkExitCode({ open }: Pick<CheckResult, 'open'>, failOn: FailOn): number {
  if (failOn === 'never') return 0;
  return open.error + (failOn === 'warning' ? open.warning : 0) > 0 ? 3 : 0;
}

function print(session: Session, result: CheckResult): void {
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
