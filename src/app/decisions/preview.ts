import { LedgerAwayError, RemitError } from '../../base/errors.ts';
import { because } from '../../words/errors/close.ts';
import type { Books } from '../books.ts';
import type { RefusedClose } from '../close/close.ts';
import { Refusal } from '../close/refusal.ts';
import { type DecisionLine, sumsOf } from './lines.ts';
import { previewDecision } from './once.ts';

/** What a decision would do: what `?preview=1` answers and `--dry-run --json` prints. */
export interface Preview {
  readonly preview: true;
  readonly lines: readonly DecisionLine[];
  readonly sums: ReturnType<typeof sumsOf>;
  /** What would be sent to the courier; null for nothing. */
  readonly letter: string | null;
  /** Sent back as `seen`, it holds the decision to this; null where it is refused. */
  readonly stale_after: string | null;
  /** Why the books refuse it; empty where they do not. */
  readonly refusals: readonly WhyRefused[];
}

interface WhyRefused {
  readonly code: string;
  readonly why: string;
}

/** What a decision that is shown gives. */
interface Shown {
  readonly answer: unknown;
  readonly letter?: string | undefined;
  /** What is refused where a month cannot be closed or opened again. */
  readonly what?: 'close' | 'reopen' | undefined;
}

/** @param whyOf what a failure says of itself; null for one that is none of the books */
export async function previewOf(
  books: Books,
  work: (books: Books) => Promise<Shown>,
  whyOf: (error: unknown) => WhyRefused | null = ofBooks,
): Promise<Preview> {
  const none = { preview: true as const, lines: [], sums: [], letter: null, stale_after: null };
  try {
    const { answer, effects } = await previewDecision(books, work);
    const refused = monthRefused(answer);
    if (refused) return { ...none, refusals: [refused] };
    const { lines, digest } = effects;
    return { ...none, lines, sums: sumsOf(lines), letter: answer.letter ?? null, stale_after: digest, refusals: [] };
  } catch (error) {
    const why = whyOf(error);
    if (why === null) throw error;
    return { ...none, refusals: [why] };
  }
}

function ofBooks(error: unknown): WhyRefused | null {
  if (!(error instanceof RemitError) || error instanceof LedgerAwayError) return null;
  return { code: error.code, why: error.message };
}

/** Why a month cannot be closed or opened again: it is an answer, and no failure. */
function monthRefused({ answer, what = 'close' }: Shown): WhyRefused | null {
  if (typeof answer !== 'object' || answer === null || !('reasons' in answer)) return null;
  const { period: month, reasons } = answer as RefusedClose;
  const explanations = Refusal.joinAlike(reasons).map(({ explanation }) => explanation);
  return { code: 'refused', why: because({ id: 'refused', month, what, reasons: explanations }).message };
}
