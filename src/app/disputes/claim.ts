import { LedgerError, UsageError } from '../../base/errors.ts';
import { applyClaim } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { appendEvidence, type LedgerTransaction, sealBody } from '../../ledger/index.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { because } from '../../words/errors/deciding.ts';
import { because as becauseAtDesk } from '../../words/errors/desk.ts';
import { type Books, changeBooks } from '../books.ts';
import type { DisputePlan } from './plan.ts';

/**
 * Records a claim as it was sent, with its letter: all its findings are acknowledged and claimed, or none is.
 *
 * @param bytes of the letter that goes to the courier, as it was rendered
 * @returns the id of the claim's evidence
 * @throws UsageError where nothing is left to claim; LedgerError, and nothing is claimed, if a finding changed since
 * the plan
 */
export async function claim(
  books: Books,
  { courier, by, sent, seen, period, months, lines }: DisputePlan,
  { format, language, bytes }: { readonly format: string; readonly language: string; readonly bytes: Buffer },
): Promise<number> {
  if (lines.length === 0) throw new UsageError(becauseAtDesk({ id: 'nothing-to-claim' }));
  const body = await sealBody(Buffer.from(JSON.stringify(sent)));
  return changeBooks({ ...books, config: { ...books.config, courier } }, {}, async (trx) => {
    await holdHead(trx);
    await refuseOvertaken(trx, { sent, seen });
    const subject = period || (sent.length === 1 ? sent[0]!.id : `${sent.length} mismatches`);
    const evidence = await appendEvidence(trx, { at: books.now(), kind: 'claim', actor: by, subject, body });
    await applyClaim(trx, evidence, sent);
    // The lines that take off a receipt, or leave a part of it for later, as the claim's preview shows them.
    const taken_off = lines.flatMap(({ id, code, day, currency, claimed }) =>
      id === null ? [{ code, day, currency, claimed }] : [],
    );
    const data = { period, months, format, language, taken_off };
    const letter = { at: books.now(), kind: 'claim-letter', actor: by, subject: String(evidence.id), data } as const;
    await appendEvidence(trx, { ...letter, body: await sealBody(bytes) });
    return evidence.id;
  });
}

/** Refuses a claim whose findings have changed since its plan was made. */
async function refuseOvertaken(trx: LedgerTransaction, { sent, seen }: Pick<DisputePlan, 'sent' | 'seen'>) {
  const ids = sent.map(({ id }) => id);
  const [last, now] = [await readLastEvents(trx, ids), await readMismatchesById(trx, ids)];
  const moved = sent.filter(
    ({ id, effect }) => last.get(id)?.evidence_id !== seen.get(id) || now.get(id)?.effect !== effect,
  );
  if (moved.length === 0) return;
  throw new LedgerError(because({ id: 'changed-while-claimed', mismatch: moved[0]!.id, others: moved.length - 1 }));
}
