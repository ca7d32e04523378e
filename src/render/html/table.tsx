import type { ComponentChildren, VNode } from 'preact';

/** The head of a column. */
export interface Head {
  readonly title: ComponentChildren;
  readonly class?: string | undefined;
  /** Which way the rows are sorted by it, where they are. */
  readonly sorted?: 'ascending' | 'descending' | undefined;
}

interface TableProps {
  readonly class?: string | undefined;
  readonly caption?: ComponentChildren;
  /** None where each row's own head says what it is. */
  readonly heads?: readonly Head[];
  readonly children: ComponentChildren;
  readonly foot?: ComponentChildren;
}

/** A table, the one way in which any page writes it. */
export function Table({ class: look, caption, heads, children, foot }: TableProps): VNode {
  return (
    <table class={look}>
      {caption && <caption>{caption}</caption>}
      {heads && <TableHead heads={heads} />}
      <tbody>{children}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}

/** The head of a table. */
export function TableHead({ heads }: { readonly heads: readonly Head[] }): VNode {
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

/** The head of a row. */
export function RowHead({ children, span, class: look }: CellProps & { readonly span?: number | undefined }): VNode {
  return (
    <th scope="row" colSpan={span} class={look} dir="auto">
      {children}
    </th>
  );
}

interface CellProps {
  readonly class?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A figure that is already in words, such as `-1,234.50`; a negative one is seen to be. Nothing where there is none. */
export function Figure(props: {
  readonly of: string | null;
  readonly class?: string;
  /** What it is called where its column has no head in sight. */
  readonly label?: string;
}): VNode {
  const { of, class: look, label } = props;
  const looks = ['figure', look, of?.startsWith('-') ? 'negative' : ''].filter(Boolean).join(' ');
  return (
    <td class={looks} data-label={label}>
      {of}
    </td>
  );
}
