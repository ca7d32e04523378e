import { UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { type LedgerTransaction, usingTransaction } from '../../ledger/index.ts';
import { readHeldSettlements } from '../../ledger/queries/receipts/matches.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, usingBooks } from '../books.ts';
import { booksHaving } from '../each-courier.ts';
import { recordEvidence } from '../record.ts';

export interface UndoRequest {
  readonly id: number;
  readonly reason: string;
  readonly by: string;
}

/** Undoes a settlement: its amount is open again. Both stay on record. @throws UsageError where there is none in force */
export async function undoSettlement(books: Books, { id, reason, by }: UndoRequest): Promise<void> {
  const why = reason.trim();
  if (why === '') throw new UsageError(because({ id: 'settlement-reason-empty' }));
  const own = await booksHaving(books, { kind: 'settlement', name: String(id) }, async (db) =>
    (await readHeldSettlements(db)).some((one) => one.id === id),
  );
  return usingBooks(own, {}, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const settlement = (await readHeldSettlements(trx)).find((one) => one.id === id);
      if (!settlement) throw new UsageError(because({ id: 'no-settlement', settlement: id }));
      if (settlement.removed_at !== null) {
        throw new UsageError(
          because({ id: 'settlement-undone', settlement: id, at: instantForPeople(settlement.removed_at) }),
        );
      }
      await recordUndone(trx, { id, why, by, at: books.now() });
    }),
  );
}

/** Undoes what was booked when claims were written off, for those that are open again. Call it inside a transaction. */
export async function undoWriteOffs(
  trx: LedgerTransaction,
  {
    claims,
    ...undone
  }: { readonly claims: readonly string[]; readonly why: string; readonly by: string; readonly at: Date },
): Promise<void> {
  const held = (await readHeldSettlements(trx)).filter(
    ({ claim, removed_at }) => removed_at === null && claim !== null && claims.includes(claim),
  );
  for (const { id } of held) await recordUndone(trx, { ...undone, id });
}

async function recordUndone(
  trx: LedgerTransaction,
  { id, why, by, at }: { readonly id: number; readonly why: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await recordEvidence(trx, { at, kind: 'match-removed', actor: by, subject: String(id), data: { why } });
}
