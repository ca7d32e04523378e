import type { ComponentChildren, VNode } from 'preact';
import { type ListName, listReport } from '../../../../reports/lists.ts';
import type { Column, Row } from '../../../../reports/model.ts';
import { lookOf, pageText } from '../../../render/html/report-page.tsx';
import { HtmlTable } from '../../../render/html/table.tsx';
import type { SaidColumn, SaidRow } from '../../../render/in-words.ts';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { type DeskTable, tableInWords, tableOf } from '../../desk-table.ts';
import { pagePathOf } from './links.ts';
import { Scrolls, tableClass } from './table.tsx';
import { dated, subjectText, usePage } from './words.ts';

/** A column after those of the report, with its cell in each row. */
interface ExtraColumn {
  readonly title: string;
  readonly cell: (row: Row, place: number) => ComponentChildren;
}

interface ReportTableProps {
  readonly table: DeskTable;
  /** The columns that are shown, in this order. If absent, all are, but for those without a value in any row. */
  readonly columns?: readonly string[];
  /** Columns that are not shown, and that only the table's file has; a line below the table names them. */
  readonly without?: readonly string[];
  /** The page to which a column `id` leads, such as `/mismatches/`. */
  readonly idPage?: string;
  /** Gives each row a box that sends this column with the form of this id. */
  readonly choose?: Pick<BoxProps, 'column' | 'form'> | undefined;
  readonly extraColumns?: readonly ExtraColumn[];
  readonly caption: string;
  /** Draws the cells of some columns, by name: from a row as programs read it, and the same row in words. */
  readonly draw?: Readonly<Record<string, (row: Row, shown: SaidRow) => VNode>>;
  /** Rows that belong together, by the place of the first: a line above them has their title. */
  readonly groups?: readonly { readonly from: number; readonly title: ComponentChildren }[];
  /** The columns by which the table cannot be sorted. */
  readonly unsorted?: readonly string[] | 'all';
}

/** The rows of a report as a table of the desk: its heads sort it, and each thing in it is a link to its page. */
export function ReportTable(props: ReportTableProps): VNode {
  const { table, caption, choose, extraColumns = [], unsorted = [], groups = [], without = [] } = props;
  const { desk, language, word } = usePage();
  const isFixed = ({ name }: Column) => unsorted === 'all' || unsorted.includes(name);
  const shown = tableInWords(table, desk.language);
  const named = props.columns?.flatMap((name) => shown.columns.filter((column) => column.name === name));
  const hasSeveralCouriers = desk.couriers.length > 1;
  const wanted = (named ?? shown.columns).filter(
    ({ name }) => !without.includes(name) && (name !== 'courier' || hasSeveralCouriers),
  );
  // Empty columns would make the table wider than its window. Only all rows show which columns are empty.
  const hasEveryRow = table.next === null && !desk.query.has('after');
  const leavesOutEmpty = named === undefined && hasEveryRow;
  const columns = leavesOutEmpty ? wanted.filter((column) => hasAnyValue(column, table)) : wanted;
  const emptyTitles = wanted.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const titlesInFile = shown.columns.filter(({ name }) => without.includes(name)).map(({ title }) => title);
  const listOf = (name: DeskWord, titles: readonly string[]) =>
    titles.length > 0 && <p class="hint">{`${word(name)}: ${titles.join(language.comma)}`}</p>;
  // With an empty text, a head or total looks like its column, never like a negative amount.
  const heads = [
    ...(choose ? [{ title: <span class="unseen">{word('choose')}</span>, class: 'choose' }] : []),
    ...columns.map((column) => ({
      title: isFixed(column) ? column.title : <SortLink {...column} />,
      class: lookOf(column, ''),
      sorted: isFixed(column) ? undefined : sortedBy(desk, column.name),
    })),
    ...extraColumns.map(({ title }) => ({ title })),
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
              {extraColumns.map(() => (
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
                    <th scope="rowgroup" colSpan={columns.length + extraColumns.length}>
                      {title}
                    </th>
                  </tr>
                ))}
              <tr>
                {choose && <Box row={row} {...choose} />}
                {columns.map((column) => (
                  <Cell column={column} row={row} shown={shown.rows[place]!} {...props} />
                ))}
                {extraColumns.map(({ title, cell }) => (
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
      <TableLinks next={table.next} />
      {listOf('left-out-columns', emptyTitles)}
      {listOf('in-file-columns', titlesInFile)}
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
  const hasValue = (row: Row) => !EMPTY_OR_ZERO.test(String(row[name] ?? ''));
  return key === true || rows.length === 0 || rows.some(hasValue) || totals.some(hasValue);
}

interface CellProps extends ReportTableProps {
  readonly column: SaidColumn;
  /** As programs read it. */
  readonly row: Row;
  /** The same row in words. */
  readonly shown: SaidRow;
}

/** The courier of a row; null if the books have only one. */
export function courierOfRow({ courier }: Row, { couriers }: DeskContext): string | null {
  return couriers.length > 1 && typeof courier === 'string' ? courier : null;
}

function Cell({ column, row, shown, idPage, draw }: CellProps): VNode {
  const { desk, language } = usePage();
  const drawCell = draw?.[column.name];
  if (drawCell) return drawCell(row, shown);
  const code = row[column.name];
  const value = typeof code === 'string' || typeof code === 'number' ? String(code) : '';
  const page = pagePathOf(column.name, value, idPage, courierOfRow(row, desk));
  const isCode = column.name === 'code';
  const { text, look } = isCode ? { text: language.finds(value), look: undefined } : textAndLook(column, shown, desk);
  return (
    <td dir="auto" data-label={column.title} title={isCode ? value : undefined} class={look}>
      {page === null ? text : <a href={page}>{text}</a>}
    </td>
  );
}

function textAndLook(column: SaidColumn, shown: SaidRow, desk: DeskContext) {
  if (column.type === 'date' || column.type === 'datetime') {
    return { text: dated(String(shown[column.name] ?? ''), desk), look: 'day' };
  }
  const text = pageText(column, shown);
  // Without its minus an amount is not drawn as negative.
  return { text, look: lookOf(column, LACKING.has(column.name) ? text : text.replace(/^-/, '')) };
}

interface BoxProps {
  readonly row: Row;
  readonly column: string;
  readonly form: string;
}

function Box({ row, column, form }: BoxProps): VNode {
  const { desk, word } = usePage();
  const courier = courierOfRow(row, desk);
  const value = courier === null ? String(row[column]) : `${courier}/${row[column]}`;
  return (
    <td class="choose">
      <input
        type="checkbox"
        name="ids"
        value={value}
        form={form}
        checked={desk.fault?.values.getAll('ids').includes(value)}
        aria-label={`${word('choose')} ${subjectText(String(row.subject_text ?? row.subject ?? value), desk)}`}
        data-amount={row.effect ?? undefined}
        data-currency={row.currency ?? undefined}
      />
    </td>
  );
}

/** In which direction rows are sorted by a column; undefined if they are not. */
function sortedBy(desk: DeskContext, name: string): 'ascending' | 'descending' | undefined {
  const sort = desk.query.get('sort');
  if (sort === name) return 'ascending';
  return sort === `-${name}` ? 'descending' : undefined;
}

/** The title of a column as a link that sorts by it; if that is so already, in the other direction. */
function SortLink({ name, title }: Pick<SaidColumn, 'name' | 'title'>): VNode {
  const { desk } = usePage();
  const next = desk.query.get('sort') === name ? `-${name}` : name;
  const sorted = sortedBy(desk, name);
  return (
    <a href={desk.link({ sort: next, after: null })}>
      {title}
      {sorted && <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : ' ↓'}</span>}
    </a>
  );
}

/** Links below a table: to the first and the next rows, and to the rows as a file. */
export function TableLinks({ next }: { readonly next: string | null }): VNode {
  const { desk, word } = usePage();
  return (
    <p class="around">
      {desk.query.get('after') && <a href={desk.link({ after: null })}>{word('first-rows')}</a>}{' '}
      {next !== null && (
        <a href={next} rel="next">
          {word('next-rows')}
        </a>
      )}{' '}
      <a href={desk.link({ format: 'csv' })}>CSV</a>
    </p>
  );
}

interface ListTableProps extends Pick<ReportTableProps, 'draw' | 'extraColumns' | 'unsorted'> {
  readonly name: ListName;
  readonly records: readonly object[];
  readonly next: string | null;
}

/** A list of `reports/lists.ts`, such as closes or imports, as a table. */
export function ListTable({ name, records, next, ...props }: ListTableProps): VNode {
  const { desk, word } = usePage();
  const report = listReport(name, records);
  const table = { ...tableOf(report, report.rows as readonly Row[], desk.now), next };
  return <ReportTable table={table} caption={word(name)} {...props} />;
}
