import type { VNode } from 'preact';
import { amountText } from '../../../render/figures.ts';
import { HtmlTable } from '../../../render/html/table.tsx';
import type { Models } from '../../models.ts';
import { DECIMAL, FieldName } from '../parts/fields.tsx';
import { Scrolls } from '../parts/table.tsx';
import { dated, usePage } from '../parts/words.ts';

interface SidesProps {
  readonly sides: Models['mismatch']['sides'];
  /** The field that the mismatch is about. */
  readonly field: string | null;
}

/** An instant. If two differ, both are shown as they are written: their minutes may be the same. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

/** Receipts, and the invoices that one may pay, are not about the same thing: they may well differ. */
const isOneOfMany = ({ document: { id } }: SidesProps['sides'][number]) =>
  id === 'side-receipt' || id === 'side-invoice';

/** The documents of a mismatch side by side, a line per field. Where those about one thing differ, it is marked. */
export function Sides({ sides, field }: SidesProps): VNode | null {
  const { desk, language, word } = usePage();
  if (sides.length === 0) return null;
  const shownValue = (name: string, value: string) => {
    if (/(status|state)$/.test(name)) return language.state(value);
    return DECIMAL.test(value) ? amountText(value) : dated(value, desk);
  };
  const names = [...new Set(sides.flatMap(({ fields }) => Object.keys(fields)))];
  return (
    <section>
      <h2>{word('side-by-side')}</h2>
      <Scrolls label={word('side-by-side')}>
        <HtmlTable
          class="sides"
          heads={[{ title: word('field') }, ...sides.map(({ document }) => ({ title: language.say(document) }))]}
        >
          {names.map((name) => {
            const values = sides.map(({ fields }) => fields[name] ?? null);
            const compared = values.filter((value, index) => value !== null && !isOneOfMany(sides[index]!));
            const differs = new Set(compared).size > 1;
            return (
              <tr class={differs ? 'differs' : undefined}>
                <th scope="row">
                  <FieldName name={name} />
                  {differs && <span class="unseen">{` (${word('differs')})`}</span>}
                </th>
                {values.map((value) => (
                  <td dir="auto">
                    {value === null && '–'}
                    {value !== null && !differs && shownValue(name, value)}
                    {value !== null && differs && <mark>{INSTANT.test(value) ? value : shownValue(name, value)}</mark>}
                  </td>
                ))}
              </tr>
            );
          })}
          <tr>
            <th scope="row">{word('received-at')}</th>
            {sides.map(({ received_at: at }) => (
              <td class="day">{at === null ? '–' : dated(at, desk)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{word('document')}</th>
            {sides.map(({ sha256 }) => (
              <td>
                {sha256 === null ? (
                  '–'
                ) : (
                  <a href={`/evidence/${sha256}${field === null ? '' : `?field=${encodeURIComponent(field)}`}`}>
                    <code>{`${sha256.slice(0, 12)}…`}</code>
                  </a>
                )}
              </td>
            ))}
          </tr>
        </HtmlTable>
      </Scrolls>
    </section>
  );
}
