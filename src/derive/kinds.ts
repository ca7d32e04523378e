/** What is derived from each kind of evidence: a document added is an entry added. */

import { writeLogo } from '../ledger/write/account.ts';
import { deriveAnswer, deriveClaim, deriveWrittenOff } from './claims.ts';
import { deriveClose, deriveReopen } from './closes.ts';
import { deriveListing } from './derive-listing.ts';
import { deriveRunBegun, deriveRunEnded } from './derive-run.ts';
import type { Derive } from './deriver.ts';
import { deriveDecision, deriveFindings, deriveResolutions } from './findings.ts';
import { deriveImport } from './import-file.ts';
import { deriveImportUndone } from './import-undone.ts';
import { deriveMatches, deriveMatchRemoved } from './matches.ts';

/** Loaded on first use: what decodes the courier's documents takes longer to load than most commands to run. */
const lazily =
  (load: () => Promise<Derive>): Derive =>
  async (derivation) =>
    (await load())(derivation);

const deriveLogo: Derive = async ({ trx, evidence }) => writeLogo(trx, evidence.sha256!);

export const KINDS: Readonly<Record<string, Derive>> = {
  'run-begun': deriveRunBegun,
  'run-ended': deriveRunEnded,
  profile: lazily(async () => (await import('./derive-profile.ts')).deriveProfile),
  logo: deriveLogo,
  'invoice-list': lazily(async () => (await import('./derive-invoice-list.ts')).deriveInvoiceList),
  invoice: lazily(async () => (await import('./derive-invoice.ts')).deriveInvoice),
  'invoice-missing': lazily(async () => (await import('./derive-invoice.ts')).deriveMissing),
  'order-pages': lazily(async () => (await import('./derive-order-pages.ts')).deriveOrderPages),
  listing: deriveListing,
  findings: deriveFindings,
  decision: deriveDecision,
  claim: deriveClaim,
  'claim-answered': deriveAnswer,
  'claim-written-off': deriveWrittenOff,
  import: deriveImport,
  'import-undone': deriveImportUndone,
  match: deriveMatches,
  'match-removed': deriveMatchRemoved,
  resolutions: deriveResolutions,
  close: deriveClose,
  reopen: deriveReopen,
};
