import type { VNode } from 'preact';
import { BUCKETS } from '../../../reports/ageing.ts';
import { tableInWords } from '../desk-table.ts';
import type { Models } from '../models.ts';
import { Narrow, RowChips } from './parts/filters.tsx';
import { ReportTable } from './parts/report-table.tsx';
import { Shell } from './parts/shell.tsx';
import { usePage } from './parts/words.ts';

export function RowsPage({ table }: Models['rows']): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('rows')}>
      <Narrow />
      <RowChips table={table} />
      <ReportTable table={table} caption={word('rows')} />
    </Shell>
  );
}

const MONTH = /^\d{4}-\d{2}$/;

/** Columns that a page leaves out, because they make it too wide; the report's file has them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  ageing: BUCKETS.map(({ name }) => name),
  invoices: ['basis'],
  mismatches: [
    'code',
    'invoice_number',
    'order_id',
    'reference_id',
    'field',
    'expected',
    'actual',
    'difference',
    'unit',
    'amount',
    'cause',
    'subject',
    'claim',
  ],
  'not-invoiced': ['reference_id'],
  receipts: ['kind', 'whose', 'matched', 'rule', 'account', 'import', 'line'],
  totals: ['order_cod', 'order_delivery_fee', 'paid', 'paid_on_word', 'basis'],
};

/** The columns of the list of syncs; the page of one sync shows everything that it counted. */
const RUN_COLUMNS = [
  'courier',
  'run',
  'started_at',
  'status',
  'requests',
  'invoices_listed',
  'invoices_fetched',
  'invoices_failed',
  'orders_listed',
  'orders_changed',
  'malformed',
];

/** `/reports/NAME`: a report, with the filters by which it can be narrowed. */
export function ReportPage({ table }: Models['report']): VNode {
  const { desk, language } = usePage();
  const { title } = tableInWords(table, desk.language);
  // The page to which the column `id` leads; in no other report does it lead to one.
  const idPage = table.report === 'mismatches' ? '/mismatches/' : '';
  // `2026-08..2026-10`
  const months = table.period.split('..').map((period) => (MONTH.test(period) ? language.month(period) : period));
  return (
    <Shell title={table.period === '' ? title : `${title} · ${months.join(' – ')}`}>
      <Narrow />
      <RowChips table={table} />
      <ReportTable
        table={table}
        caption={title}
        without={LEFT_OUT[table.report] ?? []}
        {...(table.report === 'runs' ? { columns: RUN_COLUMNS } : {})}
        idPage={idPage}
      />
    </Shell>
  );
}

/** `/runs`, to which the menu leads: the list of `/reports/runs` without filters. */
export function RunsPage({ table }: Models['runs']): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('runs')}>
      <ReportTable table={table} caption={word('runs')} columns={RUN_COLUMNS} />
    </Shell>
  );
}

export function ReportsPage({ reports }: Models['reports']): VNode {
  const { language, word } = usePage();
  return (
    <Shell title={word('reports')}>
      <ul>
        {reports.map(({ name, title }) => (
          <li>
            <a href={`/reports/${name}`}>{language.tables.titles[name] ?? title}</a> <code>{name}</code>
          </li>
        ))}
      </ul>
    </Shell>
  );
}
