import type { Kysely } from 'kysely';
import { chunks } from '../chunks.ts';
import { type KnownBy, readEvidence } from '../queries/evidence/chain.ts';
import type { LedgerSchema } from '../schema.ts';
import { insertRows } from '../write/insert.ts';
import type { EvidenceRow } from './chain.ts';

const PARTS_A_PAGE = 5_000;
const PACKS_A_PAGE = 10;

/**
 * Copies the evidence that was known by a moment into an empty ledger: its rows with their chain, the bodies of its
 * documents, and all orders' records. No row of that evidence refers to the records that became known later.
 */
export async function copyEvidence(from: Kysely<LedgerSchema>, into: Kysely<LedgerSchema>, until: KnownBy) {
  const bodies = new Set<string>();
  let last: EvidenceRow | null = null;
  let page: EvidenceRow[] = [];
  const copyPage = async () => {
    const rows = page;
    page = [];
    const hashes = [...new Set(rows.flatMap(({ sha256 }) => (sha256 === null || bodies.has(sha256) ? [] : [sha256])))];
    await into.transaction().execute(async (trx) => {
      for (const someHashes of chunks(hashes)) {
        const found = await from.selectFrom('evidence_body').selectAll().where('sha256', 'in', someHashes).execute();
        for (const body of found) await trx.insertInto('evidence_body').values(body).execute();
      }
      for (const row of rows) await trx.insertInto('evidence').values(row).execute();
    });
    for (const hash of hashes) bodies.add(hash);
  };
  for await (const row of readEvidence(from, until)) {
    page.push(row);
    last = row;
    if (page.length >= 100) await copyPage();
  }
  await copyPage();
  if (last) await into.insertInto('chain').values({ id: 1, evidence_id: last.id, head: last.chain }).execute();
  await copyPartHashes(from, into);
  await copyPacks(from, into);
}

/** Earlier records of orders are found by these hashes. */
async function copyPartHashes(from: Kysely<LedgerSchema>, into: Kysely<LedgerSchema>): Promise<void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const query = from.selectFrom('evidence_part').select(['sha256', 'part']).where('part', '>', after);
    const rows = await query.orderBy('part').limit(PARTS_A_PAGE).execute();
    const last = rows.at(-1);
    if (!last) return;
    await into.transaction().execute((trx) => insertRows(trx, 'evidence_part', rows));
    after = last.part;
  }
}

async function copyPacks(from: Kysely<LedgerSchema>, into: Kysely<LedgerSchema>): Promise<void> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const query = from.selectFrom('evidence_pack').selectAll().where('first_part', '>', after);
    const packs = await query.orderBy('first_part').limit(PACKS_A_PAGE).execute();
    const last = packs.at(-1);
    if (!last) return;
    await into.transaction().execute((trx) => insertRows(trx, 'evidence_pack', packs));
    after = last.first_part;
  }
}
