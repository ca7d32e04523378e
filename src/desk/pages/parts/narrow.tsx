import type { VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { CourierField } from './form.tsx';
import { wordsOf } from './words.ts';

/** Parameters that the form sets itself, or that make no sense for a narrowed list. */
const NOT_KEPT = ['text', 'courier', 'after', 'lang', 'format'];

/** The form that narrows a list to the rows with a text, or to one courier. */
export function Narrow({ desk }: { readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
  const kept = [...desk.query].filter(([name]) => !NOT_KEPT.includes(name));
  return (
    <form class="filters" action={desk.path} aria-label={word('filters')}>
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label class="field">
        <span>{word('text')}</span>
        <input type="search" name="text" value={desk.query.get('text') ?? ''} autoComplete="off" />
      </label>
      <CourierField desk={desk} any={word('all')} />
      <button type="submit">{word('filter')}</button>
      <a href={desk.path}>{word('no-filter')}</a>
    </form>
  );
}
