import type { VNode } from 'preact';
import { instantForPeople } from '../../../base/instant.ts';
import { amountText } from '../../../render/figures.ts';
import { Table } from '../../../render/html/table.tsx';
import type { DeskContext } from '../../context.ts';
import { SortLink, sortedBy } from './around.tsx';
import { pageOf } from './links.ts';
import { Scrolls } from './scrolls.tsx';
import { wordsOf } from './words.ts';

type Thing = Readonly<Record<string, unknown>>;

interface KnownProps {
  readonly desk: DeskContext;
  /** What a field `id` leads to. */
  readonly id?: string;
  /** Fields that are not shown. */
  readonly without?: readonly string[];
}

/** So many rows of a list stand on the page of one thing. */
const MOST = 100;

/** What is known of one thing: each field beside its value, under the name that it has from the wire to the cell. */
export function Known({ of, desk, id, without = [] }: KnownProps & { readonly of: object }): VNode {
  return (
    <dl class="known">
      {Object.entries(flat(of as Thing, without)).map(([name, value]) => (
        <div>
          <dt>
            <FieldName name={name} desk={desk} />
          </dt>
          <dd dir="auto">
            <Value name={name} value={value} id={id} desk={desk} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The same of several, as a table with a row each. */
export function KnownRows(
  props: KnownProps & {
    readonly of: readonly object[];
    readonly caption: string;
    /** Whether the page is about this list: its heads sort it. */
    readonly sorts?: boolean;
  },
): VNode {
  const { of, desk, id, caption, sorts = false, without = [] } = props;
  const { word } = wordsOf(desk);
  const rows = (sorts ? of : of.slice(0, MOST)).map((each) => flat(each as Thing, without));
  const more = of.length - rows.length;
  const names = [...new Set(rows.flatMap(Object.keys))];
  if (rows.length === 0) return <p>{word('nothing')}</p>;
  const title = (name: string) => <FieldName name={name} desk={desk} />;
  return (
    <Scrolls label={caption}>
      <Table
        heads={names.map((name) => ({
          title: sorts ? <SortLink name={name} title={title(name)} desk={desk} /> : title(name),
          class: lookOf(rows, name),
          sorted: sorts ? sortedBy(desk, name) : undefined,
        }))}
      >
        {rows.map((row) => (
          <tr>
            {names.map((name) => (
              <td dir="auto" class={lookOf(rows, name)}>
                <Value name={name} value={row[name]} id={id} desk={desk} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="hint">{`${more} ${word('more-left-out')}`}</p>}
    </Scrolls>
  );
}

/** A field's name in the reader's language, else as it is on the wire. */
export function FieldName({ name, desk }: { readonly name: string; readonly desk: DeskContext }): VNode | string {
  const { language } = wordsOf(desk);
  const own = language.tables.headings[name];
  if (own !== undefined) return own;
  return <bdi lang="en">{name.replaceAll('_', ' ')}</bdi>;
}

function Value(props: {
  readonly name: string;
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly desk: DeskContext;
}): VNode | string {
  const { name, value, id, desk } = props;
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const own = inWord(name, text, desk);
  if (own !== text) return own;
  const page = pageOf(name.split('.').at(-1)!, text, id);
  const shown = DECIMAL.test(text) ? amountText(text) : instantForPeople(text);
  return page === null ? shown : <a href={page}>{shown}</a>;
}

/** The courier's statuses, and the words of reports, as every other page says them. */
function inWord(name: string, text: string, desk: DeskContext): string {
  const { language } = wordsOf(desk);
  const said = language.tables.cells[name]?.[text];
  return said ?? (/(^|_)(status|state)$/.test(name) ? language.state(text) : text);
}

/** Amounts by currency and other parts of a thing as fields of their own: `cod USD`. */
function flat(thing: Thing, without: readonly string[]): Thing {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(thing)) {
    if (without.includes(name)) continue;
    if (name === 'amounts' || name.endsWith('_amounts')) {
      for (const [currency, amounts] of Object.entries((value ?? {}) as Readonly<Record<string, Thing>>)) {
        for (const [field, amount] of Object.entries(amounts)) {
          fields[`${name === 'amounts' ? '' : name.replace('amounts', '')}${field} ${currency}`] = amount;
        }
      }
    } else fields[name] = value;
  }
  return fields;
}

const DECIMAL = /^-?\d{1,14}\.\d{2,4}$/;

function lookOf(rows: readonly Thing[], name: string): string | undefined {
  const texts = rows.map((row) => row[name]).filter((value) => value != null);
  if (texts.length > 0 && texts.every((value) => typeof value === 'number' || DECIMAL.test(String(value))))
    return 'figure';
  return texts.some((value) => String(value).length > 40) ? 'long' : undefined;
}
