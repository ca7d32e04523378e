import { runDay } from '../../sandbox/world/run-day.ts';
import { usingStore } from '../sandbox-store.ts';
import type { Session } from '../session.ts';

export interface SandboxRunDayInput {
  readonly data: string;
  /** How many days, 1 unless given. */
  readonly days?: number;
}

/** `remit sandbox run-day`: lets the world live on, from the day after its latest event. Each day is kept when it is done. */
export async function sandboxRunDay(session: Session, input: SandboxRunDayInput): Promise<number> {
  return usingStore(session, input.data, { mustExist: true }, (store) => {
    const days = [];
    for (let i = 0; i < (input.days ?? 1); i++) {
      session.io.signal.throwIfAborted();
      const day = runDay(store, { now: session.io.now() });
      days.push(day);
      if (!session.json) {
        const { date, created, moved, invoices, payments } = day;
        session.result(`${date}  ${created} new orders, ${moved} moves, ${invoices} invoices, ${payments} payments`);
      }
    }
    if (session.json) session.resultJson({ days });
    return 0;
  });
}
