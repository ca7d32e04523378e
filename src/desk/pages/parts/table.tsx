import type { ComponentChildren, VNode } from 'preact';
import { HtmlTable } from '../../../render/html/table.tsx';

/** A table with more columns has smaller letters. */
const MOST_WIDE_COLUMNS = 8;
/** A table with more columns is no table on a tablet either: its rows are cards. */
const MOST_NARROW_COLUMNS = 5;

/** A box around what may be wider than the window. It scrolls on its own, by keyboard too. */
export function Scrolls({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no field set, and a page with many of them needs no landmarks.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <div class="rows" role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}

/** The class of a table with so many columns. On a telephone its rows are cards, so each cell needs `data-label`. */
export function tableClass(columns: number): string {
  if (columns > MOST_WIDE_COLUMNS) return 'list broad dense';
  return columns > MOST_NARROW_COLUMNS ? 'list broad' : 'list';
}

/** A column of a {@link RowsTable}: its title, and its cell in each row. */
export interface TableColumn<Row> {
  readonly title: ComponentChildren;
  /** The CSS class of the cells; the head has it too if they are figures or boxes. */
  readonly class?: 'figure' | 'choose' | 'wide' | 'day';
  readonly isHead?: boolean;
  /** Whether the cells are text of any language, whose letters set its direction. */
  readonly isText?: boolean;
  /** Whether the cells go without the column's title where rows are cards, because their text is clear without it. */
  readonly isUnlabelled?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface RowsTableProps<Row> {
  readonly label: string;
  /** The table's CSS class; if absent, {@link tableClass} of the number of columns. */
  readonly class?: string;
  /** One more CSS class. */
  readonly also?: string;
  readonly rows: readonly Row[];
  readonly columns: readonly (TableColumn<Row> | false)[];
}

export function RowsTable<Row>(props: RowsTableProps<Row>): VNode {
  const { label, rows, columns: given, also } = props;
  const columns = given.filter((column) => column !== false);
  const heads = columns.map((column) => ({
    title: column.title,
    class: column.class === 'figure' || column.class === 'choose' ? column.class : undefined,
  }));
  const look = props.class ?? tableClass(columns.length);
  return (
    <Scrolls label={label}>
      <HtmlTable class={also === undefined ? look : `${look} ${also}`} heads={heads}>
        {rows.map((row) => (
          <tr>{columns.map((column) => cellOf(column, column.cell(row)))}</tr>
        ))}
      </HtmlTable>
    </Scrolls>
  );
}

/** The cell of a row. A figure that begins with a minus looks negative. */
function cellOf<Row>(column: TableColumn<Row>, content: ComponentChildren): VNode {
  const { title, class: look, isHead, isText, isUnlabelled } = column;
  const direction = isText ? 'auto' : undefined;
  if (isHead) {
    return (
      <th scope="row" class={look} dir={direction}>
        {content}
      </th>
    );
  }
  const isNegative = look === 'figure' && typeof content === 'string' && content.startsWith('-');
  const label = isUnlabelled || typeof title !== 'string' ? undefined : title;
  return (
    <td class={isNegative ? 'figure negative' : look} dir={direction} data-label={label}>
      {content}
    </td>
  );
}
