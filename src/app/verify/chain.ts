import { chainOf, GENESIS } from '../../ledger/index.ts';
import { readEvidence } from '../../ledger/read/evidence.ts';
import { type LedgerReader, readChain } from '../../ledger/read/index.ts';
import type { Note } from './index.ts';

/** Computes the chain again from its first link, and names every link that does not hold. */
export async function verifyChain(db: LedgerReader, note: Note): Promise<void> {
  let before = GENESIS;
  let last = 0;
  for await (const evidence of readEvidence(db)) {
    const where = `evidence ${evidence.id}`;
    if (evidence.id !== last + 1) {
      const gone = evidence.id - last - 1;
      note(where, `${gone === 1 ? 'the row before it is' : `the ${gone} rows before it are`} missing`);
    }
    if (chainOf(before, evidence) !== evidence.chain) {
      note(
        where,
        `${evidence.kind} ${evidence.subject} does not fit the chain: it was changed, or what stood before it was`,
      );
    }
    // From what is stored: one broken link is named once, not with all that follow.
    before = evidence.chain;
    last = evidence.id;
  }
  const heads = await readChain(db);
  const [head] = heads;
  if (heads.length !== 1 && (heads.length > 0 || last > 0)) {
    note('chain', `it has ${heads.length} heads, and one was expected`);
  } else if (head && (head.id !== 1 || head.evidence_id !== last || head.head !== before)) {
    note(
      'chain',
      `its head stands at evidence ${head.evidence_id}, and the last row is ${last}: the tail was cut or added to`,
    );
  }
}
