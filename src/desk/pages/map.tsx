import type { VNode } from 'preact';
import { Table } from '../../render/html/table.tsx';
import type { DeskContext } from '../context.ts';
import { KINDS } from '../deciding/imports.ts';
import type { Models } from '../models.ts';
import { Choice, Field, Form } from './parts/form.tsx';
import { Scrolls } from './parts/scrolls.tsx';
import { Shell } from './parts/shell.tsx';
import { explained, wordsOf } from './parts/words.ts';

/** The page on which a person names a file's columns: its first rows, and above each column a guess to change. */
export function MapPage(model: Models['map'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const { file, staged, kind, headers, rows, fields, guess, values, why } = model;
  const guessed = (header: string) => Object.entries(guess?.columns ?? {}).find(([, name]) => name === header)?.[0];
  const style = (name: 'date' | 'decimal' | 'thousands' | 'currency' | 'account') =>
    values.get(name) ?? guess?.[name] ?? '';
  const hidden = Object.fromEntries(
    (['delimiter', 'encoding', 'sheet'] as const).flatMap((name) => (guess?.[name] ? [[name, guess[name]!]] : [])),
  );
  return (
    <Shell desk={desk} title={`${word('map-columns')}: ${file}`}>
      {why && (
        <p class="notice" role="alert">
          {explained(why, desk)}
        </p>
      )}
      <nav class="chips" aria-label={word('what-it-holds')}>
        {KINDS.map((each) => (
          <a href={`/maps/new?import=${staged}&kind=${each}`} aria-current={each === kind ? 'true' : undefined}>
            {word(`import-${each}`)}
          </a>
        ))}
      </nav>
      <p class="hint">{word('map-hint')}</p>
      <Form desk={desk} action="/maps" class="map" values={{ staged, kind, ...hidden }} label={word('map-columns')}>
        <Scrolls label={file}>
          <Table
            heads={headers.map((header, place) => ({
              title: (
                <Choice
                  label={header}
                  name={`column-${place}`}
                  value={values.get(`column-${place}`) ?? guessed(header) ?? null}
                  options={[
                    ['', '–'] as const,
                    ...fields.map((field) => [field, language.label({ column: field })] as const),
                  ]}
                />
              ),
            }))}
          >
            {rows.map((row) => (
              <tr>
                {headers.map((_, place) => (
                  <td dir="auto">{row[place]}</td>
                ))}
              </tr>
            ))}
          </Table>
        </Scrolls>
        <div class="decide">
          <Field label={word('map-date')} name="date" value={style('date')} />
          <Field label={word('map-decimal')} name="decimal" value={style('decimal')} />
          <Field label={word('map-thousands')} name="thousands" value={style('thousands')} />
          <Field label={word('map-currency')} name="currency" value={style('currency')} />
          {kind === 'receipts' && <Field label={word('account')} name="account" value={style('account')} />}
          <Field label={word('map-name')} name="name" value={values.get('name') ?? kind} required />
          <button type="submit" class="first">
            {word('map-save')}
          </button>
          <a href="/imports">{word('go-back')}</a>
        </div>
      </Form>
    </Shell>
  );
}
