import { setImmediate } from 'node:timers/promises';
import type { DayResult } from '../../sandbox/world/day.ts';
import { runDay } from '../../sandbox/world/run-day.ts';
import { counted } from '../counted.ts';
import { usingStore } from '../sandbox-store.ts';
import type { Session } from '../session.ts';

export interface SandboxRunDayInput {
  readonly data: string;
  /** How many days, 1 unless given. */
  readonly days?: number;
}

/** `remit sandbox run-day`: lets the world live on, from the day after its latest event. Each day is kept when it is done. */
export async function sandboxRunDay(session: Session, input: SandboxRunDayInput): Promise<number> {
  const days: DayResult[] = [];
  for (let i = 0; i < (input.days ?? 1); i++) {
    // A pause in which Ctrl-C is heard.
    await setImmediate();
    session.io.signal.throwIfAborted();
    const day = usingStore(session, input.data, { mustExist: true }, (store) =>
      runDay(store, { now: session.io.now() }),
    );
    days.push(day);
    const { date, created, moved, invoices, payments } = day;
    if (!session.json) {
      const parts = [
        counted(created, 'new order'),
        counted(moved, 'move'),
        counted(invoices, 'invoice'),
        counted(payments, 'payment'),
      ];
      session.result(`${date}  ${parts.join(', ')}`);
    }
  }
  if (session.json) session.resultJson({ days });
  return 0;
}
