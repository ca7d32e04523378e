import type { VNode } from 'preact';
import { instantForPeople } from '../../base/instant.ts';
import { amountText } from '../../render/figures.ts';
import type { DeskContext } from '../context.ts';
import type { MonthModel } from '../models.ts';
import { Bridges } from './month/bridge.tsx';
import { Closing } from './month/closing.tsx';
import { Downloads } from './month/downloads.tsx';
import { English } from './parts/english.tsx';
import { Form } from './parts/form.tsx';
import { ReportTable } from './parts/report-table.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

const MOST_CAUSES = 10;

/** A month: from the courier's figure to ours, what was not checked, what to do next, closing it, and its files. */
export function MonthPage(model: MonthModel, desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const { period: month, standing, totals, balance } = model;
  const closed = standing?.closed;
  return (
    <Shell
      desk={desk}
      title={language.month(month)}
      beside={
        <p class={closed ? 'status good' : 'status'}>
          {closed ? `${word('closed')}: ${closed.by} · ${instantForPeople(closed.at)}` : word('not-closed')}
        </p>
      }
    >
      <Bridges model={model} desk={desk} />
      <Limits model={model} desk={desk} />
      <Next model={model} desk={desk} />
      <section>
        <h2>{word('figures-of-month')}</h2>
        <ReportTable table={totals} desk={desk} caption={word('figures-of-month')} isPart />
        <h3>{word('balance')}</h3>
        <ReportTable table={balance} desk={desk} caption={word('balance')} isPart />
      </section>
      <Closing model={model} desk={desk} />
      <Downloads model={model} desk={desk} />
    </Shell>
  );
}

interface PartProps {
  readonly model: MonthModel;
  readonly desk: DeskContext;
}

/** What is to be done next: the causes with the most money, each with the way to its mismatches. */
function Next({ model: { groups, open, period }, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const shown = groups.slice(0, MOST_CAUSES);
  return (
    <section>
      <h2>{word('do-next')}</h2>
      <p>
        <a href={`/mismatches?month=${period}&status=open`}>
          {`${word('open-mismatches')}: ${open.error} ${word('errors')} · ${open.warning} ${word('warnings')} · ${open.info} ${word('notes')}`}
        </a>
      </p>
      {shown.length > 0 && (
        <ol class="causes">
          {shown.map(({ code, cause, currency, amount }) => (
            <li>
              <a href={`/mismatches?month=${period}&code=${code}${currency ? `&currency=${currency}` : ''}`}>{code}</a>{' '}
              {amount !== null && currency !== null && <b class="figure">{`${amountText(amount)} ${currency}`}</b>}{' '}
              <English>{cause}</English>
            </li>
          ))}
        </ol>
      )}
      <div class="actions">
        <Form desk={desk} action="/checks" class="inline" values={{ month: period, back: desk.link({}) }}>
          <button type="submit">{word('check-again')}</button>
        </Form>
        <Form desk={desk} action="/claims" class="inline" values={{ month: period, back: desk.link({}) }}>
          <button type="submit">{word('claim-month')}</button>
        </Form>
      </div>
    </section>
  );
}

/** What was not checked, and why. */
function Limits({ model: { skipped, incomplete }, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const reasons = [...new Set(skipped.map(({ why }) => why))];
  return (
    <section>
      <h2>{word('not-checked')}</h2>
      {reasons.length + incomplete.length === 0 && <p>{word('all-checked')}</p>}
      <ul>
        {incomplete.map(({ why }) => (
          <li>
            <English>{why}</English>
          </li>
        ))}
        {reasons.map((why) => (
          <li>
            <code>
              {skipped
                .filter((one) => one.why === why)
                .map(({ code }) => code)
                .join(', ')}
            </code>
            : <English>{why}</English>
          </li>
        ))}
      </ul>
    </section>
  );
}
