import type { ColumnMap } from './column-map.ts';

const ORDER = [
  'kind',
  'format',
  'date',
  'decimal',
  'thousands',
  'currency',
  'encoding',
  'delimiter',
  'skip_rows',
  'sheet',
] as const;

/** A map as a person adds it to remit.toml: `[maps.NAME]` and its settings. */
export function mapText(map: ColumnMap): string {
  const lines = [`[maps.${bare(map.name)}]`];
  for (const key of ORDER) {
    const value = map[key];
    if (value !== undefined) lines.push(`${key} = ${typeof value === 'number' ? value : text(value)}`);
  }
  const columns = Object.entries(map.columns);
  if (columns.length > 0) {
    lines.push(`columns = { ${columns.map(([field, header]) => `${field} = ${text(header)}`).join(', ')} }`);
  }
  if (map.credit_words) lines.push(`credit_words = [${map.credit_words.map(text).join(', ')}]`);
  return lines.join('\n');
}

function bare(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : text(name);
}

/** A TOML basic string: JSON's escapes are TOML's too, once DEL and what changes direction are escaped. */
function text(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
