import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Waiting } from '../app/approvals/propose.ts';
import type { Books } from '../app/books.ts';
import { printAnswer } from './command.ts';
import type { Flags, Session, Texts } from './session.ts';

/** For every command that decides. */
export const dryRunOption = (text = 'show what it would do, and decide nothing') => new Option('--dry-run', text);

/** For every command that decides. */
export const seenOption = () =>
  new Option('--seen <head>', 'decide only what a dry run showed: its stale_after').argParser((text: string) => {
    if (/^[0-9a-f]{64}$/.test(text)) return text;
    throw new InvalidArgumentError('It must be the stale_after of a dry run.');
  });

/** `seen`: the head of the chain that a dry run printed as `stale_after`. */
export type DecidingInput = Flags<'dryRun'> & Texts<'seen'>;

/**
 * Makes a decision as the web desk does: in one transaction, and with --seen only if the dry run still holds. With
 * --dry-run it prints a preview instead.
 *
 * @param refusalKind `close` or `reopen`, if the work is one of them: its answer may be a refusal
 * @returns null after a preview, and if all of the decision waits for a second person: both are printed already
 */
export async function decideOrPreview<Answer>(
  session: Session,
  books: Books,
  { dryRun, seen }: DecidingInput,
  work: (books: Books) => Promise<Answer>,
  refusalKind?: 'close' | 'reopen',
): Promise<Exclude<Answer, Waiting> | null> {
  if (!dryRun) {
    const answer = await (await import('../app/decisions/once.ts')).decideAsSeen(books, seen, work);
    const { isWaiting } = await import('../app/approvals/propose.ts');
    // The answer about mismatches has `changed`: those of some couriers may be decided while those of others wait.
    const waitsWhole = answer instanceof Object && isWaiting(answer) && !('changed' in answer);
    if (!waitsWhole) return answer as Exclude<Answer, Waiting>;
    await printAnswer(session, answer, async () => (await import('./lines/approvals.ts')).waitingLines(answer));
    return null;
  }
  const { previewOf } = await import('../app/decisions/preview.ts');
  const preview = await previewOf(books, async (copy) => ({ answer: await work(copy), what: refusalKind }), { seen });
  await printAnswer(session, preview, async () => (await import('./lines/approvals.ts')).previewLines(preview));
  return null;
}
