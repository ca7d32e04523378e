import type { Report } from '../../reports/model.ts';

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
    columns: report.columns.map(({ name, type }) => ({ name, type })),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  const names = report.columns.map(({ name }) => name);
  let separator = '\n';
  for await (const row of report.rows) {
    yield `${separator}${JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name] ?? null])))}`;
    separator = ',\n';
  }
  yield `\n],"totals":${JSON.stringify(report.totals())},"notes":${JSON.stringify(report.notes())}}\n`;
}
