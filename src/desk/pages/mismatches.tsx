import type { VNode } from 'preact';
import type { Row } from '../../../reports/model.ts';
import { dayIn } from '../../base/day.ts';
import { type ExactDecimal, parseAmount } from '../../money/decimal.ts';
import { formatGrouped } from '../../money/format.ts';
import { amountText } from '../../render/figures.ts';
import { Figure, Table } from '../../render/html/table.tsx';
import type { SaidRow } from '../../render/in-words.ts';
import type { DeskContext } from '../context.ts';
import type { MismatchesModel } from '../models.ts';
import { Decide } from './mismatches/decide.tsx';
import { Choice, CourierChoice, Field, Form } from './parts/form.tsx';
import { pageOf } from './parts/links.ts';
import { courierOf, ReportTable } from './parts/report-table.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { Severity } from './parts/severity.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const STATUSES = ['open', 'acknowledged', 'resolved'] as const;

/** The filters, which are in the address: what is shown can be kept as a view or sent to somebody. */
function Filters({ model, desk }: { readonly model: MismatchesModel; readonly desk: DeskContext }): VNode {
  const { language, word } = wordsOf(desk);
  const value = (name: string) => desk.query.get(name) ?? '';
  const all: readonly [string, string] = ['', word('all')];
  return (
    <form class="filters" action="/mismatches" aria-label={word('filters')}>
      <Field label={word('text')} name="text" value={value('text')} />
      <Choice
        label={word('check')}
        name="code"
        value={value('code')}
        options={[all, ...model.codes.map((code) => [code, code] as const)]}
      />
      <Choice
        label={word('severity')}
        name="severity"
        value={value('severity')}
        options={[all, ...SEVERITIES.map((each) => [each, word(each)] as const)]}
      />
      <Choice
        label={word('status')}
        name="status"
        value={value('status')}
        options={[all, ...STATUSES.map((each) => [each, language.statuses[each]] as const)]}
      />
      <CourierChoice desk={desk} any={word('all')} />
      <Field label={word('month')} name="month" value={value('month')} />
      <Field label={word('invoice')} name="invoice" value={value('invoice')} />
      <Field label={word('order')} name="order" value={value('order')} />
      <Field label={word('currency')} name="currency" value={value('currency')} />
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
  );
}

const COLUMNS = [
  'code',
  'severity',
  'status',
  'courier',
  'period',
  'invoice_number',
  'order_id',
  'expected',
  'actual',
  'effect',
  'currency',
];
const FILTERS = ['severity', 'status', 'courier', 'period', 'currency'];
const FORM = 'decide';

/** What does not agree: by cause first, then one by one, to be chosen and decided about. */
export function MismatchesPage(model: MismatchesModel, desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const { table, assigned, since } = model;
  const dayOf = (at: string | undefined) => (at === undefined ? null : dayIn(at, desk.timeZone));
  const idOf = (row: MismatchesModel['table']['rows'][number]) =>
    [courierOf(row, desk), row.id].filter((part) => part !== null).join('/');
  return (
    <Shell desk={desk} title={word('mismatches')}>
      <Filters model={model} desk={desk} />
      <Causes model={model} desk={desk} />
      <section>
        <h2>{word('one-by-one')}</h2>
        <Sums model={model} desk={desk} />
        <Decide desk={desk} form={FORM} back={desk.link({})} />
        <ReportTable
          table={table}
          desk={desk}
          columns={COLUMNS}
          id="/mismatches/"
          filters={FILTERS}
          draw={{ code: (row, said) => <What row={row} said={said} desk={desk} /> }}
          caption={word('mismatches')}
          choose={desk.readOnly ? undefined : { column: 'id', form: FORM }}
          more={[
            { title: word('known-since'), cell: (row) => dayOf(since[idOf(row)]) },
            { title: word('assigned-to'), cell: (row) => assigned[idOf(row)]?.to ?? null },
          ]}
        />
      </section>
      <Form
        desk={desk}
        action="/views"
        class="decide"
        values={{ address: desk.link({ after: null }) }}
        label={word('save-view')}
      >
        <Field label={word('name-of-view')} name="name" required />
        <button type="submit">{word('save-view')}</button>
      </Form>
    </Shell>
  );
}

/** What is wrong and what to do, with the way to all that is known of it, and to others of its kind. */
function What(props: {
  readonly row: MismatchesModel['table']['rows'][number];
  readonly said: SaidRow;
  readonly desk: DeskContext;
}): VNode {
  const { row, said, desk } = props;
  const { language } = wordsOf(desk);
  const code = String(row.code);
  return (
    <td class="wide" dir="auto">
      <a href={pageOf('mismatch_id', String(row.id), '', courierOf(row, desk)) ?? ''}>{language.finds(code)}</a> ·{' '}
      <a href={desk.link({ code, after: null })}>
        <code>{code}</code>
      </a>
      <span class="hint">{said.message}</span>
    </td>
  );
}

interface PartProps {
  readonly model: MismatchesModel;
  readonly desk: DeskContext;
}

/** The causes, each with the way to its mismatches. */
function Causes({ model: { groups, more_groups: more }, desk }: PartProps): VNode | null {
  const { language, word } = wordsOf(desk);
  if (groups.length === 0) return null;
  const heads = [
    { title: word('cause') },
    { title: word('check') },
    { title: word('severity') },
    { title: word('found'), class: 'figure' },
    { title: word('at-stake'), class: 'figure' },
    { title: word('currency') },
  ];
  return (
    <section>
      <h2>{word('by-cause')}</h2>
      <Scrolls label={word('by-cause')}>
        <Table class="causes" heads={heads}>
          {groups.map(({ code, severity, says, count, currency, amount }) => (
            <tr>
              <th scope="row" class="wide">
                <a href={desk.link({ code, currency, severity, after: null })}>{language.say(says)}</a>
              </th>
              <td>
                <code>{code}</code>
              </td>
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
      {more > 0 && <p class="hint">{`${more} ${word('more-causes')}`}</p>}
    </section>
  );
}

/** What the shown ones come to, and with a script what the chosen ones do. */
function Sums({ model: { table }, desk }: PartProps): VNode {
  const { word } = wordsOf(desk);
  return (
    <p class="sums">
      {`${word('shown')}: ${table.rows.length}`}
      {effectSums(table.rows).map(({ currency, amount }) => (
        <>
          {' · '}
          <b class="figure">{`${amount} ${currency}`}</b>
        </>
      ))}
      <output id="chosen" class="chosen" hidden data-label={word('chosen')} />
    </p>
  );
}

/** What the effects of rows come to, a currency each. */
function effectSums(rows: readonly Row[]): { readonly currency: string; readonly amount: string }[] {
  const sums = new Map<string, ExactDecimal>();
  for (const { effect, currency } of rows) {
    if (typeof effect !== 'string' || typeof currency !== 'string') continue;
    const amount = parseAmount(effect);
    sums.set(currency, sums.get(currency)?.plus(amount) ?? amount);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: formatGrouped(sum) }));
}
