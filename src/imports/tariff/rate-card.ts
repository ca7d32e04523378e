import { groupBy } from '../../base/group.ts';
import type { Units } from '../../money/index.ts';
import type { TariffLine, TariffSubject, TariffUnknown } from './model.ts';
import { mayCover, scopeOf, scopesCovering, shapeOf } from './scope.ts';

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

  constructor(lines: readonly TariffLine[]) {
    this.#lines = lines;
    this.#byScope = groupBy(lines, scopeOf);
    this.#shapes = [...new Set([...this.#byScope.values()].map(([line]) => shapeOf(line!)))].sort((a, b) => b - a);
  }

  /** The price of the most specific lines that hold on the day: area, then district, then pickup location, then workflow. */
  agreed(subject: TariffSubject): AgreedFee {
    for (const covering of this.#covering(subject)) {
      const lines = covering.filter((line) => holds(line, subject.day));
      if (lines.length === 0) continue;
      const byCurrency = groupBy(lines, ({ currency }) => currency);
      const tie = [...byCurrency.values()].find((same) => same.length > 1);
      if (tie) return { kind: 'tie', lines: tie };
      const fees = new Map(lines.map((line) => [line.currency, feeOf(line, subject.packages)]));
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
    if (unknown.has('packages') && won.some(({ perPackage }) => (perPackage ?? 0n) !== 0n)) return null;
    const least = won.length === 0 ? -1 : shapeOf(won[0]!);
    const mightWin = this.#lines.some(
      (line) => shapeOf(line) > least && holds(line, subject.day) && mayCover(line, subject, unknown),
    );
    return mightWin ? null : price;
  }
}

function holds({ from, to }: TariffLine, day: string): boolean {
  return (from === null || from <= day) && (to === null || day <= to);
}

function feeOf({ fee, perPackage }: TariffLine, packages: number): Units {
  return fee + (perPackage ?? 0n) * BigInt(packages);
}

/** One currency in which a fee is not the agreed one. */
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
