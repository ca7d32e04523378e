import { tomlText } from '../../base/toml-text.ts';
import type { ColumnMap } from './column-map.ts';
import { settlementTables } from './settlement-map.ts';

const ORDER = [
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

/** A map as a person adds it to remit.toml: `[maps.NAME]` and its settings. */
export function mapText(map: ColumnMap): string {
  const lines = [`[maps.${bare(map.name)}]`];
  for (const key of ORDER) {
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

function tablesOf({ kind, columns }: ColumnMap): Readonly<Record<string, object>> {
  if (kind !== 'settlement') return { columns };
  const tables = Object.entries(settlementTables(columns));
  return Object.fromEntries(tables.filter(([key, table]) => key === 'columns' || Object.keys(table).length > 0));
}

function table(values: object): string {
  const entries = Object.entries(values).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? tomlText(value) : table(value as object)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

function bare(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlText(name);
}
