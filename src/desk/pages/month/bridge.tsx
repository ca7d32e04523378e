import type { VNode } from 'preact';
import { amountText } from '../../../render/figures.ts';
import { Figure, Table } from '../../../render/html/table.tsx';
import { stepInWords } from '../../../render/statement/step.ts';
import type { DeskContext } from '../../context.ts';
import type { MonthModel } from '../../models.ts';
import { wordsOf } from '../parts/words.ts';

type Bridge = MonthModel['bridge'][number];
type Step = Bridge['steps'][number];

interface BridgeProps {
  readonly model: MonthModel;
  readonly desk: DeskContext;
}

/** From the courier's figure to ours, line by line, in each currency. */
export function Bridges({ model, desk }: BridgeProps): VNode {
  const { word } = wordsOf(desk);
  return (
    <section>
      <h2>{word('bridge')}</h2>
      {model.standing?.closed && <p class="hint">{word('closed-and-today')}</p>}
      {model.bridge.length === 0 && <p>{word('nothing')}</p>}
      <div class="bridges">
        {model.bridge.map((bridge) => (
          <OneBridge bridge={bridge} desk={desk} />
        ))}
      </div>
    </section>
  );
}

function OneBridge({ bridge, desk }: { readonly bridge: Bridge; readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
  const { period, currency, courier, ours, steps, unexplained, outside, short } = bridge;
  const heads = [
    { title: currency },
    { title: word('found'), class: 'figure' },
    { title: word('effect'), class: 'figure' },
  ];
  const line = (label: string, amount: string | null, look: string) => (
    <tr class={look}>
      <th scope="row" colSpan={2}>
        {label}
      </th>
      {amount === null ? <td class="figure">{word('no-own-record')}</td> : <Figure of={amountText(amount)} />}
    </tr>
  );
  const step = (each: Step) => <StepLine step={each} period={period} currency={currency} desk={desk} />;
  return (
    <div>
      <Table class="bridge" caption={`${word('bridge')} · ${currency}`} heads={heads}>
        {line(word('courier-figure'), courier, 'sum')}
        {steps.map(step)}
        {line(word('own-figure'), ours, 'sum')}
        {line(
          word('unexplained'),
          unexplained,
          unexplained !== null && /[1-9]/.test(unexplained) ? 'total bad' : 'total',
        )}
      </Table>
      <Table class="bridge" caption={`${word('outside')} · ${currency}`} heads={heads}>
        {outside.map(step)}
        {line(word('short-or-ahead'), short, 'total')}
      </Table>
    </div>
  );
}

function StepLine(props: {
  readonly step: Step;
  readonly period: string;
  readonly currency: string;
  readonly desk: DeskContext;
}): VNode {
  const { step, period, currency, desk } = props;
  const { language } = wordsOf(desk);
  return (
    <tr>
      <th scope="row">
        <a href={`/mismatches?month=${period}&code=${step.code}&currency=${currency}`}>
          {stepInWords(step.code, language)}
        </a>
      </th>
      <td class="figure">{step.count}</td>
      <Figure of={amountText(step.effect)} />
    </tr>
  );
}
