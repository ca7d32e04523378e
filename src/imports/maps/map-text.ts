import { tomlKey, tomlText } from '../../base/text.ts';
import type { ColumnMap } from './column-map.ts';
import { type Headers, OPEN_HEADER } from './headers.ts';
import { settlementTables } from './settlement-map.ts';

/** The settings with one value, in the order in which they are written. */
const SINGLE_VALUES = [
  'kind',
  'format',
  'date',
  'decimal',
  'thousands',
  'currency',
  'account',
  'courier',
  'encoding',
  'delimiter',
  'skip_rows',
  'sheet',
  'totals_row',
] as const;

/**
 * A map as text for remit.toml: `[maps.NAME]` and its settings, with a comment for each column of an earlier map whose
 * header is not in the file, and whose new header a person must name (a list that ends in `...`).
 */
export function mapText(map: ColumnMap): string {
  const isOpen = (headers: Headers) => typeof headers !== 'string' && headers.includes(OPEN_HEADER);
  const open = Object.entries(map.columns).filter(([, headers]) => isOpen(headers));
  const toDo = "none of the file's headers is like it. Write the right one in place of the dots.";
  const lines = [...open.map(([field]) => `# ${field}: ${toDo}`), `[maps.${tomlKey(map.name)}]`];
  for (const key of SINGLE_VALUES) {
    const value = map[key];
    if (value !== undefined) lines.push(`${key} = ${typeof value === 'number' ? value : tomlText(value)}`);
  }
  for (const [key, columns] of Object.entries(tablesOf(map))) {
    if (Object.keys(columns).length > 0) lines.push(`${key} = ${table(columns)}`);
  }
  if (map.credit_words) lines.push(`credit_words = [${map.credit_words.map(tomlText).join(', ')}]`);
  return lines.join('\n');
}

/** A map's settings as {@link parseColumnMap} reads them. */
export function mapSettings(map: ColumnMap): object {
  const { name: _, ...settings } = map;
  return { ...settings, ...tablesOf(map) };
}

/** A map's `columns`, and of a settlement `charges` and `taxes`, as remit.toml has them. */
function tablesOf({ kind, columns }: ColumnMap): Readonly<Record<string, object>> {
  if (kind !== 'settlement') return { columns };
  const tables = Object.entries(settlementTables(columns));
  return Object.fromEntries(tables.filter(([key, table]) => key === 'columns' || Object.keys(table).length > 0));
}

function table(values: object): string {
  const text = (value: Headers | object) =>
    typeof value === 'string' || Array.isArray(value) ? headersText(value) : table(value);
  const entries = Object.entries(values).map(([key, value]) => `${key} = ${text(value)}`);
  return `{ ${entries.join(', ')} }`;
}

export function headersText(headers: Headers): string {
  return typeof headers === 'string' ? tomlText(headers) : `[${headers.map(tomlText).join(', ')}]`;
}
