import { units } from '../units.ts';
import type { Price } from '../world/own-book.ts';

/** What an order is priced by. Null: nobody knows. */
export interface Priced {
  readonly workflow: string;
  readonly district: string | null;
  readonly area: string | null;
  readonly merchant_location: string | null;
  readonly packages: number | null;
  readonly day: string;
}

/**
 * The agreed fee by currency; `none` where no line covers the order; null where it hangs on what nobody knows. Rule 52.
 */
export function agreedFee(card: readonly Price[], order: Priced): ReadonlyMap<string, bigint> | 'none' | null {
  const open = (field: 'district' | 'area' | 'merchant_location') =>
    order[field] === null
      ? ['elsewhere', ...card.map((line) => line[field]).filter((each) => each !== '')]
      : [order[field]];
  const answers = new Map<string, ReadonlyMap<string, bigint>>();
  for (const district of open('district')) {
    for (const area of open('area')) {
      for (const merchant_location of open('merchant_location')) {
        const winners = winnersOf(card, { ...order, district, area, merchant_location });
        for (const packages of order.packages === null ? [1, 2] : [order.packages]) {
          const fees = new Map(winners.map((line) => [line.currency, feeOf(line, packages)]));
          answers.set(JSON.stringify([winners, [...fees.values()].map(String)]), fees);
        }
      }
    }
  }
  const [only, ...others] = answers.values();
  if (others.length > 0 || !only) return null;
  return only.size === 0 ? 'none' : only;
}

const FIELDS = ['area', 'district', 'merchant_location', 'workflow'] as const;

/** The lines that cover the order and that none more specific does. */
function winnersOf(card: readonly Price[], order: Priced): Price[] {
  const covering = card.filter(
    (line) =>
      FIELDS.every((field) => line[field] === '' || line[field] === order[field]) &&
      (line.from === '' || line.from <= order.day) &&
      (line.to === '' || order.day <= line.to),
  );
  const weight = (line: Price) => FIELDS.map((field) => (line[field] === '' ? '0' : '1')).join('');
  const most = covering.map(weight).sort().at(-1);
  return covering.filter((line) => weight(line) === most);
}

function feeOf({ fee, per_package }: Price, packages: number): bigint {
  return (units(fee) ?? 0n) + (units(per_package) ?? 0n) * BigInt(packages);
}
