import type { VNode } from 'preact';
import { pageText } from '../../../render/html/report-page.tsx';
import { type DeskTable, tableInWords } from '../../desk-table.ts';
import { CourierField } from './form.tsx';
import { usePage } from './words.ts';

interface ChipsProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function Chips({ name, label, options }: ChipsProps): VNode {
  const { desk, word } = usePage();
  const chosen = desk.query.get(name) ?? '';
  return (
    <nav class="chips" aria-label={label}>
      {[['', word('all')] as const, ...options].map(([value, text]) => (
        <a
          href={desk.link({ [name]: value === '' ? null : value, after: null })}
          aria-current={chosen === value ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** The columns by which a report can be narrowed, in the order in which they are shown. */
const NARROWED_BY = ['period', 'status', 'code', 'currency', 'severity'];
/** A filter with more values has no chips: they would fill the page. */
const MOST_CHIPS = 12;

/** The filters of a report, one for each column of {@link NARROWED_BY}, with a chip for each value in its rows. */
export function RowChips({ table }: { readonly table: DeskTable }): VNode {
  const { desk, language } = usePage();
  const shown = tableInWords(table, desk.language);
  return (
    <>
      {NARROWED_BY.flatMap((column) => {
        // The parameter for a period is called month.
        const name = column === 'period' ? 'month' : column;
        const shownColumn = shown.columns.find((candidate) => candidate.name === column);
        if (shownColumn === undefined) return [];
        const texts = new Map(
          table.rows.flatMap((row, index) => {
            const value = row[column];
            if (value == null) return [];
            const isCode = column === 'code';
            const text = isCode ? language.finds(String(value)) : pageText(shownColumn, shown.rows[index]!);
            return [[String(value), text] as const];
          }),
        );
        // A single value is no choice; if it was chosen, “all” takes it away.
        if (texts.size > MOST_CHIPS || (texts.size < 2 && !desk.query.has(name))) return [];
        return [<Chips name={name} label={shownColumn.title} options={[...texts]} />];
      })}
    </>
  );
}

/** Parameters that the form sets itself, or that make no sense for a narrowed list. */
const NOT_KEPT = ['text', 'courier', 'after', 'lang', 'format'];

/** The form that narrows a list to the rows with a text, or to one courier. */
export function Narrow(): VNode {
  const { desk, word } = usePage();
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
      <CourierField anyLabel={word('all')} />
      <button type="submit">{word('filter')}</button>
      <a href={desk.path}>{word('no-filter')}</a>
    </form>
  );
}
