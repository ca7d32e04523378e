import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Waiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import type { Session } from './session.ts';

/** `--dry-run`, of every command that decides. */
export const dryRunOption = (text = 'show what it would do, and decide nothing') => new Option('--dry-run', text);

/** `--seen`, of every command that decides. */
export const seenOption = () =>
  new Option('--seen <head>', 'decide only what a dry run showed: its stale_after').argParser((text: string) => {
    if (/^[0-9a-f]{64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be the stale_after of a dry run.');
  });

export interface DecidingInput {
  readonly dryRun?: boolean | undefined;
  readonly seen?: string | undefined;
}

/**
 * Decides as the web desk does: in one transaction, and only what was shown. With --dry-run it is shown instead.
 *
 * @param what is refused where the answer is that a month cannot be closed or opened again
 * @returns null where it was only shown, and where it was kept for a second person: both are printed, and the command did what it can
 */
export async function deciding<Answer>(
  session: Session,
  books: Books,
  { dryRun, seen }: DecidingInput,
  work: (books: Books) => Promise<Answer>,
  what?: 'close' | 'reopen',
): Promise<Exclude<Answer, Waiting> | null> {
  if (!dryRun) {
    const answer = await (await import('../app/decisions/once.ts')).decideAsSeen(books, seen, work);
    const { isWaiting } = await import('../app/approvals/propose.ts');
    if (!(answer instanceof Object && isWaiting(answer))) return answer as Exclude<Answer, Waiting>;
    if (session.json) session.resultJson(answer);
    else session.result((await import('./lines/approvals.ts')).waitingLine(answer));
    return null;
  }
  const { previewOf } = await import('../app/decisions/preview.ts');
  const preview = await previewOf(books, async (own) => ({ answer: await work(own), what }));
  if (session.json) session.resultJson(preview);
  else {
    const { previewLines } = await import('./lines/approvals.ts');
    session.result(previewLines(preview).join('\n'));
  }
  return null;
}
