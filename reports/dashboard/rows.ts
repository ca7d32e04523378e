import type { ExactDecimal } from '../../src/money/decimal.ts';
import { formatAmount } from '../../src/money/format.ts';
import { BALANCE_FLOWS } from '../balance.ts';
import type { Lag } from '../lag.ts';
import type { Cell, Column, Row } from '../model.ts';
import type { CurrencyBlock, Dashboard, SeverityPanel } from './model.ts';

export const COLUMNS: readonly Column[] = [
  { name: 'section', type: 'id' },
  { name: 'figure', type: 'text', key: true },
  { name: 'currency', type: 'text', key: true },
  { name: 'amount', type: 'money' },
  { name: 'count', type: 'count' },
  { name: 'days', type: 'days' },
  { name: 'says', type: 'wide' },
];

/** Every figure of the page as a row, for the formats that draw none. */
export function rowsOf(model: Dashboard): Row[] {
  return [
    ...model.incomplete.map((says) => row('incomplete', 'why', { says })),
    ...model.blocks.flatMap(blockRows),
    ...model.severities.flatMap(severityRows),
    ...lagRows('to invoice', model.toInvoice),
    ...lagRows('to payment', model.toPayment),
    row('changes', 'figures', { count: model.changes.count }),
    ...model.skipped.flatMap(({ why, codes }) => codes.map((code) => row('skipped', code, { says: why }))),
    ...model.basis.map((says) => row('totals', 'basis', { says })),
    ...model.uncompared.map((says) => row('not-comparable', 'what', { says })),
  ];
}

function row(section: string, figure: string, cells: Readonly<Record<string, Cell>>): Row {
  return { section, figure, currency: null, amount: null, count: null, days: null, says: null, ...cells };
}

function blockRows(block: CurrencyBlock): Row[] {
  const { currency, balance, proof, returns, notInvoiced } = block;
  const money = (section: string, figure: string, amount: ExactDecimal | null, count: number | null = null) =>
    row(section, figure, { currency, amount: amount && formatAmount(amount), count });
  const bridge = proof
    ? [
        money('bridge', 'ours', proof.ours),
        ...proof.steps.map(({ code, effect, count }) => money('bridge', code, effect, count)),
        ...(proof.notCompared === null
          ? []
          : [money('bridge', proof.notCompared.code, proof.notCompared.effect, proof.notCompared.count)]),
        money('bridge', 'unexplained', proof.unexplained),
        money('bridge', 'courier', proof.courier),
        ...proof.outside.map(({ code, effect, count }) => money('outside', code, effect, count)),
      ]
    : [];
  return [
    money('result', 'short', block.short),
    money('balance', 'opening', balance.opening),
    ...BALANCE_FLOWS.map((flow) => money('balance', flow, balance[flow])),
    money('balance', 'closing', balance.closing),
    money('balance', 'received_since', balance.receivedSince),
    money('balance', 'settled_since', balance.settledSince),
    money('balance', 'restated_since', balance.restatedSince),
    money('balance', 'open_today', balance.openToday),
    money('totals', 'cod', block.cod),
    money('totals', 'delivery_fee', block.deliveryFee),
    money('totals', 'net_due_to_merchant', block.net),
    money('totals', 'received', block.received),
    money('totals', 'paid_on_word', block.paidOnWord),
    money('totals', 'differences', block.differences),
    money('totals', 'outstanding', block.outstanding),
    ...bridge,
    ...block.ageing.map(({ title, amount }) => money('ageing', title, amount)),
    money('not-invoiced', 'net', notInvoiced.net, notInvoiced.orders),
    ...block.fees.map(({ title, amount }) => money('fees', title, amount)),
    money('returns', 'orders', null, returns.orders),
    money('returns', 'returned', returns.fee, returns.returned),
    ...block.months.map(({ period, net }) => money('months', period, net)),
  ];
}

function severityRows({ severity, open, acknowledged, effect }: SeverityPanel): Row[] {
  return [
    row('mismatches', `${severity} open`, { count: open }),
    row('mismatches', `${severity} acknowledged`, { count: acknowledged }),
    ...[...effect].map(([currency, amount]) =>
      row('mismatches', `${severity} effect`, { currency, amount: formatAmount(amount) }),
    ),
  ];
}

function lagRows(figure: string, lag: Lag | null): Row[] {
  if (lag === null) return [];
  return [
    row('lag', `${figure}: median`, { days: lag.median, count: lag.of }),
    row('lag', `${figure}: 90th percentile`, { days: lag.percentile90 }),
    row('lag', `${figure}: longest`, { days: lag.most }),
  ];
}
