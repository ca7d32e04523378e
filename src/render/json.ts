import type { ColumnType, Report } from '../../reports/model.ts';
import { escapeMarks } from '../text.ts';

/** The types that programs are told; a `measure` is decimal text, and its row's `unit` says of what. */
const JSON_TYPES: Readonly<Record<ColumnType, 'text' | 'integer' | 'money' | 'date' | 'datetime'>> = {
  id: 'text',
  number: 'integer',
  text: 'text',
  wide: 'text',
  count: 'integer',
  days: 'integer',
  money: 'money',
  measure: 'text',
  date: 'date',
  datetime: 'datetime',
};

/**
 * A report as one JSON document (design: the command line, JSON), a row a line. Money stays decimal text; only the
 * report's columns are written, in their order; a cell that a row lacks is null.
 */
export async function* jsonText(report: Report, generatedAt: Date): AsyncGenerator<string> {
  const head = {
    report: report.report,
    title: report.title,
    period: report.period,
    generated_at: generatedAt.toISOString(),
    columns: report.columns.map(({ name, type }) => ({ name, type: JSON_TYPES[type] })),
  };
  yield `${json(head).slice(0, -1)},"rows":[`;
  const names = report.columns.map(({ name }) => name);
  let separator = '\n';
  for await (const row of report.rows) {
    yield `${separator}${json(Object.fromEntries(names.map((name) => [name, row[name] ?? null])))}`;
    separator = ',\n';
  }
  yield `\n],"totals":${json(report.totals())},"notes":${json(report.notes())}}\n`;
}

/** What a terminal would obey stays an escape, which JSON reads back as the same. */
function json(value: unknown): string {
  return escapeMarks(JSON.stringify(value));
}
