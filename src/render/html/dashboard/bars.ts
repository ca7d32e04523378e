import type { ExactDecimal } from '../../../money/index.ts';
import { escaped } from '../escape.ts';

/** What a bar shows: `due` what is owed, `done` what is settled, `bad` what is to the merchant's loss, `good` to its gain. */
export type Tone = 'due' | 'done' | 'bad' | 'good';

/** A line of a chart: its name, its bar, its figure, and a remark. All of it is text from anywhere. */
export interface BarLine {
  readonly label: string;
  /** Empty where the line has none: then its name takes the room. */
  readonly bar: string;
  readonly figure: string;
  readonly aside?: string;
  readonly look?: 'sum';
}

const WIDTH = 100;
const HEIGHT = 10;
/** What is there is seen, however small. */
const LEAST = 0.6;

/** A bar from the left, as long as its amount is of the most. */
export function barOf(amount: ExactDecimal, most: ExactDecimal, tone: Tone): string {
  return drawn([[0, share(amount, most), tone]]);
}

/** A bar from the middle: to the left what the merchant is short, to the right what it is ahead. */
export function barBothWays(amount: ExactDecimal, most: ExactDecimal): string {
  const half = share(amount, most) / 2;
  const middle = WIDTH / 2;
  const line = `<path class="middle" d="M${middle} 0V${HEIGHT}"/>`;
  return drawn([amount.isNegative() ? [middle - half, half, 'bad'] : [middle, half, 'good']], line);
}

/** The largest of some amounts, whatever their signs; one where there is none, so that nothing is divided by zero. */
export function mostOf(amounts: readonly ExactDecimal[], one: ExactDecimal): ExactDecimal {
  const most = amounts.reduce((top, amount) => (amount.abs().greaterThan(top) ? amount.abs() : top), one.times(0));
  return most.isZero() ? one : most;
}

/** A chart as a table, so that it is read without its bars too. */
export function barTable(caption: string, lines: readonly BarLine[]): string {
  const rows = lines.map(({ label, bar, figure, aside, look }) => {
    const name = `<th scope="row"${bar === '' ? ' colspan="2"' : ''} dir="auto">${escaped(label)}</th>`;
    const cell = bar === '' ? '' : `<td class="bar">${bar}</td>`;
    const negative = figure.startsWith('-') ? ' negative' : '';
    return `<tr${look ? ` class="${look}"` : ''}>${name}${cell}<td class="figure${negative}">${escaped(figure)}</td><td class="aside">${escaped(aside ?? '')}</td></tr>\n`;
  });
  return `<table class="bars"><caption>${escaped(caption)}</caption>\n<tbody>\n${rows.join('')}</tbody></table>\n`;
}

/** How long a bar is: for the eye alone, so that rounding does no harm. */
function share(amount: ExactDecimal, most: ExactDecimal): number {
  if (amount.isZero()) return 0;
  return Math.max(LEAST, Number(amount.abs().div(most).times(WIDTH).toFixed(2)));
}

function drawn(bars: readonly (readonly [from: number, length: number, tone: Tone])[], over = ''): string {
  const rects = bars
    .filter(([, length]) => length > 0)
    .map(([from, length, tone]) => `<rect class="${tone}" x="${from}" width="${length}" height="${HEIGHT}"/>`);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="${WIDTH}" height="${HEIGHT}"/>${rects.join('')}${over}</svg>`;
}
