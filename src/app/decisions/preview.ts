import { type Explanation, LedgerAwayError, RemitError } from '../../base/errors.ts';
import { closeError } from '../../words/errors/close.ts';
import { isWaiting } from '../approvals/propose.ts';
import type { Books } from '../books.ts';
import type { RefusedClose } from '../close/close.ts';
import { Objection } from '../close/objection.ts';
import { type DecisionLine, sumsOf } from './lines.ts';
import { previewDecision } from './once.ts';

/** What a decision would do, as `?preview=1` answers it and `--dry-run --json` prints it. */
export interface Preview {
  readonly preview: true;
  readonly lines: readonly DecisionLine[];
  readonly sums: ReturnType<typeof sumsOf>;
  /** What would be sent to the courier; null for nothing. */
  readonly letter: string | null;
  /** If it is sent back as `seen`, the decision must do just this; null where the decision is refused. */
  readonly stale_after: string | null;
  /** Present where it would only be proposed: a second person has to approve it. */
  readonly waiting?: true;
  /** Why the books refuse it; empty where they do not. */
  readonly refusals: readonly WhyRefused[];
}

interface WhyRefused {
  readonly code: string;
  readonly why: string;
}

/** The answer of a decision in its preview. */
interface Previewed {
  readonly answer: unknown;
  readonly letter?: string | undefined;
  /** Which of both is refused if the answer is a refusal. */
  readonly what?: 'close' | 'reopen' | undefined;
}

interface PreviewOptions {
  /** The digest of an earlier preview: a decision that would do anything else is refused. */
  readonly seen?: string | undefined;
  /** Gives the reason that an error states; null for an error that the books did not cause. */
  readonly whyOf?: (error: unknown) => WhyRefused | null;
}

export async function previewOf(
  books: Books,
  work: (books: Books) => Promise<Previewed>,
  { seen, whyOf = whyOfBooksError }: PreviewOptions = {},
): Promise<Preview> {
  const nothing = { preview: true as const, lines: [], sums: [], letter: null, stale_after: null };
  try {
    const { answer: previewed, effects } = await previewDecision(books, work, seen);
    const refused = monthRefused(previewed);
    if (refused) return { ...nothing, refusals: [refused] };
    const { lines, digest } = effects;
    const { answer, letter = null } = previewed;
    const waits = typeof answer === 'object' && answer !== null && isWaiting(answer);
    const waiting = waits ? { waiting: true as const } : {};
    return { ...nothing, lines, sums: sumsOf(lines), letter, stale_after: digest, ...waiting, refusals: [] };
  } catch (error) {
    const why = whyOf(error);
    if (why === null) throw error;
    return { ...nothing, refusals: [why] };
  }
}

function whyOfBooksError(error: unknown): WhyRefused | null {
  if (!(error instanceof RemitError) || error instanceof LedgerAwayError) return null;
  return { code: error.code, why: error.message };
}

/** Why a month cannot be closed or opened again: that is an answer, not an error. */
function monthRefused({ answer, what = 'close' }: Previewed): WhyRefused | null {
  if (typeof answer !== 'object' || answer === null || !('reasons' in answer)) return null;
  return { code: 'refused', why: explainRefusal(answer as RefusedClose, what).message };
}

/** All reasons against closing a month or opening it again, at once. */
export function explainRefusal({ period: month, reasons }: RefusedClose, what: 'close' | 'reopen'): Explanation {
  const explanations = Objection.joinAlike(reasons).map(({ explanation }) => explanation);
  return closeError({ id: 'refused', month, what, reasons: explanations });
}
