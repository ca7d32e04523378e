import type { VNode } from 'preact';
import type { Dashboard } from '../../../../reports/dashboard/model.ts';
import { nameOf } from '../../../../reports/names.ts';
import { instantForPeople } from '../../../base/instant.ts';
import { ENGLISH, say } from '../../../words/index.ts';
import { headingOf, type SaidReport } from '../../in-words.ts';
import { DocumentPage, MadeBy, type PageOptions } from '../page.tsx';
import { streamed } from '../stream.tsx';
import { BASE, PAPER } from '../style.ts';
import { Block } from './block.tsx';
import { Mismatches } from './mismatches.tsx';
import { ChangesPanel, Lags, Limits, Result } from './result.tsx';
import { DASHBOARD_STYLE } from './style.ts';

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
