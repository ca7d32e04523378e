import { type Party, readNames } from '../../../reports/names.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { hasMoreRows } from '../../ledger/queries/rows/rows.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { readLastGoodSync } from '../../ledger/queries/sync/runs.ts';
import { type Books, usingBooks } from '../books.ts';
import { couriersOf } from '../couriers.ts';

/** How far a page has seen the books: the last evidence of all, the last that figures can depend on, and whose books they are. */
export interface Seen {
  readonly last: number;
  readonly figures: number;
  /** Whether the books hold so many invoice rows that adding them up takes longer than a person waits without a word. */
  readonly isLarge: boolean;
  /** The couriers of the books, by name. */
  readonly couriers: readonly string[];
  /** What their days are days of. */
  readonly timeZone: string;
  readonly merchant: Party;
  /** When the last complete sync ended; null before the first. */
  readonly synced: string | null;
}

const MANY = 20_000;

export function readSeen(books: Books): Promise<Seen> {
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, (ledger, { config }) =>
    usingSnapshot(ledger, async (db) => {
      const couriers = await couriersOf(db, config);
      const sync = await readLastGoodSync(couriers.length === 1 ? ofCourier(db, couriers[0]!.key) : db);
      return {
        synced: sync && (sync.finished_at ?? sync.started_at),
        last: await readLastEvidence(db),
        isLarge: await hasMoreRows(db, MANY),
        figures: (await readFigureHead(db))?.id ?? 0,
        couriers: couriers.map(({ name }) => name),
        timeZone: config.timeZone,
        merchant: (await readNames(ofCourier(db, couriers[0]!.key), config)).merchant,
      };
    }),
  );
}
