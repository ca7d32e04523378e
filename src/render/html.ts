import type { Cell, Column, Report, Row } from '../../reports/model.ts';
import { amountText } from './amount-text.ts';
import { headingOf } from './heading.ts';
import { withoutControls } from './text.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Nothing is loaded from anywhere, and no script runs: the page may be mailed, printed and opened years later. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE = `
body { font: 14px/1.4 system-ui, sans-serif; color: #1d1d1d; margin: 2rem; }
h1 { font-size: 1.3rem; margin-bottom: 0; }
p { color: #555; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: start; unicode-bidi: isolate; }
thead th { position: sticky; top: 0; background: #f3f3f3; }
.figure { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; direction: ltr; }
.negative { color: #b00020; }
tfoot td { font-weight: 600; border-top: 2px solid #777; }
@media print { body { margin: 0; } thead { display: table-header-group; } thead th { position: static; } }
@page { size: A4 landscape; margin: 12mm; }`;

/** A report as one HTML page that needs nothing else. Text from outside is always text: never a tag, never a script. */
export async function* htmlText(report: Report): AsyncGenerator<string> {
  const { columns } = report;
  const heading = escaped(headingOf(report));
  yield `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n`;
  yield `<title>${heading}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n<h1>${heading}</h1>\n<table>\n`;
  yield `<thead><tr>${columns.map((column) => `<th scope="col"${look(column, null)}>${escaped(column.title)}</th>`).join('')}</tr></thead>\n<tbody>\n`;
  for await (const row of report.rows) yield tableRow(columns, row);
  yield '</tbody>\n';
  const totals = report.totals();
  if (totals.length > 0) {
    yield '<tfoot>\n';
    for (const row of totals) yield tableRow(columns, { [columns[0]!.name]: 'Total', ...row });
    yield '</tfoot>\n';
  }
  yield '</table>\n';
  for (const note of report.notes()) yield `<p>${escaped(note)}</p>\n`;
  yield '</body>\n</html>\n';
}

function tableRow(columns: readonly Column[], row: Row): string {
  const cells = columns.map((column) => {
    const cell = row[column.name] ?? null;
    return `<td dir="auto"${look(column, cell)}>${escaped(shown(column, cell))}</td>`;
  });
  return `<tr>${cells.join('')}</tr>\n`;
}

function shown({ type }: Column, cell: Cell): string {
  if (cell === null) return '';
  return type === 'money' ? amountText(String(cell)) : String(cell);
}

function look({ type }: Column, cell: Cell): string {
  if (type !== 'money' && type !== 'integer') return '';
  return String(cell).startsWith('-') ? ' class="figure negative"' : ' class="figure"';
}

function escaped(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
