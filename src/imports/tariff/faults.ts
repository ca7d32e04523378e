import type { Explanation } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { compareText } from '../../base/text.ts';
import { because } from '../../words/errors/prices.ts';
import { scopeOf, type TariffLine } from './model.ts';

/** Why a rate card cannot be imported. */
export interface TariffFault {
  /** One line, or the two that tie. */
  readonly lines: readonly [TariffLine] | readonly [TariffLine, TariffLine];
  /** What is wrong, and at which places. */
  readonly explanation: Explanation;
}

/**
 * What is wrong with a rate card: lines that end before they begin, and lines that tie, which cover the same orders in
 * one currency on a common day, so that neither wins. Lines of one scope in several currencies do not tie: together
 * they are the price.
 */
export function tariffFaults(lines: readonly TariffLine[]): TariffFault[] {
  const reversed = lines.filter(({ from, to }) => from !== null && to !== null && from > to);
  const forward = lines.filter((line) => !reversed.includes(line));
  return [
    ...reversed.map((line): TariffFault => {
      return {
        lines: [line],
        explanation: because({ id: 'price-ends-before', place: line.place, from: line.from!, to: line.to! }),
      };
    }),
    ...[
      ...groupBy(forward, (line) => `${line.courier}\n${scopeOf(line)}\n${line.currency}\n${line.charge}`).values(),
    ].flatMap(tiesOf),
  ];
}

/** Two lines of one scope tie on a common day, unless no COD or no weight is in the slabs of both. */
function tiesOf(lines: readonly TariffLine[]): TariffFault[] {
  const slabs = [...groupBy(lines, slabOf).values()];
  const across = slabs.flatMap((own, at) =>
    slabs.slice(at + 1).flatMap((other) => (isApart(own[0]!, other[0]!) ? [] : tiesOfDays([...own, ...other]))),
  );
  return slabs.length === 1 ? tiesOfDays(lines) : [...slabs.flatMap(tiesOfDays), ...across];
}

function slabOf({ cod_from, cod_to, weight_from, weight_to }: TariffLine): string {
  return `${cod_from} ${cod_to} ${weight_from} ${weight_to}`;
}

function isApart(one: TariffLine, other: TariffLine): boolean {
  const areApart = (from: 'cod_from' | 'weight_from', to: 'cod_to' | 'weight_to') =>
    [
      [one, other],
      [other, one],
    ].some(([low, high]) => low![to] !== null && high![from] !== null && low![to] <= high![from]);
  return areApart('cod_from', 'cod_to') || areApart('weight_from', 'weight_to');
}

function tiesOfDays(lines: readonly TariffLine[]): TariffFault[] {
  const sorted = [...lines].sort((a, b) => compareText(a.from ?? '', b.from ?? ''));
  const ties: TariffFault[] = [];
  let longest: TariffLine | undefined;
  for (const line of sorted) {
    if (longest && (longest.to === null || longest.to >= (line.from ?? ''))) {
      ties.push({
        lines: [longest, line],
        explanation: because({
          id: 'prices-tie',
          first: longest.place,
          second: line.place,
          currency: line.currency,
          from: line.from,
        }),
      });
    }
    if (!longest || (longest.to !== null && (line.to === null || line.to > longest.to))) longest = line;
  }
  return ties;
}
