import { ApiError, ContractError, LedgerError, NotJsonError } from '../base/errors.ts';
import { fetchLogo } from '../courier/index.ts';
import { sealBody } from '../ledger/index.ts';
import { readAccount, readLogoAddress } from '../ledger/queries/couriers.ts';
import { syncingError } from '../words/errors/syncing.ts';
import { isAnswered, keepUnreadable, recordIn, reportFaults, reportMissing, type SyncSession } from './session.ts';

const PROFILE = { kind: 'profile', subject: 'profile' } as const;

/**
 * Fetches the organisation's profile and logo, and refuses another merchant's key: two merchants in one ledger would
 * make every total wrong and the other's invoices vanish.
 *
 * @throws LedgerError when the key belongs to another organisation than the ledger's, or another service answers
 */
export async function syncAccount(session: SyncSession): Promise<void> {
  const { client, ledger } = session;
  const ledgerAccount = await readAccount(ledger.db);
  const data = { api_url: client.baseUrl };
  if (ledgerAccount) refuseAnotherService(session, ledgerAccount.api_url);
  try {
    const { value: profile, body, url: source } = await client.profile();
    const sealed = await sealBody(body);
    const name = profile.organisation_name;
    /** Undefined in a ledger without a profile: then any organisation is right. */
    const held = ledgerAccount?.organisation_name;
    if (held !== undefined && held !== name && !session.acceptAccount) {
      throw new LedgerError(syncingError({ id: 'another-merchant', name, ledger: ledger.name, held }));
    }
    const logo = await newLogo(session, profile.logo_url ?? null);
    await ledger.db.transaction().execute(async (trx) => {
      const received = { ...PROFILE, source, at: session.now(), body: sealed, data };
      await recordIn(trx, session, received, (evidence) => session.deriver.derive(trx, evidence, body));
      if (logo) await recordIn(trx, session, { kind: 'logo', subject: 'logo', at: session.now(), ...logo });
    });
  } catch (error) {
    if (error instanceof ContractError) {
      await keepUnreadable(session, error, { ...PROFILE, data });
      // A web page as the first answer means that this is not the API.
      if (error instanceof NotJsonError) throw error;
      reportFaults(session, 'the organisation profile', [error]);
    } else if (error instanceof ApiError && error.status === 404) {
      // No figure depends on the profile, so the sync is still complete.
      session.progress.warn(
        `the service shows no organisation profile, so statements go without its name: ${error.message}`,
      );
    } else if (isAnswered(error)) {
      reportMissing(session, 'the organisation profile was not brought', error);
    } else throw error;
  }
}

/** Checks the address too, because another server may show the same name. */
function refuseAnotherService({ client, ledger, acceptAccount }: SyncSession, ledgerUrl: string): void {
  const address = new URL(client.baseUrl).origin;
  const held = new URL(ledgerUrl).origin;
  if (address === held || acceptAccount) return;
  throw new LedgerError(syncingError({ id: 'another-service', address, ledger: ledger.name, held }));
}

/** Fetches the logo. @returns null if the last one came from the same address, or it cannot be fetched */
async function newLogo(session: SyncSession, url: string | null) {
  if (!url || (await readLogoAddress(session.ledger.db)) === url) return null;
  const body = await fetchLogo(url, session.client.baseUrl);
  return body ? { source: url, body: await sealBody(body) } : null;
}
