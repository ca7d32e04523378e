import { appendEvidence, type LedgerTransaction } from '../../ledger/index.ts';

/** What may need a second person. */
export type ProposedKind = 'settle' | 'match' | 'write-off' | 'close';

/** A decision that was kept and does nothing until a second person approves it: what `--json` prints of it. */
export interface Waiting {
  readonly waiting: true;
  readonly id: number;
  readonly what: ProposedKind;
  readonly by: string;
  readonly at: string;
}

/** Keeps a decision for a second person. Call it inside a transaction. @param request what is done when it is approved, as plain JSON */
export async function propose(
  trx: LedgerTransaction,
  { what, request }: { readonly what: ProposedKind; readonly request: { readonly by: string } },
  at: Date,
): Promise<Waiting> {
  const { by } = request;
  const evidence = await appendEvidence(trx, {
    at,
    kind: 'proposal',
    actor: by,
    subject: what,
    data: { what, request },
    isOfAll: what === 'close',
  });
  return { waiting: true, id: evidence.id, what, by, at: evidence.at };
}

/** Whether a decision waits instead of being done. */
export function isWaiting(result: object): result is Waiting {
  return 'waiting' in result;
}
