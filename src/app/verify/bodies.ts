import { sha256, unsealBody } from '../../ledger/index.ts';
import { type LedgerReader, readBodies, readReferredBodies } from '../../ledger/read/index.ts';
import type { Note } from './index.ts';

/** Hashes every body again. @returns how many there are */
export async function verifyBodies(db: LedgerReader, note: Note): Promise<number> {
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
