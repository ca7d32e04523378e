import { groupBy } from '../../base/group.ts';
import type { Units } from '../../money/units.ts';
import {
  mayCover,
  scopeOf,
  scopesCovering,
  shapeOf,
  type TariffLine,
  type TariffSubject,
  type TariffUnknown,
} from './model.ts';

/** The price that the rate card has for an order. */
export type AgreedFee =
  | {
      readonly kind: 'agreed';
      /** Per currency; one that is not named is agreed as nothing, see {@link feeDifferences}. */
      readonly fees: ReadonlyMap<string, Units>;
      readonly lines: readonly TariffLine[];
    }
  /** `fee-no-tariff`: no line covers the order. */
  | { readonly kind: 'none' }
  /** Two lines that only this order shows to be about one area (its name and its code): neither wins. */
  | { readonly kind: 'tie'; readonly lines: readonly TariffLine[] };

/** A rate card, made for many look-ups. Import it only where {@link tariffFaults} finds nothing. */
export class RateCard {
  readonly #lines: readonly TariffLine[];
  readonly #byScope: ReadonlyMap<string, readonly TariffLine[]>;
  readonly #shapes: readonly number[];
  /** The lines that cover a kind of order on some day, see {@link #covering}. */
  readonly #byKind = new Map<string, readonly (readonly TariffLine[])[]>();

  /** Whether prices go by the COD or the weight. */
  readonly goesByAmounts: boolean;

  constructor(lines: readonly TariffLine[]) {
    this.goesByAmounts = lines.some((line) => BY_AMOUNT.some((figure) => line[figure] !== null));
    this.#lines = lines;
    this.#byScope = groupBy(lines, scopeOf);
    this.#shapes = [...new Set([...this.#byScope.values()].map(([line]) => shapeOf(line!)))].sort((a, b) => b - a);
  }

  /** The price of the most specific lines that hold on the day: area, then district, then pickup location, then workflow. */
  agreed(subject: TariffSubject): AgreedFee {
    for (const covering of this.#covering(subject)) {
      const lines = covering.filter((line) => holds(line, subject));
      // A price that goes by the weight cannot be told where there is none, nor can another stand for it.
      if (subject.weight === null && lines.some(goesByWeight)) return { kind: 'none' };
      if (lines.length === 0) continue;
      const byCurrency = groupBy(lines, ({ currency }) => currency);
      const tie = [...byCurrency.values()].find((same) => same.length > 1);
      if (tie) return { kind: 'tie', lines: tie };
      const fees = new Map(lines.map((line) => [line.currency, feeOf(line, subject)]));
      return { kind: 'agreed', fees, lines };
    }
    return { kind: 'none' };
  }

  /** The most specific lines first; those of one group are equally specific. Many orders are of one kind, on days of their own. */
  #covering(subject: TariffSubject): readonly (readonly TariffLine[])[] {
    const { workflow, district, areas, merchantLocations } = subject;
    const kind = JSON.stringify([workflow, district, areas, merchantLocations]);
    const known = this.#byKind.get(kind);
    if (known) return known;
    const groups = [...scopesCovering(subject, this.#shapes)]
      .map((scopes) => scopes.flatMap((scope) => this.#byScope.get(scope) ?? []))
      .filter((lines) => lines.length > 0);
    this.#byKind.set(kind, groups);
    return groups;
  }

  /**
   * The price of an order of which not all is known, where it would be the same whatever that is; null where it cannot be told: a line
   * that goes by what is unknown might win, or the price goes by packages that nobody counted.
   */
  agreedWithout(subject: TariffSubject, unknown: ReadonlySet<TariffUnknown>): AgreedFee | null {
    const price = this.agreed(subject);
    const won = price.kind === 'none' ? [] : price.lines;
    if (unknown.has('packages') && won.some(({ per_package }) => (per_package ?? 0n) !== 0n)) return null;
    const least = won.length === 0 ? -1 : shapeOf(won[0]!);
    const mightWin = this.#lines.some(
      (line) => shapeOf(line) > least && holds(line, subject) && mayCover(line, subject, unknown),
    );
    return mightWin ? null : price;
  }
}

export function rateCards(lines: readonly TariffLine[]): ReadonlyMap<string, RateCard> {
  return new Map([...groupBy(lines, ({ charge }) => charge)].map(([charge, own]) => [charge, new RateCard(own)]));
}

/** Whether a line holds for an order that it covers; what goes by a weight does where nobody says one. */
function holds(line: TariffLine, { day, cod, weight }: TariffSubject): boolean {
  return (
    (line.from === null || line.from <= day) &&
    (line.to === null || day <= line.to) &&
    isWithin(cod.get(line.currency) ?? 0n, line.cod_from, line.cod_to) &&
    (weight === null || isWithin(weight, line.weight_from, line.weight_to))
  );
}

/** A slab holds its `from`, not its `to`. */
function isWithin(figure: Units, from: Units | null, to: Units | null): boolean {
  return (from === null || from <= figure) && (to === null || figure < to);
}

const BY_AMOUNT = ['percent', 'cod_from', 'cod_to', 'weight_from', 'weight_to'] as const;

function goesByWeight({ weight_from, weight_to }: TariffLine): boolean {
  return weight_from !== null || weight_to !== null;
}

function feeOf(line: TariffLine, { packages, cod }: TariffSubject): Units {
  const share = line.percent === null ? 0n : shareOf(cod.get(line.currency) ?? 0n, line.percent, line);
  return line.fee + (line.per_package ?? 0n) * BigInt(packages) + share;
}

/** Units of money and of percent in 0.01 of a currency: 1/10,000 each, a hundredth, and two decimals. */
const IN_CENTS = 10_000n * 100n * 100n;

/** A share of the COD, rounded half up to 0.01; nothing where nothing is collected in the currency. */
function shareOf(cod: Units, percent: Units, { min, max }: Pick<TariffLine, 'min' | 'max'>): Units {
  if (cod <= 0n) return 0n;
  const share = ((cod * percent + IN_CENTS / 2n) / IN_CENTS) * 100n;
  if (min !== null && share < min) return min;
  return max !== null && share > max ? max : share;
}

export interface FeeDifference {
  readonly currency: string;
  readonly agreed: Units;
  readonly charged: Units;
  /** Its effect on what is due to you: negative where more was charged than agreed. */
  readonly effect: Units;
}

/** Where a fee departs from the agreed one. A currency that one side does not name is nothing there. */
export function feeDifferences(
  charged: ReadonlyMap<string, Units>,
  agreed: ReadonlyMap<string, Units>,
): FeeDifference[] {
  return [...new Set([...charged.keys(), ...agreed.keys()])]
    .sort()
    .map((currency) => ({ currency, agreed: agreed.get(currency) ?? 0n, charged: charged.get(currency) ?? 0n }))
    .filter((line) => line.agreed !== line.charged)
    .map((line) => ({ ...line, effect: line.agreed - line.charged }));
}
