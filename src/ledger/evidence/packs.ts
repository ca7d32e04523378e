/**
 * Stores the records of the order book as received. Each distinct record, by SHA-256, is one numbered part, and
 * consecutive parts are compressed together as a pack.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { LedgerError } from '../../base/errors.ts';
import { ledgerError } from '../../words/errors/ledger.ts';
import { chunks } from '../chunks.ts';
import type { LedgerDb, LedgerSchema } from '../schema.ts';
import { insertRows, type Trx } from '../write/insert.ts';
import { cannotBeUnpacked, unsealBody } from './bodies.ts';

const compress = promisify(brotliCompress);

/**
 * Stores records as parts: those that the ledger lacks get the next numbers and become one pack. Call it inside a
 * transaction that holds the head of the chain, so that no other takes the same numbers.
 *
 * @param bodies by their SHA-256 in hex
 * @returns part numbers by SHA-256
 */
export async function keepParts(trx: Trx, bodies: ReadonlyMap<string, Buffer>): Promise<ReadonlyMap<string, number>> {
  const { parts, last } = await findParts(trx, bodies.keys());
  const newBodies = [...bodies].filter(([hash]) => !parts.has(hash));
  if (newBodies.length === 0) return parts;
  const body = await sealPack(newBodies.map(([, bytes]) => bytes));
  const sizes = JSON.stringify(newBodies.map(([, bytes]) => bytes.length));
  const pack = { first_part: last + 1, sizes, encoding: 'br', body } as const;
  await trx.insertInto('evidence_pack').values(pack).execute();
  for (const [index, [hash]] of newBodies.entries()) parts.set(hash, last + 1 + index);
  const rows = newBodies.map(([hash]) => ({ sha256: Buffer.from(hash, 'hex'), part: parts.get(hash)! }));
  await insertRows(trx, 'evidence_part', rows);
  return parts;
}

/** The numbers of the parts that the ledger has, by SHA-256, and the last number of all; 0 if it has no part. */
async function findParts(db: LedgerDb, hashes: Iterable<string>) {
  const parts = new Map<string, number>();
  let last = 0;
  for (const page of chunks(hashes)) {
    const bytes = page.map((hash) => Buffer.from(hash, 'hex'));
    const rows = await db
      .selectFrom('evidence_part')
      .select((eb) => [eb.ref('sha256').$castTo<Uint8Array | null>().as('sha256'), 'part'])
      .where('sha256', 'in', bytes)
      // The last number comes with them, because each query to a server costs a round trip.
      .unionAll(
        db
          .selectFrom('evidence_part')
          .select([sql<null>`null`.as('sha256'), sql<number>`coalesce(max(part), 0)`.as('part')]),
      )
      .execute();
    for (const { sha256, part } of rows) {
      if (sha256 === null) last = part;
      else parts.set(Buffer.from(sha256).toString('hex'), part);
    }
  }
  return { parts, last };
}

/** Compresses parts together: similar records then take a fraction of their separate size. */
async function sealPack(parts: readonly Buffer[]): Promise<Buffer> {
  const body = Buffer.concat(parts);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compress(body, { params });
}

/** Reads parts by number, and caches the packs used last. */
export class PartReader {
  readonly #db: LedgerDb;
  readonly #packs = new LRUCache<number, Buffer[]>({ max: 64 });

  constructor(db: LedgerDb) {
    this.#db = db;
  }

  /** The bytes of a part. @throws LedgerError when it is missing or damaged */
  async read(part: number): Promise<Buffer> {
    const first = this.#cachedPackOf(part) ?? (await this.#findPack(part));
    const bytes = first === null ? undefined : (await this.#pack(first))[part - first];
    if (bytes === undefined) throw new LedgerError(ledgerError({ id: 'part-missing', part }));
    return bytes;
  }

  #cachedPackOf(part: number): number | null {
    for (const [first, parts] of this.#packs.entries()) if (part >= first && part < first + parts.length) return first;
    return null;
  }

  async #findPack(part: number): Promise<number | null> {
    const upToPart = this.#db.selectFrom('evidence_pack').select('first_part').where('first_part', '<=', part);
    const pack = await upToPart.orderBy('first_part', 'desc').limit(1).executeTakeFirst();
    return pack?.first_part ?? null;
  }

  async #pack(first: number): Promise<Buffer[]> {
    const cached = this.#packs.get(first);
    if (cached) return cached;
    const pack = this.#db.selectFrom('evidence_pack').selectAll().where('first_part', '=', first);
    const parts = unpack(await pack.executeTakeFirstOrThrow());
    this.#packs.set(first, parts);
    return parts;
  }
}

/** Decompresses a pack into its parts. @throws LedgerError when it is damaged */
export function unpack(row: LedgerSchema['evidence_pack']): Buffer[] {
  try {
    const body = unsealBody(row);
    const parts: Buffer[] = [];
    let end = 0;
    for (const size of JSON.parse(row.sizes) as number[]) {
      parts.push(body.subarray(end, end + size));
      end += size;
    }
    if (end !== body.length) throw new Error(`it holds ${body.length} bytes, and its sizes come to ${end}`);
    return parts;
  } catch (error) {
    throw cannotBeUnpacked({ kind: 'pack', name: String(row.first_part) }, error);
  }
}
