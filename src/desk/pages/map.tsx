import type { VNode } from 'preact';
import { amountText } from '../../render/figures.ts';
import { HtmlTable } from '../../render/html/table.tsx';
import type { Language } from '../../words/index.ts';
import { KINDS } from '../deciding/imports.ts';
import type { Models } from '../models.ts';
import { ChoiceField, Form, LabelledInput, MainButton } from './parts/form.tsx';
import { Shell } from './parts/shell.tsx';
import { Scrolls } from './parts/table.tsx';
import { dated, explainedLine, usePage } from './parts/words.ts';

/** The page on which a person names a file's columns: its first rows, and above each column a guess to change. */
export function MapPage(model: Models['map']): VNode {
  const { desk, word } = usePage();
  const { file, staged, kind, why } = model;
  return (
    <Shell title={`${word('map-columns')}: ${file}`}>
      {why && (
        <p class="notice" role="alert">
          {explainedLine(why, desk)}
        </p>
      )}
      <nav class="chips" aria-label={word('what-it-holds')}>
        {KINDS.map((option) => (
          <a href={`/maps/new?import=${staged}&kind=${option}`} aria-current={option === kind ? 'true' : undefined}>
            {word(`import-${option}`)}
          </a>
        ))}
      </nav>
      {model.changed ? <RenamedColumns model={model} {...model.changed} /> : <UnmappedColumns model={model} />}
    </Shell>
  );
}

interface PartProps {
  readonly model: Models['map'];
}

/** A file in which columns of its map (`map` is its name) were renamed: the person says which column has each field. */
function RenamedColumns({ model, map, fields }: PartProps & NonNullable<Models['map']['changed']>): VNode {
  const { language, word } = usePage();
  const { staged, kind, headers, samples, values } = model;
  const options = [
    ['', '–'] as const,
    ...headers.flatMap((header, place) => (header.trim() === '' ? [] : [[String(place), header] as const])),
    ['gone', word('map-gone')] as const,
  ];
  const isOfMap = (header: string) => fields.some((field) => field.header === header);
  const otherColumns = headers
    .map((header, place) => ({ header, values: samples[place]! }))
    .filter(({ header }) => header.trim() !== '' && !isOfMap(header));
  const courier = values.get('courier');
  return (
    <>
      <p class="hint">{word('map-renamed')}</p>
      <Form
        action="/maps"
        class="map"
        values={{ staged, kind, changes: map, ...(courier && { courier }) }}
        label={word('map-columns')}
      >
        <Scrolls label={word('map-columns')}>
          <HtmlTable
            heads={(['map-field', 'map-old', 'map-new', 'map-values'] as const).map((name) => ({ title: word(name) }))}
          >
            {fields.map(({ field, old, header, isHeld, values: firstValues }) => (
              <tr>
                <th scope="row">{fieldName(field, language)}</th>
                <td dir="auto">{old.join(' · ')}</td>
                <td>
                  <ChoiceField
                    label={`${word('map-new')}: ${fieldName(field, language)}`}
                    name={`now-${field}`}
                    value={values.get(`now-${field}`) ?? (header === null ? null : String(headers.indexOf(header)))}
                    options={options}
                  />
                  {!isHeld && <span class="hint">{word(header === null ? 'map-not-found' : 'map-guessed')}</span>}
                </td>
                <td dir="auto">{firstValues.join(' · ')}</td>
              </tr>
            ))}
          </HtmlTable>
        </Scrolls>
        <div class="decide">
          <MainButton>{word('map-save')}</MainButton>
          {/* An empty `map` asks for a new one. */}
          <a href={`/maps/new?import=${staged}&kind=${kind}&map=`}>{word('map-another')}</a>
          <a href="/imports">{word('go-back')}</a>
        </div>
      </Form>
      {otherColumns.length > 0 && (
        <section>
          <h2>{word('map-others')}</h2>
          <Scrolls label={word('map-others')}>
            <HtmlTable heads={(['map-new', 'map-values'] as const).map((name) => ({ title: word(name) }))}>
              {otherColumns.map((column) => (
                <tr>
                  <th scope="row" dir="auto">
                    {column.header}
                  </th>
                  <td dir="auto">{column.values.join(' · ')}</td>
                </tr>
              ))}
            </HtmlTable>
          </Scrolls>
        </section>
      )}
    </>
  );
}

/** A field of a map as people call it: `cod.LBP` is the COD in LBP, `charges.handling` the charge of that name. */
function fieldName(field: string, language: Language): string {
  const [column = '', ...names] = field.split('.');
  return [language.label({ column }), ...names].join(' · ');
}

/** A table whose columns no map names yet: the person names them, tries the map on the file, and saves it. */
function UnmappedColumns({ model }: PartProps): VNode {
  const { language, word } = usePage();
  const { file, staged, kind, headers, rows, fields, guess, values } = model;
  const fieldOf = (header: string) =>
    Object.entries(guess?.columns ?? {}).find(([, guessed]) => guessed === header)?.[0];
  const style = (name: 'date' | 'decimal' | 'thousands' | 'currency' | 'account') =>
    values.get(name) ?? guess?.[name] ?? '';
  // How the file is read as text is not asked: the guess is sent back as it is.
  const hidden = Object.fromEntries(
    (['delimiter', 'encoding', 'sheet'] as const).flatMap((name) => (guess?.[name] ? [[name, guess[name]!]] : [])),
  );
  return (
    <>
      <p class="hint">{word('map-hint')}</p>
      <Form action="/maps" class="map" values={{ staged, kind, ...hidden }} label={word('map-columns')}>
        <Scrolls label={file}>
          <HtmlTable
            heads={headers.map((header, place) => ({
              title: (
                <ChoiceField
                  label={header}
                  name={`column-${place}`}
                  value={values.get(`column-${place}`) ?? fieldOf(header) ?? null}
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
          </HtmlTable>
        </Scrolls>
        <div class="decide">
          {(['date', 'decimal', 'thousands', 'currency'] as const).map((name) => (
            <LabelledInput label={word(`map-${name}`)} name={name} value={style(name)} />
          ))}
          {kind === 'receipts' && <LabelledInput label={word('account')} name="account" value={style('account')} />}
          <button type="submit" name="try" value="true" formNoValidate>
            {word('map-try')}
          </button>
          <LabelledInput label={word('map-name')} name="name" value={values.get('name') ?? kind} required />
          <MainButton>{word('map-save')}</MainButton>
          <a href="/imports">{word('go-back')}</a>
        </div>
      </Form>
      {model.tried && (
        <section>
          <h2>{word('map-tried')}</h2>
          <ReadRows rows={model.tried.rows} label={word('map-tried')} />
          <ReadRows rows={model.tried.totals} label={word('map-totals')} />
        </section>
      )}
    </>
  );
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const AMOUNT = /^-?\d+\.\d+$/;

interface ReadRowsProps {
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly label: string;
}

/** Rows as remit reads them: days in words, amounts with their thousands. */
function ReadRows({ rows, label }: ReadRowsProps): VNode | null {
  const { desk, language } = usePage();
  const columns = [...new Set(rows.flatMap(Object.keys))];
  if (columns.length === 0) return null;
  return (
    <Scrolls label={label}>
      <HtmlTable heads={columns.map((column) => ({ title: fieldName(column, language) }))}>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => {
              const text = row[column] ?? '';
              if (AMOUNT.test(text)) return <td class="figure">{amountText(text)}</td>;
              return <td dir="auto">{DAY.test(text) ? dated(text, desk) : text}</td>;
            })}
          </tr>
        ))}
      </HtmlTable>
    </Scrolls>
  );
}
