import { type FailOn, isFailure } from '../check-result.ts';
import type { Night } from './model.ts';

type Parts = Pick<Night, 'sync' | 'sync_failure' | 'match' | 'match_failure' | 'check' | 'check_failure' | 'notified'>;

/** Exit codes of parts that failed, the worst first: wrong settings need a person, while another command ends by itself. */
const FAILED = [2, 4, 1];

/**
 * The exit code of the worst part: settings that are wrong (2), another command at work (4), a sync, matching or check that failed (1), mismatches
 * (3), and then (1) what was not brought, a month that is incomplete, or a notification that did not arrive. A sync that failed comes
 * before mismatches: yesterday's mismatches must not hide that nothing was read today.
 */
export function nightExitCode(night: Parts, failOn: FailOn): number {
  const failed = [night.sync_failure, night.match_failure, night.check_failure].flatMap((part) =>
    part ? [part.exit_code] : [],
  );
  const worst = FAILED.find((code) => failed.includes(code));
  if (worst !== undefined) return worst;
  if (night.check && isFailure(night.check, failOn)) return 3;
  return hasTrouble(night) || night.notified.some(({ ok }) => !ok) ? 1 : 0;
}

/** Whether something was not done, or not completely: a night that says nothing reads as 'all is well'. */
export function hasTrouble({
  sync,
  sync_failure,
  match_failure,
  check,
  check_failure,
}: Omit<Parts, 'notified' | 'match'>): boolean {
  if (sync_failure !== null || match_failure !== null || check_failure !== null) return true;
  return sync?.status !== 'complete' || check === null || check.incomplete.length > 0;
}

/** Whether a mismatch opened, reopened or was resolved, a receipt was matched, or a claim has waited too long for its answer. */
export function hasNews({ match, check, unanswered }: Pick<Night, 'match' | 'check' | 'unanswered'>): boolean {
  if (match !== null && match.new > 0) return true;
  return (check !== null && check.new + check.resolved > 0) || unanswered?.due === true;
}
