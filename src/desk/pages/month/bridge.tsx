import type { VNode } from 'preact';
import { bridgeLines, type PageLine, shortLines } from '../../../../reports/statement/bridge.ts';
import { proofOf } from '../../../../reports/statement/proof.ts';
import { formatGrouped } from '../../../money/index.ts';
import { Figure, Table } from '../../../render/html/table.tsx';
import { lineInWords } from '../../../render/statement/step.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import type { MonthModel } from '../../models.ts';
import { wordsOf } from '../parts/words.ts';

type Bridge = MonthModel['bridge'][number];

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
  const { courier_name: whose, currency } = bridge;
  const proof = proofOf(bridge);
  const [courier, ours, , ...lines] = bridgeLines([proof], null);
  const steps = lines.filter(({ figure }) => figure !== 'explained' && figure !== 'unexplained');
  const unexplained = lines.at(-1)!;
  const name = whose === undefined ? currency : `${whose} · ${currency}`;
  const heads = [
    { title: name },
    { title: word('found'), class: 'figure' },
    { title: word('effect'), class: 'figure' },
  ];
  const row = (line: PageLine) => <BridgeRow line={line} bridge={bridge} desk={desk} />;
  return (
    <div>
      <Table class="bridge" caption={`${word('bridge')} · ${name}`} heads={heads}>
        {[courier!, ...steps, ours!, unexplained].map(row)}
      </Table>
      <Table class="bridge" caption={`${word('short-or-ahead')} · ${name}`} heads={heads}>
        {shortLines([proof], { isWhole: true }).map(row)}
      </Table>
    </div>
  );
}

/** The words of the desk for figures that the statement names at more length. */
const FIGURES: Readonly<Record<string, DeskWord>> = {
  courier: 'courier-figure',
  ours: 'own-figure',
  short: 'short-or-ahead',
};

/** A figure, or the findings of a step with the way to them. */
function BridgeRow(props: { readonly line: PageLine; readonly bridge: Bridge; readonly desk: DeskContext }): VNode {
  const { line, bridge, desk } = props;
  const { language, word } = wordsOf(desk);
  const { period, currency } = bridge;
  const { figure, count } = line;
  const amount = line.amounts.get(currency) ?? null;
  if (count !== null) {
    return (
      <tr>
        <th scope="row">
          <a href={`/mismatches?month=${period}&code=${figure}&currency=${currency}`}>{lineInWords(line, language)}</a>
        </th>
        <td class="figure">{count}</td>
        <Figure of={amount && formatGrouped(amount)} />
      </tr>
    );
  }
  const isTotal = figure === 'unexplained' || figure === 'short';
  const isBad = figure === 'unexplained' && amount !== null && !amount.isZero();
  return (
    <tr class={isBad ? 'total bad' : isTotal ? 'total' : 'sum'}>
      <th scope="row" colSpan={2}>
        {FIGURES[figure] ? word(FIGURES[figure]) : lineInWords(line, language)}
      </th>
      {amount === null ? <td class="figure">{word('no-own-record')}</td> : <Figure of={formatGrouped(amount)} />}
    </tr>
  );
}
