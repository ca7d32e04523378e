import type { Column, ColumnType, Report, Row } from '../../../reports/model.ts';
import { instantForPeople } from '../../instant.ts';
import { amountText, countText, isAmount, isFigure } from '../figures.ts';
import { headingOf } from '../heading.ts';
import { escaped } from './escape.ts';
import { type PageOptions, pageEnd, pageHead } from './page.ts';
import { styleOf } from './style.ts';

/** Tables of at most so many columns fit a telephone; those of more than so many are cards on paper too. */
const FITS_A_PHONE = 4;
const FITS_PAPER = 12;
/** About how wide a column is at the least, in rem. */
const LEAST_WIDTH: Readonly<Record<ColumnType, number>> = {
  id: 7,
  number: 5,
  text: 6.5,
  wide: 14,
  count: 4.5,
  days: 4.5,
  money: 7.2,
  measure: 7.2,
  date: 6.5,
  datetime: 13,
};
const MARGINS = 3;
/** A longer id is no id that people read, and may break. */
const LONGEST_ID = 40;

/** A report's rows as one table. */
export async function* tablePage(report: Report, options: PageOptions): AsyncGenerator<string> {
  const { columns } = report;
  yield `${pageHead(headingOf(report), styleOf({ cardsBelow: cardsBelow(columns), cardsOnPaper: columns.length > FITS_PAPER }))}<main>\n<h1>${title(report)}</h1>\n`;
  yield '<table>\n';
  yield `<thead><tr>${columns.map((column) => `<th scope="col"${look(column, '')}>${escaped(column.title)}</th>`).join('')}</tr></thead>\n<tbody>\n`;
  let rows = 0;
  for await (const row of report.rows) {
    rows += 1;
    yield tableRow(columns, row);
  }
  yield '</tbody>\n';
  const totals = report.totals();
  if (totals.length > 0) {
    yield '<tfoot>\n';
    for (const row of totals) yield tableRow(columns, { [columns[0]!.name]: 'Total', ...row });
    yield '</tfoot>\n';
  }
  yield '</table>\n';
  if (rows === 0) yield '<p>Nothing to show.</p>\n';
  for (const note of report.notes()) yield `<p>${escaped(note)}</p>\n`;
  yield `</main>\n${pageEnd(options)}`;
}

function tableRow(columns: readonly Column[], row: Row): string {
  const cells = columns.map((column) => {
    const text = shown(column, row);
    return `<td dir="auto" data-label="${escaped(column.title)}"${look(column, text)}>${breakable(column, escaped(text))}</td>`;
  });
  return `<tr>${cells.join('')}</tr>\n`;
}

/** The courier's states are words on underscores, between which a line may end. */
function breakable({ type }: Column, html: string): string {
  return type === 'text' ? html.replaceAll('_', '_<wbr>') : html;
}

function shown(column: Column, row: Row): string {
  const cell = row[column.name] ?? null;
  if (cell === null) return '';
  const text = String(cell);
  if (isAmount(column, row)) return amountText(text);
  if (column.type === 'measure' || column.type === 'count') return countText(text);
  return column.type === 'datetime' ? instantForPeople(text) : text;
}

/** The heading, in which a month is never broken. */
function title(report: Report): string {
  if (report.period === '') return escaped(report.title);
  return `${escaped(report.title)}, <span class="whole">${escaped(report.period)}</span>`;
}

/** The width in rem below which a table of these columns is shown as cards. */
function cardsBelow(columns: readonly Column[]): number | null {
  if (columns.length <= FITS_A_PHONE) return null;
  return columns.reduce((sum, { type }) => sum + LEAST_WIDTH[type], MARGINS);
}

/** The classes of a cell: what it is, as far as that is seen. */
function look({ type }: Column, text: string): string {
  if (isFigure(type) || type === 'number') return text.startsWith('-') ? ' class="figure negative"' : ' class="figure"';
  if (type === 'wide') return ' class="wide"';
  const isWhole = type === 'id' || type === 'date' || type === 'datetime';
  if (isWhole && text.length <= LONGEST_ID) return ' class="whole"';
  return text.length > LONGEST_ID ? ' class="long"' : '';
}
