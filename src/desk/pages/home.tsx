import type { VNode } from 'preact';
import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { SETTLED_FIGURES, type SettledFigure } from '../../money/fields.ts';
import { amountText } from '../../render/figures.ts';
import { HtmlTable } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import type { HomeModel } from '../models.ts';
import { Charts, MONTHS_SHOWN } from './home/charts.tsx';
import { Scrolls, tableClass } from './parts/scrolls.tsx';
import { ageOf, hoursSince, Shell } from './parts/shell.tsx';
import { dated, wordsOf } from './parts/words.ts';
import { SyncNow } from './sync.tsx';

/** The first page: what is owed, what needs a person, the state of the last months, and their figures. */
export function HomePage(model: HomeModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('home-title')}>
      <LastSync model={model} desk={desk} />
      <SyncNow desk={desk} />
      <Cards model={model} desk={desk} />
      <Today model={model} desk={desk} />
      <LastMonths model={model} desk={desk} />
      <Charts model={model} desk={desk} />
      <section>
        <h2>{word('months')}</h2>
        <Months model={model} desk={desk} />
        <p class="around">
          <a href="/decisions">{word('what-was-decided')}</a> <a href={desk.link({ format: 'csv' })}>CSV</a>
        </p>
      </section>
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

/** A card for each courier and currency: what the courier owes today, and where other money is. */
function Cards({ model, desk }: PartProps): VNode | null {
  const { word } = wordsOf(desk);
  if (model.cash.length === 0) return null;
  const couriers = new Set(model.cash.map(({ courier }) => courier));
  return (
    <div class="cards">
      {model.cash.map(({ courier, currency, ...amounts }) => {
        const filter = `currency=${currency}${couriers.size > 1 ? `&courier=${courier}` : ''}`;
        return (
          <section class="card">
            <h2>
              {word('owes-you')}
              {couriers.size > 1 && (
                <>
                  {' · '}
                  <bdi>{courier}</bdi>
                </>
              )}
            </h2>
            <p class="big figure">
              <a href={`/reports/roll-forward?${filter}`}>{`${amountText(amounts.owed)} ${currency}`}</a>
            </p>
            {PLACES_OF_MONEY.map(([name, report]) => (
              <p class="part">
                <span>{word(`cash-${name}`)}</span>{' '}
                <a class="figure" href={`/reports/${report}?${filter}`}>
                  {amountText(amounts[name])}
                </a>
              </p>
            ))}
          </section>
        );
      })}
    </div>
  );
}

/** The amounts of a card below the balance, each with the report that lists the rows it sums up. */
const PLACES_OF_MONEY = [
  ['overdue', 'open-items'],
  ['in_hands', 'custody'],
  ['not_invoiced', 'not-invoiced'],
] as const;

/** The age from which the last good sync is worth a line: with one every night, it is more than merely late. */
const OLD_HOURS = 36;
/** The most lines of what needs a person today. */
const MOST_LINES = 7;

/** What needs a person today, the most urgent first, each with its button. */
function Today({ model, desk }: PartProps): VNode {
  const { language, word } = wordsOf(desk);
  const { waiting, last_good_sync: good, months } = model;
  const lines: VNode[] = [];
  const add = (says: string, address: string, button: string) =>
    lines.push(
      <li>
        <span dir="auto">{says}</span>{' '}
        <a href={address} class="button">
          {button}
        </a>
      </li>,
    );
  if (waiting > 0) add(`${word('waiting-for-approval')}: ${waiting}`, '/approvals', word('approvals'));
  const hours = good === null ? 0 : hoursSince(good.finished_at ?? good.started_at, desk);
  if (hours >= OLD_HOURS) {
    add(`${word('last-good-sync')}: ${language.say({ id: 'desk-age', hours })}`, '/runs', word('runs'));
  }
  const next = nextToClose(model, desk);
  // What is still being computed has no button yet.
  if (next !== undefined && next.state !== 'waiting' && next.state !== null) {
    const month = language.month(next.period);
    const button = language.say({ id: 'decide', decision: 'closeMonth', of: month });
    add(`${month}: ${word(`month-${next.state}`)}`, `/months/${next.period}`, button);
  }
  for (const { period, open, closed } of months.toReversed()) {
    if (open.error + open.warning === 0) continue;
    const says =
      closed === null
        ? language.say({ id: 'desk-open', ...open })
        : `${word('month-closed')} · ${language.say({ id: 'desk-found', count: countOf(open) })}`;
    add(`${language.month(period)}: ${says}`, `/mismatches?month=${period}&status=open`, word('decide'));
  }
  return (
    <section>
      <h2>{word('today')}</h2>
      {lines.length === 0 ? <p>{word('nothing-today')}</p> : <ul class="today">{lines.slice(0, MOST_LINES)}</ul>}
    </section>
  );
}

/** The last months, each with its state. */
function LastMonths({ model, desk }: PartProps): VNode | null {
  const { language, word } = wordsOf(desk);
  if (model.months.length === 0) return null;
  return (
    <ol class="strip" aria-label={word('month')}>
      {model.months.slice(-MONTHS_SHOWN).map((month) => (
        <li class={month.state ?? undefined}>
          <a href={`/months/${month.period}`}>{language.month(month.period)}</a>
          <span>
            <StateOfMonth month={month} desk={desk} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Who closed a month; else what is open in it; else what is left to do. */
function StateOfMonth({ month: { state, closed, open }, desk }: StateOfMonthProps): VNode | string {
  const { language, word } = wordsOf(desk);
  const openCount = countOf(open);
  if (closed) {
    return (
      <>
        {word('closed')}: <bdi>{closed.by}</bdi>
        {openCount > 0 && ` · ${language.say({ id: 'desk-found', count: openCount })}`}
      </>
    );
  }
  if ((state === 'open' || state === null) && openCount > 0) return `${word('open-mismatches')}: ${openCount}`;
  return word(state === null ? 'being-computed' : `month-${state}`);
}

interface StateOfMonthProps {
  readonly month: HomeModel['months'][number];
  readonly desk: DeskContext;
}

/** The month after the last closed one, in books without a close the first; undefined if it has not ended. */
function nextToClose({ months }: HomeModel, desk: DeskContext): HomeModel['months'][number] | undefined {
  const last = months.findLastIndex(({ closed }) => closed !== null);
  return months.slice(last + 1).find(({ period }) => period < currentMonth(desk));
}

function countOf({ error, warning, info }: HomeModel['months'][number]['open']): number {
  return error + warning + info;
}

function currentMonth({ now, timeZone }: DeskContext): string {
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
        <bdi>{dated(at, desk)}</bdi>
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
  const heads = [
    { title: word('month') },
    ...(hasSeveralCouriers(model) ? [{ title: word('courier') }] : []),
    { title: word('currency') },
    { title: word('due'), class: 'figure' },
    ...settledColumns(model).map((name) => ({ title: titleOf(name, model, desk), class: 'figure' })),
    ...(['unexplained', 'open-mismatches'] as const).map((name) => ({ title: word(name), class: 'figure' })),
    { title: word('closed') },
  ];
  if (model.table.rows.length === 0) return <p>{word('nothing')}</p>;
  return (
    <Scrolls label={word('months')}>
      <HtmlTable class={`${tableClass(heads.length)} months`} heads={heads}>
        {byMonth(model).map((row, place, rows) => (
          <MonthRow row={row} isFirst={row.period !== rows[place - 1]?.period} model={model} desk={desk} />
        ))}
      </HtmlTable>
    </Scrolls>
  );
}

/** The columns whose sum is the net due: received, outstanding, and others with an amount in some month. */
function settledColumns({ table }: HomeModel): readonly SettledFigure[] {
  return SETTLED_FIGURES.filter(
    (name) =>
      name === 'received' || name === 'outstanding' || table.rows.some((row) => /[1-9]/.test(String(row[name] ?? ''))),
  );
}

function titleOf(name: SettledFigure, { table }: HomeModel, desk: DeskContext): string | undefined {
  return table.inWords(desk.language).columns.find((column) => column.name === name)?.title;
}

function hasSeveralCouriers({ table }: HomeModel): boolean {
  return new Set(table.rows.map(({ courier }) => courier)).size > 1;
}

type Row = HomeModel['table']['rows'][number];

/** The rows of all couriers, the months one after the other. */
function byMonth({ table }: HomeModel): readonly Row[] {
  return [...groupBy(table.rows, ({ period }) => String(period))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, rows]) => rows);
}

interface MonthRowProps extends PartProps {
  readonly row: Row;
  /** Whether it is the first row of its month, the one with the cells about the whole month. */
  readonly isFirst: boolean;
}

function MonthRow({ row, isFirst, model, desk }: MonthRowProps): VNode {
  const { language, word } = wordsOf(desk);
  const month = String(row.period);
  const currency = row.currency === null ? '' : String(row.currency);
  const monthOfBooks = model.months.find(({ period }) => period === month);
  // In books of one courier, `line` names none.
  const proof = model.unexplained?.find(
    (line) => line.period === month && line.currency === currency && (line.courier ?? row.courier) === row.courier,
  );
  const openCount = monthOfBooks ? countOf(monthOfBooks.open) : 0;
  const ofCourier = hasSeveralCouriers(model) ? `&courier=${row.courier}` : '';
  const filter = `month=${month}&currency=${currency}${ofCourier}`;
  const unexplainedText = () => {
    if (model.unexplained === null) return word('being-computed');
    return proof?.unexplained == null ? word('not-proven') : amountText(proof.unexplained);
  };
  const figure = (name: string, address: string, label: string | undefined) => (
    <td class="figure" data-label={label}>
      {row[name] != null && <a href={address}>{amountText(String(row[name]))}</a>}
    </td>
  );
  return (
    <tr>
      <th scope="row" class="day">
        {isFirst ? (
          <a href={`/months/${month}`}>{language.month(month)}</a>
        ) : (
          <span class="unseen">{language.month(month)}</span>
        )}
      </th>
      {hasSeveralCouriers(model) && (
        <td dir="auto" data-label={word('courier')}>
          {String(row.courier)}
        </td>
      )}
      <td data-label={word('currency')}>{currency}</td>
      {figure('net_due_to_merchant', `/reports/invoices?${filter}`, word('due'))}
      {settledColumns(model).map((name) => {
        const report = name === 'outstanding' ? 'open-items' : 'invoices';
        return figure(name, `/reports/${report}?${filter}`, titleOf(name, model, desk));
      })}
      <td class="figure" data-label={word('unexplained')}>
        <a href={`/months/${month}`}>{unexplainedText()}</a>
      </td>
      <td class="figure" data-label={isFirst ? word('open-mismatches') : undefined}>
        {isFirst && <a href={`/mismatches?month=${month}&status=open`}>{openCount}</a>}
      </td>
      <td dir="auto" data-label={isFirst ? word('closed') : undefined}>
        {isFirst &&
          (monthOfBooks?.closed ? (
            <a href={`/closes/${month}`} class="badge good">
              {monthOfBooks.closed.by}
            </a>
          ) : (
            word('no')
          ))}
      </td>
    </tr>
  );
}
