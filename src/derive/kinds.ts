/** What is derived from each kind of evidence: a document added is an entry added. */

import { writeAccount, writeLogo } from '../ledger/write/account.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { readProfile } from './account.ts';
import { deriveInvoice, deriveMissing } from './derive-invoice.ts';
import { deriveInvoiceList } from './derive-invoice-list.ts';
import { deriveListing } from './derive-listing.ts';
import { deriveOrderPages } from './derive-order-pages.ts';
import { deriveRunBegun, deriveRunEnded } from './derive-run.ts';
import type { Derive } from './deriver.ts';
import { deriveDecision, deriveFindings, deriveResolutions } from './findings.ts';
import { deriveImport } from './import-file.ts';
import { deriveImportUndone } from './import-undone.ts';
import { readDocument } from './json.ts';
import { deriveMatches, deriveMatchRemoved } from './matches.ts';
import { ifReadable, refuseFaulty } from './readable.ts';

const deriveProfile: Derive = async ({ trx, evidence, body }) => {
  const { api_url } = JSON.parse(evidence.data ?? '{}') as { api_url: string };
  const read = await ifReadable(async () => {
    refuseFaulty(evidence);
    return readProfile(readDocument(await body()), evidence.sha256!, api_url);
  });
  if (read.ok) {
    await writeAccount(trx, read.value);
    await clearUnreadable(trx, 'profile', ['profile']);
  } else {
    const { id, at, sha256 } = evidence;
    await noteUnreadable(trx, [
      { kind: 'profile', subject: 'profile', period: null, evidence_id: id, at, sha256, why: read.fault.message },
    ]);
  }
};

const deriveLogo: Derive = async ({ trx, evidence }) => writeLogo(trx, evidence.sha256!);

export const KINDS: Readonly<Record<string, Derive>> = {
  'run-begun': deriveRunBegun,
  'run-ended': deriveRunEnded,
  profile: deriveProfile,
  logo: deriveLogo,
  'invoice-list': deriveInvoiceList,
  invoice: deriveInvoice,
  'invoice-missing': deriveMissing,
  'order-pages': deriveOrderPages,
  listing: deriveListing,
  findings: deriveFindings,
  decision: deriveDecision,
  import: deriveImport,
  'import-undone': deriveImportUndone,
  match: deriveMatches,
  'match-removed': deriveMatchRemoved,
  resolutions: deriveResolutions,
};
