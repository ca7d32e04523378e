import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync, gzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { LedgerError } from '../../errors.ts';
import type { Encoding, LedgerSchema } from '../schema.ts';
import { sha256 } from './sha256.ts';

const compress = promisify(gzip);

/** A body, hashed and compressed, ready to be kept. */
export interface SealedBody {
  readonly sha256: string;
  readonly size: number;
  readonly body: Buffer;
}

/** Hashes and compresses a body as received. The compression runs beside the main thread. */
export async function sealBody(body: Buffer): Promise<SealedBody> {
  return { sha256: sha256(body), size: body.length, body: await compress(body, { level: 2 }) };
}

/** A body as received, from the form in which it is kept. @throws Error when the kept form cannot be decompressed */
export function unsealBody(row: { encoding: Encoding; body: Uint8Array }): Buffer {
  if (row.encoding === 'br') return brotliDecompressSync(row.body);
  return row.encoding === 'gzip' ? gunzipSync(row.body) : Buffer.from(row.body);
}

/** Keeps a body, once. */
export async function keepBody(trx: Kysely<LedgerSchema>, sealed: SealedBody): Promise<void> {
  await trx
    .insertInto('evidence_body')
    .values({ sha256: sealed.sha256, encoding: 'gzip', size: sealed.size, body: sealed.body })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
}

/** Reads a body as received. @throws LedgerError when the ledger does not hold it, or not whole */
export async function readBody(db: Kysely<LedgerSchema>, hash: string): Promise<Buffer> {
  const row = await db.selectFrom('evidence_body').selectAll().where('sha256', '=', hash).executeTakeFirst();
  if (!row) throw damaged(`the body ${hash} is not in the ledger`);
  try {
    return unsealBody(row);
  } catch (error) {
    throw damaged(`the body ${hash} cannot be unpacked: ${(error as Error).message}`, error);
  }
}

export function damaged(what: string, cause?: unknown): LedgerError {
  return new LedgerError(what, 'The ledger is damaged: run `remit verify`, and restore a backup.', { cause });
}
