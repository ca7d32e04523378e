import { decode } from '../api/decode.ts';
import { Profile } from '../api/wire.ts';
import { SOLE_COURIER, wholeLedger } from '../ledger/index.ts';
import { readAccount } from '../ledger/queries/couriers.ts';
import { writeAccount } from '../ledger/write/account.ts';
import { nameCourier } from '../ledger/write/couriers.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { nameFromProfile } from './couriers.ts';
import type { Derive } from './derivation.ts';
import { ifReadable, readDocument, refuseFaulty } from './documents.ts';
import { requireKept } from './text-fields.ts';

/** The account, from the organisation's profile. */
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
      await nameCourier(wholeLedger(trx), { key: SOLE_COURIER, name, evidenceId: evidence.id });
    await clearUnreadable(trx, 'profile', ['profile']);
  } else {
    const { id, at, sha256 } = evidence;
    await noteUnreadable(trx, [
      { kind: 'profile', subject: 'profile', period: null, evidence_id: id, at, sha256, why: read.fault.message },
    ]);
  }
};

/**
 * The ledger's account row for a profile (spec, 'Organisation profile').
 *
 * @param apiUrl the base URL of the service that sent it
 * @throws ContractError that names the field
 */
export function readProfile(document: unknown, profileSha256: string, apiUrl: string) {
  const profile = decode(Profile, document);
  return requireKept({
    api_url: apiUrl,
    organisation_name: profile.organisation_name,
    brand: profile.brand ?? null,
    logo_url: profile.logo_url ?? null,
    primary_color: profile.primary_color ?? null,
    profile_sha256: profileSha256,
  });
}
