import type { Ledger, PlacedRow } from './ledger.ts';
import { of } from './money.ts';
import type { OwnOrderFacts } from './own-book.ts';

/** What each code takes of one row in one currency; null: found or not, it takes nothing. Rules 16 to 23. */
export interface RowChain {
  readonly unknown: bigint | null;
  readonly codWithoutDelivery: bigint | null;
  readonly feeOnCancelled: bigint | null;
  readonly codDiffers: bigint | null;
  readonly feeDiffers: bigint | null;
  readonly notComparable: bigint | null;
}

const NOTHING: RowChain = {
  unknown: null,
  codWithoutDelivery: null,
  feeOnCancelled: null,
  codDiffers: null,
  feeDiffers: null,
  notComparable: null,
};

/** The row credits COD for what was not delivered. */
export const creditsUndelivered = ({ row, comparable, facts }: PlacedRow, currency: string): boolean =>
  of(row.cod, currency) !== 0n && (row.delivery_state !== 'DELIVERED' || (comparable && !facts?.everDelivered));

/** The row charges a fee for what was cancelled. */
export const chargesCancelled = ({ row, comparable, facts }: PlacedRow, currency: string): boolean =>
  of(row.delivery_fee, currency) !== 0n &&
  (row.delivery_state === 'CANCELLED' || (comparable && facts?.cancelled === true));

export function rowChain(
  placed: PlacedRow,
  currency: string,
  { hasBook, own }: Pick<Ledger, 'hasBook' | 'own'>,
): RowChain {
  if (placed.place !== 'own') return NOTHING;
  const { row, facts, comparable, unknown } = placed;
  const cod = of(row.cod, currency);
  const fee = of(row.delivery_fee, currency);
  const undelivered = creditsUndelivered(placed, currency);
  const cancelled = chargesCancelled(placed, currency);
  if (own) return ownChain(placed, currency, own.get(row.order_id)!);
  if (!hasBook) {
    return { ...NOTHING, codWithoutDelivery: undelivered ? cod : null, feeOnCancelled: cancelled ? -fee : null };
  }
  if (!facts) return { ...NOTHING, [unknown ? 'unknown' : 'notComparable']: cod - fee };

  const codTaken = undelivered && !facts.everDelivered;
  const feeTaken = cancelled && facts.cancelled;
  const codLeft = codTaken ? 0n : cod - (facts.everDelivered ? of(facts.now.cod, currency) : 0n);
  const feeLeft = feeTaken ? 0n : fee - (facts.cancelled ? 0n : of(facts.now.delivery_fee, currency));
  return {
    unknown: null,
    codWithoutDelivery: codTaken ? cod : null,
    feeOnCancelled: feeTaken ? -fee : null,
    codDiffers: comparable && facts.everDelivered ? codLeft : null,
    feeDiffers: comparable && !facts.cancelled ? -feeLeft : null,
    notComparable: comparable ? null : codLeft - feeLeft,
  };
}

/** Rules 51 and 54: what the shop's own book leaves of a row is a step of its own. */
function ownChain(placed: PlacedRow, currency: string, facts: OwnOrderFacts): RowChain {
  const [cod, fee] = [of(placed.row.cod, currency), of(placed.row.delivery_fee, currency)];
  const { everDelivered, cancelled, asked, agreed } = facts;
  const codOpen = everDelivered && !asked ? cod : 0n;
  const feeOpen = !cancelled && (agreed === null || agreed === 'none') ? fee : 0n;
  return {
    ...NOTHING,
    codWithoutDelivery: creditsUndelivered(placed, currency) && !everDelivered ? cod : null,
    feeOnCancelled: chargesCancelled(placed, currency) && cancelled ? -fee : null,
    notComparable: codOpen === 0n && feeOpen === 0n ? null : codOpen - feeOpen,
  };
}
