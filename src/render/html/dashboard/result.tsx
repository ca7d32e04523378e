import type { VNode } from 'preact';
import { NOTHING_CHANGED } from '../../../../reports/changes.ts';
import type { CurrencyBlock, Dashboard } from '../../../../reports/dashboard/model.ts';
import type { Lag } from '../../../../reports/lag.ts';
import type { Row } from '../../../../reports/model.ts';
import { counted } from '../../../base/counted.ts';
import { instantForPeople } from '../../../base/instant.ts';
import { ExactDecimal, formatGrouped } from '../../../money/decimal.ts';
import { say } from '../../../words/index.ts';
import { amountText } from '../../figures.ts';
import { type BarLine, BarTable, barOf, largestSize } from './bars.tsx';

/** The first lines: per currency what you are short or ahead and what is open at month's end; then what is missing. */
export function Result({ model }: { readonly model: Dashboard }): VNode {
  return (
    <section class="result" aria-label="Result">
      {model.blocks.map((block) => (
        <p class={`verdict ${toneOf(model, block)}`}>{sentenceOf(block)}</p>
      ))}
      {model.blocks.length === 0 && <p class="verdict unsure">No money: the month holds no amount in any currency.</p>}
      <Completeness model={model} />
    </section>
  );
}

function sentenceOf({ currency, short, balance, proof }: CurrencyBlock): string {
  const result =
    short === null || short.isZero()
      ? 'you are neither short nor ahead, as far as was checked'
      : `you are ${short.isNegative() ? 'short' : 'ahead'} ${formatGrouped(short.abs())}`;
  const unexplained =
    proof?.unexplained && !proof.unexplained.isZero()
      ? `; ${formatGrouped(proof.unexplained)} between the courier’s figure and ours is unexplained`
      : '';
  const unproven =
    proof !== null && proof.ours === null ? '; not proven: there is no order book, so no figure of ours' : '';
  return `${currency}: ${result}; open at the month’s end ${formatGrouped(balance.closing)}${unexplained}${unproven}.`;
}

function toneOf(model: Dashboard, { short, proof }: CurrencyBlock): 'bad' | 'good' | 'unsure' {
  // Ahead is as bad as short: money of somebody is in the wrong place.
  if (short !== null && !short.isZero()) return 'bad';
  return proof?.unexplained?.isZero() && isComplete(model) ? 'good' : 'unsure';
}

function isComplete({ incomplete, skipped, uncompared }: Dashboard): boolean {
  return incomplete.length === 0 && skipped.length === 0 && uncompared.length === 0;
}

/** Whether the month is complete and was checked in full. It limits the result, so it comes right after it. */
function Completeness({ model }: { readonly model: Dashboard }): VNode {
  const { incomplete, skipped, uncompared } = model;
  if (isComplete(model)) return <p>The month is complete, every check was run, and all of it could be compared.</p>;
  const remark =
    incomplete.length === 0 ? 'The month is complete, but not everything was checked' : 'Not everything was checked';
  return (
    <>
      {incomplete.map((why) => (
        <p class="missing">{say({ id: 'month-incomplete', why })}</p>
      ))}
      {(skipped.length > 0 || uncompared.length > 0) && (
        <p class="missing">
          {remark}: see <a href="#not-checked">what was not</a>.
        </p>
      )}
    </>
  );
}

export function Limits({ model: { skipped, uncompared } }: { readonly model: Dashboard }): VNode {
  const isNone = skipped.length + uncompared.length === 0;
  return (
    <section class="panel wide" id="not-checked">
      <h2>Not checked, not comparable</h2>
      {isNone ? (
        <p>Every check that this version knows was run, and all of it could be compared.</p>
      ) : (
        <ul>
          {skipped.map(({ why, codes }) => (
            <li>
              <span class="codes">{codes.join(', ')}</span>: {say(why)}
            </li>
          ))}
          {uncompared.map((sentence) => (
            <li>{say(sentence)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Lags({ model: { toInvoice, toPayment } }: { readonly model: Dashboard }): VNode {
  const longest = largestSize([toInvoice, toPayment].map((lag) => new ExactDecimal(lag?.most ?? 0)));
  const lines = (step: string, lag: Lag | null, noun: string): BarLine[] => {
    if (lag === null) return [{ label: step, bar: null, figure: '', aside: `no ${noun} of the month has both dates` }];
    const line = (measure: string, days: number): BarLine => ({
      label: `${step}, ${measure}`,
      bar: barOf(new ExactDecimal(Math.max(0, days)), longest, 'done'),
      figure: counted(days, 'day'),
      aside: `of ${counted(lag.of, noun)}`,
    });
    return [line('median', lag.median), line('90th percentile', lag.percentile90), line('longest', lag.most)];
  };
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

export function ChangesPanel({ model }: { readonly model: Dashboard }): VNode {
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
