import { type RateCard, rateCards } from '../../imports/tariff.ts';
import { readTariffRows, readTariffScope } from '../../ledger/queries/imports.ts';
import type { DeliveredAmount, Delivery } from '../../ledger/queries/orders/deliveries.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { DELIVERY } from '../../money/fields.ts';
import { tariffLine, tariffSubject } from './agreed-fees.ts';

export interface AccruedAmounts {
  /** Whether any price was agreed, so that orders must be read one by one, with the facts that decide their price. */
  readonly hasPrices: boolean;
  /** The accrued amounts of a delivery, by currency. @param knownBefore at the prices before that evidence, or all */
  of(delivery: Delivery, knownBefore: number | null): readonly DeliveredAmount[];
}

/** Reads the rate cards. A delivery is accrued with its COD, and the agreed price or else the fee in its record. */
export async function readAccruedAmounts(db: LedgerReader): Promise<AccruedAmounts> {
  // An import that a closed month rests on is never undone: the prices that were agreed at a close are among these.
  const lines = (await readTariffRows(db)).map(tariffLine);
  const ofCourier = await readTariffScope(db);
  const cards = new Map<number | null, RateCard | null>();
  const cardOf = (knownBefore: number | null): RateCard | null => {
    let card = cards.get(knownBefore);
    if (card === undefined) {
      const known = lines.filter(({ evidence_id }) => knownBefore === null || evidence_id < knownBefore);
      card = rateCards(ofCourier(known)).get(DELIVERY) ?? null;
      cards.set(knownBefore, card);
    }
    return card;
  };
  return {
    hasPrices: lines.length > 0,
    of({ order, workflow, date, amounts }, knownBefore) {
      const pricedBy = order?.pricedBy;
      if (!pricedBy) return amounts;
      const price = cardOf(knownBefore)?.agreed(tariffSubject({ ...pricedBy, workflow }, date, codOf(amounts)));
      return price?.kind === 'agreed' ? priced(amounts, price.fees) : amounts;
    },
  };
}

function codOf(amounts: readonly DeliveredAmount[]): ReadonlyMap<string, bigint> {
  return new Map(amounts.map(({ currency, cod }) => [currency, cod]));
}

function priced(amounts: readonly DeliveredAmount[], fees: ReadonlyMap<string, bigint>): DeliveredAmount[] {
  const currencies = new Set(amounts.map(({ currency }) => currency));
  return [
    ...amounts.map((line) => ({ ...line, delivery_fee: fees.get(line.currency) ?? 0n })),
    // A currency of the price alone: no order has COD in it.
    ...[...fees].flatMap(([currency, delivery_fee]) =>
      currencies.has(currency) ? [] : [{ currency, orders: 0, cod: 0n, delivery_fee }],
    ),
  ];
}
