import { type CheckResult, runChecks } from '../../checks/run.ts';
import { UsageError } from '../../errors.ts';
import { usingLedger } from '../../ledger/index.ts';
import { checkLines, lackingLines } from '../check-lines.ts';
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
  // Both `--only a b` and `--only a,b` are natural to type.
  const only = input.only?.flatMap((codes) => codes.split(',')).filter((code) => code !== '');
  const strayed = only?.find((code) => /^\d{4}|-month$/.test(code));
  if (strayed !== undefined) {
    throw new UsageError(
      `${JSON.stringify(strayed)} is no check but a period`,
      'A period comes before --only: remit check PERIOD --only CODE',
    );
  }
  const config = await session.config(settingFlags(input));
  const result = await usingLedger(config.ledger, {}, async (ledger) => {
    const { periods } = typed ?? (await allMonths(ledger));
    return runChecks(ledger, { periods, settings: config, now: session.io.now(), ...(only ? { only } : {}) });
  });
  for (const line of lackingLines(result)) session.note(line);
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
