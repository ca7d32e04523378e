import type { VNode } from 'preact';
import { textApart } from '../../words/index.ts';
import type { DeskContext } from '../context.ts';
import type { Models } from '../models.ts';
import { Around } from './parts/around.tsx';
import { KnownRows } from './parts/known.tsx';
import { Narrow } from './parts/narrow.tsx';
import { ReportTable } from './parts/report-table.tsx';
import { Shell } from './parts/shell.tsx';
import { wordsOf } from './parts/words.ts';

const NARROWED_BY = ['period', 'status', 'code', 'currency', 'severity'];

/** Every invoice row, by currency. */
export function RowsPage({ table }: Models['rows'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('rows')}>
      <Narrow desk={desk} />
      <ReportTable table={table} desk={desk} caption={word('rows')} filters={NARROWED_BY} />
    </Shell>
  );
}

/** A report, as every format of it says. */
export function ReportPage({ table }: Models['report'], desk: DeskContext): VNode {
  const { title } = table.said(desk.language);
  const { language } = wordsOf(desk);
  const months = language.rightToLeft ? textApart(table.period) : table.period;
  return (
    <Shell desk={desk} title={table.period === '' ? title : `${title} · ${months}`}>
      <Narrow desk={desk} />
      <ReportTable
        table={table}
        desk={desk}
        caption={title}
        filters={NARROWED_BY}
        id={table.report === 'mismatches' ? '/mismatches/' : ''}
      />
    </Shell>
  );
}

/** Every sync and what it brought. */
export function RunsPage({ table }: Models['runs'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('runs')}>
      <ReportTable table={table} desk={desk} caption={word('runs')} />
    </Shell>
  );
}

/** The reports that there are. */
export function ReportsPage({ reports }: Models['reports'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('reports')}>
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

/** Claims as they stand, and what they come to. */
export function ClaimsPage({ claims, totals, next }: Models['claims'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const lines = claims.map(({ claim, mismatch }) => ({
    ...claim,
    mismatch_id: mismatch.id,
    code: mismatch.code,
    invoice_number: mismatch.invoice_number_text,
    order_id: mismatch.order_id,
  }));
  return (
    <Shell desk={desk} title={word('claims')}>
      {lines.length === 0 ? (
        <p>{word('no-claims')}</p>
      ) : (
        <>
          <KnownRows of={totals} desk={desk} caption={word('total')} />
          <KnownRows of={lines} desk={desk} caption={word('claims')} />
        </>
      )}
      <Around next={next} desk={desk} />
    </Shell>
  );
}
