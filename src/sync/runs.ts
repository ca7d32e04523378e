import type { RunBegun, RunEnded } from '../derive/derive-run.ts';
import type { Deriver } from '../derive/deriver.ts';
import type { Ledger, RunStatus } from '../ledger/index.ts';
import { readRunning } from '../ledger/read/index.ts';
import { VERSION } from '../version.ts';
import { recordIn, type SyncSession } from './session.ts';

/** Opens a run, and closes those that were killed: this process holds the ledger's lock, so none of them can be at work. */
export async function beginRun(
  ledger: Ledger,
  deriver: Deriver,
  { command, at, period }: { command: string; at: Date; period: string | null },
): Promise<number> {
  return ledger.db.transaction().execute(async (trx) => {
    const { running, next } = await readRunning(trx);
    const session = { run: next, deriver };
    for (const id of running) {
      const ended: RunEnded = { status: 'interrupted', finished: false, summary: null };
      await recordIn(trx, session, { at, kind: 'run-ended', subject: String(id), data: ended });
    }
    const begun: RunBegun = { command, version: VERSION, period };
    await recordIn(trx, session, { at, kind: 'run-begun', subject: String(next), data: begun });
    return next;
  });
}

/** Says how the run ended. */
export async function endRun(
  session: Pick<SyncSession, 'ledger' | 'run' | 'deriver' | 'now'>,
  status: RunStatus,
  summary: object | null,
): Promise<void> {
  const ended: RunEnded = { status, finished: true, summary };
  await session.ledger.db.transaction().execute(async (trx) => {
    await recordIn(trx, session, {
      at: session.now(),
      kind: 'run-ended',
      subject: String(session.run),
      data: ended,
    });
  });
}
