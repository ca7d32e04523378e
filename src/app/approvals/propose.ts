import { appendEvidence, type LedgerTransaction } from '../../ledger/index.ts';
import type { Books } from '../books.ts';
import { type DecisionLine, effectsOf } from '../decisions/lines.ts';
import { readDecider } from './second-person.ts';

export type ProposedKind = 'settle' | 'match' | 'write-off' | 'resolve' | 'close' | 'import';

/** A decision that does nothing until a second person approves it, as `--json` prints it. */
export interface Waiting {
  readonly waiting: true;
  readonly id: number;
  readonly what: ProposedKind | 'policy';
  readonly by: string;
  readonly at: string;
  readonly lines: readonly DecisionLine[];
}

/**
 * Records a decision as a proposal to a second person, with what it would do. Call it inside a transaction.
 *
 * @param request what is done when it is approved, as plain JSON
 * @param decide does it: its effects are read, and taken back
 */
export async function propose(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now' | 'isTeams'>,
  { what, request }: { readonly what: ProposedKind; readonly request: { readonly by: string } },
  decide: () => Promise<unknown>,
): Promise<Waiting> {
  const { by } = request;
  const effects = await effectsOf(trx, books.config, decide);
  const user = await readDecider(trx, books);
  const evidence = await appendEvidence(trx, {
    at: books.now(),
    kind: 'proposal',
    actor: by,
    subject: what,
    data: { what, request, ...effects, ...(user === null ? {} : { database_user: user }) },
    isOfAll: what === 'close',
  });
  return { waiting: true, id: evidence.id, what, by, at: evidence.at, lines: effects.lines };
}

export function isWaiting(result: object): result is Waiting {
  return 'waiting' in result && result.waiting === true;
}
