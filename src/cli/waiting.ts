import type { Waiting } from '../app/approvals/propose.ts';
import { waitingLine } from './lines/approvals.ts';
import type { Session } from './session.ts';

export { isWaiting } from '../app/approvals/propose.ts';

/** Prints a decision that waits for a second person: it was kept, so that the command did what it can. */
export function printWaiting(session: Session, waiting: Waiting): number {
  if (session.json) session.resultJson(waiting);
  else session.result(waitingLine(waiting));
  return 0;
}
