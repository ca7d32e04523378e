import type { Column } from '../../../../reports/model.ts';
import type { Language } from '../../../words/index.ts';
import { isFigure } from '../../figures.ts';
import { cellText, ReportRow } from '../../html/report-page.tsx';
import { filled, htmlOf, inPieces, Slot } from '../../html/stream.tsx';
import { TableHead } from '../../html/table.tsx';
import type { SaidColumn, SaidReport, SaidRow } from '../../in-words.ts';
import { ROWS_TO_FIT } from '../../workbook/table-model.ts';

/** A printed line of A4 across holds about this many characters at the size of the text. */
const CHARACTERS_A_LINE = 190;
const SIZE = 7;
const SMALLEST = 4.6;
/** The widest column in characters: longer texts and hashes are broken into lines. */
const WIDEST = 50;
const PADDING = 1.4;
const CAPITAL = 0.3;
/** Headings are bold, and a word of theirs is never broken. */
const BOLD = 1.2;
const WIDEST_HASH = 18;
const HASH = 40;

/** Rows below a table under a heading of their own. */
interface Below {
  readonly heading: string;
  readonly rows: readonly SaidRow[];
}

/** A report as a sheet of the annex: its table as wide as the paper, its totals and notes. Rows are streamed. */
export async function* annexTable(report: SaidReport, { say }: Language, below?: Below): AsyncGenerator<string> {
  const columns = report.columns.filter(({ isOffPaper }) => !isOffPaper);
  const rows = Symbol.asyncIterator in report.rows ? report.rows[Symbol.asyncIterator]() : iterated(report.rows);
  const first: SaidRow[] = [];
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    first.push(next.value);
    if (first.length === ROWS_TO_FIT) break;
  }
  const sampled = columns.map((column) => widthOf(column, [...first, ...(below?.rows ?? [])]));
  const widths = first.length < ROWS_TO_FIT ? sampled : asWideAsTheWidestAmount(columns, sampled);
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const size = Math.max(SMALLEST, Math.min(SIZE, (SIZE * CHARACTERS_A_LINE) / whole));
  const draw = (row: SaidRow) => <ReportRow columns={columns} row={row} look={lookOf} />;
  const sheet = (
    <>
      <table class="annex" style={`font-size:${size.toFixed(2)}pt`}>
        <colgroup>
          {widths.map((width) => (
            <col style={`width:${((100 * width) / whole).toFixed(2)}%`} />
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
    rows: () => inPieces(chained(first, rows), draw),
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

/** The rows that were read to measure the columns, then the rest. */
async function* chained(first: readonly SaidRow[], rest: AsyncIterator<SaidRow>): AsyncGenerator<SaidRow> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* iterated(rows: Iterable<SaidRow>): AsyncGenerator<SaidRow> {
  yield* rows;
}

/** Beyond the rows that were read an amount may be as large as any: a broken one is not read. */
function asWideAsTheWidestAmount(columns: readonly SaidColumn[], widths: readonly number[]): number[] {
  const isMoney = (at: number) => columns[at]!.type === 'money';
  const widest = Math.max(0, ...widths.filter((_, at) => isMoney(at)));
  return widths.map((width, at) => (isMoney(at) ? widest : width));
}

/** A column's share of the paper, in characters: its longest word or figure, and for sentences as much as they need. */
function widthOf(column: SaidColumn, rows: readonly SaidRow[]): number {
  const texts = rows.map((row) => cellText(column, row));
  const isHash = column.type === 'id' && texts.some(({ length }) => length >= HASH);
  const longest = isHash ? WIDEST_HASH : Math.max(0, ...texts.map(lengthOf));
  // A total has more digits than its rows.
  const growth = column.type === 'money' ? 2 : 0;
  const heading = BOLD * Math.max(...column.title.split(' ').map(lengthOf));
  return PADDING + Math.max(heading, Math.min(WIDEST, longest + growth));
}

/** A text's length in characters of a middling width: capitals are wider. */
function lengthOf(text: string): number {
  const capitals = text.replace(/[^A-Z]/g, '').length;
  return text.length + capitals * CAPITAL;
}

/** How a cell looks on paper. */
function lookOf({ type }: Column, text: string): string | undefined {
  if (isFigure(type)) return 'figure';
  if (type === 'number' || type === 'date' || type === 'datetime') return 'code';
  if (type === 'id') return text.length >= HASH ? 'code hash' : 'code';
  return undefined;
}
