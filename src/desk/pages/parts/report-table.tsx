import type { ComponentChildren, VNode } from 'preact';
import type { Column } from '../../../../reports/model.ts';
import { lookOf, pageText } from '../../../render/html/report-page.tsx';
import { HtmlTable } from '../../../render/html/table.tsx';
import type { SaidColumn, SaidRow } from '../../../render/in-words.ts';
import type { DeskContext } from '../../context.ts';
import type { DeskTable } from '../../desk-table.ts';
import { pagePathOf } from './links.ts';
import { Scrolls, tableClass } from './scrolls.tsx';
import { Around, SortLink, sortedBy } from './table-links.tsx';
import { dated, subjectText, wordsOf } from './words.ts';

export interface ReportTableProps {
  readonly table: DeskTable;
  readonly desk: DeskContext;
  /** The columns that are shown, in this order; all if absent. */
  readonly columns?: readonly string[];
  /** Columns that only the file has; a line below the table names them. */
  readonly without?: readonly string[];
  /** The page to which a column `id` leads, such as `/mismatches/`. */
  readonly id?: string;
  /** Gives each row a box that sends this column with the form of this id. */
  readonly choose?: { readonly column: string; readonly form: string } | undefined;
  /** Columns after those of the report: each with a title, and a cell for every row. */
  readonly more?: readonly {
    readonly title: string;
    readonly cell: (row: DeskTable['rows'][number], place: number) => ComponentChildren;
  }[];
  readonly caption: string;
  /** Draws the cells of some columns, by name: from a row as programs read it, and the same row in words. */
  readonly draw?: Readonly<Record<string, (row: DeskTable['rows'][number], shown: SaidRow) => VNode>>;
  /** Rows that belong together, by the place of the first: a line above them has their title. */
  readonly groups?: readonly { readonly from: number; readonly title: ComponentChildren }[];
  /** Columns that do not sort. */
  readonly unsorted?: readonly string[] | 'all';
}

/** The rows of a report as a table of the desk: its heads sort it, and each thing in it is a link to its page. */
export function ReportTable(props: ReportTableProps): VNode {
  const { table, desk, caption, choose, more = [], unsorted = [], groups = [], without = [] } = props;
  const isFixed = ({ name }: Column) => unsorted === 'all' || unsorted.includes(name);
  const { language, word } = wordsOf(desk);
  const shown = table.inWords(desk.language);
  const wanted = columnsOf(shown.columns, props.columns).filter(
    ({ name }) => !without.includes(name) && (name !== 'courier' || desk.couriers.length > 1),
  );
  // Empty columns would make the table wider than its window. Only all rows show which columns are empty.
  const hasEveryRow = table.next === null && !desk.query.has('after');
  const mayLeaveOut = props.columns === undefined && hasEveryRow;
  const columns = mayLeaveOut ? wanted.filter((column) => hasAnyValue(column, table)) : wanted;
  const emptyTitles = wanted.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const titlesInFile = shown.columns.filter(({ name }) => without.includes(name)).map(({ title }) => title);
  // With an empty text, a head or total looks like its column, never like a negative amount.
  const heads = [
    ...(choose ? [{ title: <span class="unseen">{word('choose')}</span>, class: 'choose' }] : []),
    ...columns.map((column) => ({
      title: isFixed(column) ? column.title : <SortLink {...column} desk={desk} />,
      class: lookOf(column, ''),
      sorted: isFixed(column) ? undefined : sortedBy(desk, column.name),
    })),
    ...more.map(({ title }) => ({ title })),
  ];
  return (
    <>
      <Scrolls label={caption}>
        <HtmlTable
          class={tableClass(heads.length)}
          heads={heads}
          foot={shown.totals.map((row) => (
            <tr>
              {choose && <td class="choose" />}
              {columns.map((column, place) => (
                <td class={lookOf(column, '')} data-label={column.title}>
                  {place === 0 && row[column.name] == null ? word('total') : pageText(column, row)}
                </td>
              ))}
              {more.map(() => (
                <td />
              ))}
            </tr>
          ))}
        >
          {table.rows.map((row, place) => (
            <>
              {groups
                .filter(({ from }) => from === place)
                .map(({ title }) => (
                  <tr class="group">
                    {choose && <td class="choose" />}
                    <th scope="rowgroup" colSpan={columns.length + more.length}>
                      {title}
                    </th>
                  </tr>
                ))}
              <tr>
                {choose && (
                  <Chooser row={row} courier={courierOfRow(row, desk)} {...choose} label={word('choose')} desk={desk} />
                )}
                {columns.map((column) => (
                  <Cell column={column} row={row} shown={shown.rows[place]!} {...props} />
                ))}
                {more.map(({ title, cell }) => (
                  <td dir="auto" class="day" data-label={title}>
                    {cell(row, place)}
                  </td>
                ))}
              </tr>
            </>
          ))}
        </HtmlTable>
      </Scrolls>
      {table.rows.length === 0 && <p>{word('nothing')}</p>}
      <Around next={table.next} desk={desk} />
      {emptyTitles.length > 0 && (
        <p class="hint">{`${word('left-out-columns')}: ${emptyTitles.join(language.comma)}`}</p>
      )}
      {titlesInFile.length > 0 && (
        <p class="hint">{`${word('in-file-columns')}: ${titlesInFile.join(language.comma)}`}</p>
      )}
      {shown.notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

/** Columns in which a negative amount is money that you lack: it is red. */
const LACKING: ReadonlySet<string> = new Set(['effect', 'short']);
/** An empty cell or a zero: `0`, `-0.00`. */
const EMPTY_OR_ZERO = /^-?0?(\.0*)?$/;

/** Whether a column is a key, or has more than zeros in some row or total; every column of a table without rows. */
function hasAnyValue({ name, key }: Column, { rows, totals }: DeskTable): boolean {
  const hasValue = (row: DeskTable['rows'][number]) => !EMPTY_OR_ZERO.test(String(row[name] ?? ''));
  return key === true || rows.length === 0 || rows.some(hasValue) || totals.some(hasValue);
}

function columnsOf(shown: readonly SaidColumn[], names?: readonly string[]): readonly SaidColumn[] {
  if (names === undefined) return shown;
  return names.flatMap((name) => shown.filter((column) => column.name === name));
}

interface CellProps extends ReportTableProps {
  readonly column: SaidColumn;
  /** As programs read it. */
  readonly row: DeskTable['rows'][number];
  /** The same row in words. */
  readonly shown: SaidRow;
}

/** The courier of a row; null if the books have only one. */
export function courierOfRow({ courier }: DeskTable['rows'][number], { couriers }: DeskContext): string | null {
  return couriers.length > 1 && typeof courier === 'string' ? courier : null;
}

function Cell({ column, row, shown, desk, id, draw }: CellProps): VNode {
  const drawCell = draw?.[column.name];
  if (drawCell) return drawCell(row, shown);
  const code = row[column.name];
  const value = typeof code === 'string' || typeof code === 'number' ? String(code) : '';
  const page = pagePathOf(column.name, value, id, courierOfRow(row, desk));
  const linked = (text: string) => (page === null ? text : <a href={page}>{text}</a>);
  if (column.type === 'date' || column.type === 'datetime') {
    return (
      <td dir="auto" data-label={column.title} class="day">
        {linked(dated(String(shown[column.name] ?? ''), desk))}
      </td>
    );
  }
  if (column.name === 'code') {
    return (
      <td dir="auto" data-label={column.title} title={value}>
        {linked(wordsOf(desk).language.finds(value))}
      </td>
    );
  }
  const text = pageText(column, shown);
  // Without its minus an amount is not drawn as negative.
  const look = lookOf(column, LACKING.has(column.name) ? text : text.replace(/^-/, ''));
  return (
    <td dir="auto" data-label={column.title} class={look}>
      {linked(text)}
    </td>
  );
}

function Chooser(props: {
  readonly row: DeskTable['rows'][number];
  readonly courier: string | null;
  readonly column: string;
  readonly form: string;
  readonly label: string;
  readonly desk: DeskContext;
}): VNode {
  const { row, courier, column, form, label, desk } = props;
  const value = courier === null ? String(row[column]) : `${courier}/${row[column]}`;
  return (
    <td class="choose">
      <input
        type="checkbox"
        name="ids"
        value={value}
        form={form}
        checked={desk.fault?.values.getAll('ids').includes(value)}
        aria-label={`${label} ${subjectText(String(row.subject_text ?? row.subject ?? value), desk)}`}
        data-amount={row.effect ?? undefined}
        data-currency={row.currency ?? undefined}
      />
    </td>
  );
}
