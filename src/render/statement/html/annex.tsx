import type { Column } from '../../../../reports/model.ts';
import type { Language } from '../../../words/index.ts';
import { isFigure } from '../../figures.ts';
import { pageText, ReportRow } from '../../html/report-page.tsx';
import { filled, htmlOf, inPieces, Slot } from '../../html/stream.tsx';
import { TableHead } from '../../html/table.tsx';
import type { SaidColumn, SaidReport, SaidRow } from '../../in-words.ts';
import { ROWS_TO_FIT } from '../../workbook/table-model.ts';

/** The size of letters, in points, and the smallest that a wide table is set in. */
const SIZE_PT = 7;
const SMALLEST_PT = 4.6;
/** A line across A4 holds about this many characters of the usual size. */
const CHARACTERS_A_LINE = 190;
/** Widths of columns are in characters: longer texts and hashes are broken into lines. */
const WIDEST = 50;
const WIDEST_HASH = 18;
const PADDING = 1.4;
/** An id is a hash from this many characters on. */
const SHORTEST_HASH = 40;
/** How much wider a capital is than another letter, in characters. */
const CAPITAL = 0.3;
/** The width of a bold letter, in characters: a word of a heading is bold, and never broken. */
const BOLD = 1.2;
/** A total has more digits than its rows. */
const GROWTH_OF_TOTAL = 2;

/** Rows that the totals do not count, below them, such as invoices that are no longer listed. */
export interface RowsBelow {
  readonly heading: string;
  readonly rows: readonly SaidRow[];
}

/** A report as a sheet of the printed annex: a table as wide as the paper, its totals and notes. Rows are streamed. */
export async function* annexTable(report: SaidReport, { say }: Language, below?: RowsBelow): AsyncGenerator<string> {
  const columns = report.columns.filter(({ isOffPaper }) => !isOffPaper);
  const reader = chained(report.rows);
  // The first rows set the widths, and the same reader goes on with the others: leaving a `for await` would close it.
  const firstRows: SaidRow[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    firstRows.push(next.value);
    if (firstRows.length === ROWS_TO_FIT) break;
  }
  const sampled = columns.map((column) => widthOf(column, [...firstRows, ...(below?.rows ?? [])]));
  const widths = firstRows.length < ROWS_TO_FIT ? sampled : asWideAsTheWidestAmount(columns, sampled);
  const tableWidth = widths.reduce((sum, width) => sum + width, 0);
  const size = Math.max(SMALLEST_PT, Math.min(SIZE_PT, (SIZE_PT * CHARACTERS_A_LINE) / tableWidth));
  const draw = (row: SaidRow) => <ReportRow columns={columns} row={row} look={lookOf} />;
  const sheet = (
    <>
      <table class="annex" style={`font-size:${size.toFixed(2)}pt`}>
        <colgroup>
          {widths.map((width) => (
            <col style={`width:${((100 * width) / tableWidth).toFixed(2)}%`} />
          ))}
        </colgroup>
        <TableHead heads={columns.map((column) => ({ title: column.title, class: lookOf(column, '') }))} />
        <tbody>
          <Slot name="rows" />
        </tbody>
        <Slot name="totals" />
        {below && below.rows.length > 0 && (
          <tbody class="below">
            <tr>
              <th colSpan={columns.length}>{below.heading}</th>
            </tr>
            <Slot name="below" />
          </tbody>
        )}
      </table>
      <Slot name="notes" />
    </>
  );
  yield* filled(sheet, {
    rows: () => inPieces(chained(firstRows, reader), draw),
    *totals() {
      const totals = report.totals();
      if (totals.length === 0) return;
      const total = say({ id: 'workbook/total' });
      const lines = totals.map((row) => draw({ [columns[0]!.name]: total, ...row }));
      yield htmlOf(<tbody class="totals">{lines}</tbody>);
    },
    below: () => inPieces(below?.rows ?? [], draw),
    notes: () => inPieces(report.notes(), (note) => <p class="hint">{note}</p>),
  });
}

async function* chained(...parts: readonly SaidReport['rows'][]): AsyncGenerator<SaidRow> {
  for (const rows of parts) yield* rows;
}

/** In later rows an amount may be larger than its column's first ones, and an amount broken over lines is misread. */
function asWideAsTheWidestAmount(columns: readonly SaidColumn[], widths: readonly number[]): number[] {
  const isMoney = (_: number, column: number) => columns[column]!.type === 'money';
  const widest = Math.max(0, ...widths.filter(isMoney));
  return widths.map((width, column) => (isMoney(width, column) ? widest : width));
}

/** A column's width in characters: its longest text, up to {@link WIDEST}, and no word of its heading is broken. */
function widthOf(column: SaidColumn, rows: readonly SaidRow[]): number {
  const texts = rows.map((row) => pageText(column, row));
  const isHash = column.type === 'id' && texts.some(({ length }) => length >= SHORTEST_HASH);
  const longest = isHash ? WIDEST_HASH : Math.max(0, ...texts.map(lengthOf));
  const growth = column.type === 'money' ? GROWTH_OF_TOTAL : 0;
  const heading = BOLD * Math.max(...column.title.split(' ').map(lengthOf));
  return PADDING + Math.max(heading, Math.min(WIDEST, longest + growth));
}

/** A text's length in characters of a middling width: capitals are wider. */
function lengthOf(text: string): number {
  const capitals = text.replace(/[^A-Z]/g, '').length;
  return text.length + capitals * CAPITAL;
}

function lookOf({ type }: Column, text: string): string | undefined {
  if (isFigure(type)) return 'figure';
  if (type === 'number' || type === 'date' || type === 'datetime') return 'code';
  if (type === 'id') return text.length >= SHORTEST_HASH ? 'code hash' : 'code';
  return undefined;
}
