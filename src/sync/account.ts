import { fetchLogo } from '../courier/index.ts';
import { ApiError, AuthError, ContractError, LedgerError, NotJsonError } from '../errors.ts';
import { keepEvidence, sealBody } from '../ledger/index.ts';
import { keepDocument, keepUnreadable, quarantine, reportMissing, type SyncSession } from './session.ts';

/**
 * Brings the organisation's profile and logo, and guards the ledger: the key names the merchant, and two merchants in one ledger
 * would make every total wrong and every invoice of the other one vanish.
 *
 * @throws LedgerError when the key belongs to another organisation than the ledger's
 */
export async function syncAccount(session: SyncSession): Promise<void> {
  const { client, ledger, run } = session;
  const source = { kind: 'profile', subject: 'profile' } as const;
  try {
    const answer = await client.profile();
    const sealed = await sealBody(answer.body);
    const profile = answer.value;
    const held = await ledger.db.selectFrom('account').selectAll().executeTakeFirst();
    if (held && held.organisation_name !== profile.organisation_name && !session.acceptAccount) {
      throw new LedgerError(
        `the key belongs to ${JSON.stringify(profile.organisation_name)}, but ${ledger.file} holds ${JSON.stringify(held.organisation_name)}`,
        'Use another books folder (or REMIT_LEDGER) for each merchant; if only the name changed, run the sync once with --accept-account.',
      );
    }
    const logo = await logoOf(session, profile.logo_url ?? null, held ?? null);
    await ledger.db.transaction().execute(async (trx) => {
      await keepDocument(trx, session, sealed, { ...source, url: answer.url, receivedAt: answer.receivedAt });
      if (logo?.fresh) {
        const { sealed: body, url } = logo.fresh;
        await keepEvidence(trx, body, {
          runId: run,
          kind: 'logo',
          subject: 'logo',
          url,
          receivedAt: session.now(),
          fault: null,
        });
      }
      const account = {
        api_url: client.baseUrl,
        organisation_name: profile.organisation_name,
        brand: profile.brand ?? null,
        logo_url: profile.logo_url ?? null,
        primary_color: profile.primary_color ?? null,
        profile_sha256: sealed.sha256,
        logo_sha256: logo?.sha256 ?? null,
      };
      await trx
        .insertInto('account')
        .values({ id: 1, ...account })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(account))
        .execute();
    });
  } catch (error) {
    const received = { ...source, url: '', receivedAt: session.now() };
    if (error instanceof NotJsonError) {
      // The first answer of all is a web page: this is not the API, and asking on would only make more of the same.
      await keepUnreadable(session, received, error);
      throw error;
    }
    if (error instanceof ContractError) await quarantine(session, received, error);
    else if (error instanceof ApiError && error.status === 404) {
      // No figure depends on the profile, and no later sync would bring what the service does not have.
      session.progress.warn(
        `the service shows no organisation profile, so statements go without its name: ${error.message}`,
      );
    } else if (error instanceof ApiError && !(error instanceof AuthError) && error.status !== null) {
      reportMissing(session, 'the organisation profile was not brought', error);
    } else throw error;
  }
}

/** The logo's body, fetched only when its address is new; a statement without a logo is better than a sync that fails over one. */
async function logoOf(
  session: SyncSession,
  url: string | null,
  held: { logo_url: string | null; logo_sha256: string | null } | null,
) {
  if (!url) return null;
  if (held?.logo_sha256 && held.logo_url === url) return { sha256: held.logo_sha256 };
  const body = await fetchLogo(url, session.client.baseUrl);
  if (!body) return held?.logo_sha256 ? { sha256: held.logo_sha256 } : null;
  const sealed = await sealBody(body);
  return { sha256: sealed.sha256, fresh: { sealed, url } };
}
