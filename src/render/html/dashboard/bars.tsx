import type { VNode } from 'preact';
import type { ExactDecimal } from '../../../money/decimal.ts';
import { Figure, RowHead, Table } from '../table.tsx';

/** What a bar shows: `due` what is owed, `done` what is settled, `bad` your loss, `good` your gain. */
export type Tone = 'due' | 'done' | 'bad' | 'good';

/** A line of a chart: its name, its bar, its figure, and a remark. */
export interface BarLine {
  readonly label: string;
  /** Null where the line has none; its name then takes the bar's place. */
  readonly bar: VNode | null;
  readonly figure: string;
  readonly aside?: string;
  readonly look?: 'sum';
  /** What the figure is made of. */
  readonly address?: string;
}

const WIDTH = 100;
const HEIGHT = 10;
/** Even the smallest amount is visible. */
const LEAST = 0.6;

/** A bar from the left, whose length is the amount's share of `most`. */
export function barOf(amount: ExactDecimal, most: ExactDecimal, tone: Tone): VNode {
  return <Bar from={0} length={share(amount, most)} tone={tone} />;
}

/** A bar from the middle: to the left what you are short, to the right what you are ahead. */
export function barBothWays(amount: ExactDecimal, most: ExactDecimal): VNode {
  const half = share(amount, most) / 2;
  const middle = WIDTH / 2;
  const isShort = amount.isNegative();
  return <Bar from={isShort ? middle - half : middle} length={half} tone={isShort ? 'bad' : 'good'} middle={middle} />;
}

/** The largest of some amounts, whatever their signs; one where there is none, so that nothing is divided by zero. */
export function mostOf(amounts: readonly ExactDecimal[], one: ExactDecimal): ExactDecimal {
  const most = amounts.reduce((top, amount) => (amount.abs().greaterThan(top) ? amount.abs() : top), one.times(0));
  return most.isZero() ? one : most;
}

/** A chart as a table, so that it is read without its bars too. */
export function BarTable({ caption, lines }: { readonly caption: string; readonly lines: readonly BarLine[] }): VNode {
  return (
    <Table class="bars" caption={caption}>
      {lines.map(({ label, bar, figure, aside, look, address }) => (
        <tr class={look}>
          <RowHead span={bar ? undefined : 2}>{label}</RowHead>
          {bar && <td class="bar">{bar}</td>}
          <Figure of={figure} address={address} />
          <td class="aside">{aside}</td>
        </tr>
      ))}
    </Table>
  );
}

/** A bar's length. It is only drawn, so rounding does no harm. */
function share(amount: ExactDecimal, most: ExactDecimal): number {
  if (amount.isZero()) return 0;
  return Math.max(LEAST, Number(amount.abs().div(most).times(WIDTH).toFixed(2)));
}

function Bar(props: {
  readonly from: number;
  readonly length: number;
  readonly tone: Tone;
  readonly middle?: number;
}): VNode {
  const { from, length, tone, middle } = props;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width={WIDTH} height={HEIGHT} />
      {length > 0 && <rect class={tone} x={from} width={length} height={HEIGHT} />}
      {middle !== undefined && <path class="middle" d={`M${middle} 0V${HEIGHT}`} />}
    </svg>
  );
}
