import { readMonths } from '../../checks/facts/months.ts';
import { ofCourier, type Severity } from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { countOpen, type OpenCount } from '../../ledger/queries/findings/mismatches.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Run, readLastGoodSync, readLastSync } from '../../ledger/queries/sync/runs.ts';
import { type Books, usingBooks } from '../books.ts';
import type { LackingMonth } from '../check-result.ts';
import { readCloseConditions } from '../close/conditions.ts';
import { couriersOf } from '../couriers.ts';

/** How a month stands, beside its figures. */
export interface MonthStanding {
  readonly period: string;
  /** Who closed it and when; null while it is open. */
  readonly closed: { readonly by: string; readonly at: string } | null;
  /** Mismatches that nobody has decided about. */
  readonly open: Readonly<Record<Severity, number>>;
  readonly acknowledged: number;
}

/** What is true of the books as a whole. */
export interface Standing {
  readonly months: readonly MonthStanding[];
  readonly last_sync: Pick<Run, 'id' | 'started_at' | 'finished_at' | 'status'> | null;
  readonly last_good_sync: Pick<Run, 'id' | 'started_at' | 'finished_at' | 'status'> | null;
}

/** How the books stand: each month closed or not, what is open in it, and when they were last synced. */
export function readStanding(books: Books): Promise<Standing> {
  return usingBooks(books, { readOnly: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const couriers = await couriersOf(db, books.config);
      // Of one courier its own months and syncs; a close is of all.
      const courierRows = couriers.length === 1 ? ofCourier(db, couriers[0]!.key) : db;
      const counts = [] as OpenCount[];
      for (const { key } of couriers) counts.push(...(await countOpen(ofCourier(db, key))));
      const closes = await readClosesInForce(db);
      const held = new Set<string>();
      for (const { key, config } of couriers) {
        for (const month of await readMonths(ofCourier(db, key), config)) held.add(month);
      }
      const months = [...held].sort().map((period): MonthStanding => {
        const found = counts.filter((one) => one.period === period);
        const close = closes.find((one) => one.period === period);
        const open = { error: 0, warning: 0, info: 0 };
        let acknowledged = 0;
        for (const { severity, status, count } of found) {
          if (status === 'open') open[severity] += count;
          else acknowledged += count;
        }
        return { period, closed: close ? { by: close.actor, at: close.at } : null, open, acknowledged };
      });
      return {
        months,
        last_sync: about(await readLastSync(courierRows)),
        last_good_sync: about(await readLastGoodSync(courierRows)),
      };
    }),
  );
}

function about(run: Run | null): Standing['last_sync'] {
  if (!run) return null;
  const { id, started_at, finished_at, status } = run;
  return { id, started_at, finished_at, status };
}

/** The month after the last closed one, where nothing speaks against its close; else null. With which month books begin a person must say. */
export async function readyToClose(books: Books, lacking: readonly LackingMonth[]): Promise<string | null> {
  const { months } = await readStanding(books);
  const last = months.findLastIndex(({ closed }) => closed !== null);
  const month = months[last + 1]?.period;
  if (month === undefined) return null;
  const ofMonth = lacking.filter(({ period }) => period === month);
  const refusals = await readCloseConditions(books, { month, lacking: ofMonth, first: false });
  return refusals.length === 0 ? month : null;
}
