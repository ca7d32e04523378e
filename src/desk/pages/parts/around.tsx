import type { ComponentChildren, VNode } from 'preact';
import type { Head } from '../../../render/html/table.tsx';
import type { DeskWord } from '../../../words/sentences.ts';
import type { DeskContext } from '../../context.ts';
import { wordsOf } from './words.ts';

/** Which way rows are sorted by a column, where they are. */
export function sortedBy(desk: DeskContext, name: string): 'ascending' | 'descending' | undefined {
  const sort = desk.query.get('sort');
  return sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined;
}

interface SortLinkProps {
  readonly name: string;
  readonly title: ComponentChildren;
  readonly desk: DeskContext;
}

/** The head of a column, which sorts by it: the other way where it does already. */
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

/** The heads of a list that is drawn by hand: by the fields that sort it, null for none, and their words. */
export function headsOf(
  desk: DeskContext,
  columns: readonly (readonly [field: string | null, word: DeskWord])[],
): Head[] {
  const { word } = wordsOf(desk);
  return columns.map(([name, title]) =>
    name === null
      ? { title: word(title) }
      : { title: <SortLink name={name} title={word(title)} desk={desk} />, sorted: sortedBy(desk, name) },
  );
}

/** The first and the next rows, and the rows as a file. */
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
