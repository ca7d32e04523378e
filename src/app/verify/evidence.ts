/** The proof of the evidence: its chain, its bodies and its packs of orders; and every row derived from it anew. */

import { LedgerError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { replay } from '../../derive/deriver.ts';
import { joinPage, type OrderPages, partsOf } from '../../derive/page-recipe.ts';
import { usingScratchLedger } from '../../ledger/copy.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import {
  chainOf,
  GENESIS,
  type LedgerTransaction,
  PartReader,
  readBody,
  readHead,
  sha256,
  sha256Bytes,
  unpack,
  unsealBody,
  wholeLedger,
} from '../../ledger/index.ts';
import { readBodies, readPacks, readPartHashes, readReferredBodies } from '../../ledger/queries/evidence/bodies.ts';
import { readEvidence, readHeads } from '../../ledger/queries/evidence/chain.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { replaceDerived } from '../../ledger/write/derived.ts';
import { ledgerError } from '../../words/errors/ledger.ts';

/** Something that is not as it was stored: where, and what. */
export interface Problem {
  readonly where: string;
  readonly what: string;
}

export type NoteProblem = (where: string, what: string) => void;

/** Computes the chain again from its first link, and names every link that does not hold. */
export async function verifyChain(db: LedgerReader, note: NoteProblem): Promise<void> {
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
    // From what is stored, so that one broken link is named once, without all that follow.
    before = evidence.chain;
    last = evidence.id;
  }
  // The head is kept in one row, of id 1; a ledger without evidence may have none.
  const heads = await readHeads(db);
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

/** Hashes every received document (an evidence body) again. @returns how many there are */
export async function verifyBodies(db: LedgerReader, note: NoteProblem): Promise<number> {
  const referred = await readReferredBodies(db);
  let documents = 0;
  for await (const row of readBodies(db)) {
    documents += 1;
    const where = `evidence_body ${row.sha256}`;
    if (!referred.delete(row.sha256)) note(where, 'no evidence refers to it: it was put in from elsewhere');
    try {
      const body = unsealBody(row);
      if (sha256(body) !== row.sha256) note(where, 'its bytes are not those that were received: the hash is another');
      if (body.length !== row.size) note(where, `it is ${body.length} bytes long, and its size says ${row.size}`);
      if (row.encoding !== 'gzip') note(where, `its encoding is ${row.encoding}, and gzip was written`);
    } catch (error) {
      note(where, `it cannot be unpacked: ${(error as Error).message}`);
    }
  }
  for (const missing of referred) note(`evidence_body ${missing}`, 'the body is missing');
  return documents;
}

/**
 * Hashes every order in the packs again; with `deep`, also every page of the order book, built again from its orders.
 *
 * @returns how many orders were hashed
 */
export async function verifyPacks(db: LedgerReader, note: NoteProblem, deep = false): Promise<number> {
  let orders = 0;
  /** The part with which the next pack begins; null after a damaged pack, which cannot say where it ends. */
  let next: number | null = 1;
  for await (const pack of readPacks(db)) {
    const where = `evidence_pack ${pack.first_part}`;
    if (next !== null && next !== pack.first_part) {
      note(where, `it begins at part ${pack.first_part}, and ${next} was expected`);
    }
    next = null;
    try {
      const parts = unpack(pack);
      const hashes = await readPartHashes(db, pack.first_part, pack.first_part + parts.length - 1);
      parts.forEach((bytes, index) => {
        const part = pack.first_part + index;
        const hash = sha256Bytes(bytes).toString('hex');
        const stored = hashes.get(part) ?? [];
        const wherePart = `evidence_part ${part}`;
        if (stored.length === 0) note(wherePart, 'its hash is missing');
        else if (stored.length > 1) note(wherePart, `it has ${stored.length} hashes, and one was expected`);
        else if (stored[0] !== hash) note(wherePart, 'its bytes are not those that were received: the hash is another');
      });
      orders += parts.length;
      next = pack.first_part + parts.length;
      if (pack.encoding !== 'br') note(where, `its encoding is ${pack.encoding}, and br was written`);
    } catch (error) {
      note(where, (error as Error).message);
    }
  }
  // Packs are numbered from 1: a part below, as one above the last pack, was put in by hand.
  const below = await readPartHashes(db, Number.MIN_SAFE_INTEGER, 0);
  const above = next === null ? new Map() : await readPartHashes(db, next, Number.MAX_SAFE_INTEGER);
  for (const part of [...above.keys(), ...below.keys()]) note(`evidence_part ${part}`, 'it is in no pack');
  if (deep) await verifyPages(db, note);
  return orders;
}

/** Kinds of evidence that are kept as the orders in them and the bytes between, not as a body. */
const IN_PARTS: ReadonlySet<string> = new Set(['order-pages', 'order']);

async function verifyPages(db: LedgerReader, note: NoteProblem): Promise<void> {
  const reader = new PartReader(db);
  for await (const evidence of readEvidence(db)) {
    if (!IN_PARTS.has(evidence.kind) || evidence.sha256 === null || evidence.fault !== null) continue;
    try {
      const { pages } = JSON.parse((await readBody(db, evidence.sha256)).toString('utf8')) as OrderPages;
      for (const [index, page] of pages.entries()) {
        const items: Buffer[] = [];
        for (const part of partsOf(page.parts)) items.push(await reader.read(part));
        const body = joinPage(items, page);
        if (sha256(body) !== page.sha256 || body.length !== page.size) {
          note(`evidence ${evidence.id}`, `page ${index + 1} of the order book does not come out as it was received`);
        }
      }
    } catch (error) {
      note(`evidence ${evidence.id}`, `the pages of the order book cannot be built: ${(error as Error).message}`);
    }
  }
}

export interface Rebuilt {
  /** How many documents and orders were hashed again. */
  readonly documents: number;
  /** How many rows the evidence gives. */
  readonly rows: number;
  /** How many of them differed before, were missing, or were too many. */
  readonly changed: number;
  /** The head of the chain; null while the ledger holds nothing. */
  readonly head: string | null;
}

/**
 * Derives every row again from the evidence, inside an open transaction, such as that of a migration.
 *
 * @throws LedgerError when the chain or a document is not as it was stored
 */
export async function deriveAnew(trx: LedgerTransaction, place: Place): Promise<Rebuilt> {
  const db = wholeLedger(trx);
  const head = await readHead(db);
  // Locks the chain: the rows of a decision made meanwhile would be removed again.
  if (head !== null) await holdHead(db);
  const problems: Problem[] = [];
  const note = (where: string, what: string) => void problems.push({ where, what });
  await verifyChain(db, note);
  const documents = (await verifyBodies(db, note)) + (await verifyPacks(db, note));
  const [first] = problems;
  if (first) throw new LedgerError(ledgerError({ id: 'evidence-not-sound', ledger: describePlace(place), ...first }));
  return usingScratchLedger(async (scratch) => {
    await replay(db, scratch.db);
    return { documents, ...(await replaceDerived({ db, place }, wholeLedger(scratch.db))), head };
  });
}
