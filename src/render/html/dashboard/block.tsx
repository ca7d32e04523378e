import type { VNode } from 'preact';
import { BALANCE_FLOWS, type BalanceFlow } from '../../../../reports/balance.ts';
import type { CurrencyBlock, Part } from '../../../../reports/dashboard/model.ts';
import type { CurrencyProof } from '../../../../reports/statement/proof.ts';
import { counted } from '../../../base/counted.ts';
import { ExactDecimal, formatGrouped } from '../../../money/index.ts';
import { stepInWords } from '../../statement/step.ts';
import { type BarLine, BarTable, barBothWays, barOf, mostOf, type Tone } from './bars.tsx';

const ONE = new ExactDecimal(1);

/** A month in one currency: its figures and charts. */
export function Block({ block }: { readonly block: CurrencyBlock }): VNode {
  const { currency } = block;
  return (
    <section class="block" aria-labelledby={`in-${currency}`}>
      <h2 id={`in-${currency}`}>{currency}</h2>
      <div class="panels">
        {balanceTable(block)}
        {dueTable(block)}
        {block.proof && bridgeTable(block.proof)}
        {block.proof && block.proof.outside.length > 0 && outsideTable(block.proof)}
        {partTable('Open at the month’s end, by age', block.ageing, 'due')}
        {block.fees.length > 0 && partTable('Delivery fees, by district', block.fees, 'done')}
        {monthTable(block)}
        {otherTable(block)}
      </div>
    </section>
  );
}

const FLOWS: Readonly<Record<BalanceFlow, string>> = {
  invoiced: 'Invoiced in the month',
  restated: 'Restated, vanished, back',
  received: 'Received in the month',
  marked_paid: 'Marked paid by the courier, unseen',
  differences: 'Agreed differences',
};

/** From the month's opening balance to its closing one: each line is added to the one before. */
function balanceTable({ balance }: CurrencyBlock): VNode {
  const { opening, closing, receivedSince, openToday } = balance;
  const most = mostOf([opening, closing, ...BALANCE_FLOWS.map((flow) => balance[flow])], ONE);
  const line = (label: string, amount: ExactDecimal, tone: Tone): BarLine => ({
    label,
    bar: barOf(amount, most, tone),
    figure: formatGrouped(amount),
  });
  const flows = BALANCE_FLOWS.filter((flow) => flow === 'invoiced' || flow === 'received' || !balance[flow].isZero());
  return (
    <BarTable
      caption="The balance: what the courier owes you"
      lines={[
        { ...line('Opening balance', opening, 'due'), look: 'sum' },
        ...flows.map((flow) => line(FLOWS[flow], balance[flow], 'done')),
        { ...line('Closing balance', closing, 'due'), look: 'sum' },
        line('Received of it since', receivedSince, 'good'),
        line('Open of it today', openToday, 'due'),
      ]}
    />
  );
}

function dueTable(block: CurrencyBlock): VNode {
  const { cod, deliveryFee, net, received, paidOnWord, differences, outstanding } = block;
  const most = mostOf([cod, deliveryFee, net], ONE);
  const whole = mostOf([net], ONE);
  const ofNet = (label: string, amount: ExactDecimal, tone: Tone): BarLine => ({
    label,
    bar: barOf(amount, whole, tone),
    figure: formatGrouped(amount),
    aside: percent(amount, net, 'of the net'),
  });
  return (
    <BarTable
      caption="What the month’s invoices state, and what came of it"
      lines={[
        { label: 'COD collected', bar: barOf(cod, most, 'done'), figure: formatGrouped(cod) },
        {
          label: 'Delivery fees',
          bar: barOf(deliveryFee, most, 'done'),
          figure: formatGrouped(deliveryFee),
          aside: percent(deliveryFee, cod, 'of COD'),
        },
        { label: 'Net due', bar: barOf(net, most, 'done'), figure: formatGrouped(net), look: 'sum' },
        ofNet('Received', received, 'good'),
        ofNet('Marked paid by the courier, unseen', paidOnWord, 'done'),
        ...(differences.isZero() ? [] : [ofNet('Agreed differences', differences, 'done')]),
        ofNet('Outstanding today', outstanding, 'due'),
      ]}
    />
  );
}

/** The steps' bars are as long as they are of the largest step, not of the figures that they lie between. */
function bridgeTable({ courier, ours, steps: explained, notCompared, unexplained }: CurrencyProof): VNode {
  const steps = [...explained, ...(notCompared ? [notCompared] : [])];
  const most = mostOf([...steps.map(({ effect }) => effect), unexplained ?? ONE.times(0)], ONE);
  const step = (label: string, effect: ExactDecimal, aside?: string): BarLine => ({
    label,
    bar: barBothWays(effect, most),
    figure: formatGrouped(effect),
    ...(aside === undefined ? {} : { aside }),
  });
  return (
    <BarTable
      caption="From our figure to the courier’s"
      lines={[
        { label: 'Our figure', bar: null, figure: ours ? formatGrouped(ours) : 'no order book', look: 'sum' },
        ...steps.map(({ code, effect, count }) => step(`${stepInWords(code)} (${code})`, effect, mismatches(count))),
        ...(unexplained
          ? [step('Unexplained', unexplained, unexplained.isZero() ? 'every step named' : 'no name yet')]
          : []),
        { label: 'The courier’s figure', bar: null, figure: formatGrouped(courier), look: 'sum' },
      ]}
    />
  );
}

function outsideTable({ outside }: CurrencyProof): VNode {
  const most = mostOf(
    outside.map(({ effect }) => effect),
    ONE,
  );
  return (
    <BarTable
      caption="Money outside the month’s invoices"
      lines={outside.map(({ code, effect, count }) => ({
        label: `${stepInWords(code)} (${code})`,
        bar: barBothWays(effect, most),
        figure: formatGrouped(effect),
        aside: mismatches(count),
      }))}
    />
  );
}

function partTable(caption: string, parts: readonly Part[], tone: 'due' | 'done'): VNode {
  const most = mostOf(
    parts.map(({ amount }) => amount),
    ONE,
  );
  const whole = parts.reduce((sum, { amount }) => sum.plus(amount), ONE.times(0));
  return (
    <BarTable
      caption={caption}
      lines={parts.map(({ title, amount }) => ({
        label: title,
        bar: barOf(amount, most, tone),
        figure: formatGrouped(amount),
        aside: percent(amount, whole, ''),
      }))}
    />
  );
}

function monthTable({ months }: CurrencyBlock): VNode {
  const most = mostOf(
    months.flatMap(({ net }) => (net ? [net] : [])),
    ONE,
  );
  return (
    <BarTable
      caption="Net due, the last months"
      lines={months.map(({ period, net }) => ({
        label: period,
        bar: net ? barOf(net, most, net.isNegative() ? 'bad' : 'done') : null,
        figure: net ? formatGrouped(net) : '',
        ...(net ? {} : { aside: 'never synced' }),
      }))}
    />
  );
}

function otherTable({ notInvoiced, returns, deliveryFee }: CurrencyBlock): VNode {
  return (
    <BarTable
      caption="Not invoiced, and returned"
      lines={[
        {
          label: 'Delivered, on no invoice yet',
          bar: null,
          figure: formatGrouped(notInvoiced.net),
          aside: counted(notInvoiced.orders, 'order'),
        },
        {
          label: 'Fees of what came back',
          bar: barOf(returns.fee, mostOf([deliveryFee, returns.fee], ONE), 'bad'),
          figure: formatGrouped(returns.fee),
          aside: `${returns.returned} of ${counted(returns.orders, 'order')}`,
        },
      ]}
    />
  );
}

/** `12.5 % of COD`; nothing of a whole that is none. */
function percent(part: ExactDecimal, whole: ExactDecimal, of: string): string {
  if (!whole.isPositive() || whole.isZero()) return '';
  return `${part.times(100).div(whole).toFixed(1)} %${of === '' ? '' : ` ${of}`}`;
}

function mismatches(count: number): string {
  return `${count} ${count === 1 ? 'mismatch' : 'mismatches'}`;
}
