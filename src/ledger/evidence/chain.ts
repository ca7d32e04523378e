import { hash } from 'node:crypto';
import type { EvidenceTable } from '../schema.ts';

/** The SHA-256 of a text or a body, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The SHA-256 of a text or a body as 32 bytes: large tables store it so. */
export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

export type EvidenceRow = EvidenceTable;

/** The chain's value before the first row. */
export const GENESIS = '0'.repeat(64);

/** The columns that the chain covers, in the order in which they are hashed. */
const CHAINED_COLUMNS = [
  'id',
  'at',
  'kind',
  'run_id',
  'courier',
  'actor',
  'subject',
  'source',
  'listing',
  'walk',
  'sha256',
  'fault',
  'data',
] as const;

/** The chain's value at a row: SHA-256 over the row and the value before, so any change of earlier rows shows. */
export function chainOf(before: string, row: Omit<EvidenceRow, 'chain'>): string {
  return sha256(JSON.stringify([before, ...CHAINED_COLUMNS.map((column) => row[column])]));
}
