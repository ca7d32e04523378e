import { decode } from '../api/decode.ts';
import { Profile } from '../api/wire.ts';
import { SOLE_COURIER, wholeLedger } from '../ledger/index.ts';
import { readAccount } from '../ledger/queries/couriers.ts';
import { nameCourier, writeAccount } from '../ledger/write/couriers.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import type { Derive } from './derivation.ts';
import { ifReadable, readDocument, refuseFaulty, requireStorable } from './documents.ts';

const LONGEST_NAME = 40;

/**
 * A name for a courier that has none in the settings: `Cedar Express` gives `cedar-express`, `3 Cédres` gives `cedres`;
 * null without a to z.
 */
function nameFromProfile(organisation: string): string | null {
  const name = organisation
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST_NAME)
    .replace(/-+$/, '');
  return name === '' ? null : name;
}

/**
 * Writes the account from the organisation's profile. The first one also names the courier to which the settings give
 * no name (`SOLE_COURIER`).
 */
export const deriveProfile: Derive = async ({ trx, evidence, body }) => {
  const { api_url } = JSON.parse(evidence.data ?? '{}') as { api_url: string };
  const read = await ifReadable(async () => {
    refuseFaulty(evidence);
    return readProfile(readDocument(await body()), evidence.sha256!, api_url);
  });
  if (read.ok) {
    const isFirst = (await readAccount(trx)) === null;
    await writeAccount(trx, read.value);
    const name = nameFromProfile(read.value.organisation_name);
    if (isFirst && evidence.courier === SOLE_COURIER && name !== null)
      await nameCourier(wholeLedger(trx), SOLE_COURIER, name, evidence.id);
    await clearUnreadable(trx, 'profile', ['profile']);
  } else {
    const note = { kind: 'profile', subject: 'profile', period: null, why: read.fault.message };
    await noteUnreadable(trx, [note], evidence);
  }
};

/**
 * The ledger's account row for a profile (spec, 'Organisation profile').
 *
 * @param api_url the base URL of the service that sent it
 * @throws ContractError that names the field
 */
function readProfile(document: unknown, profile_sha256: string, api_url: string) {
  const { organisation_name, brand = null, logo_url = null, primary_color = null } = decode(Profile, document);
  return requireStorable({ api_url, organisation_name, brand, logo_url, primary_color, profile_sha256 });
}
