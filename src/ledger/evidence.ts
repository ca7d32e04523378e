import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { EvidenceKind, LedgerSchema } from './schema.ts';

const compress = promisify(gzip);

/** A response body, hashed and compressed, ready to be kept. */
export interface SealedBody {
  readonly sha256: string;
  readonly size: number;
  readonly body: Buffer;
}

/** The SHA-256 of a text or a body, in hexadecimal. */
export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Hashes and compresses a body as received. The compression runs beside the main thread. */
export async function sealBody(body: Buffer): Promise<SealedBody> {
  return { sha256: sha256(body), size: body.length, body: await compress(body, { level: 2 }) };
}

/** A body as received, from the form in which it is kept. */
export function unsealBody(row: { encoding: 'gzip' | 'identity'; body: Uint8Array }): Buffer {
  return row.encoding === 'gzip' ? gunzipSync(row.body) : Buffer.from(row.body);
}

/** One sighting of a document: which run received it, when and from where. */
export interface Sighting {
  readonly runId: number;
  readonly kind: EvidenceKind;
  readonly subject: string;
  readonly url: string;
  readonly receivedAt: Date;
  /** What was wrong with it; null for a document that could be read. */
  readonly fault: string | null;
}

/** Keeps a document: its body once, this sighting of it always. */
export async function keepEvidence(db: Kysely<LedgerSchema>, sealed: SealedBody, sighting: Sighting): Promise<void> {
  await db
    .insertInto('evidence_body')
    .values({ sha256: sealed.sha256, encoding: 'gzip', size: sealed.size, body: sealed.body })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  await db
    .insertInto('evidence')
    .values({
      run_id: sighting.runId,
      kind: sighting.kind,
      subject: sighting.subject,
      url: sighting.url,
      received_at: sighting.receivedAt.toISOString(),
      sha256: sealed.sha256,
      fault: sighting.fault,
    })
    .execute();
}
