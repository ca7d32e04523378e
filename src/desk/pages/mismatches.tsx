import type { VNode } from 'preact';
import { dayIn } from '../../base/day.ts';
import { amountText } from '../../render/figures.ts';
import { tableInWords } from '../desk-table.ts';
import type { MismatchesModel } from '../models.ts';
import { SeverityBadge } from './parts/badge.tsx';
import { Causes } from './parts/causes.tsx';
import { DECIDE, Decide } from './parts/deciding-forms.tsx';
import { Chips } from './parts/filters.tsx';
import { ChoiceField, CourierField, Form, LabelledInput } from './parts/form.tsx';
import { courierOfRow, ReportTable } from './parts/report-table.tsx';
import { Also, Shell } from './parts/shell.tsx';
import { dated, isClaimed, subjectText, usePage } from './parts/words.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const STATUSES = ['open', 'acknowledged', 'resolved'] as const;

/** The filters. They are in the address, so that a list can be saved as a view or sent to somebody. */
function Filters({ model }: PartProps): VNode {
  const { desk, language, word } = usePage();
  const value = (name: string) => desk.query.get(name) ?? '';
  const all: readonly [string, string] = ['', word('all')];
  const isNarrowed = ['code', 'courier', 'month', 'invoice', 'order', 'currency'].some((name) => value(name) !== '');
  return (
    <>
      <Chips
        name="status"
        label={word('status')}
        options={STATUSES.map((status) => [status, language.statuses[status]])}
      />
      <Chips
        name="severity"
        label={word('severity')}
        options={SEVERITIES.map((severity) => [severity, word(severity)])}
      />
      <form class="filters" action="/mismatches" aria-label={word('filters')}>
        {(['status', 'severity'] as const).map(
          (name) => value(name) !== '' && <input type="hidden" name={name} value={value(name)} />,
        )}
        <LabelledInput label={word('text')} name="text" value={value('text')} />
        <details open={isNarrowed}>
          <summary>{word('more-filters')}</summary>
          <div class="filters">
            <ChoiceField
              label={word('check')}
              name="code"
              value={value('code')}
              options={[all, ...model.codes.map((code) => [code, language.finds(code)] as const)]}
            />
            <CourierField anyLabel={word('all')} />
            {(['month', 'invoice', 'order', 'currency'] as const).map((name) => (
              <LabelledInput label={word(name)} name={name} value={value(name)} />
            ))}
          </div>
        </details>
        <button type="submit">{word('filter')}</button>
        <a href="/mismatches">{word('no-filter')}</a>
        {model.views.length > 0 && (
          <span>
            {`${word('views')}: `}
            {model.views.map(({ name, address }) => (
              <>
                <a href={address} dir="auto">
                  {name}
                </a>{' '}
              </>
            ))}
          </span>
        )}
      </form>
    </>
  );
}

/** In the column of the code, the page says the cause. */
const COLUMNS = ['code', 'courier', 'period', 'effect', 'currency', 'severity', 'status'];

/** The mismatches, grouped by their cause. A person ticks some and decides about them. */
export function MismatchesPage(model: MismatchesModel): VNode {
  const { desk, language, word } = usePage();
  const { table, assigned, since, claims } = model;
  const dayOf = (at: string | undefined) => (at === undefined ? null : dated(dayIn(at, desk.timeZone), desk));
  // A row's key in `assigned`, `since` and `claims`: its id; if the books have several couriers, `swift/` and its id.
  const idOf = (row: MismatchesModel['table']['rows'][number]) =>
    [courierOfRow(row, desk), row.id].filter((part) => part !== null).join('/');
  // If the person chose how to sort, rows of one cause are no neighbours: there are no groups.
  const groups = desk.query.has('sort') ? [] : groupsOf(table.rows);
  const rowsInGroups = new Set(groups.flatMap(({ from, count }) => table.rows.slice(from, from + count)));
  const { rows: rowsInWords } = tableInWords(table, desk.language);
  // The link keeps the list, so that the mismatch's page leads to the next one in it.
  const listQuery = desk.link({ after: null, limit: null }).split('?')[1] ?? '';
  return (
    <Shell title={word('mismatches')}>
      <Filters model={model} />
      <FoldedCauses model={model} />
      <section>
        <Sums model={model} />
        <Decide />
        <ReportTable
          table={table}
          columns={COLUMNS}
          groups={groups.map(({ from, count }) => ({ from, title: `${rowsInWords[from]!.cause} · ${count}` }))}
          draw={{
            code: (row, shown) => {
              // The title of a group says the cause once.
              const text = rowsInGroups.has(row) ? subjectText(String(shown.subject), desk) : shown.cause;
              return (
                <td class="wide" dir="auto">
                  <a href={`/mismatches/${row.id}${withCourier(listQuery, courierOfRow(row, desk))}`}>{text}</a>
                </td>
              );
            },
            severity: (row) => (
              <td>
                <SeverityBadge of={row.severity as 'error'} />
              </td>
            ),
            status: (row) => (
              <td>
                <span class={`badge ${row.status}`}>
                  {isClaimed(row.status, claims[idOf(row)] ?? null)
                    ? word('step-claimed')
                    : language.statuses[row.status as 'open']}
                </span>
              </td>
            ),
          }}
          caption={word('mismatches')}
          choose={desk.readOnly ? undefined : { column: 'id', form: DECIDE }}
          extraColumns={[
            { title: word('known-since'), cell: (row) => dayOf(since[idOf(row)]) },
            { title: word('assigned-to'), cell: (row) => assigned[idOf(row)]?.to ?? null },
          ]}
        />
      </section>
      <Form action="/views" class="decide" values={{ address: desk.link({ after: null }) }} label={word('save-view')}>
        <LabelledInput label={word('name-of-view')} name="name" required />
        <button type="submit">{word('save-view')}</button>
      </Form>
    </Shell>
  );
}

function withCourier(listQuery: string, courier: string | null): string {
  const query = new URLSearchParams(listQuery);
  if (courier !== null) query.set('courier', courier);
  return query.size === 0 ? '' : `?${query}`;
}

/** Where two or more neighbouring rows have the same courier, status and cause. */
function groupsOf(rows: MismatchesModel['table']['rows']) {
  const groups: { from: number; count: number; key: string }[] = [];
  rows.forEach(({ courier, status, cause }, place) => {
    const key = JSON.stringify([courier, status, cause]);
    const last = groups.at(-1);
    if (last?.key === key) last.count += 1;
    else groups.push({ from: place, count: 1, key });
  });
  return groups.filter(({ count }) => count > 1);
}

interface PartProps {
  readonly model: MismatchesModel;
}

/** The mismatches of all pages by cause: each cause is a link that narrows the list to it. */
function FoldedCauses({ model: { groups: causes, more_groups: more } }: PartProps): VNode | null {
  const { desk, word } = usePage();
  if (causes.length === 0) return null;
  const narrowed = Object.fromEntries([...desk.query].filter(([name]) => name !== 'after' && name !== 'limit'));
  return (
    <details class="aside">
      <summary>{`${word('by-cause')} · ${causes.length + more}`}</summary>
      <Causes causes={causes} narrowed={narrowed} />
      {more > 0 && <p class="hint">{`${more} ${word('more-causes')}`}</p>}
    </details>
  );
}

/** How many mismatches are shown, and their sums. The script adds the sums of the ticked rows. */
function Sums({ model: { table, count } }: PartProps): VNode {
  const { desk, word } = usePage();
  return (
    <p class="sums">
      {`${word('shown')}: ${table.rows.length === count ? count : `${table.rows.length} / ${count}`}`}
      {table.totals.map(({ courier, currency, effect }) => (
        <>
          {' · '}
          <b class="figure">{`${amountText(String(effect))} ${currency}`}</b>
          {desk.couriers.length > 1 && <Also after=" ">{String(courier)}</Also>}
        </>
      ))}
      <output id="chosen" class="chosen" hidden data-label={word('chosen')} />
    </p>
  );
}
