import type { Explanation } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import { compareText } from '../base/text.ts';
import type { PriceFigure } from '../money/fields.ts';
import type { Units } from '../money/units.ts';
import { pricesError } from '../words/errors/prices.ts';
import { plainText } from './formats/text-forms.ts';

/** A line of the rate card. Null covers every value; as a figure (`percent`, `min`) it says that the price has none. */
export interface TariffLine extends Readonly<Record<PriceFigure, Units | null>> {
  /** Its place, for messages: `tariff.csv:12`. */
  readonly place: string;
  /** The courier whose price it is; null for every courier that no line names. */
  readonly courier: string | null;
  readonly workflow: string | null;
  readonly district: string | null;
  /** An area's name, code or id. */
  readonly area: string | null;
  /** A pickup location's name or id. */
  readonly merchantLocation: string | null;
  /** The first and the last day on which it holds, `2026-01-01`; null is open. */
  readonly from: string | null;
  readonly to: string | null;
  /** The kind of charge that it prices. */
  readonly charge: string;
  readonly currency: string;
  /** For the order, however many packages it has. */
  readonly fee: Units;
}

/** The order whose price is looked up in the rate card. */
export interface TariffSubject {
  readonly workflow: string | null;
  readonly district: string | null;
  /** The area's id, code and names. */
  readonly areas: readonly string[];
  /** The pickup location's id and name. */
  readonly merchantLocations: readonly string[];
  /** The day whose prices count: the order's first delivery, else the invoice's date. */
  readonly day: string;
  /** At least 1. */
  readonly packages: number;
  /** What it collects, by currency. */
  readonly cod: ReadonlyMap<string, Units>;
  /** Null if nobody weighed it. */
  readonly weight: Units | null;
}

/** Facts that decide the price of an order and may be unknown. */
export type TariffUnknown = 'district' | 'area' | 'merchantLocation' | 'packages';

/** From the most to the least specific: a line that names an area wins over all that do not, and so on. */
const FIELDS = ['area', 'district', 'merchantLocation', 'workflow'] as const;

/** The values of a line's fields, empty for null: lines of one scope cover the same orders. */
function scopeOf(line: TariffLine): string {
  return FIELDS.map((field) => part(line[field])).join('\n');
}

/** The fields that a line names, as a binary number: the greater, the more specific (`area` alone is 1000). */
function shapeOf(line: TariffLine): number {
  return FIELDS.reduce((shape, field) => shape * 2 + (part(line[field]) === '' ? 0 : 1), 0);
}

/**
 * The scopes that cover an order, in a group for each shape, the most specific first. A group has every combination of
 * the order's values of the fields that the shape names. For the shape 0101 (district and workflow) an order in Beirut
 * has the scope `\nbeirut\n\nstandard`.
 *
 * @param shapes those of the rate card's lines, the most specific first: no line can have another scope
 */
function* scopesCovering(subject: TariffSubject, shapes: readonly number[]): Generator<readonly string[]> {
  const values = valuesOf(subject);
  for (const shape of shapes) {
    const choices = values.map((ofField, at) => (shape & (1 << (FIELDS.length - 1 - at)) ? ofField : ANY));
    // The order has no value in a field that the shape names.
    if (choices.some((choice) => choice.length === 0)) continue;
    const [first = [], ...others] = choices;
    yield others.reduce(
      (scopes, choice) => scopes.flatMap((scope) => choice.map((value) => `${scope}\n${value}`)),
      first,
    );
  }
}

/** A line might cover an order: the order has its value in each field that it names and that is not unknown. */
function mayCover(line: TariffLine, subject: TariffSubject, unknown: ReadonlySet<string>): boolean {
  const values = valuesOf(subject);
  return FIELDS.every((field, at) => {
    const value = part(line[field]);
    return value === '' || unknown.has(field) || values[at]!.includes(value);
  });
}

/** An order's values of each of {@link FIELDS}. */
function valuesOf(subject: TariffSubject): readonly (readonly string[])[] {
  return [subject.areas, [subject.district], subject.merchantLocations, [subject.workflow]].map(unique);
}

/** The value of a field that a line leaves open. */
const ANY: readonly string[] = [''];

/** A field's part of a scope; empty covers every value. */
function part(value: string | null): string {
  return value === null ? '' : plainText(value);
}

function unique(values: readonly (string | null)[]): string[] {
  return [...new Set(values.map(part))].filter((value) => value !== '');
}

export interface TariffFault {
  /** One line, or the two that tie. */
  readonly lines: readonly [TariffLine] | readonly [TariffLine, TariffLine];
  readonly explanation: Explanation;
}

/**
 * What is wrong with a rate card: lines that end before they begin, and lines that tie. Two lines tie if they cover the
 * same orders in one currency on a common day, so that neither wins. Lines of one scope in several currencies do not
 * tie: together they are the price.
 */
export function tariffFaults(lines: readonly TariffLine[]): TariffFault[] {
  const reversed = lines.filter(({ from, to }) => from !== null && to !== null && from > to);
  const forward = lines.filter((line) => !reversed.includes(line));
  const comparable = groupBy(forward, (line) => `${line.courier}\n${scopeOf(line)}\n${line.currency}\n${line.charge}`);
  return [
    ...reversed.map((line): TariffFault => {
      const { place, from, to } = line;
      return { lines: [line], explanation: pricesError({ id: 'price-ends-before', place, from: from!, to: to! }) };
    }),
    ...[...comparable.values()].flatMap(tiesOf),
  ];
}

/** The ties of one scope: two lines tie on a common day, unless no COD or no weight is in the slabs of both. */
function tiesOf(lines: readonly TariffLine[]): TariffFault[] {
  const slabs = [...groupBy(lines, slabOf).values()];
  const across = slabs.flatMap((first, at) =>
    slabs.slice(at + 1).flatMap((second) => (isApart(first[0]!, second[0]!) ? [] : tiesOfDays([...first, ...second]))),
  );
  return [...slabs.flatMap(tiesOfDays), ...across];
}

/** The ranges of COD and of weight for which a line holds. */
function slabOf({ cod_from, cod_to, weight_from, weight_to }: TariffLine): string {
  return `${cod_from} ${cod_to} ${weight_from} ${weight_to}`;
}

/** No COD, or no weight, is in the slabs of both. */
function isApart(a: TariffLine, b: TariffLine): boolean {
  const isBelow = (low: TariffLine, high: TariffLine) =>
    endsBy(low.cod_to, high.cod_from) || endsBy(low.weight_to, high.weight_from);
  return isBelow(a, b) || isBelow(b, a);
}

/** One slab ends where the next begins, or before; an open end is null. */
function endsBy(to: Units | null, from: Units | null): boolean {
  return to !== null && from !== null && to <= from;
}

/** The lines that hold on a day of an earlier one: each ties with the one before it that holds longest. */
function tiesOfDays(lines: readonly TariffLine[]): TariffFault[] {
  const sorted = [...lines].sort((a, b) => compareText(a.from ?? '', b.from ?? ''));
  const ties: TariffFault[] = [];
  let longest: TariffLine | undefined;
  for (const line of sorted) {
    if (longest && (longest.to === null || longest.to >= (line.from ?? ''))) {
      const { place: second, currency, from } = line;
      const explanation = pricesError({ id: 'prices-tie', first: longest.place, second, currency, from });
      ties.push({ lines: [longest, line], explanation });
    }
    if (!longest || (longest.to !== null && (line.to === null || line.to > longest.to))) longest = line;
  }
  return ties;
}

/** The price that the rate card has for an order. */
export type AgreedFee =
  | {
      readonly kind: 'agreed';
      /** By currency; a currency that is absent is agreed as nothing, see {@link feeDifferences}. */
      readonly fees: ReadonlyMap<string, Units>;
      readonly lines: readonly TariffLine[];
    }
  /** No line covers the order: the check `fee-no-tariff`. */
  | { readonly kind: 'none' }
  /** Two lines that only this order shows to be about one area (its name and its code): neither wins. */
  | { readonly kind: 'tie'; readonly lines: readonly TariffLine[] };

/** A rate card, made for many look-ups, of lines in which {@link tariffFaults} finds nothing. */
export class RateCard {
  readonly #lines: readonly TariffLine[];
  readonly #byScope: ReadonlyMap<string, readonly TariffLine[]>;
  readonly #shapes: readonly number[];
  /** The lines that cover a kind of order on some day, see {@link #covering}. */
  readonly #byKind = new Map<string, readonly (readonly TariffLine[])[]>();

  /** Some price goes by the COD or the weight. */
  readonly goesByAmounts: boolean;

  constructor(lines: readonly TariffLine[]) {
    this.goesByAmounts = lines.some((line) => BY_AMOUNT.some((figure) => line[figure] !== null));
    this.#lines = lines;
    this.#byScope = groupBy(lines, scopeOf);
    this.#shapes = [...new Set([...this.#byScope.values()].map(([line]) => shapeOf(line!)))].sort((a, b) => b - a);
  }

  /**
   * The price of the most specific lines that hold on the day: area, then district, then pickup location, then
   * workflow.
   */
  agreed(subject: TariffSubject): AgreedFee {
    for (const covering of this.#covering(subject)) {
      const lines = covering.filter((line) => holds(line, subject));
      // A price by weight cannot be told without one, and a less specific price must not replace it.
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

  /** The most specific lines first, in groups that are equally specific; cached, since many orders are alike. */
  #covering(subject: TariffSubject): readonly (readonly TariffLine[])[] {
    const { workflow, district, areas, merchantLocations } = subject;
    const kind = JSON.stringify([workflow, district, areas, merchantLocations]);
    const cached = this.#byKind.get(kind);
    if (cached) return cached;
    const groups = [...scopesCovering(subject, this.#shapes)]
      .map((scopes) => scopes.flatMap((scope) => this.#byScope.get(scope) ?? []))
      .filter((lines) => lines.length > 0);
    this.#byKind.set(kind, groups);
    return groups;
  }

  /**
   * The price of an order that is known in part, if the unknown cannot change it. Null if it can: a line that goes by
   * what is unknown might win, or the price goes by packages that nobody counted.
   */
  agreedWithout(subject: TariffSubject, unknown: ReadonlySet<TariffUnknown>): AgreedFee | null {
    const price = this.agreed(subject);
    const winners = price.kind === 'none' ? [] : price.lines;
    if (unknown.has('packages') && winners.some(({ per_package }) => (per_package ?? 0n) !== 0n)) return null;
    // Without a winner (-1) any line might win. A line of the winner's shape names only what is known: it was compared.
    const winningShape = winners.length === 0 ? -1 : shapeOf(winners[0]!);
    const mightWin = this.#lines.some(
      (line) => shapeOf(line) > winningShape && holds(line, subject) && mayCover(line, subject, unknown),
    );
    return mightWin ? null : price;
  }
}

/** The rate cards by kind of charge. @param lines those that hold for one courier */
export function rateCards(lines: readonly TariffLine[]): ReadonlyMap<string, RateCard> {
  return new Map([...groupBy(lines, ({ charge }) => charge)].map(([charge, priced]) => [charge, new RateCard(priced)]));
}

/** A line holds on the day, and for the COD and weight, of an order. An unknown weight is in every slab. */
function holds(line: TariffLine, { day, cod, weight }: TariffSubject): boolean {
  return (
    (line.from === null || line.from <= day) &&
    (line.to === null || day <= line.to) &&
    isWithin(cod.get(line.currency) ?? 0n, line.cod_from, line.cod_to) &&
    (weight === null || isWithin(weight, line.weight_from, line.weight_to))
  );
}

/** A slab includes its `from`, not its `to`. */
function isWithin(figure: Units, from: Units | null, to: Units | null): boolean {
  return (from === null || from <= figure) && (to === null || figure < to);
}

/** The figures by which a price depends on the COD or the weight. */
const BY_AMOUNT = ['percent', 'cod_from', 'cod_to', 'weight_from', 'weight_to'] as const;

function goesByWeight({ weight_from, weight_to }: TariffLine): boolean {
  return weight_from !== null || weight_to !== null;
}

/** The whole charge: the fee, that of the packages, and the share of the COD. */
function feeOf(line: TariffLine, { packages, cod }: TariffSubject): Units {
  const share = line.percent === null ? 0n : shareOf(cod.get(line.currency) ?? 0n, line.percent, line);
  return line.fee + (line.per_package ?? 0n) * BigInt(packages) + share;
}

/**
 * What units (1/10,000) times units of percent (1/1,000,000) are divided by to become hundredths of the currency: 2% of
 * 50.00 are 500,000 × 20,000 / 10^8 = 100 hundredths.
 */
const IN_CENTS = (10_000n * 1_000_000n) / 100n;

/** A share of the COD, rounded half up to 0.01; nothing where nothing is collected in the currency. */
function shareOf(cod: Units, percent: Units, { min, max }: Pick<TariffLine, 'min' | 'max'>): Units {
  if (cod <= 0n) return 0n;
  const share = ((cod * percent + IN_CENTS / 2n) / IN_CENTS) * 100n;
  if (min !== null && share < min) return min;
  return max !== null && share > max ? max : share;
}

/** The `effect` on what is due to you is negative where more was charged than agreed. */
export type FeeDifference = ReturnType<typeof feeDifferences>[number];

/** The currencies in which a fee differs from the agreed one; a currency that one of them lacks is zero there. */
export function feeDifferences(charged: ReadonlyMap<string, Units>, agreed: ReadonlyMap<string, Units>) {
  return [...new Set([...charged.keys(), ...agreed.keys()])]
    .sort()
    .map((currency) => ({ currency, agreed: agreed.get(currency) ?? 0n, charged: charged.get(currency) ?? 0n }))
    .filter((line) => line.agreed !== line.charged)
    .map((line) => ({ ...line, effect: line.agreed - line.charged }));
}
