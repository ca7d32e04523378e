import { chunks } from '../chunks.ts';
import { insertAll } from '../copy-rows.ts';
import { type KnownBy, readEvidencePages } from '../queries/evidence/chain.ts';
import type { LedgerDb } from '../schema.ts';
import { EVIDENCE_TABLES } from '../tables.ts';
import type { EvidenceRow } from './chain.ts';

/** How many bodies are held in memory at a time. */
const BODIES_AT_ONCE = 100;

/**
 * Copies the evidence that was known by a moment into an empty ledger: its rows with their chain, the bodies of its
 * documents, and all orders' records. No row of that evidence refers to the records that became known later.
 */
export async function copyEvidence(from: LedgerDb, into: LedgerDb, until: KnownBy) {
  const copied = new Set<string>();
  let last: EvidenceRow | undefined;
  for await (const rows of readEvidencePages(from, until)) {
    const hashes = [...new Set(rows.flatMap(({ sha256 }) => (sha256 === null || copied.has(sha256) ? [] : [sha256])))];
    await into.transaction().execute(async (trx) => {
      for (const someHashes of chunks(hashes, BODIES_AT_ONCE)) {
        const found = await from.selectFrom('evidence_body').selectAll().where('sha256', 'in', someHashes).execute();
        for (const body of found) await trx.insertInto('evidence_body').values(body).execute();
      }
      for (const row of rows) await trx.insertInto('evidence').values(row).execute();
    });
    for (const hash of hashes) copied.add(hash);
    last = rows.at(-1);
  }
  if (last) await into.insertInto('chain').values({ id: 1, evidence_id: last.id, head: last.chain }).execute();
  const { evidence_pack, evidence_part } = EVIDENCE_TABLES;
  // Not in one transaction, which would keep all of it twice until its end.
  await insertAll(from, into, { evidence_pack, evidence_part });
}
