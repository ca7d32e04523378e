import { writeAccount } from '../ledger/write/account.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { readProfile } from './account.ts';
import type { Derive } from './deriver.ts';
import { readDocument } from './json.ts';
import { ifReadable, refuseFaulty } from './readable.ts';

/** The account, read from the organisation's profile. */
export const deriveProfile: Derive = async ({ trx, evidence, body }) => {
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
