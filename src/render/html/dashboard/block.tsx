import type { VNode } from 'preact';
import { BALANCE_FLOWS, BALANCE_SINCE } from '../../../../reports/balance.ts';
import { netBeyondCodLessFee } from '../../../../reports/columns.ts';
import type { CurrencyBlock, PartOfWhole } from '../../../../reports/dashboard/model.ts';
import { bridgeLines, type PageLine, shortLines } from '../../../../reports/statement/bridge.ts';
import type { CurrencyProof } from '../../../../reports/statement/proof.ts';
import { lineLabel } from '../../../../reports/statement/sections/figures.ts';
import { counted } from '../../../base/counted.ts';
import { ExactDecimal, formatGrouped } from '../../../money/decimal.ts';
import { ENGLISH } from '../../../words/index.ts';
import { type BarLine, BarTable, barBothWays, barLine, largestSize, type Tone } from './bars.tsx';

const stepInWords = (figure: string) => ENGLISH.say(lineLabel({ figure, count: null }));

/**
 * A month in one currency as charts. The dashboard is in English alone: its words are here, but for the names of steps,
 * which it shares with the statement (`stepInWords`).
 */
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
        {sharesTable('Open at the month’s end, by age', block.ageing, 'due')}
        {block.fees.length > 0 && sharesTable('Delivery fees, by district', block.fees, 'done')}
        {monthsTable(block)}
        {notInvoicedTable(block)}
      </div>
    </section>
  );
}

/** The balance from the month's opening to its closing, and on to today: each flow is added to the line before it. */
function balanceTable({ balance }: CurrencyBlock): VNode {
  const { opening, closing, openToday } = balance;
  const largest = largestSize([opening, closing, ...BALANCE_FLOWS.map((flow) => balance[flow])]);
  const line = (label: string, amount: ExactDecimal, tone: Tone) => barLine(label, amount, largest, tone);
  const flows = BALANCE_FLOWS.filter((flow) => flow === 'invoiced' || flow === 'received' || !balance[flow].isZero());
  const flowsSince = BALANCE_SINCE.filter((flow) => flow === 'receivedSince' || !balance[flow].isZero());
  return (
    <BarTable
      caption="The balance: what the courier owes you"
      lines={[
        { ...line(stepInWords('opening'), opening, 'due'), look: 'sum' },
        ...flows.map((flow) => line(stepInWords(flow), balance[flow], 'done')),
        { ...line('Closing balance', closing, 'due'), look: 'sum' },
        ...flowsSince.map((flow) => line(stepInWords(flow), balance[flow], 'good')),
        line(stepInWords('openToday'), openToday, 'due'),
      ]}
    />
  );
}

function dueTable(block: CurrencyBlock): VNode {
  const { cod, deliveryFee, net, received, paid_on_word, differences, outstanding } = block;
  const otherwiseStated = netBeyondCodLessFee({ cod, delivery_fee: deliveryFee, net_due_to_merchant: net });
  const largest = largestSize([cod, deliveryFee, net]);
  const netSize = largestSize([net]);
  const line = (label: string, amount: ExactDecimal) => barLine(label, amount, largest, 'done');
  const ofNet = (label: string, amount: ExactDecimal, tone: Tone): BarLine => ({
    ...barLine(label, amount, netSize, tone),
    aside: percent(amount, net, 'of the net'),
  });
  return (
    <BarTable
      caption="What the month’s invoices state, and what came of it"
      lines={[
        line('COD collected', cod),
        { ...line('Delivery fees', deliveryFee), aside: percent(deliveryFee, cod, 'of COD') },
        ...(otherwiseStated.isZero() ? [] : [line('Stated otherwise in the net', otherwiseStated)]),
        { ...line('Net due', net), look: 'sum' },
        ofNet('of which received, by receipts', received, 'good'),
        ofNet('of which marked paid by the courier, unseen', paid_on_word, 'done'),
        ...(differences.isZero() ? [] : [ofNet('of which agreed differences', differences, 'done')]),
        ofNet('of which outstanding today', outstanding, 'due'),
      ]}
    />
  );
}

/** The bridge the other way round: from our figure to the courier's, without its sums. */
function bridgeTable(proof: CurrencyProof): VNode {
  const lines = bridgeLines([proof], null);
  const lineOf = (name: string) => lines.filter(({ figure }) => figure === name);
  const steps = lines.filter(({ figure }) => !['courier', 'ours', 'difference', 'explained'].includes(figure));
  return stepsTable('From our figure to the courier’s', proof, [...lineOf('ours'), ...steps, ...lineOf('courier')]);
}

function shortTable(proof: CurrencyProof): VNode {
  return stepsTable('What you are short or ahead', proof, shortLines([proof], { isSplit: true }));
}

/** The two lines of the bridge that are figures, not steps between them. */
const BOTH_FIGURES: Readonly<Record<string, string>> = { ours: 'Our figure', courier: 'The courier’s figure' };

/** Steps as bars both ways. The longest is that of the largest step, not of the figures between which they lie. */
function stepsTable(caption: string, { currency }: CurrencyProof, lines: readonly PageLine[]): VNode {
  const amountOf = ({ amounts }: PageLine) => amounts.get(currency) ?? null;
  const steps = lines.filter(({ figure }) => !(figure in BOTH_FIGURES));
  const largest = largestSize(steps.flatMap((line) => amountOf(line) ?? []));
  const barLines = lines.flatMap((line): BarLine[] => {
    const amount = amountOf(line);
    const name = BOTH_FIGURES[line.figure];
    if (name !== undefined) {
      return [{ label: name, bar: null, figure: amount ? formatGrouped(amount) : 'no order book', look: 'sum' }];
    }
    return amount === null ? [] : [stepBar(line, amount, largest)];
  });
  return <BarTable caption={caption} lines={barLines} />;
}

function stepBar(line: PageLine, amount: ExactDecimal, largest: ExactDecimal): BarLine {
  const { figure, count } = line;
  // A line with a count is about findings, and its figure is their code. Rows that were not compared are no findings.
  const isCode = count !== null && figure !== 'not-compared';
  return {
    label: `${ENGLISH.say(lineLabel(line))}${isCode ? ` (${figure})` : ''}`,
    bar: barBothWays(amount, largest),
    figure: formatGrouped(amount),
    aside: asideOf(line, amount),
    ...(figure === 'short' ? { look: 'sum' as const } : {}),
  };
}

function asideOf({ figure, count }: PageLine, amount: ExactDecimal): string {
  if (figure === 'unexplained') return amount.isZero() ? 'every step named' : 'no name yet';
  return count === null ? '' : mismatches(count);
}

function sharesTable(caption: string, parts: readonly PartOfWhole[], tone: 'due' | 'done'): VNode {
  const largest = largestSize(parts.map(({ amount }) => amount));
  const total = parts.reduce((sum, { amount }) => sum.plus(amount), new ExactDecimal(0));
  return (
    <BarTable
      caption={caption}
      lines={parts.map(({ title, amount }) => ({
        ...barLine(title, amount, largest, tone),
        aside: percent(amount, total, ''),
      }))}
    />
  );
}

function monthsTable({ months }: CurrencyBlock): VNode {
  const largest = largestSize(months.flatMap(({ net }) => net ?? []));
  return (
    <BarTable
      caption="Net due, the last months"
      lines={months.map(({ period, net }) =>
        net
          ? barLine(period, net, largest, net.isNegative() ? 'bad' : 'done')
          : { label: period, bar: null, figure: '', aside: 'never synced' },
      )}
    />
  );
}

function notInvoicedTable({ notInvoiced, returns, deliveryFee }: CurrencyBlock): VNode {
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
          ...barLine('Fees of what came back', returns.fee, largestSize([deliveryFee, returns.fee]), 'bad'),
          aside: `${returns.returned} of ${counted(returns.orders, 'order')}`,
        },
      ]}
    />
  );
}

/** `12.5 % of COD`; an empty text if the whole is not above zero. */
function percent(part: ExactDecimal, whole: ExactDecimal, ofWhat: string): string {
  if (!whole.isPositive() || whole.isZero()) return '';
  return `${part.times(100).div(whole).toFixed(1)} % ${ofWhat}`.trimEnd();
}

function mismatches(count: number): string {
  return `${count} ${count === 1 ? 'mismatch' : 'mismatches'}`;
}
