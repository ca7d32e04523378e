import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { RateCard, tariffDay } from '../../imports/tariff.ts';
import { type CancelledFee, readFeesOfCancelled } from '../../ledger/queries/rows/money.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { DELIVERY, tariffLines, tariffSubject, unknownOf } from './agreed-fees.ts';
import { ownLinks } from './own-links.ts';
import { ourSource } from './sources.ts';
import { type StatedRow, statedRows } from './stated-rows.ts';

/** The fee of a cancelled order, on one invoice's row. */
export interface CancelledRow extends StatedRow {
  /** By currency. */
  readonly charged: ReadonlyMap<string, Units>;
  /** What the rate card has for cancelled orders, by currency; null where it has nothing for this one. */
  readonly agreed: ReadonlyMap<string, Units> | null;
  /** Whether our figure has the agreed fee of this row: not where the order was delivered before it was cancelled. */
  readonly isInOurFigure: boolean;
}

/** The workflow under which a rate card has the prices of cancelled orders. */
const CANCELLED = 'CANCELLED';

/** The rows of these months whose order was cancelled, by its own state or by a comparable record. */
export function cancelledRows(context: CheckContext): Promise<readonly CancelledRow[]> {
  return context.facts.once('cancelled-rows', async () => {
    const { db, periods, sources } = context;
    const fees = await readFeesOfCancelled(db, periods, sources.book.whole);
    const stateOf = await statedRows(context);
    const agreedFor = await cancellationFees(context);
    return [...groupBy(fees, ({ number, position }) => `${number} ${position}`).values()].map((lines) => {
      const [first] = lines as [CancelledFee, ...CancelledFee[]];
      const row = stateOf(first);
      const isCancelled = !sources.book.hasOrders || row.recordState === CANCELLED;
      return {
        ...row,
        charged: new Map(lines.flatMap(({ currency, fee }) => (currency === null ? [] : [[currency, BigInt(fee!)]]))),
        agreed: agreedFor(first),
        isInOurFigure: row.isCounted && isCancelled && !row.wasDelivered,
      };
    });
  });
}

/** Gives a function that looks up what was agreed for a cancelled order; null where nothing was agreed, or where it is not known. */
async function cancellationFees(context: CheckContext) {
  const lines = await tariffLines(context);
  const ofCancelled = lines.filter(
    ({ workflow, charge }) => charge === DELIVERY && workflow?.trim().toUpperCase() === CANCELLED,
  );
  if (ofCancelled.length === 0) return () => null;
  const card = new RateCard(ofCancelled);
  const links = ourSource(context.sources) === 'own-book' ? (await ownLinks(context)).linked : null;
  return (row: CancelledFee): ReadonlyMap<string, Units> | null => {
    const district = links ? (links.get(row.order_id)?.own.district ?? null) : row.district;
    const day = tariffDay(null, dayIn(row.issued_at, context.settings.timeZone));
    // Nothing is collected of a cancelled order.
    const subject = tariffSubject({ ...row, workflow: CANCELLED, district }, day, new Map());
    const hasRecord = row.record_order_id !== null;
    const price = hasRecord ? card.agreed(subject) : card.agreedWithout(subject, unknownOf({ district }));
    return price?.kind === 'agreed' ? price.fees : null;
  };
}
