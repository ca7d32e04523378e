/** Fees on cancelled orders: as charged and as agreed, for the bridge, its check and the report of charges. */
import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { RateCard } from '../../imports/tariff.ts';
import { type CancelledFee, readFeesOfCancelled } from '../../ledger/queries/rows/money.ts';
import { DELIVERY } from '../../money/fields.ts';
import type { Units } from '../../money/units.ts';
import type { CheckContext } from '../check.ts';
import { type PricedKind, tariffLines, tariffSubject, unknownOf } from './agreed-fees.ts';
import { rowKey } from './billed-orders.ts';
import { ownLinks } from './own-links.ts';
import { countsFee, orderSigns } from './returns/convention.ts';
import { ourSource } from './sources.ts';
import { type StatedRow, statedRows } from './stated-rows.ts';

/** A row of an invoice that charges a fee for a cancelled order. */
export interface CancelledRow extends StatedRow {
  /** By currency. */
  readonly charged: ReadonlyMap<string, Units>;
  /** The rate card's fee for the cancelled order, by currency; null if it has none. */
  readonly agreed: ReadonlyMap<string, Units> | null;
  /** Whether our figure of the bridge counts the agreed fee: not if the order was delivered before it was cancelled. */
  readonly isInOurFigure: boolean;
}

/** The workflow under which a rate card has the prices of cancelled orders. */
const CANCELLED = 'CANCELLED';

/** The rows of these months whose order was cancelled, by the row's state or by a record that can be compared. */
export function cancelledRows(context: CheckContext): Promise<readonly CancelledRow[]> {
  return context.facts.once('cancelled-rows', async () => {
    const { db, periods, sources } = context;
    const fees = await readFeesOfCancelled(db, periods, sources.book.lastWholeWalk);
    const statedOf = await statedRows(context);
    const agreedFor = await cancellationFees(context);
    return [...groupBy(fees, rowKey).values()].map((lines) => {
      // A row has a line for each currency.
      const [line] = lines as [CancelledFee, ...CancelledFee[]];
      const row = statedOf(line);
      // Without an order book there is no record, and the row itself says that its order was cancelled.
      const isCancelled = !sources.book.hasOrders || row.record_state === CANCELLED;
      return {
        ...row,
        charged: new Map(lines.flatMap(({ currency, fee }) => (currency === null ? [] : [[currency, BigInt(fee!)]]))),
        agreed: agreedFor(line),
        isInOurFigure: row.isCounted && isCancelled && !row.wasDelivered,
      };
    });
  });
}

/**
 * What each cancelled order with a price should have been charged, and was. All are delivery fees: settlement sheets,
 * which know other charges, list no cancelled order.
 */
export async function pricedCancellations(context: CheckContext): Promise<PricedKind[]> {
  const signsOfOrder = await orderSigns(context);
  const lines: PricedKind[] = [];
  for (const { period, order_id, charged, agreed, isInOurFigure } of await cancelledRows(context)) {
    if (agreed === null || !isInOurFigure || !countsFee(signsOfOrder(order_id))) continue;
    for (const currency of new Set([...agreed.keys(), ...charged.keys()])) {
      const amounts = { agreed: agreed.get(currency) ?? 0n, charged: charged.get(currency) ?? 0n };
      lines.push({ period, charge: DELIVERY, currency, ...amounts });
    }
  }
  return lines;
}

/** Makes the function that looks up the agreed fee of a cancelled order; null if none is agreed, or it is not sure. */
async function cancellationFees(
  context: CheckContext,
): Promise<(row: CancelledFee) => ReadonlyMap<string, Units> | null> {
  const lines = await tariffLines(context);
  const ofCancelled = lines.filter(
    ({ workflow, charge }) => charge === DELIVERY && workflow?.trim().toUpperCase() === CANCELLED,
  );
  if (ofCancelled.length === 0) return () => null;
  const card = new RateCard(ofCancelled);
  // The shop's own book has the districts if the courier's order book was never read.
  const ownBook = ourSource(context.sources) === 'own-book' ? (await ownLinks(context)).linked : null;
  return (row) => {
    const district = ownBook ? (ownBook.get(row.order_id)?.own.district ?? null) : row.district;
    // The prices of the invoice's day hold, as for any order without a delivery.
    const day = dayIn(row.issued_at, context.settings.timeZone);
    const nothingCollected = new Map<string, Units>();
    const subject = tariffSubject({ ...row, workflow: CANCELLED, district }, day, nothingCollected);
    // Without a record little of the order is known: its price counts only if the rest cannot change it.
    const hasRecord = row.record_order_id !== null;
    const price = hasRecord ? card.agreed(subject) : card.agreedWithout(subject, unknownOf({ district }));
    return price?.kind === 'agreed' ? price.fees : null;
  };
}
