import type { VNode } from 'preact';
import { ExactDecimal, formatGrouped } from '../../../money/decimal.ts';
import { Figure, HtmlTable, RowHead } from '../table.tsx';

/** The colour of a bar: `due` for what is owed, `done` for what is settled, `bad` for a loss, `good` for a gain. */
export type Tone = 'due' | 'done' | 'bad' | 'good';

/** A line of a chart: its name, its bar, its figure, and a remark. */
export interface BarLine {
  readonly label: string;
  /** Null if the line has none; its label then takes the bar's place too. */
  readonly bar: VNode | null;
  readonly figure: string;
  readonly aside?: string;
  readonly look?: 'sum';
  /** What the figure is made of. */
  readonly address?: string;
}

const WIDTH = 100;
const HEIGHT = 10;
/** The least length of a bar, so that even the smallest amount is visible; half of it for a bar from the middle. */
const SHORTEST = 0.6;
const ONE = new ExactDecimal(1);

/** A bar from the left, whose length is the amount's share of the largest, whatever its sign. */
export function barOf(amount: ExactDecimal, largest: ExactDecimal, tone: Tone): VNode {
  return <Bar from={0} length={lengthOf(amount, largest)} tone={tone} />;
}

export function barLine(label: string, amount: ExactDecimal, largest: ExactDecimal, tone: Tone): BarLine {
  return { label, bar: barOf(amount, largest, tone), figure: formatGrouped(amount) };
}

/** A bar from the middle: to the left what you are short, to the right what you are ahead. */
export function barBothWays(amount: ExactDecimal, largest: ExactDecimal): VNode {
  const half = lengthOf(amount, largest) / 2;
  const middle = WIDTH / 2;
  const isShort = amount.isNegative();
  return <Bar from={isShort ? middle - half : middle} length={half} tone={isShort ? 'bad' : 'good'} middle={middle} />;
}

/** The largest of some amounts without their signs; 1 if all are zero, so that nothing is divided by zero. */
export function largestSize(amounts: readonly ExactDecimal[]): ExactDecimal {
  const largest = ExactDecimal.max(0, ...amounts.map((amount) => amount.abs()));
  return largest.isZero() ? ONE : largest;
}

/** A bar chart as a table, so that it can be read without its bars too. */
export function BarTable({ caption, lines }: { readonly caption: string; readonly lines: readonly BarLine[] }): VNode {
  return (
    <HtmlTable class="bars" caption={caption}>
      {lines.map(({ label, bar, figure, aside, look, address }) => (
        <tr class={look}>
          <RowHead span={bar ? undefined : 2}>{label}</RowHead>
          {bar && <td class="bar">{bar}</td>}
          <Figure of={figure} address={address} />
          <td class="aside">{aside}</td>
        </tr>
      ))}
    </HtmlTable>
  );
}

/** A bar's length. It is only drawn, so rounding does no harm. */
function lengthOf(amount: ExactDecimal, largest: ExactDecimal): number {
  if (amount.isZero()) return 0;
  return Math.max(SHORTEST, Number(amount.abs().div(largest).times(WIDTH).toFixed(2)));
}

interface BarProps {
  readonly from: number;
  readonly length: number;
  readonly tone: Tone;
  readonly middle?: number;
}

function Bar({ from, length, tone, middle }: BarProps): VNode {
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width={WIDTH} height={HEIGHT} />
      {length > 0 && <rect class={tone} x={from} width={length} height={HEIGHT} />}
      {middle !== undefined && <path class="middle" d={`M${middle} 0V${HEIGHT}`} />}
    </svg>
  );
}
