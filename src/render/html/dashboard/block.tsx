import type { VNode } from 'preact';
import { BALANCE_FLOWS, BALANCE_SINCE } from '../../../../reports/balance.ts';
import type { CurrencyBlock, Part } from '../../../../reports/dashboard/model.ts';
import { bridgeLines, type PageLine, shortLines } from '../../../../reports/statement/bridge.ts';
import type { CurrencyProof } from '../../../../reports/statement/proof.ts';
import { lineLabel } from '../../../../reports/statement/sections/figures.ts';
import { statedOtherwise } from '../../../../reports/sums.ts';
import { counted } from '../../../base/counted.ts';
import { ExactDecimal } from '../../../money/decimal.ts';
import { formatGrouped } from '../../../money/format.ts';
import { ENGLISH } from '../../../words/index.ts';
import { type BarLine, BarTable, barBothWays, barOf, mostOf, type Tone } from './bars.tsx';

const stepInWords = (figure: string) => ENGLISH.say(lineLabel({ figure, count: null }));
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
        {block.proof && shortTable(block.proof)}
        {partTable('Open at the month’s end, by age', block.ageing, 'due')}
        {block.fees.length > 0 && partTable('Delivery fees, by district', block.fees, 'done')}
        {monthTable(block)}
        {otherTable(block)}
      </div>
    </section>
  );
}

/** From the month's opening balance to its closing one: each line is added to the one before. */
function balanceTable({ balance }: CurrencyBlock): VNode {
  const { opening, closing, openToday } = balance;
  const most = mostOf([opening, closing, ...BALANCE_FLOWS.map((flow) => balance[flow])], ONE);
  const line = (label: string, amount: ExactDecimal, tone: Tone): BarLine => ({
    label,
    bar: barOf(amount, most, tone),
    figure: formatGrouped(amount),
  });
  const flows = BALANCE_FLOWS.filter((flow) => flow === 'invoiced' || flow === 'received' || !balance[flow].isZero());
  const since = BALANCE_SINCE.filter((one) => one === 'receivedSince' || !balance[one].isZero());
  return (
    <BarTable
      caption="The balance: what the courier owes you"
      lines={[
        { ...line(stepInWords('opening'), opening, 'due'), look: 'sum' },
        ...flows.map((flow) => line(stepInWords(flow), balance[flow], 'done')),
        { ...line('Closing balance', closing, 'due'), look: 'sum' },
        ...since.map((one) => line(stepInWords(one), balance[one], 'good')),
        line(stepInWords('openToday'), openToday, 'due'),
      ]}
    />
  );
}

function dueTable(block: CurrencyBlock): VNode {
  const { cod, deliveryFee, net, received, paidOnWord, differences, outstanding } = block;
  const otherwise = statedOtherwise({ cod, delivery_fee: deliveryFee, net_due_to_merchant: net });
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
        ...(otherwise.isZero()
          ? []
          : [
              {
                label: 'Stated otherwise in the net',
                bar: barOf(otherwise, most, 'done'),
                figure: formatGrouped(otherwise),
              },
            ]),
        { label: 'Net due', bar: barOf(net, most, 'done'), figure: formatGrouped(net), look: 'sum' },
        ofNet('of which received, by receipts', received, 'good'),
        ofNet('of which marked paid by the courier, unseen', paidOnWord, 'done'),
        ...(differences.isZero() ? [] : [ofNet('of which agreed differences', differences, 'done')]),
        ofNet('of which outstanding today', outstanding, 'due'),
      ]}
    />
  );
}

/** From our figure to the courier's: the bridge the other way round. */
function bridgeTable(proof: CurrencyProof): VNode {
  const [courier, ours, , ...steps] = bridgeLines([proof], null);
  const between = steps.filter(({ figure }) => figure !== 'explained');
  return stepTable('From our figure to the courier’s', proof, [ours!, ...between, courier!]);
}

function shortTable(proof: CurrencyProof): VNode {
  return stepTable('What you are short or ahead', proof, shortLines([proof], { isWhole: true }));
}

const FIGURES: Readonly<Record<string, string>> = { ours: 'Our figure', courier: 'The courier’s figure' };

/** The steps' bars are as long as they are of the largest step, not of the figures that they lie between. */
function stepTable(caption: string, { currency }: CurrencyProof, lines: readonly PageLine[]): VNode {
  const amountOf = ({ amounts }: PageLine) => amounts.get(currency) ?? null;
  const steps = lines.filter(({ figure }) => !(figure in FIGURES));
  const most = mostOf(
    steps.flatMap((line) => amountOf(line) ?? []),
    ONE,
  );
  return (
    <BarTable
      caption={caption}
      lines={lines.flatMap((line): BarLine[] => {
        const { figure, count } = line;
        const amount = amountOf(line);
        const name = FIGURES[figure];
        if (name !== undefined) {
          return [{ label: name, bar: null, figure: amount ? formatGrouped(amount) : 'no order book', look: 'sum' }];
        }
        if (amount === null) return [];
        const isCode = count !== null && figure !== 'not-compared';
        return [
          {
            label: `${ENGLISH.say(lineLabel(line))}${isCode ? ` (${figure})` : ''}`,
            bar: barBothWays(amount, most),
            figure: formatGrouped(amount),
            aside: asideOf(line, amount),
            ...(figure === 'short' ? { look: 'sum' as const } : {}),
          },
        ];
      })}
    />
  );
}

function asideOf({ figure, count }: PageLine, amount: ExactDecimal): string {
  if (figure === 'unexplained') return amount.isZero() ? 'every step named' : 'no name yet';
  return count === null ? '' : mismatches(count);
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
