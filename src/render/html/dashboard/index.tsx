import type { VNode } from 'preact';
import type { Dashboard, SeenMismatch, SeverityPanel } from '../../../../reports/dashboard/model.ts';
import { nameOf } from '../../../../reports/names.ts';
import { instantForPeople } from '../../../base/instant.ts';
import { formatGrouped } from '../../../money/decimal.ts';
import { ENGLISH, say } from '../../../words/index.ts';
import { amountText } from '../../figures.ts';
import { headingOf, type SaidReport } from '../../in-words.ts';
import { DocumentPage, MadeBy, type PageOptions } from '../page.tsx';
import { streamed } from '../stream.tsx';
import { BASE, DASHBOARD_STYLE, PAPER } from '../style.ts';
import { Figure, HtmlTable, RowHead } from '../table.tsx';
import { Block } from './block.tsx';
import { ChangesPanel, Lags, Limits, Result } from './result.tsx';

/** The dashboard: a month on one page, beginning with its result. */
export async function* dashboardPage(
  report: SaidReport,
  model: Dashboard,
  options: PageOptions,
): AsyncGenerator<string> {
  const page = (
    <DocumentPage title={headingOf(report)} css={`${BASE}${DASHBOARD_STYLE}${PAPER}`} isDarkAtNight>
      <main>
        <Header model={model} />
        <Result model={model} />
        {model.blocks.map((block) => (
          <Block block={block} />
        ))}
        {model.basis.map((sentence) => (
          <p>{say(sentence)}</p>
        ))}
        <div class="panels">
          <Mismatches model={model} />
          <Lags model={model} />
          <ChangesPanel model={model} />
          <Limits model={model} />
        </div>
        {report.notes().map((note) => (
          <p>{note}</p>
        ))}
      </main>
      <MadeBy {...options} />
    </DocumentPage>
  );
  // The page is small: it has no slots for rows that are drawn later.
  yield* streamed(page, {});
}

function Header({ model: { names, month, lastSyncedAt } }: { readonly model: Dashboard }): VNode {
  return (
    <header>
      <p class="whose" dir="auto">
        {ENGLISH.say(nameOf(names.merchant))}
      </p>
      <p dir="auto">{ENGLISH.say(nameOf(names.courier))}</p>
      <h1>
        Month at a glance, <span class="whole">{month}</span>
      </h1>
      {lastSyncedAt !== null && (
        <p>
          As of <span class="whole">{instantForPeople(lastSyncedAt)}</span>, when the last sync of the month ended
        </p>
      )}
    </header>
  );
}

const NAMES = { error: 'Errors', warning: 'Warnings', info: 'Notes' } as const;
const HEADS = [
  { title: 'Severity' },
  { title: 'Open', class: 'figure' },
  { title: 'Acknowledged', class: 'figure' },
  { title: 'Effect' },
];

/** The unresolved mismatches: how many of each severity, their effect on the money, and a list of the first ones. */
function Mismatches({ model: { severities, month } }: { readonly model: Dashboard }): VNode {
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
