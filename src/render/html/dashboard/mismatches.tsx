import type { VNode } from 'preact';
import type { Dashboard, SeenMismatch, SeverityPanel } from '../../../../reports/dashboard/model.ts';
import { formatGrouped } from '../../../money/format.ts';
import { say } from '../../../words/index.ts';
import { amountText } from '../../figures.ts';
import { Figure, HtmlTable, RowHead } from '../table.tsx';

const NAMES = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;
const HEADS = [
  { title: 'Severity' },
  { title: 'Open', class: 'figure' },
  { title: 'Acknowledged', class: 'figure' },
  { title: 'Effect' },
];

/** The unresolved mismatches: how many of each severity, their effect on the money, and a list of the first ones. */
export function Mismatches({ model: { severities, month } }: { readonly model: Dashboard }): VNode {
  return (
    <section class="panel wide" id="mismatches">
      <h2>Mismatches that are not resolved</h2>
      <HtmlTable class="counts" heads={HEADS}>
        {severities.map(({ severity, open, acknowledged, effect, first }) => (
          <tr>
            <RowHead>{first.length === 0 ? NAMES[severity] : <a href={`#${severity}`}>{NAMES[severity]}</a>}</RowHead>
            <Figure of={String(open)} />
            <Figure of={String(acknowledged)} />
            <td>
              {[...effect].map(([currency, amount], place) => (
                <>
                  {place > 0 && ', '}
                  <span class="whole">{`${formatGrouped(amount)} ${currency}`}</span>
                </>
              ))}
            </td>
          </tr>
        ))}
      </HtmlTable>
      {severities.map((panel) => (
        <FirstOfSeverity panel={panel} month={month} />
      ))}
    </section>
  );
}

function FirstOfSeverity({ panel, month }: { readonly panel: SeverityPanel; readonly month: string }): VNode | null {
  const { severity, first, open, acknowledged } = panel;
  if (first.length === 0) return null;
  const more = open + acknowledged - first.length;
  return (
    <>
      <h3 id={severity}>{NAMES[severity]}</h3>
      <ul>
        {first.map((mismatch) => (
          <MismatchItem mismatch={mismatch} />
        ))}
      </ul>
      {more > 0 && (
        <p>
          And {more} more: <code>remit report mismatches {month}</code> lists them.
        </p>
      )}
    </>
  );
}

function MismatchItem({ mismatch }: { readonly mismatch: SeenMismatch }): VNode {
  const { id, code, effect, currency, message, status } = mismatch;
  return (
    <li>
      <span class="codes">{code}</span>
      {effect !== null && currency !== null && (
        <>
          {' '}
          <b class="whole">{`${amountText(effect)} ${currency}`}</b>
        </>
      )}
      {status !== 'open' && (
        <>
          {' '}
          <i>{status}</i>
        </>
      )}{' '}
      <span dir="auto">{say(message)}</span> <code class="whole">{id}</code>
    </li>
  );
}
