import type { VNode } from 'preact';
import { type ListName, listReport } from '../../../../reports/lists.ts';
import type { Row } from '../../../../reports/model.ts';
import type { DeskContext } from '../../context.ts';
import { DeskTable } from '../../desk-table.ts';
import { ReportTable, type ReportTableProps } from './report-table.tsx';
import { wordsOf } from './words.ts';

interface ListTableProps extends Pick<ReportTableProps, 'draw' | 'more' | 'unsorted'> {
  readonly name: ListName;
  readonly records: readonly object[];
  readonly next: string | null;
  readonly desk: DeskContext;
}

/** A list of `reports/lists.ts`, such as closes or imports, as a table. */
export function ListTable({ name, records, next, desk, ...props }: ListTableProps): VNode {
  const { word } = wordsOf(desk);
  const report = listReport(name, records);
  const content = { ...report, rows: report.rows as readonly Row[], totals: [], notes: [] };
  return <ReportTable table={new DeskTable(content, desk.now, next)} desk={desk} caption={word(name)} {...props} />;
}
