import type { VNode } from 'preact';
import { instantForPeople } from '../../base/instant.ts';
import { amountText } from '../../render/figures.ts';
import { cellText } from '../../render/html/report-cells.tsx';
import { Figure, Table } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import type { MonthModel } from '../models.ts';
import type { DeskTable } from '../table.ts';
import { Bridges } from './month/bridge.tsx';
import { Closing } from './month/closing.tsx';
import { Downloads } from './month/downloads.tsx';
import { Apart } from './parts/apart.tsx';
import { CourierChoice, Form } from './parts/form.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { Severity } from './parts/severity.tsx';
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
          {closed ? (
            <>
              {word('closed')}: <bdi>{closed.by}</bdi> · <Apart>{instantForPeople(closed.at)}</Apart>
            </>
          ) : (
            word('not-closed')
          )}
        </p>
      }
    >
      <Next model={model} desk={desk} />
      <Bridges model={model} desk={desk} />
      <div class="panels">
        <section>
          <h2>{word('balance')}</h2>
          <FigureTable table={balance} desk={desk} caption={word('balance')} />
        </section>
        <section>
          <h2>{word('figures-of-month')}</h2>
          <FigureTable table={totals} desk={desk} caption={word('figures-of-month')} />
        </section>
      </div>
      <Limits model={model} desk={desk} />
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
function Next({ model: { groups, open, period, reasons }, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  const shown = groups.slice(0, MOST_CAUSES);
  const heads = [
    { title: word('cause') },
    { title: word('severity') },
    { title: word('found'), class: 'figure' },
    { title: word('at-stake'), class: 'figure' },
    { title: word('currency') },
  ];
  return (
    <section>
      <h2>{word('do-next')}</h2>
      <p>
        <a href={`/mismatches?month=${period}&status=open`}>{language.say({ id: 'desk-open', ...open })}</a>
      </p>
      {shown.length > 0 && (
        <Scrolls label={word('by-cause')}>
          <Table class="causes" heads={heads}>
            {shown.map(({ code, severity, count, currency, amount }, at) => (
              <tr>
                <th scope="row" class="wide">
                  <a href={`/mismatches?month=${period}&code=${code}${currency ? `&currency=${currency}` : ''}`}>
                    {language.say(reasons.causes[at]!)}
                  </a>
                </th>
                <td>
                  <Severity of={severity} desk={desk} />
                </td>
                <td class="figure">{count}</td>
                <Figure of={amount === null ? null : amountText(amount)} />
                <td>{currency}</td>
              </tr>
            ))}
          </Table>
        </Scrolls>
      )}
      <div class="actions">
        <Form desk={desk} action="/checks" class="inline" values={{ month: period, back: desk.link({}) }}>
          <button type="submit">{word('check-again')}</button>
        </Form>
        <Form desk={desk} action="/claims" class="inline" values={{ month: period, back: desk.link({}) }}>
          <CourierChoice desk={desk} />
          <button type="submit">{word('claim-month')}</button>
        </Form>
      </div>
    </section>
  );
}

/** What was not checked, and why. */
function Limits({ model, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  const { incomplete } = model.reasons;
  const skipped = model.reasons.skipped.map(({ code, why }) => ({ code, why: language.say(why) }));
  const reasons = [...new Set(skipped.map(({ why }) => why))];
  return (
    <section>
      <h2>{word('not-checked')}</h2>
      {reasons.length + incomplete.length === 0 && <p>{word('all-checked')}</p>}
      <ul>
        {incomplete.map(({ why }) => (
          <li>{language.say(why)}</li>
        ))}
        {reasons.map((why) => (
          <li>
            <code>
              {skipped
                .filter((one) => one.why === why)
                .map(({ code }) => code)
                .join(', ')}
            </code>
            : {why}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FigureTableProps {
  readonly table: DeskTable;
  readonly desk: DeskContext;
  readonly caption: string;
}

/** A few rows of a report turned round: a figure a line, a currency a column. */
function FigureTable({ table, desk, caption }: FigureTableProps): VNode {
  const { word } = wordsOf(desk);
  const { columns, rows, notes } = table.said(desk.language);
  if (rows.length === 0) return <p>{word('nothing')}</p>;
  const hasCouriers = new Set(rows.map(({ courier }) => courier)).size > 1;
  const heads = [
    { title: word('figure') },
    ...rows.map(({ courier, currency }) => ({
      title: hasCouriers ? `${courier} · ${currency}` : String(currency ?? ''),
      class: 'figure',
    })),
  ];
  const lines = columns.filter(({ type }) => type === 'money' || type === 'count');
  const isSum = (name: string) => name === 'opening' || name === 'closing' || name === 'outstanding';
  return (
    <>
      <Scrolls label={caption}>
        <Table class="figures" heads={heads}>
          {lines.map((column) => (
            <tr class={isSum(column.name) ? 'sum' : undefined}>
              <th scope="row">{column.title}</th>
              {rows.map((row) => (
                <td class="figure">{cellText(column, row)}</td>
              ))}
            </tr>
          ))}
        </Table>
      </Scrolls>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}
