import { joinPage, type OrderPages, partsOf } from '../../derive/order-pages.ts';
import { PartReader, readBody, sha256, sha256Bytes, unpack } from '../../ledger/index.ts';
import { readEvidence } from '../../ledger/read/evidence.ts';
import { type LedgerReader, readPacks, readPartHashes } from '../../ledger/read/index.ts';
import type { Note } from './index.ts';

/**
 * Hashes every order that was received again, and every page of the order book built of them.
 *
 * @param deep every page; otherwise the orders alone
 * @returns how many orders there are
 */
export async function verifyPacks(db: LedgerReader, note: Note, deep: boolean): Promise<number> {
  let next = 1;
  for await (const pack of readPacks(db)) {
    const where = `evidence_pack ${pack.first_part}`;
    if (pack.first_part !== next) note(where, `it begins at part ${pack.first_part}, and ${next} was expected`);
    try {
      const parts = unpack(pack);
      const hashes = await readPartHashes(db, pack.first_part, pack.first_part + parts.length - 1);
      parts.forEach((bytes, index) => {
        const part = pack.first_part + index;
        const hash = sha256Bytes(bytes).toString('hex');
        const held = hashes.get(part);
        if (held === undefined) note(`evidence_part ${part}`, 'its hash is missing');
        else if (held !== hash)
          note(`evidence_part ${part}`, 'its bytes are not those that were received: the hash is another');
      });
      next = pack.first_part + parts.length;
      if (pack.encoding !== 'br') note(where, `its encoding is ${pack.encoding}, and br was written`);
    } catch (error) {
      note(where, (error as Error).message);
    }
  }
  for (const part of (await readPartHashes(db, next, Number.MAX_SAFE_INTEGER)).keys()) {
    note(`evidence_part ${part}`, 'it is in no pack');
  }
  for (const part of (await readPartHashes(db, Number.MIN_SAFE_INTEGER, 0)).keys()) {
    note(`evidence_part ${part}`, 'it is in no pack');
  }
  if (deep) await verifyPages(db, note);
  return next - 1;
}

async function verifyPages(db: LedgerReader, note: Note): Promise<void> {
  const reader = new PartReader(db);
  for await (const evidence of readEvidence(db)) {
    if (evidence.kind !== 'order-pages' || evidence.sha256 === null) continue;
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
