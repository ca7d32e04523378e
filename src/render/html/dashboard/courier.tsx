import type { VNode } from 'preact';
import { NOTHING_CHANGED } from '../../../../reports/changes/index.ts';
import type { Dashboard } from '../../../../reports/dashboard/model.ts';
import type { Lag } from '../../../../reports/lag.ts';
import type { Row } from '../../../../reports/model.ts';
import { counted } from '../../../base/counted.ts';
import { instantForPeople } from '../../../base/instant.ts';
import { ExactDecimal } from '../../../money/decimal.ts';
import { say } from '../../../words/index.ts';
import { amountText } from '../../figures.ts';
import { type BarLine, BarTable, barOf, mostOf } from './bars.tsx';

/** How long the courier takes. */
export function Lags({ model: { toInvoice, toPayment } }: { readonly model: Dashboard }): VNode {
  const longest = [toInvoice, toPayment].map((lag) => new ExactDecimal(lag?.most ?? 0));
  const most = mostOf(longest, new ExactDecimal(1));
  const lines = (what: string, lag: Lag | null, noun: string): BarLine[] =>
    lag === null
      ? [{ label: what, bar: null, figure: '', aside: `no ${noun} of the month has both dates` }]
      : (
          [
            ['median', lag.median],
            ['90th percentile', lag.percentile90],
            ['longest', lag.most],
          ] as const
        ).map(([which, days]) => ({
          label: `${what}, ${which}`,
          bar: barOf(new ExactDecimal(Math.max(0, days)), most, 'done'),
          figure: counted(days, 'day'),
          aside: `of ${counted(lag.of, noun)}`,
        }));
  return (
    <section class="panel">
      <BarTable
        caption="How long it takes"
        lines={[
          ...lines('Delivered to invoiced', toInvoice, 'order'),
          ...lines('Invoiced to seen paid', toPayment, 'invoice'),
        ]}
      />
    </section>
  );
}

/** What the courier changed after it was first read. */
export function Changes({ model }: { readonly model: Dashboard }): VNode {
  const { count, last } = model.changes;
  const more = count - last.length;
  return (
    <section class="panel" id="changed">
      <h2>What the courier changed</h2>
      {last.length === 0 ? (
        <p>{say(NOTHING_CHANGED)}</p>
      ) : (
        <ul>
          {last.map((row) => (
            <Change row={row} />
          ))}
        </ul>
      )}
      {last.length > 0 && more > 0 && (
        <p>
          And {more} more: <code>remit report changes {model.month}</code> lists them.
        </p>
      )}
    </section>
  );
}

function Change({ row }: { readonly row: Row }): VNode {
  const { what, invoice_number, order_id, currency, field, before, after, unit, seen_at } = row;
  const figure = (cell: Row[string] | undefined) => (unit === 'money' ? amountText(String(cell)) : String(cell));
  const unitText = currency == null ? '' : ` ${currency}`;
  return (
    <li>
      {String(what)}
      {invoice_number != null && (
        <>
          {' '}
          invoice <span class="whole">{String(invoice_number)}</span>
        </>
      )}
      {invoice_number != null && order_id != null && ','}
      {order_id != null && (
        <>
          {' '}
          order <span dir="auto">{String(order_id)}</span>
        </>
      )}
      {field != null && `, ${field}`}
      {before != null && after != null && `: ${figure(before)} → ${figure(after)}${unitText}`}
      {seen_at != null && (
        <>
          , seen <span class="whole">{instantForPeople(String(seen_at))}</span>
        </>
      )}
    </li>
  );
}
