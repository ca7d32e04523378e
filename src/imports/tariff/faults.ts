import { groupBy } from '../../base/group.ts';
import { compareText } from '../../base/text.ts';
import type { TariffLine } from './model.ts';
import { scopeOf } from './scope.ts';

/** Why a rate card cannot be imported. */
export interface TariffFault {
  /** One line, or the two that tie. */
  readonly lines: readonly [TariffLine] | readonly [TariffLine, TariffLine];
  /** What is wrong, as a sentence that names the places. */
  readonly message: string;
}

/**
 * What is wrong with a rate card: lines that end before they begin, and lines that tie, which cover the same orders in
 * one currency on a common day, so that neither wins. Lines of one scope in several currencies do not tie: together
 * they are the price.
 */
export function tariffFaults(lines: readonly TariffLine[]): TariffFault[] {
  const reversed = lines.filter(({ from, to }) => from !== null && to !== null && from > to);
  const rest = lines.filter((line) => !reversed.includes(line));
  return [
    ...reversed.map((line): TariffFault => {
      return {
        lines: [line],
        message: `${line.place}: it holds from ${line.from} to ${line.to}, which is no time at all`,
      };
    }),
    ...[...groupBy(rest, (line) => `${line.courier}\n${scopeOf(line)}\n${line.currency}`).values()].flatMap(tiesOf),
  ];
}

function tiesOf(lines: readonly TariffLine[]): TariffFault[] {
  const sorted = [...lines].sort((a, b) => compareText(a.from ?? '', b.from ?? ''));
  const ties: TariffFault[] = [];
  let longest: TariffLine | undefined;
  for (const line of sorted) {
    if (longest && (longest.to === null || longest.to >= (line.from ?? ''))) {
      const day = line.from ?? 'the first day';
      ties.push({
        lines: [longest, line],
        message: `${longest.place} and ${line.place} cover the same orders in ${line.currency} from ${day} on: neither is more specific`,
      });
    }
    if (!longest || (longest.to !== null && (line.to === null || line.to > longest.to))) longest = line;
  }
  return ties;
}
