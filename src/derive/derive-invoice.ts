import type { InvoiceRows } from '../ledger/write/invoices.ts';
import { supersedeInvoice, writeInvoice } from '../ledger/write/invoices.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import type { Derivation, Derive } from './deriver.ts';
import { readInvoice } from './invoice.ts';
import { readDocument } from './json.ts';
import { ifReadable, type Readable, refuseFaulty } from './readable.ts';

/** What is known of an invoice's detail beside its body. */
export interface InvoiceAsked {
  /** The month whose list holds the invoice, and the SHA-256 of the row for which the detail was fetched. */
  readonly period: string;
  readonly listed_sha256: string | null;
}

/** An invoice's detail, read from its body. */
export const deriveInvoice: Derive = async (derivation) => {
  const { evidence, body } = derivation;
  await applyInvoice(
    derivation,
    await ifReadable(async () => {
      refuseFaulty(evidence);
      return readInvoice(readDocument(await body()), Number(evidence.subject), evidence.sha256!);
    }),
  );
};

/** The same, of a detail that was read already. */
export async function applyInvoice(
  { trx, evidence }: Pick<Derivation, 'trx' | 'evidence'>,
  read: Readable<InvoiceRows>,
): Promise<void> {
  const { id: evidenceId, at, subject, sha256 } = evidence;
  const { period, listed_sha256: listedSha256 } = JSON.parse(evidence.data!) as InvoiceAsked;
  if (read.ok) {
    await writeInvoice(trx, read.value, { evidenceId, at, period, listedSha256 });
    await clearUnreadable(trx, 'invoice', [subject]);
    return;
  }
  const why = evidence.fault ?? read.fault.message;
  await supersedeInvoice(trx, Number(subject), { evidenceId, at, why: `its detail cannot be read: ${why}` });
  await noteUnreadable(trx, [{ kind: 'invoice', subject, period, evidence_id: evidenceId, at, sha256, why }]);
}

/** A detail that could not be brought: what the ledger holds of the invoice is old. */
export const deriveMissing: Derive = async ({ trx, evidence }) => {
  const { id: evidenceId, at, subject, fault } = evidence;
  await supersedeInvoice(trx, Number(subject), { evidenceId, at, why: fault ?? 'its detail could not be brought' });
};
