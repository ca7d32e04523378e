/** Rows of evidence in the order in which they became known, and the chain over them. */
import { pages } from '../../chunks.ts';
import { wholeLedger } from '../../courier.ts';
import type { EvidenceRow } from '../../evidence/chain.ts';
import type { ChainTable } from '../../schema.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

const PAGE = 500;

/** What was known at an instant, or before a row of evidence such as a close. */
export type KnownBy = { readonly at: Date } | { readonly before: number };

/** Every row of evidence of all couriers in the order in which it became known; with `until`, what was known by then. */
export async function* readEvidence(db: LedgerReader, until?: KnownBy): AsyncGenerator<EvidenceRow> {
  for await (const page of readEvidencePages(db, until)) yield* page;
}

/** {@link readEvidence}, a page at a time. */
export function readEvidencePages(db: LedgerReader, until?: KnownBy): AsyncGenerator<readonly EvidenceRow[]> {
  const wholeDb = wholeLedger(db);
  const readPage = (after: number) => {
    let query = wholeDb.selectFrom('evidence').selectAll().where('id', '>', after).orderBy('id').limit(PAGE);
    if (until && 'at' in until) query = query.where('at', '<=', until.at.toISOString());
    if (until && 'before' in until) query = query.where('id', '<', until.before);
    return query.execute();
  };
  return pages(0, readPage, ({ id }) => id);
}

/** The data of a row of evidence, besides its body, as JSON. */
export async function readEvidenceData(db: LedgerReader, id: number): Promise<string> {
  const evidence = wholeLedger(db).selectFrom('evidence').select('data').where('id', '=', id);
  const { data } = await evidence.executeTakeFirstOrThrow();
  return data ?? '{}';
}

/** Whether a chain's value, such as the head that a statement prints, is that of a row of this ledger. */
export async function isInChain(db: LedgerReader, link: string): Promise<boolean> {
  return (await db.selectFrom('evidence').select('id').where('chain', '=', link).executeTakeFirst()) !== undefined;
}

/** The heads of the chain: one, in a sound ledger. */
export async function readHeads(db: LedgerReader): Promise<ChainTable[]> {
  return db.selectFrom('chain').selectAll().orderBy('id').execute();
}

/** A place in the chain of evidence: a row's id, and the SHA-256 over all rows up to it. */
export interface ChainPlace {
  readonly id: number;
  readonly chain: string;
}

/**
 * The kinds of evidence on which no figure depends. Findings, decisions and claims are not among them: statements show
 * figures of theirs too.
 */
const WITHOUT_FIGURES = [
  'check',
  'statement',
  'close-pack',
  'assignment',
  'view-saved',
  'view-removed',
  'proposal',
  'proposal-approved',
  'proposal-refused',
  'token-made',
  'token-revoked',
  // An answer that is kept so that a request sent twice decides once.
  'answered',
  'webhook',
];

/**
 * The newest evidence that figures can depend on. Checks, statements and packs are evidence too, but are left out, so
 * that the same books give the same place. Null for an empty ledger.
 */
export async function readFigureHead(db: LedgerReader): Promise<ChainPlace | null> {
  const withFigures = db.selectFrom('evidence').select(['id', 'chain']).where('kind', 'not in', WITHOUT_FIGURES);
  return (await withFigures.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
}

/** The chain's value at a row of evidence: ledgers with the same value agree up to there. Null if there is no row. */
export async function readChainAt(db: LedgerReader, evidenceId: number): Promise<string | null> {
  const row = await db.selectFrom('evidence').select('chain').where('id', '=', evidenceId).executeTakeFirst();
  return row?.chain ?? null;
}

/** The id of the first evidence of the last sync; null before the first sync. */
export async function firstEvidenceOfLastSync(db: LedgerReader): Promise<number | null> {
  const rows = await rowsOf<{ id: number }>(db)`
    select e.id from evidence e join run r on r.id = e.run_id
    where e.kind = 'run-begun' and r.command = 'sync' order by e.id desc limit 1`;
  return rows[0]?.id ?? null;
}

/** The id of the first evidence from an instant on; null if there is none. */
export async function firstEvidenceSince(db: LedgerReader, since: Date): Promise<number | null> {
  const later = db.selectFrom('evidence').select('id').where('at', '>=', since.toISOString());
  return (await later.orderBy('id').limit(1).executeTakeFirst())?.id ?? null;
}

/** When a row of evidence became known; null if `id` is. */
export async function readEvidenceTime(db: LedgerReader, id: number | null): Promise<string | null> {
  if (id === null) return null;
  return (await db.selectFrom('evidence').select('at').where('id', '=', id).executeTakeFirst())?.at ?? null;
}
