import type { VNode } from 'preact';
import type { Dashboard } from '../../../reports/dashboard/model.ts';
import type { Column, ColumnType } from '../../../reports/model.ts';
import { instantForPeople } from '../../base/instant.ts';
import { amountText, countText, isAmount, isFigure } from '../figures.ts';
import { headingOf, type SaidReport, type SaidRow } from '../in-words.ts';
import { dashboardPage } from './dashboard/index.tsx';
import { DocumentPage, MadeBy, type PageOptions } from './page.tsx';
import { htmlOf, inPieces, Slot, streamed } from './stream.tsx';
import { styleOf } from './style.ts';
import { HtmlTable } from './table.tsx';

export type LookOf = (column: Column, text: string) => string | undefined;

/** Longer ids, such as hashes, may break over lines. */
const LONGEST_ID = 40;

interface ReportRowProps {
  readonly columns: readonly Column[];
  readonly row: SaidRow;
  readonly look: LookOf;
  readonly labels?: boolean;
}

/** A row of a report. With `labels`, a telephone shows each cell beside its column's title. */
export function ReportRow({ columns, row, look, labels }: ReportRowProps): VNode {
  return (
    <tr>
      {columns.map((column) => {
        const text = pageText(column, row);
        return (
          <td dir="auto" data-label={labels ? column.title : undefined} class={look(column, text)}>
            {column.type === 'text' ? breakable(text) : text}
          </td>
        );
      })}
    </tr>
  );
}

export function pageText(column: Column, row: SaidRow): string {
  const cell = row[column.name] ?? null;
  if (cell === null) return '';
  const text = String(cell);
  if (isAmount(column, row)) return amountText(text);
  if (column.type === 'measure' || column.type === 'count') return countText(text);
  return column.type === 'datetime' ? instantForPeople(text) : text;
}

export function lookOf({ type }: Column, text: string): string | undefined {
  if (isFigure(type) || type === 'number') return text.startsWith('-') ? 'figure negative' : 'figure';
  if (type === 'wide') return 'wide';
  const keepsOneLine = type === 'id' || type === 'date' || type === 'datetime';
  if (keepsOneLine && text.length <= LONGEST_ID) return 'whole';
  return text.length > LONGEST_ID ? 'long' : undefined;
}

/** The courier's states are words joined by underscores; a line may break after each. */
function breakable(text: string): (string | VNode)[] | string {
  if (!text.includes('_')) return text;
  return text.split(/(?<=_)/).flatMap((part, place) => (place === 0 ? [part] : [<wbr />, part]));
}

/** By report, the columns that a page shows first, because its reader looks for them first. */
export const READ_FIRST: Readonly<Record<string, readonly string[]>> = {
  invoices: ['number', 'status', 'currency', 'net_due_to_merchant', 'outstanding'],
  mismatches: ['message', 'invoice_number', 'order_id', 'currency', 'amount', 'effect', 'severity', 'status'],
  orders: ['invoice_number', 'order_id', 'reference_id', 'currency', 'cod', 'delivery_fee', 'net'],
  receipts: ['receipt', 'date', 'status', 'currency', 'amount', 'left', 'text', 'invoices'],
  ageing: ['number', 'currency', 'open', 'days'],
  'open-items': ['kind', 'number', 'receipt', 'currency', 'open', 'days'],
  'not-invoiced': ['order_id', 'reference_id', 'currency', 'cod', 'delivery_fee', 'net', 'days'],
};

/** A report's columns in the order in which a page shows them; JSON and CSV keep the report's. */
function inReadingOrder(report: string, columns: readonly Column[]): readonly Column[] {
  const names = READ_FIRST[report] ?? [];
  const first = names.flatMap((name) => columns.filter((column) => column.name === name));
  return [...first, ...columns.filter((column) => !first.includes(column))];
}

/** The most rows of a page: browsers are slow with more, and nobody reads them. */
const MOST_ROWS = 2_000;
/** From this width on, in rem, no table becomes cards; one that is wider than the window scrolls under its head. */
const DESK_WIDTH = 56.25;
/** The most columns that fit a telephone, and the most that fit paper: a wider table becomes cards there. */
const MOST_ON_A_PHONE = 4;
const MOST_ON_PAPER = 12;
/** The least width of a column, in rem, as an estimate. */
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
/** On both sides of the page, in rem. */
const MARGINS = 3;

/**
 * A report as an HTML page in one file: at most `MOST_ROWS` rows as one table, and the totals of all. Text from outside
 * is always text: never a tag, never a script.
 */
export async function* htmlText(
  report: SaidReport & { readonly dashboard?: Dashboard },
  options: PageOptions,
): AsyncGenerator<string> {
  if (report.dashboard) {
    yield* dashboardPage(report, report.dashboard, options);
    return;
  }
  const columns = inReadingOrder(report.report, report.columns);
  const css = styleOf({ cardsBelow: cardsBelow(columns), cardsOnPaper: columns.length > MOST_ON_PAPER });
  const draw = (row: SaidRow) => <ReportRow columns={columns} row={row} look={lookOf} labels />;
  let rows = 0;
  async function* firstRows(): AsyncGenerator<SaidRow> {
    // Reads on after the last row that it yields, because the totals are of all rows.
    for await (const row of report.rows) {
      rows += 1;
      if (rows <= MOST_ROWS) yield row;
    }
  }
  // Each `Slot` is filled when its turn comes, below: totals and notes are known only after the rows.
  const page = (
    <DocumentPage title={headingOf(report)} css={css} isDarkAtNight>
      <main>
        <h1>
          {report.title}
          {report.period !== '' && (
            <>
              , <span class="whole">{report.period}</span>
            </>
          )}
        </h1>
        <div class="rows">
          <HtmlTable
            heads={columns.map((column) => ({ title: column.title, class: lookOf(column, '') }))}
            foot={<Slot name="totals" />}
          >
            <Slot name="rows" />
          </HtmlTable>
        </div>
        <Slot name="notes" />
      </main>
      <MadeBy {...options} />
    </DocumentPage>
  );
  yield* streamed(page, {
    rows: () => inPieces(firstRows(), draw),
    totals: () => inPieces(report.totals(), (row) => draw({ [columns[0]!.name]: 'Total', ...row })),
    *notes() {
      if (rows > MOST_ROWS) {
        // Tells the command, which then writes all rows to a CSV file.
        options.onCut?.();
        yield htmlOf(rowsLeftOut(report, rows, options.csvBeside));
      }
      const notes = rows === 0 ? ['Nothing to show.', ...report.notes()] : report.notes();
      for (const note of notes) yield htmlOf(<p>{note}</p>);
    },
  });
}

function rowsLeftOut(report: SaidReport, rows: number, csvBeside: string | undefined): VNode {
  const command = ['remit report', report.report, report.period, '--format csv'].filter((part) => part !== '');
  return (
    <p>
      The first {countText(String(MOST_ROWS))} of {countText(String(rows))} rows. Totals are of all.{' '}
      {csvBeside === undefined ? (
        <>
          <code>{command.join(' ')}</code> writes every row.
        </>
      ) : (
        <>
          Every row is in <a href={`./${encodeURIComponent(csvBeside)}`}>{csvBeside}</a>, beside this page.
        </>
      )}
    </p>
  );
}

/** The width in rem below which these columns are shown as cards; null if they fit a telephone. */
function cardsBelow(columns: readonly Column[]): number | null {
  if (columns.length <= MOST_ON_A_PHONE) return null;
  const needed = columns.reduce((sum, { type }) => sum + LEAST_WIDTH[type], MARGINS);
  // A little less, because CSS's `max-width` includes the width that it names.
  return Math.min(needed, DESK_WIDTH - 0.01);
}
