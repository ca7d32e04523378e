import type { ComponentChildren, VNode } from 'preact';
import { recordInNumberTexts } from '../../../base/number-texts.ts';
import { amountText } from '../../../render/figures.ts';
import { HtmlTable } from '../../../render/html/table.tsx';
import type { Language } from '../../../words/index.ts';
import type { DeskContext } from '../../context.ts';
import { pagePathOf } from './links.ts';
import { Scrolls, tableClass } from './table.tsx';
import { dated, usePage } from './words.ts';

type FieldValues = Readonly<Record<string, unknown>>;

/** The most rows of a list on the page of one thing. */
const MOST_ROWS = 100;
const HASH_DIGITS = 12;
/** In a column with longer texts, lines may break. */
const LONG_TEXT = 40;
/** Fields about where a value comes from, not about money: `first_evidence_id`, `sha256`. */
const PROOF = /(^|_)(evidence_id|sha256|record_part|seen_walk|seen_run|vanished_run|chain)$/;

interface KnownFieldsProps {
  readonly of: object;
  readonly without?: readonly string[];
  /** More fields to fold away. */
  readonly folded?: readonly string[];
}

/**
 * One thing as fields with their values, and its lists as tables. Hashes, places in the evidence and empty fields are
 * folded away.
 */
export function KnownFields({ of, without = [], folded = [] }: KnownFieldsProps): VNode {
  const { desk, word } = usePage();
  const entries = Object.entries(flat(of as FieldValues, leftOut(desk, without)));
  const lists = entries.flatMap(([name, value]) => (isList(value) ? [[name, value] as const] : []));
  const fields = entries.filter(([, value]) => !isList(value));
  const isFolded = ([name, value]: (typeof fields)[number]) =>
    (value ?? '') === '' || PROOF.test(name) || folded.includes(name);
  const foldedFields = fields.filter(isFolded);
  return (
    <>
      <Fields of={fields.filter((field) => !isFolded(field))} />
      {lists.map(([name, list]) => (
        <KnownRows of={list} title={<FieldName name={name} />} caption={name.replaceAll('_', ' ')} />
      ))}
      {foldedFields.length > 0 && (
        <details class="aside">
          <summary>{word('and-proof')}</summary>
          <Fields of={foldedFields} />
        </details>
      )}
    </>
  );
}

function isList(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null);
}

function Fields({ of }: { readonly of: readonly (readonly [name: string, value: unknown])[] }): VNode {
  return (
    <dl>
      {of.map(([name, value]) => (
        <div>
          <dt>
            <FieldName name={name} />
          </dt>
          <dd dir="auto">
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface KnownRowsProps extends Pick<KnownFieldsProps, 'without'> {
  readonly of: readonly object[];
  readonly caption: string;
  /** The table's heading, if the page has none above it. */
  readonly title?: ComponentChildren;
}

/** Several things as a table, with a row for each and a column for each field. */
export function KnownRows({ of, caption, title: heading, without = [] }: KnownRowsProps): VNode {
  const { desk, language, word } = usePage();
  const rows = of.slice(0, MOST_ROWS).map((thing) => flat(thing as FieldValues, leftOut(desk, without)));
  const more = of.length - rows.length;
  // A column in which no row holds anything says nothing.
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => (row[name] ?? '') !== '')))];
  if (rows.length === 0) return <p>{word('nothing')}</p>;
  return (
    <Scrolls label={caption}>
      <HtmlTable
        class={tableClass(names.length)}
        caption={heading}
        heads={names.map((name) => ({ title: <FieldName name={name} />, class: lookOf(rows, name) }))}
      >
        {rows.map((row) => (
          <tr>
            {names.map((name) => (
              <td dir="auto" class={lookOf(rows, name)} data-label={headingOf(name, language) ?? nameInEnglish(name)}>
                <Value name={name} value={row[name]} />
              </td>
            ))}
          </tr>
        ))}
      </HtmlTable>
      {more > 0 && <p class="hint">{`${more} ${word('more-left-out')}`}</p>}
    </Scrolls>
  );
}

/** A field's name in the reader's language; if it has none, the API's name with blanks. */
export function FieldName({ name }: { readonly name: string }): VNode | string {
  const { language } = usePage();
  return headingOf(name, language) ?? <bdi lang="en">{nameInEnglish(name)}</bdi>;
}

function nameInEnglish(name: string): string {
  return name.replace('sha256', 'SHA-256').replaceAll('_', ' ');
}

/** A field's name in the reader's language; null if it has none. */
function headingOf(name: string, { tables }: Language): string | null {
  // `cod USD` is a field and its currency.
  const [, field = name, currency = ''] = /^(\w+)( [A-Z][A-Z0-9]*)$/.exec(name) ?? [];
  const heading = tables.headings[field];
  return heading === undefined ? null : `${heading}${currency}`;
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }): VNode | string {
  const { desk, language, word } = usePage();
  if (value === null || value === undefined) return '–';
  const text = textOf(value);
  if (name === 'field') return <FieldName name={text} />;
  if (YES_OR_NO.test(name) && /^[01]$/.test(text)) return word(text === '1' ? 'yes' : 'no');
  const inWords = valueInWords(name, text, language);
  if (inWords !== text) return inWords;
  const page = pagePathOf(name.split('.').at(-1)!, text);
  const shown = shownText(text, desk);
  return page === null ? shown : <a href={page}>{shown}</a>;
}

function shownText(text: string, desk: DeskContext): string {
  if (DECIMAL.test(text)) return amountText(text);
  return SHA256.test(text) ? `${text.slice(0, HASH_DIGITS)}…` : dated(text, desk);
}

/** The values of a list or a thing in one line: `10041 86.85, 10042 3.00`. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(recordInNumberTexts(value as FieldValues))
    .map(textOf)
    .join(' ');
}

/** The fields to leave out; `courier` is one of them if the books have only one. */
function leftOut({ couriers }: DeskContext, without: readonly string[]): readonly string[] {
  return couriers.length > 1 ? without : [...without, 'courier'];
}

/** A status or other coded value in the reader's language, as reports have it; any other text as it is. */
function valueInWords(name: string, text: string, { state, tables }: Language): string {
  return tables.cells[name]?.[text] ?? (/(^|_)(status|state)$/.test(name) ? state(text) : text);
}

/** The fields of a thing, in which each amount by currency is a separate field: `cod USD`. */
function flat(thing: FieldValues, without: readonly string[]): FieldValues {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(recordInNumberTexts(thing))) {
    if (without.includes(name)) continue;
    if (name === 'amounts' || name.endsWith('_amounts')) {
      // `stated_amounts` has fields such as `stated_cod USD`.
      const prefix = name.replace(/amounts$/, '');
      for (const [currency, amounts] of byCurrency(value)) {
        for (const [field, amount] of Object.entries(amounts)) fields[`${prefix}${field} ${currency}`] = amount;
      }
    } else fields[name] = value;
  }
  return fields;
}

/** Amounts by currency, from an object with a field for each currency, or from a list with a record for each. */
function byCurrency(amounts: unknown): [currency: string, amounts: FieldValues][] {
  if (!Array.isArray(amounts)) return Object.entries((amounts ?? {}) as Readonly<Record<string, FieldValues>>);
  return (amounts as FieldValues[]).map(({ courier: _, currency, ...fields }) => [String(currency), fields]);
}

/** Fields that are 1 for yes and 0 for no: `is_open`, `cod_stated`. */
const YES_OR_NO = /^(is|has|allow)_|_stated$|^first$|^counts_here$/;
const SHA256 = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d{2}(-\d{2}([T ].*)?)?$/;
/** An amount as the books print it. */
export const DECIMAL = /^-?\d{1,14}\.\d{2,4}$/;

/** The CSS class of a column, by all its values. */
function lookOf(rows: readonly FieldValues[], name: string): string | undefined {
  const values = rows.map((row) => row[name]).filter((value) => value != null);
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'number' || DECIMAL.test(String(value)))) return 'figure';
  if (values.every((value) => INSTANT.test(String(value)))) return 'day';
  const isLong = (value: unknown) => textOf(value).length > LONG_TEXT && !SHA256.test(String(value));
  return values.some(isLong) ? 'long' : undefined;
}
