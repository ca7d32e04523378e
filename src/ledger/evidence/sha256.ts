import { hash } from 'node:crypto';

/** The SHA-256 of a text or a body, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The same as 32 bytes, which large tables store. */
export function sha256Bytes(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}
