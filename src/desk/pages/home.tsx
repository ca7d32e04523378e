import type { VNode } from 'preact';
import { SETTLED_FIGURES, type SettledFigure } from '../../../reports/settlement-figures.ts';
import { dayIn } from '../../base/day.ts';
import { instantForPeople } from '../../base/instant.ts';
import { ExactDecimal, parseAmount } from '../../money/decimal.ts';
import { amountText } from '../../render/figures.ts';
import { BarTable, barOf, mostOf } from '../../render/html/dashboard/bars.tsx';
import { Table } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import type { HomeModel } from '../models.ts';
import { Apart } from './parts/apart.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { ageOf, hoursSince, Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';
import { SyncNow } from './sync.tsx';

const MONTHS_OF_CHART = 12;

/** Where one begins: what is due, what to do next, the months by currency, and how they stand. */
export function HomePage(model: HomeModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('home-title')}>
      <LastSync model={model} desk={desk} />
      <SyncNow desk={desk} />
      <Cards model={model} desk={desk} />
      <Today model={model} desk={desk} />
      <section>
        <h2>{word('months')}</h2>
        <Months model={model} desk={desk} />
        <p class="around">
          <a href="/decisions">{word('what-was-decided')}</a> <a href={desk.link({ format: 'csv' })}>CSV</a>
        </p>
      </section>
      <Chart model={model} desk={desk} />
      {model.views.length > 0 && (
        <section>
          <h2>{word('views')}</h2>
          <ul class="links">
            {model.views.map(({ name, address }) => (
              <li>
                <a href={address} dir="auto">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Shell>
  );
}

/** The balance of each currency at the end of the last month, and the month that is to be closed next. */
function Cards({ model, desk }: PartProps): VNode | null {
  const { language, word } = wordsOf(desk);
  const { rows } = model.balance;
  const last = rows
    .map(({ period }) => String(period))
    .sort()
    .at(-1);
  if (last === undefined) return null;
  const couriers = new Set(rows.map(({ courier }) => courier));
  const next = nextToClose(model, desk);
  return (
    <div class="cards">
      {rows
        .filter(({ period }) => period === last)
        .map(({ courier, currency, closing }) => (
          <section class="card">
            <h2>
              {word('owes-you')}
              {couriers.size > 1 && (
                <>
                  {' · '}
                  <bdi>{String(courier)}</bdi>
                </>
              )}
            </h2>
            <p class="big figure">{`${amountText(String(closing))} ${currency}`}</p>
            <p class="hint">
              <a href={`/reports/roll-forward?currency=${currency}`}>{`${word('end-of')} ${language.month(last)}`}</a>
            </p>
          </section>
        ))}
      <section class="card">
        <h2>{word('next-to-close')}</h2>
        {next === undefined ? (
          <p>{word('all-closed')}</p>
        ) : (
          <>
            <p class="big">
              <a href={`/months/${next.period}#close`}>{language.month(next.period)}</a>
            </p>
            <p class="hint">
              <a href={`/mismatches?month=${next.period}&status=open`}>
                {language.say({ id: 'desk-open', ...next.open })}
              </a>
            </p>
          </>
        )}
      </section>
    </div>
  );
}

/** A sync is old after a day: nights bring the others. */
const OLD_HOURS = 36;
const MOST_LINES = 7;

/** What needs a person today, the most urgent first, each with its link. */
function Today({ model, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  const { waiting, last_good_sync: good, months } = model;
  const next = nextToClose(model, desk);
  const age = good === null ? null : hoursSince(good.finished_at ?? good.started_at, desk);
  const lines = [
    ...(waiting > 0 ? [<a href="/approvals">{`${word('waiting-for-approval')}: ${waiting}`}</a>] : []),
    ...(age !== null && age >= OLD_HOURS
      ? [`${word('last-good-sync')}: ${language.say({ id: 'desk-age', hours: age })}`]
      : []),
    ...(next === undefined
      ? []
      : [<a href={`/months/${next.period}`}>{`${word('close-month')}: ${language.month(next.period)}`}</a>]),
    ...months
      .toReversed()
      .filter(({ closed, open }) => closed === null && open.error + open.warning > 0)
      .map(({ period, open }) => (
        <a href={`/mismatches?month=${period}&status=open`}>
          {`${language.month(period)}: ${language.say({ id: 'desk-open', ...open })}`}
        </a>
      )),
  ].slice(0, MOST_LINES);
  return (
    <section>
      <h2>{word('today')}</h2>
      {lines.length === 0 ? (
        <p>{word('nothing-today')}</p>
      ) : (
        <ul class="today">
          {lines.map((line) => (
            <li>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The month after the last closed one; of books without a close the first that they hold. Undefined where it has not ended. */
function nextToClose({ months }: HomeModel, desk: DeskContext): HomeModel['months'][number] | undefined {
  const last = months.findLastIndex(({ closed }) => closed !== null);
  return months.slice(last + 1).find(({ period }) => period < monthOf(desk));
}

/** The month of today, which has not ended. */
function monthOf({ now, timeZone }: DeskContext): string {
  return dayIn(now, timeZone).slice(0, 7);
}

interface PartProps {
  readonly model: HomeModel;
  readonly desk: DeskContext;
}

function LastSync({ model: { last_good_sync: good, last_sync: last }, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  if (good === null) return <p class="todo">{word('never-synced')}</p>;
  const at = good.finished_at ?? good.started_at;
  return (
    <p class="hint">
      {word('last-good-sync')}:{' '}
      <a href={`/runs/${good.id}`}>
        <Apart>{instantForPeople(at)}</Apart>
      </a>{' '}
      ({ageOf(at, desk)})
      {last !== null && last.id !== good.id && (
        <>
          . {word('last-sync')}:{' '}
          <a href={`/runs/${last.id}`}>{language.tables.cells.status?.[last.status] ?? last.status}</a>
        </>
      )}
    </p>
  );
}

function Months({ model, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const { columns } = model.table.said(desk.language);
  const heads = [
    { title: word('month') },
    ...(hasCouriers(model) ? [{ title: word('courier') }] : []),
    { title: word('currency') },
    { title: word('due'), class: 'figure' },
    ...cameOf(model).map((name) => ({ title: columns.find((one) => one.name === name)?.title, class: 'figure' })),
    ...(['unexplained', 'open-mismatches'] as const).map((name) => ({ title: word(name), class: 'figure' })),
    { title: word('closed') },
  ];
  if (model.table.rows.length === 0) return <p>{word('nothing')}</p>;
  return (
    <Scrolls label={word('months')}>
      <Table class="months" heads={heads}>
        {model.table.rows.map((row) => (
          <MonthRow row={row} model={model} desk={desk} />
        ))}
      </Table>
    </Scrolls>
  );
}

/** The columns of what came of the net due: together they are it. The middle ones stand only where any month has them. */
function cameOf({ table }: HomeModel): readonly SettledFigure[] {
  return SETTLED_FIGURES.filter(
    (name) =>
      name === 'received' || name === 'outstanding' || table.rows.some((row) => /[1-9]/.test(String(row[name] ?? ''))),
  );
}

/** Whether the books are about several couriers. */
function hasCouriers({ table }: HomeModel): boolean {
  return new Set(table.rows.map(({ courier }) => courier)).size > 1;
}

function MonthRow({ row, model, desk }: PartProps & { readonly row: HomeModel['table']['rows'][number] }): VNode {
  const { word } = wordsOf(desk);
  const month = String(row.period);
  const currency = row.currency === null ? '' : String(row.currency);
  const standing = model.months.find(({ period }) => period === month);
  const proof = model.unexplained?.find(
    (one) => one.period === month && one.currency === currency && (one.courier ?? row.courier) === row.courier,
  );
  const open = standing ? standing.open.error + standing.open.warning + standing.open.info : 0;
  const whose = hasCouriers(model) ? `&courier=${row.courier}` : '';
  const of = `month=${month}&currency=${currency}${whose}`;
  const figure = (name: string, address: string) => (
    <td class="figure">{row[name] != null && <a href={address}>{amountText(String(row[name]))}</a>}</td>
  );
  return (
    <tr>
      <th scope="row" class="whole">
        <a href={`/months/${month}`}>{month}</a>
      </th>
      {hasCouriers(model) && <td dir="auto">{String(row.courier)}</td>}
      <td>{currency}</td>
      {figure('net_due_to_merchant', `/reports/invoices?${of}`)}
      {cameOf(model).map((name) =>
        figure(name, `/reports/${name === 'outstanding' ? 'open-items' : 'invoices'}?${of}`),
      )}
      <td class="figure">
        <a href={`/months/${month}`}>
          {model.unexplained === null
            ? word('being-computed')
            : proof?.unexplained == null
              ? word('not-proven')
              : amountText(proof.unexplained)}
        </a>
      </td>
      <td class="figure">
        <a href={`/mismatches?month=${month}&status=open`}>{open}</a>
      </td>
      <td dir="auto">
        {standing?.closed ? (
          <a href={`/closes/${month}`} class="badge good">
            {standing.closed.by}
          </a>
        ) : (
          word('no')
        )}
      </td>
    </tr>
  );
}

/** The last months' net due, a chart and its table for each currency. */
function Chart({ model, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  const one = new ExactDecimal(1);
  const currencies = [
    ...new Set(model.table.rows.flatMap(({ currency }) => (currency === null ? [] : [String(currency)]))),
  ];
  return (
    <div class="charts">
      {currencies.map((currency) => {
        const months = model.table.rows.filter((row) => row.currency === currency).slice(-MONTHS_OF_CHART);
        const amounts = months.map((row) => parseAmount(String(row.net_due_to_merchant)));
        const most = mostOf(amounts, one);
        return (
          <section>
            <BarTable
              caption={`${word('due-by-month')} · ${currency}`}
              lines={months.map(({ period, net_due_to_merchant }, place) => ({
                label: String(period),
                bar: barOf(amounts[place]!, most, amounts[place]!.isNegative() ? 'bad' : 'done'),
                figure: amountText(String(net_due_to_merchant)),
              }))}
            />
          </section>
        );
      })}
    </div>
  );
}
