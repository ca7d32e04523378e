import type { ComponentChildren, VNode } from 'preact';

export interface ColumnHead {
  readonly title: ComponentChildren;
  readonly class?: string | undefined;
  /** The direction in which rows are sorted by the column, if they are. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

interface TableProps {
  readonly class?: string | undefined;
  readonly caption?: ComponentChildren;
  /** Absent if each row's own head says what it is. */
  readonly heads?: readonly ColumnHead[];
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

/** A table: every page that remit makes draws its tables with this. */
export function HtmlTable({ class: look, caption, heads, children, foot }: TableProps): VNode {
  return (
    <table class={look}>
      {caption && <caption>{caption}</caption>}
      {heads && <TableHead heads={heads} />}
      <tbody>{children}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}

export function TableHead({ heads }: { readonly heads: readonly ColumnHead[] }): VNode {
  return (
    <thead>
      <tr>
        {heads.map(({ title, class: look, sorted }) => (
          <th scope="col" class={look} aria-sort={sorted}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function RowHead({ children, span }: RowHeadProps): VNode {
  return (
    <th scope="row" colSpan={span} dir="auto">
      {children}
    </th>
  );
}

interface RowHeadProps {
  readonly span?: number | undefined;
  readonly children?: ComponentChildren;
}

interface FigureProps {
  readonly of: string | null;
  /** The column's title, for a telephone, where the table's head is out of sight. */
  readonly label?: string;
  readonly address?: string | undefined;
}

/** A cell with a figure that is text already, such as `-1,234.50`; negative figures look different. Empty for null. */
export function Figure({ of, label, address }: FigureProps): VNode {
  return (
    <td class={of?.startsWith('-') ? 'figure negative' : 'figure'} data-label={label}>
      {address === undefined ? of : <a href={address}>{of}</a>}
    </td>
  );
}
