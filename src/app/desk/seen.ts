import { type Party, readNames } from '../../../reports/names.ts';
import { ofCourier } from '../../ledger/index.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { type Books, usingBooks } from '../books.ts';
import { couriersOf } from '../couriers.ts';

/** How far a page has seen the books: the last evidence of all, the last that figures can depend on, and whose books they are. */
export interface Seen {
  readonly last: number;
  readonly figures: number;
  /** The couriers of the books, by name. */
  readonly couriers: readonly string[];
  /** What their days are days of. */
  readonly timeZone: string;
  readonly merchant: Party;
}

export function readSeen(books: Books): Promise<Seen> {
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, (ledger, { config }) =>
    usingSnapshot(ledger, async (db) => {
      const couriers = await couriersOf(db, config);
      return {
        last: await readLastEvidence(db),
        figures: (await readFigureHead(db))?.id ?? 0,
        couriers: couriers.map(({ name }) => name),
        timeZone: config.timeZone,
        merchant: (await readNames(ofCourier(db, couriers[0]!.key), config)).merchant,
      };
    }),
  );
}
