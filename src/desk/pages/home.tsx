import type { VNode } from 'preact';
import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { SETTLED_FIGURES, type SettledFigure } from '../../money/fields.ts';
import { amountText } from '../../render/figures.ts';
import type { DeskContext } from '../context.ts';
import { tableInWords } from '../desk-table.ts';
import type { HomeModel } from '../models.ts';
import { Charts, MONTHS_SHOWN } from './home/charts.tsx';
import { Also, ageOf, hoursSince, Shell } from './parts/shell.tsx';
import { RowsTable, type TableColumn } from './parts/table.tsx';
import { countOf, dated, usePage } from './parts/words.ts';
import { SyncNow } from './sync.tsx';

/** The first page: what is owed, what needs a person, the state of the last months, and their figures. */
export function HomePage(model: HomeModel): VNode {
  const { desk, word } = usePage();
  return (
    <Shell title={word('home-title')}>
      <LastSync model={model} />
      <SyncNow />
      <Cards model={model} />
      <Today model={model} />
      <LastMonths model={model} />
      <Charts model={model} />
      <section>
        <h2>{word('months')}</h2>
        <Months model={model} />
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
function Cards({ model }: PartProps): VNode | null {
  const { word } = usePage();
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
              {couriers.size > 1 && <Also after=" · ">{courier}</Also>}
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
const MOST_LINES = 7;

/** What needs a person today, the most urgent first, each with its button. */
function Today({ model }: PartProps): VNode {
  const { desk, language, word } = usePage();
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
  // A close that waits is among the approvals above. While the state is being computed (null) there is no button yet.
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

function LastMonths({ model }: PartProps): VNode | null {
  const { language, word } = usePage();
  if (model.months.length === 0) return null;
  return (
    <ol class="strip" aria-label={word('month')}>
      {model.months.slice(-MONTHS_SHOWN).map((month) => (
        <li class={month.state ?? undefined}>
          <a href={`/months/${month.period}`}>{language.month(month.period)}</a>
          <span>
            <StateOfMonth {...month} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Who closed a month; else what is open in it; else what is left to do. */
function StateOfMonth({ state, closed, open }: HomeModel['months'][number]): VNode | string {
  const { language, word } = usePage();
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

/** The month after the last closed one, in books without a close the first; undefined if it has not ended. */
function nextToClose({ months }: HomeModel, desk: DeskContext) {
  const last = months.findLastIndex(({ closed }) => closed !== null);
  const currentMonth = dayIn(desk.now, desk.timeZone).slice(0, 7);
  return months.slice(last + 1).find(({ period }) => period < currentMonth);
}

interface PartProps {
  readonly model: HomeModel;
}

function LastSync({ model: { last_good_sync: good, last_sync: last } }: PartProps): VNode {
  const { desk, language, word } = usePage();
  const status = last !== null && last.id !== good?.id && (
    <>
      {word('last-sync')}: <a href={`/runs/${last.id}`}>{language.tables.cells.status?.[last.status] ?? last.status}</a>
    </>
  );
  if (good === null) return <p class="todo">{status || word('never-synced')}</p>;
  const at = good.finished_at ?? good.started_at;
  return (
    <p class="hint">
      {word('last-good-sync')}:{' '}
      <a href={`/runs/${good.id}`}>
        <bdi>{dated(at, desk)}</bdi>
      </a>{' '}
      ({ageOf(at, desk)}){status && <>. {status}</>}
    </p>
  );
}

function Months({ model }: PartProps): VNode {
  const { desk, language, word } = usePage();
  const { table } = model;
  if (table.rows.length === 0) return <p>{word('nothing')}</p>;
  const hasSeveralCouriers = new Set(table.rows.map(({ courier }) => courier)).size > 1;
  const titles = new Map(tableInWords(table, desk.language).columns.map(({ name, title }) => [name, title]));
  const figure = (name: string, title = titles.get(name)): TableColumn<MonthLine> => ({
    title,
    class: 'figure',
    cell: ({ row, filter }) => {
      const report = name === 'outstanding' ? 'open-items' : 'invoices';
      return row[name] != null && <a href={`/reports/${report}?${filter}`}>{amountText(String(row[name]))}</a>;
    },
  });
  const unexplainedText = ({ proof }: MonthLine) => {
    if (model.unexplained === null) return word('being-computed');
    return proof?.unexplained == null ? word('not-proven') : amountText(proof.unexplained);
  };
  const monthName = ({ month, isFirst }: MonthLine) =>
    isFirst ? (
      <a href={`/months/${month}`}>{language.month(month)}</a>
    ) : (
      <span class="unseen">{language.month(month)}</span>
    );
  const closedBy = ({ month, closed }: MonthLine) =>
    closed ? (
      <a href={`/closes/${month}`} class="badge good">
        {closed.by}
      </a>
    ) : (
      word('no')
    );
  return (
    <RowsTable
      label={word('months')}
      also="months"
      rows={monthLines(model, hasSeveralCouriers)}
      columns={[
        { title: word('month'), class: 'day', isHead: true, cell: monthName },
        hasSeveralCouriers && { title: word('courier'), isText: true, cell: ({ row }) => String(row.courier) },
        { title: word('currency'), cell: ({ currency }) => currency },
        figure('net_due_to_merchant', word('due')),
        ...settledColumns(table).map((name) => figure(name)),
        {
          title: word('unexplained'),
          class: 'figure',
          cell: (line) => <a href={`/months/${line.month}`}>{unexplainedText(line)}</a>,
        },
        {
          title: word('open-mismatches'),
          class: 'figure',
          cell: ({ month, isFirst, openCount }) =>
            isFirst && <a href={`/mismatches?month=${month}&status=open`}>{openCount}</a>,
        },
        { title: word('closed'), isText: true, cell: (line) => line.isFirst && closedBy(line) },
      ]}
    />
  );
}

/** The columns whose sum is the net due: received, outstanding, and others with an amount in some month. */
function settledColumns({ rows }: HomeModel['table']): readonly SettledFigure[] {
  const hasAmount = (name: SettledFigure) => rows.some((row) => /[1-9]/.test(String(row[name] ?? '')));
  return SETTLED_FIGURES.filter((name) => name === 'received' || name === 'outstanding' || hasAmount(name));
}

type MonthLine = ReturnType<typeof monthLines>[number];

/** The rows of all couriers, month by month. Only the first row of a month has the cells about the whole month. */
function monthLines({ table, months, unexplained }: HomeModel, hasSeveralCouriers: boolean) {
  const rows = [...groupBy(table.rows, ({ period }) => String(period))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, rowsOfMonth]) => rowsOfMonth);
  return rows.map((row, place) => {
    const month = String(row.period);
    const currency = row.currency === null ? '' : String(row.currency);
    const monthOfBooks = months.find(({ period }) => period === month);
    return {
      row,
      month,
      currency,
      isFirst: row.period !== rows[place - 1]?.period,
      filter: `month=${month}&currency=${currency}${hasSeveralCouriers ? `&courier=${row.courier}` : ''}`,
      openCount: monthOfBooks ? countOf(monthOfBooks.open) : 0,
      closed: monthOfBooks?.closed,
      // In books of one courier, `line` names none.
      proof: unexplained?.find(
        (line) => line.period === month && line.currency === currency && (line.courier ?? row.courier) === row.courier,
      ),
    };
  });
}
