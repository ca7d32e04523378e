import type { ComponentChildren, VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { wordsOf } from './words.ts';

/** In which direction rows are sorted by a column; undefined if they are not. */
export function sortedBy(desk: DeskContext, name: string): 'ascending' | 'descending' | undefined {
  const sort = desk.query.get('sort');
  if (sort === name) return 'ascending';
  return sort === `-${name}` ? 'descending' : undefined;
}

interface SortLinkProps {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly desk: DeskContext;
}

/** The title of a column as a link that sorts by it; if that is so already, in the other direction. */
export function SortLink({ name, title, desk }: SortLinkProps): VNode {
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
export function Around({ next, desk }: { readonly next: string | null; readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
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
