import { appendEvidence, type LedgerTransaction } from '../../ledger/index.ts';
import { readDatabaseUser } from '../../ledger/queries/couriers.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { Books } from '../books.ts';
import { type DecisionLine, effectsOf } from '../decisions/lines.ts';
import { isAboveLimit, type TakenOff } from './limit.ts';

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

/** A decision to propose, before it has an id. */
interface Proposal {
  readonly what: ProposedKind;
  readonly request: { readonly by: string };
}

/**
 * Decides, or proposes it to a second person where it takes off or gives up more than one person may. Call it inside a
 * transaction.
 */
export async function decideUnderLimit<Made>(
  trx: LedgerTransaction,
  books: Pick<Books, 'config' | 'now' | 'isTeams'>,
  proposed: Proposal & { readonly givenUp: readonly TakenOff[] },
  decide: () => Promise<Made>,
): Promise<Made | Waiting> {
  return (await isAboveLimit(trx, books.config, proposed.givenUp)) ? propose(trx, books, proposed, decide) : decide();
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
  { what, request }: Proposal,
  decide: () => Promise<unknown>,
): Promise<Waiting> {
  const { by } = request;
  const effects = await effectsOf(trx, books.config, decide);
  const user = await readDecider(trx, books);
  const data = { what, request, ...effects, ...(user === null ? {} : { database_user: user }) };
  const proposal = { at: books.now(), kind: 'proposal', actor: by, subject: what, data } as const;
  const { id, at } = await appendEvidence(trx, { ...proposal, isOfBooks: what === 'close' });
  return { waiting: true, id, what, by, at, lines: effects.lines };
}

/**
 * The database user who decides, recorded with the name; null in an SQLite file, and at a team's desk, whose database
 * user is no person.
 */
export function readDecider(db: LedgerReader, { isTeams = false }: Pick<Books, 'isTeams'>): Promise<string | null> {
  return isTeams ? Promise.resolve(null) : readDatabaseUser(db);
}

export function isWaiting(result: object): result is Waiting {
  return 'waiting' in result && result.waiting === true;
}
