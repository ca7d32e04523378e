import type { Dashboard } from '../../../../reports/dashboard/model.ts';
import type { Lag } from '../../../../reports/lag.ts';
import type { Row } from '../../../../reports/model.ts';
import { counted } from '../../../counted.ts';
import { instantForPeople } from '../../../instant.ts';
import { ExactDecimal } from '../../../money/index.ts';
import { amountText } from '../../figures.ts';
import { escaped } from '../escape.ts';
import { barOf, barTable, mostOf } from './bars.ts';

/** How long the courier takes. */
export function lagsOf({ toInvoice, toPayment }: Dashboard): string {
  const longest = [toInvoice, toPayment].map((lag) => new ExactDecimal(lag?.most ?? 0));
  const most = mostOf(longest, new ExactDecimal(1));
  const lines = (what: string, lag: Lag | null, noun: string) =>
    lag === null
      ? [{ label: what, bar: '', figure: '', aside: `no ${noun} of the month has both dates` }]
      : (
          [
            ['in the middle', lag.median],
            ['slowest tenth', lag.slowTenth],
            ['longest', lag.most],
          ] as const
        ).map(([which, days]) => ({
          label: `${what}, ${which}`,
          bar: barOf(new ExactDecimal(Math.max(0, days)), most, 'done'),
          figure: counted(days, 'day'),
          aside: `of ${counted(lag.of, noun)}`,
        }));
  return `<section class="panel">${barTable('How long it takes', [
    ...lines('Delivered to invoiced', toInvoice, 'order'),
    ...lines('Invoiced to seen paid', toPayment, 'invoice'),
  ])}</section>\n`;
}

/** What the courier stated once and states otherwise now. */
export function changesOf({ changes: { count, last }, month }: Dashboard): string {
  const items = last.map((row) => `<li>${sentenceOf(row)}</li>\n`);
  const more = count - last.length;
  const rest =
    more > 0 ? `<p>And ${more} more: <code>remit report changes ${escaped(month)}</code> lists them.</p>\n` : '';
  const said =
    items.length === 0
      ? '<p>Nothing that was seen once was seen otherwise later.</p>\n'
      : `<ul>\n${items.join('')}</ul>\n${rest}`;
  return `<section class="panel" id="changed"><h2>What the courier changed</h2>\n${said}</section>\n`;
}

function sentenceOf({ what, invoice_number, order_id, currency, field, before, after, unit, seen_at }: Row): string {
  const about = [
    invoice_number == null ? '' : `invoice <span class="whole">${escaped(String(invoice_number))}</span>`,
    order_id == null ? '' : `order <span dir="auto">${escaped(String(order_id))}</span>`,
  ];
  const figure = (cell: Row[string] | undefined) => escaped(unit === 'money' ? amountText(String(cell)) : String(cell));
  const moved =
    before == null || after == null
      ? ''
      : `: ${figure(before)} → ${figure(after)}${currency == null ? '' : ` ${escaped(String(currency))}`}`;
  const which = field == null ? '' : `, ${escaped(String(field))}`;
  const when = seen_at == null ? '' : `, seen <span class="whole">${escaped(instantForPeople(String(seen_at)))}</span>`;
  return `${escaped(String(what))} ${about.filter(Boolean).join(', ')}${which}${moved}${when}`;
}
