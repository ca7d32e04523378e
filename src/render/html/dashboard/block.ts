import type { CurrencyBlock, Part } from '../../../../reports/dashboard/model.ts';
import type { CurrencyProof } from '../../../../reports/statement/proof.ts';
import { counted } from '../../../counted.ts';
import { ExactDecimal, formatGrouped } from '../../../money/index.ts';
import { stepInWords } from '../../statement/step-words.ts';
import { escaped } from '../escape.ts';
import { type BarLine, barBothWays, barOf, barTable, mostOf, type Tone } from './bars.ts';

const ONE = new ExactDecimal(1);

/** A month in one currency: its figures and charts. */
export function blockOf(block: CurrencyBlock): string {
  const { currency } = block;
  const panels = [
    dueTable(block),
    ...(block.proof ? [bridgeTable(block.proof)] : []),
    ...(block.proof && block.proof.outside.length > 0 ? [outsideTable(block.proof)] : []),
    partTable('Unpaid at the month’s end, by age', block.ageing, 'due'),
    ...(block.fees.length > 0 ? [partTable('Delivery fees, by district', block.fees, 'done')] : []),
    monthTable(block),
    otherTable(block),
  ];
  return `<section class="block" aria-labelledby="in-${escaped(currency)}"><h2 id="in-${escaped(currency)}">${escaped(currency)}</h2>\n<div class="panels">\n${panels.join('')}</div></section>\n`;
}

function dueTable(block: CurrencyBlock): string {
  const { cod, deliveryFee, net, received, paidOnWord, differences, outstanding } = block;
  const most = mostOf([cod, deliveryFee, net], ONE);
  const whole = mostOf([net], ONE);
  const ofNet = (label: string, amount: ExactDecimal, tone: Tone): BarLine => ({
    label,
    bar: barOf(amount, whole, tone),
    figure: formatGrouped(amount),
    aside: percent(amount, net, 'of the net'),
  });
  return barTable('What the month’s invoices state, and what came of it', [
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
    ...(differences.isZero() ? [] : [ofNet('Differences that were named', differences, 'done')]),
    ofNet('Outstanding', outstanding, 'due'),
  ]);
}

/** The steps' bars are as long as they are of the largest step, not of the figures that they lie between. */
function bridgeTable({ courier, ours, steps, unexplained }: CurrencyProof): string {
  const most = mostOf([...steps.map(({ effect }) => effect), unexplained ?? ONE.times(0)], ONE);
  const step = (label: string, effect: ExactDecimal, aside?: string): BarLine => ({
    label,
    bar: barBothWays(effect, most),
    figure: formatGrouped(effect),
    ...(aside === undefined ? {} : { aside }),
  });
  return barTable('From the courier’s figure to ours', [
    { label: 'The courier’s figure', bar: '', figure: formatGrouped(courier), look: 'sum' },
    ...steps.map(({ code, effect, count }) => step(stepInWords(code), effect, mismatches(count))),
    { label: 'Our figure', bar: '', figure: ours ? formatGrouped(ours) : 'no order book', look: 'sum' },
    ...(unexplained
      ? [step('Unexplained', unexplained, unexplained.isZero() ? 'every step named' : 'no name yet')]
      : []),
  ]);
}

function outsideTable({ outside }: CurrencyProof): string {
  const most = mostOf(
    outside.map(({ effect }) => effect),
    ONE,
  );
  return barTable(
    'Money outside the month’s invoices',
    outside.map(({ code, effect, count }) => ({
      label: stepInWords(code),
      bar: barBothWays(effect, most),
      figure: formatGrouped(effect),
      aside: mismatches(count),
    })),
  );
}

function partTable(caption: string, parts: readonly Part[], tone: 'due' | 'done'): string {
  const most = mostOf(
    parts.map(({ amount }) => amount),
    ONE,
  );
  const whole = parts.reduce((sum, { amount }) => sum.plus(amount), ONE.times(0));
  return barTable(
    caption,
    parts.map(({ title, amount }) => ({
      label: title,
      bar: barOf(amount, most, tone),
      figure: formatGrouped(amount),
      aside: percent(amount, whole, ''),
    })),
  );
}

function monthTable({ months }: CurrencyBlock): string {
  const most = mostOf(
    months.flatMap(({ net }) => (net ? [net] : [])),
    ONE,
  );
  return barTable(
    'Net due, the last months',
    months.map(({ period, net }) => ({
      label: period,
      bar: net ? barOf(net, most, net.isNegative() ? 'bad' : 'done') : '',
      figure: net ? formatGrouped(net) : '',
      ...(net ? {} : { aside: 'never synced' }),
    })),
  );
}

function otherTable({ notInvoiced, returns, deliveryFee }: CurrencyBlock): string {
  return barTable('Not invoiced, and returned', [
    {
      label: 'Delivered, on no invoice yet',
      bar: '',
      figure: formatGrouped(notInvoiced.net),
      aside: counted(notInvoiced.orders, 'order'),
    },
    {
      label: 'Fees of what came back',
      bar: barOf(returns.fee, mostOf([deliveryFee, returns.fee], ONE), 'bad'),
      figure: formatGrouped(returns.fee),
      aside: `${returns.returned} of ${counted(returns.orders, 'order')}`,
    },
  ]);
}

/** `12.5 % of COD`; nothing of a whole that is none. */
function percent(part: ExactDecimal, whole: ExactDecimal, of: string): string {
  if (!whole.isPositive() || whole.isZero()) return '';
  return `${part.times(100).div(whole).toFixed(1)} %${of === '' ? '' : ` ${of}`}`;
}

function mismatches(count: number): string {
  return `${count} ${count === 1 ? 'mismatch' : 'mismatches'}`;
}
