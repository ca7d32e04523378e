import { writeListed } from '../ledger/write/listed.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import type { Derivation, Derive } from './deriver.ts';
import { type ReadListed, readInvoiceList } from './invoice-list.ts';
import { readJson } from './json.ts';
import { ifReadable, refuseFaulty } from './readable.ts';

/** A page of a month's list, read from its body. */
export const deriveInvoiceList: Derive = async (derivation) => {
  const { evidence, body } = derivation;
  const page = { period: evidence.subject, run: evidence.run_id!, walk: evidence.walk ?? 0 };
  const read = await ifReadable(async () => {
    // A page that belongs to no walk could not be read as a list at all.
    if (page.walk === 0) refuseFaulty(evidence);
    return readInvoiceList({ json: readJson(await body()) }, page);
  });
  if (read.ok) await applyInvoiceList(derivation, read.value);
  else {
    const { id, at, sha256, subject } = evidence;
    const note = { kind: 'page', subject: `invoices ${subject}`, period: subject, evidence_id: id, at, sha256 };
    await noteUnreadable(derivation.trx, [{ ...note, why: read.fault.message }]);
  }
};

/** The same, of a page that was read already. */
export async function applyInvoiceList(
  { trx, evidence }: Pick<Derivation, 'trx' | 'evidence'>,
  page: readonly ReadListed[],
): Promise<void> {
  const { id: evidence_id, at, sha256, subject: period } = evidence;
  await writeListed(
    trx,
    page.flatMap(({ rows }) => (rows ? [rows] : [])),
    { evidenceId: evidence_id, at },
  );
  await clearUnreadable(trx, 'page', [`invoices ${period}`]);
  await clearUnreadable(
    trx,
    'listed',
    page.filter(({ fault }) => fault === null).map((row) => listedSubject(period, row)),
  );
  await noteUnreadable(
    trx,
    page
      .filter(({ fault }) => fault !== null)
      .map((row) => ({
        kind: 'listed',
        subject: listedSubject(period, row),
        period,
        evidence_id,
        at,
        sha256,
        why: row.fault!.message,
      })),
  );
}

/** What a row of a month's list is noted under: its invoice, or where that cannot be read its place. */
export function listedSubject(period: string, { number, place }: Pick<ReadListed, 'number' | 'place'>): string {
  return `${period} ${number ?? place}`;
}
