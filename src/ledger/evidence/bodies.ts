import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync, gzip } from 'node:zlib';
import { LedgerError } from '../../base/errors.ts';
import { ledgerError, type Packed } from '../../words/errors/ledger.ts';
import type { Encoding, LedgerDb } from '../schema.ts';
import { sha256 } from './chain.ts';

const compress = promisify(gzip);

/** A body, hashed and compressed, ready to be stored. */
export interface SealedBody {
  readonly sha256: string;
  readonly size: number;
  readonly body: Buffer;
}

/** Hashes a body as received, and compresses it on another thread. */
export async function sealBody(body: Buffer): Promise<SealedBody> {
  return { sha256: sha256(body), size: body.length, body: await compress(body, { level: 2 }) };
}

/** Decompresses a stored body. @throws Error when it is damaged */
export function unsealBody(row: { encoding: Encoding; body: Uint8Array }): Buffer {
  if (row.encoding === 'br') return brotliDecompressSync(row.body);
  return row.encoding === 'gzip' ? gunzipSync(row.body) : Buffer.from(row.body);
}

/** Stores a body, unless the ledger has it already. */
export async function keepBody(trx: LedgerDb, sealed: SealedBody): Promise<void> {
  await trx
    .insertInto('evidence_body')
    .values({ sha256: sealed.sha256, encoding: 'gzip', size: sealed.size, body: sealed.body })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}

/** Reads a body as received. @throws LedgerError when it is missing or damaged */
export async function readBody(db: LedgerDb, hash: string): Promise<Buffer> {
  const row = await db.selectFrom('evidence_body').selectAll().where('sha256', '=', hash).executeTakeFirst();
  if (!row) throw new LedgerError(ledgerError({ id: 'body-missing', sha256: hash }));
  try {
    return unsealBody(row);
  } catch (error) {
    throw cannotBeUnpacked({ kind: 'body', name: hash }, error);
  }
}

export function cannotBeUnpacked(what: Packed, cause: unknown): LedgerError {
  const why = ledgerError({ id: 'cannot-be-unpacked', what, why: (cause as Error).message });
  return new LedgerError(why, { cause });
}
