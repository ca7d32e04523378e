import { wholeLedger } from '../src/ledger/index.ts';
import { readWaiting } from '../src/ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

export type WaitingReceiptsNote = { id: 'receipts-waiting'; file: string; lines: number; decision: number };

/** A note per imported file that waits for a second person's approval: its lines are in no figure yet. */
export async function waitingReceipts(db: LedgerReader): Promise<WaitingReceiptsNote[]> {
  return (await readWaiting(wholeLedger(db), 'import')).map(({ id, source, data }) => {
    const { request } = JSON.parse(data!) as { readonly request: { readonly new: number } };
    return { id: 'receipts-waiting', file: source!, lines: request.new, decision: id };
  });
}
