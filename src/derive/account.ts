import { decode } from '../api/decode.ts';
import { Profile } from '../api/wire.ts';
import { requireKept } from './kept-text.ts';

/**
 * Whose books these are, of the organisation profile (spec, 'Organisation profile').
 *
 * @param apiUrl the service that answered
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
