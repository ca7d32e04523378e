import { type Party, readNames } from '../../../reports/names.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { hasMoreRows } from '../../ledger/queries/rows/rows.ts';
import { readLastGoodSync } from '../../ledger/queries/sync/runs.ts';
import { type Books, readBooks } from '../books.ts';
import { couriersOf } from '../couriers.ts';

/** The state of the books that a page was made from. */
export interface Seen {
  /** The last evidence. */
  readonly last: number;
  /** The last evidence that figures depend on. */
  readonly figures: number;
  /** Whether there are so many invoice rows that adding them up takes too long for a person to wait without notice. */
  readonly isLarge: boolean;
  /** The couriers of the books, by name. */
  readonly couriers: readonly string[];
  /** The time zone of days in the books. */
  readonly timeZone: string;
  readonly merchant: Party;
  /** When the last complete sync ended; null before the first. */
  readonly synced: string | null;
}

const MANY_ROWS = 20_000;

export function readSeen(books: Books): Promise<Seen> {
  return readBooks(books, { newSettings: 'unchecked', allCouriers: true }, async (db, { config }) => {
    const couriers = await couriersOf(db, config);
    const sync = await readLastGoodSync(couriers.length === 1 ? ofCourier(db, couriers[0]!.key) : db);
    return {
      synced: sync && (sync.finished_at ?? sync.started_at),
      last: await readLastEvidence(db),
      isLarge: await hasMoreRows(db, MANY_ROWS),
      figures: (await readFigureHead(db))?.id ?? 0,
      couriers: couriers.map(({ name }) => name),
      timeZone: config.timeZone,
      // Every courier's books are the same merchant's.
      merchant: (await readNames(ofCourier(db, couriers[0]!.key), config)).merchant,
    };
  });
}
