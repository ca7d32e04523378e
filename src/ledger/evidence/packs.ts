/** Orders of the order book as received. Each distinct one, by SHA-256, is one part; parts are compressed together in packs. */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { LedgerError } from '../../base/errors.ts';
import { because } from '../../words/errors/ledger.ts';
import { chunks } from '../chunks.ts';
import type { LedgerSchema } from '../schema.ts';
import { insertRows } from '../write/insert.ts';
import { cannotBeUnpacked, unsealBody } from './bodies.ts';

const compress = promisify(brotliCompress);

/** Finds the parts that the ledger holds, by SHA-256. @returns part numbers by hexadecimal SHA-256 */
export async function findParts(db: Kysely<LedgerSchema>, hashes: readonly Buffer[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const page of chunks(hashes)) {
    const rows = await db.selectFrom('evidence_part').selectAll().where('sha256', 'in', page).execute();
    for (const { sha256, part } of rows) found.set(Buffer.from(sha256).toString('hex'), part);
  }
  return found;
}

/** Compresses parts together, because similar records then take a fraction of their separate size. */
export async function sealPack(parts: readonly Buffer[]): Promise<Buffer> {
  const body = Buffer.concat(parts);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return compress(body, { params });
}

/**
 * Stores new parts as one pack. Call it inside a transaction.
 *
 * @returns the number of the first part; the others are numbered after it
 */
export async function keepPack(
  trx: Kysely<LedgerSchema>,
  parts: readonly { readonly sha256: Buffer; readonly bytes: Buffer }[],
  body: Buffer,
): Promise<number> {
  const { next } = await trx
    .selectFrom('evidence_part')
    .select(sql<number>`coalesce(max(part), 0) + 1`.as('next'))
    .executeTakeFirstOrThrow();
  const sizes = JSON.stringify(parts.map(({ bytes }) => bytes.length));
  await trx.insertInto('evidence_pack').values({ first_part: next, sizes, encoding: 'br', body }).execute();
  await insertRows(
    trx,
    'evidence_part',
    parts.map(({ sha256 }, index) => ({ sha256, part: next + index })),
  );
  return next;
}

/** Reads parts by number, and caches the packs used last. */
export class PartReader {
  readonly #db: Kysely<LedgerSchema>;
  readonly #packs = new LRUCache<number, Buffer[]>({ max: 64 });

  constructor(db: Kysely<LedgerSchema>) {
    this.#db = db;
  }

  /** The bytes of a part. @throws LedgerError when it is missing or damaged */
  async read(part: number): Promise<Buffer> {
    const first = this.#cachedPackOf(part) ?? (await this.#findPack(part));
    const bytes = first === null ? undefined : (await this.#pack(first))[part - first];
    if (bytes === undefined) throw new LedgerError(because({ id: 'part-missing', part }));
    return bytes;
  }

  #cachedPackOf(part: number): number | null {
    for (const [first, parts] of this.#packs.entries()) if (part >= first && part < first + parts.length) return first;
    return null;
  }

  async #findPack(part: number): Promise<number | null> {
    const pack = await this.#db
      .selectFrom('evidence_pack')
      .select('first_part')
      .where('first_part', '<=', part)
      .orderBy('first_part', 'desc')
      .limit(1)
      .executeTakeFirst();
    return pack?.first_part ?? null;
  }

  async #pack(first: number): Promise<Buffer[]> {
    const held = this.#packs.get(first);
    if (held) return held;
    const row = await this.#db
      .selectFrom('evidence_pack')
      .selectAll()
      .where('first_part', '=', first)
      .executeTakeFirstOrThrow();
    const parts = unpack(row);
    this.#packs.set(first, parts);
    return parts;
  }
}

/** Decompresses a pack into its parts. @throws LedgerError when it is damaged */
export function unpack(row: LedgerSchema['evidence_pack']): Buffer[] {
  try {
    const body = unsealBody(row);
    const parts: Buffer[] = [];
    let from = 0;
    for (const size of JSON.parse(row.sizes) as number[]) {
      parts.push(body.subarray(from, from + size));
      from += size;
    }
    if (from !== body.length) throw new Error(`it holds ${body.length} bytes, and its sizes come to ${from}`);
    return parts;
  } catch (error) {
    throw cannotBeUnpacked({ kind: 'pack', name: String(row.first_part) }, error);
  }
}
