import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { type LedgerTransaction, wholeLedger } from '../ledger/index.ts';
import { nameCourier, writeCourier } from '../ledger/write/couriers.ts';
import type { Derive } from './derivation.ts';

/** Puts the courier of a piece of evidence on record, if this is the first from which something is derived. */
export async function recordCourier(trx: LedgerTransaction, { id, courier }: EvidenceRow): Promise<void> {
  if (courier !== null) await writeCourier(wholeLedger(trx), { key: courier, first_evidence_id: id });
}

/** A courier that somebody renamed: its evidence bears the key, and its subject is the new name. */
export const deriveCourierRenamed: Derive = async ({ trx, evidence }) => {
  await nameCourier(wholeLedger(trx), { key: evidence.courier!, name: evidence.subject, evidenceId: evidence.id });
};

const LONGEST = 40;

/** The name of a courier whose settings give it none: that of its profile, in lower case and with hyphens; null where nothing is left of it. */
export function nameFromProfile(organisation: string): string | null {
  const name = organisation
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '');
  return name === '' ? null : name;
}
