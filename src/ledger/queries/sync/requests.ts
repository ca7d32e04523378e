/** How many requests were sent to a courier's API. */
import type { LedgerReader } from '../snapshot.ts';

/**
 * Every attempt since an instant: those that were counted before they were sent, and those of syncs without a budget, which were counted
 * when they ended.
 */
export async function readRequestsSince(db: LedgerReader, since: string): Promise<number> {
  const counted = await db
    .selectFrom('evidence')
    .select(['data', 'run_id'])
    .where('kind', '=', 'requests')
    .where('at', '>=', since)
    .execute();
  const ended = await db
    .selectFrom('run')
    .select(['id', 'summary'])
    .where('command', '=', 'sync')
    .where('started_at', '>=', since)
    .execute();
  const withBudget = new Set(counted.map(({ run_id }) => run_id));
  const before = counted.reduce((sum, { data }) => sum + (JSON.parse(data!) as { attempts: number }).attempts, 0);
  return ended.reduce((sum, { id, summary }) => sum + (withBudget.has(id) ? 0 : requestsIn(summary)), before);
}

function requestsIn(summary: string | null): number {
  return summary === null ? 0 : ((JSON.parse(summary) as { requests?: number }).requests ?? 0);
}
