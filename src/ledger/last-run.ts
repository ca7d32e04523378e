import type { Ledger } from './open.ts';

/** The newest sync, whatever became of it; null before the first. */
export async function lastRun({ db }: Ledger): Promise<{ started_at: string; status: string } | null> {
  const run = await db
    .selectFrom('run')
    .select(['started_at', 'status'])
    .where('command', '=', 'sync')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return run ?? null;
}
