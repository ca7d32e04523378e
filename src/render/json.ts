import type { Column, ColumnType } from '../../reports/model.ts';
import { escapeMarks } from '../base/text.ts';
import type { SaidReport, SaidRow } from './in-words.ts';

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
  yield `${json(jsonHead(report, generatedAt)).slice(0, -1)},"rows":[`;
  let separator = '\n';
  for await (const row of report.rows) {
    yield `${separator}${json(jsonRow(report, row))}`;
    separator = ',\n';
  }
  yield `\n],"totals":${json(report.totals())},"notes":${json(report.notes())}}\n`;
}

export function jsonHead({ report, title, period, columns }: SaidReport, generatedAt: Date) {
  return { report, title, period, generated_at: generatedAt.toISOString(), columns: jsonColumns(columns) };
}

export function jsonRow({ columns }: Pick<SaidReport, 'columns'>, row: SaidRow): SaidRow {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]));
}

export function jsonColumns(columns: readonly Pick<Column, 'name' | 'type'>[]) {
  return columns.map(({ name, type }) => ({ name, type: JSON_TYPES[type] }));
}

/** Escapes the characters that a terminal would obey; a JSON reader gets them back unchanged. */
function json(value: unknown): string {
  return escapeMarks(JSON.stringify(value));
}
