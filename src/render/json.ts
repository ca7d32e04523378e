import type { Column, ColumnType } from '../../reports/model.ts';
import { escapeMarks } from '../base/text.ts';
import type { SaidReport } from './in-words.ts';

/** The types of columns in a JSON document. A `measure` is decimal text, and its row's `unit` says what it measures. */
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
 * A report as one JSON document, with each row on a line. Money stays decimal text; only the report's columns are
 * written, in their order; a cell that a row lacks is null.
 */
export async function* jsonText(report: SaidReport, generatedAt: Date): AsyncGenerator<string> {
  const head = {
    report: report.report,
    title: report.title,
    period: report.period,
    generated_at: generatedAt.toISOString(),
    columns: jsonColumns(report.columns),
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

export function jsonColumns(
  columns: readonly Pick<Column, 'name' | 'type'>[],
): readonly { readonly name: string; readonly type: (typeof JSON_TYPES)[ColumnType] }[] {
  return columns.map(({ name, type }) => ({ name, type: JSON_TYPES[type] }));
}

/** Escapes the characters that a terminal would obey; a JSON reader gets them back unchanged. */
function json(value: unknown): string {
  return escapeMarks(JSON.stringify(value));
}
