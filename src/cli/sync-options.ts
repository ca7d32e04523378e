import type { Config } from '../config.ts';
import type { Client } from '../courier/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { SyncOptions } from '../sync/index.ts';
import { openProgress } from './progress.ts';
import type { Session } from './session.ts';

/** What a command asks of a sync; the rest comes from the settings and the session. */
type Asked = Pick<SyncOptions, 'periods' | 'orders' | 'full' | 'acceptAccount'>;

/** Makes the options of a sync, all but its two ends, which are lent later. From here on, the session's progress is shown. */
export async function openSyncOptions(
  session: Session,
  config: Config,
  asked: Asked,
): Promise<(client: Client, ledger: Ledger) => SyncOptions> {
  const progress = await openProgress(session);
  return (client, ledger) => ({
    ...asked,
    ledger,
    client,
    recheckHours: config.recheckHours,
    concurrency: config.concurrency,
    now: session.io.now,
    progress,
    signal: session.io.signal,
  });
}
