import type { VNode } from 'preact';
import { HEADER_FROM_ROWS } from '../../app/show/page-parts.ts';
import { groupBy } from '../../base/group.ts';
import { amountText } from '../../render/figures.ts';
import { pageText } from '../../render/html/report-page.tsx';
import { HtmlTable } from '../../render/html/table.tsx';
import type { DeskWord } from '../../words/sentences.ts';
import type { DeskContext } from '../context.ts';
import { type DeskTable, tableInWords } from '../desk-table.ts';
import type { MonthModel } from '../models.ts';
import { Bridges } from './month/bridge.tsx';
import { Closing } from './month/closing.tsx';
import { Causes } from './parts/causes.tsx';
import { CourierField, Form } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { countOf, dated, usePage } from './parts/words.ts';

/** A month: what is left to do, its causes, its bridge and figures, what was not checked, its close, and its files. */
export function MonthPage(model: MonthModel): VNode {
  const { desk, language, word } = usePage();
  const { period: month, totals, balance } = model;
  const closed = model.standing?.closed;
  const openCount = countOf(model.open);
  return (
    <Shell
      title={language.month(month)}
      status={
        <p class={closed ? 'status good' : 'status'}>
          {closed ? (
            <>
              <a href={`/closes/${month}`}>{word('closed')}</a>: <bdi>{closed.by}</bdi> ·{' '}
              <bdi>{dated(closed.at, desk)}</bdi>
              {openCount > 0 && ` · ${language.say({ id: 'desk-found', count: openCount })}`}
            </>
          ) : (
            word('not-closed')
          )}
        </p>
      }
    >
      <Neighbours model={model} />
      <Checklist model={model} />
      <MonthCauses model={model} />
      <Bridges model={model} />
      <div class="panels">
        <section>
          <h2>{word('balance')}</h2>
          <FigureTable table={balance} caption={word('balance')} />
        </section>
        <section>
          <h2>{word('figures-of-month')}</h2>
          <FigureTable
            table={totals}
            caption={word('figures-of-month')}
            headerSteps={{ month, steps: model.header_from_rows }}
          />
        </section>
      </div>
      <Limits model={model} />
      <Closing model={model} />
      <Downloads model={model} />
    </Shell>
  );
}

interface PartProps {
  readonly model: MonthModel;
}

/** The address of a list. A page that is about one courier leads to lists of that courier. */
function listAddress({ query }: DeskContext, path: string, filters: Readonly<Record<string, string>>): string {
  const courier = query.get('courier');
  return `${path}?${new URLSearchParams({ ...filters, ...(courier === null ? {} : { courier }) })}`;
}

/** The month as a list to tick off, from the sync to the close. */
function Checklist({ model }: PartProps): VNode {
  const { desk, language, word } = usePage();
  const { period, open, refusals, reasons, unmatched, unclaimed } = model;
  const back = desk.link({});
  const openCount = countOf(open);
  const isClosed = model.standing?.closed != null;
  // A closed month has nothing left to do.
  const notDone = isClosed ? { class: undefined, sign: '·' } : { class: 'unmet', sign: '○' };
  /** A step, how much of it is left (0 if it is done), and its button or link. */
  const step = (name: DeskWord, left: number, action: VNode | null) => (
    <li class={left === 0 ? 'met' : notDone.class}>
      <span aria-hidden="true">{left === 0 ? '✓' : notDone.sign}</span> <b>{word(name)}</b>{' '}
      <span class="hint">
        {left === 0 ? word('step-done') : `${word(isClosed ? 'step-at-close' : 'step-left')}: ${left}`}
      </span>{' '}
      {action}
    </li>
  );
  const filesMissing = new Set(reasons.skipped.flatMap(({ file }) => file ?? [])).size;
  return (
    <section>
      <h2>{word('checklist')}</h2>
      <ol class="steps">
        {step(
          'step-synced',
          reasons.incomplete.length,
          <Form action="/syncs" class="inline" values={{ period }}>
            <button type="submit">{word('sync-now')}</button>
          </Form>,
        )}
        {step('step-files', filesMissing, <a href="/imports">{word('drop-files')}</a>)}
        {step(
          'step-matched',
          unmatched,
          <a href={listAddress(desk, '/receipts', { month: period })}>{word('match')}</a>,
        )}
        {step(
          'step-decided',
          openCount,
          <a href={listAddress(desk, '/mismatches', { month: period, status: 'open' })}>
            {language.say(isClosed ? { id: 'desk-found', count: openCount } : { id: 'desk-open', ...open })}
          </a>,
        )}
        {step(
          'step-claimed',
          unclaimed,
          <Form action="/claims" isSeenFirst class="inline" values={{ month: period, back }}>
            <CourierField />
            <button type="submit">{word('claim-month')}</button>
          </Form>,
        )}
        {step(
          'step-closed',
          // The close itself is left where nothing speaks against it.
          isClosed ? 0 : Math.max(1, refusals.length),
          <a href="#close">
            {isClosed
              ? word('reopen-month')
              : language.say({ id: 'decide', decision: 'closeMonth', of: language.month(period) })}
          </a>,
        )}
      </ol>
      <Form action="/checks" class="inline" values={{ month: period, back }}>
        <button type="submit">{word('check-again')}</button>
      </Form>
    </section>
  );
}

/** The most causes on the page; a link leads to all findings. */
const MOST_CAUSES = 10;

function MonthCauses({ model }: PartProps): VNode | null {
  const { groups, period, reasons, open } = model;
  const { desk, word } = usePage();
  if (groups.length === 0) return null;
  // A group's cause is at its place in `reasons`, not yet in words.
  const causes = groups.slice(0, MOST_CAUSES).map((group, at) => ({ ...group, says: reasons.causes[at]! }));
  return (
    <section>
      <h2>{word('by-cause')}</h2>
      <Causes causes={causes} narrowed={{ month: period }} isClosed={model.standing?.closed != null} />
      {groups.length > causes.length && (
        <p>
          <a
            href={listAddress(desk, '/mismatches', { month: period, status: 'open' })}
          >{`${word('all-findings')}: ${countOf(open)}`}</a>
        </p>
      )}
    </section>
  );
}

function Neighbours({ model: { previous, next } }: PartProps): VNode {
  const { desk, word } = usePage();
  const courier = desk.query.get('courier');
  const go = (month: string | null, name: DeskWord) =>
    month !== null && (
      <form action={`/months/${month}`}>
        {courier !== null && <input type="hidden" name="courier" value={courier} />}
        <button type="submit">{word(name)}</button>
      </form>
    );
  return (
    <div class="actions">
      {go(previous, 'previous-month')}
      {go(next, 'next-month')}
    </div>
  );
}

function Limits({ model }: PartProps): VNode {
  const { language, word } = usePage();
  const { incomplete } = model.reasons;
  const reasons = groupBy(model.reasons.skipped, ({ why }) => language.say(why));
  return (
    <section>
      <h2>{word('not-checked')}</h2>
      {reasons.size + incomplete.length === 0 && <p>{word('all-checked')}</p>}
      <ul>
        {incomplete.map(({ why }) => (
          <li>{language.say(why)}</li>
        ))}
        {[...reasons].map(([why, skipped]) => (
          <li>
            {skipped.map(({ code }) => language.finds(code)).join(language.comma)}: {why}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The month's files: the statement as a workbook and as a page to sign, what is disputed, and each report. */
function Downloads({ model: { period, reports } }: PartProps): VNode {
  const { desk, language, word } = usePage();
  const files = [
    ['statement-workbook', `/months/${period}/statement`, 'format=xlsx'],
    ['statement-page', `/months/${period}/statement`, 'format=html'],
    ['dispute', `/months/${period}/dispute`, ''],
  ] as const;
  const link = ([name, path, parameters]: (typeof files)[number], courier: string | null) => {
    const query = new URLSearchParams(parameters);
    if (courier !== null) query.set('courier', courier);
    const label = courier === null ? undefined : `${word(name)}, ${courier}`;
    return (
      <a href={query.size === 0 ? path : `${path}?${query}`} aria-label={label} download>
        {word(name)}
      </a>
    );
  };
  // Each courier has its files. The books' only courier is not named, unless the address names it.
  const chosen = desk.query.get('courier');
  const couriers = chosen === null ? desk.couriers : [chosen];
  const namedCouriers = chosen === null && couriers.length < 2 ? [] : couriers;
  const reportLinks = reports.map(({ name, title }) => ({ name, title: language.tables.titles[name] ?? title }));
  return (
    <section class="downloads">
      <h2>{word('downloads')}</h2>
      <ul>
        {namedCouriers.length === 0 && files.map((file) => <li>{link(file, null)}</li>)}
        {namedCouriers.map((courier) => (
          <li>
            <bdi>{courier}</bdi>: {link(files[0], courier)} · {link(files[1], courier)} · {link(files[2], courier)}
          </li>
        ))}
      </ul>
      <details>
        <summary>{word('reports')}</summary>
        <ul>
          {reportLinks.map(({ name, title }) => (
            <li>
              <a href={listAddress(desk, `/reports/${name}`, { month: period })}>{title}</a>{' '}
              <a
                href={listAddress(desk, `/reports/${name}`, { month: period, format: 'csv' })}
                aria-label={`CSV, ${title}`}
              >
                CSV
              </a>{' '}
              <a
                href={listAddress(desk, `/reports/${name}`, { month: period, format: 'xlsx' })}
                aria-label={`XLSX, ${title}`}
              >
                XLSX
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

interface FigureTableProps {
  readonly table: DeskTable;
  readonly caption: string;
  /** The steps from the sums of invoice rows to the figures of the invoices' headers. */
  readonly headerSteps?: { readonly month: string; readonly steps: MonthModel['header_from_rows'] };
}

/** Figures that are sums of the figures above them. */
const SUMS = ['opening', 'closing', 'outstanding', 'cod', 'delivery_fee', 'net_due_to_merchant'];

/**
 * A few rows of a report as columns: a line for each figure, a column for each currency. `headerSteps` adds lines:
 * `order_cod` 105.00, the steps `cod_rows_left_out` -5.00 and `cod_returns_deducted` -5.00, then `cod` 95.00.
 */
function FigureTable({ table, caption, headerSteps }: FigureTableProps): VNode {
  const { desk, language, word } = usePage();
  const { columns, rows, notes } = tableInWords(table, desk.language);
  if (rows.length === 0) return <p>{word('nothing')}</p>;
  const hasCouriers = new Set(rows.map(({ courier }) => courier)).size > 1;
  const heads = [
    { title: word('figure') },
    ...rows.map(({ courier, currency }) => ({
      title: hasCouriers ? `${courier} · ${currency}` : String(currency ?? ''),
      class: 'figure',
    })),
  ];
  const figures = columns.filter(({ type }) => type === 'money' || type === 'count');
  const lines = headerSteps === undefined ? figures : rowsBeforeHeader(figures);
  /** A step of a courier and currency, by its name, such as `cod_rows_left_out`. */
  const stepAt = (name: string, { courier, currency }: (typeof rows)[number]) =>
    headerSteps?.steps
      .find((block) => block.courier === courier && block.currency === currency)
      ?.steps.find(({ figure, step }) => `${figure}_${step}` === name);
  /** The names of the steps to a figure, such as `cod`, that any column has. */
  const stepsTo = (figure: string) =>
    HEADER_FROM_ROWS.filter((name) => name.startsWith(`${figure}_`) && rows.some((row) => stepAt(name, row)));
  return (
    <>
      <Scrolls label={caption}>
        <HtmlTable class="figures" heads={heads}>
          {lines.map((column) => (
            <>
              {stepsTo(column.name).map((name) => (
                <tr>
                  <th scope="row">{language.label({ column: name })}</th>
                  {rows.map((row) => {
                    const { amount = null, code = null } = stepAt(name, row) ?? {};
                    const shown = amount === null ? null : amountText(amount);
                    if (headerSteps === undefined || code === null) return <td class="figure">{shown}</td>;
                    const ofCourier = hasCouriers ? { courier: String(row.courier) } : {};
                    const filters = { month: headerSteps.month, code, currency: String(row.currency), ...ofCourier };
                    const address = listAddress(desk, '/mismatches', filters);
                    return (
                      <td class="figure">
                        <a href={address}>{shown}</a>
                      </td>
                    );
                  })}
                </tr>
              ))}
              <tr class={SUMS.includes(column.name) ? 'sum' : undefined}>
                <th scope="row">{column.title}</th>
                {rows.map((row) => (
                  <td class="figure">{pageText(column, row)}</td>
                ))}
              </tr>
            </>
          ))}
        </HtmlTable>
      </Scrolls>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

/**
 * Puts the sum of the rows (`order_cod`) before the header's figure (`cod`), so that the steps between them are drawn
 * there.
 */
function rowsBeforeHeader<Column extends { readonly name: string }>(columns: readonly Column[]): Column[] {
  const order: readonly string[] = HEADER_FROM_ROWS;
  const rankOf = ({ name }: Column) => order.indexOf(name);
  const ranked = columns.filter((column) => rankOf(column) >= 0).sort((a, b) => rankOf(a) - rankOf(b));
  // The ranked columns change places among themselves; the others stay.
  return columns.map((column) => (rankOf(column) < 0 ? column : ranked.shift()!));
}
