import type { Report, Row } from '../../../reports/model.ts';
import { PackedRows } from '../../../reports/packed.ts';
import type { Statement } from '../../../reports/statement/index.ts';
import type { Language } from '../language/index.ts';

/** Columns of words that remit chose. What the courier and people wrote stays as they wrote it. */
const WORDS = [
  'status',
  'severity',
  'measured_in',
  'what',
  'account',
  'narration',
  'basis',
  'kind',
  'whose',
  'claim',
] as const;

/** What a measure is, which says how it is shown: its word has a column of its own. */
const UNIT = 'unit';
const UNIT_WORD = 'unit_word';

/** A statement whose tables are in a language: headings, words and notes; ids, codes and figures as they are. */
export function inLanguage(statement: Statement, language: Language): Statement {
  if (language.code === 'en') return statement;
  const { tables } = statement;
  const report = (each: Report) => reportIn(each, language);
  const rows = (each: readonly Row[]) => each.map((row) => rowIn(row, language));
  const translated = Object.entries(tables).map(([name, table]) => [
    name,
    Array.isArray(table) ? rows(table) : report(table as Report),
  ]);
  return { ...statement, tables: Object.fromEntries(translated) as Statement['tables'] };
}

/** A report in a language, see {@link inLanguage}. */
export function reportIn(report: Report, language: Language): Report {
  if (language.code === 'en') return report;
  const { tell } = language;
  return {
    ...report,
    title: tell(report.title),
    columns: report.columns.map(({ name, ...column }) => ({
      ...column,
      name: name === UNIT ? UNIT_WORD : name,
      title: tell(column.title),
    })),
    rows: rowsOf(report, language),
    totals: () => report.totals(),
    notes: () => report.notes().map(tell),
  };
}

function rowsOf({ rows, columns }: Report, language: Language): Report['rows'] {
  if (Array.isArray(rows)) return rows.map((row) => rowIn(row, language));
  // A long table is of what the courier wrote.
  const isPlain = !columns.some(({ name }) => ['message', UNIT, ...WORDS].includes(name));
  return rows instanceof PackedRows && isPlain ? rows : rowsIn(rows, language);
}

async function* rowsIn(rows: Report['rows'], language: Language): AsyncGenerator<Row> {
  for await (const row of rows) yield rowIn(row, language);
}

function rowIn(row: Row, { tell, message }: Language): Row {
  const unit = typeof row[UNIT] === 'string' ? { [UNIT_WORD]: tell(row[UNIT]) } : undefined;
  const words = WORDS.filter((name) => typeof row[name] === 'string').map((name) => [name, tell(String(row[name]))]);
  const sentence =
    typeof row.message === 'string' && typeof row.code === 'string'
      ? { message: message(row.code, row.message) }
      : undefined;
  return { ...row, ...Object.fromEntries(words), ...unit, ...sentence };
}
