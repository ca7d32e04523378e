import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { replaceFile } from '../base/files/replace.ts';
import { tomlKey, tomlText } from '../base/text.ts';
import { asPattern } from './settings-file.ts';

/** One setting: where it is in the tables of the file, and its new value. */
export interface Edit {
  readonly path: readonly string[];
  readonly value: string | readonly string[];
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;
/** A string, or a list of strings; a list may go over several lines and have comments. */
const VALUE = String.raw`(?:${STRING}|\[(?:\s|,|${STRING}|#[^\n]*\n)*\])`;

/** A table with its heading, such as `[maps.cedar]`. */
interface WholeTable {
  readonly path: readonly string[];
  readonly text: string;
}

/** The values of a TOML text as JSON; null for a text that is no TOML. */
type ValuesOf = (text: string) => unknown;

/**
 * Sets settings in a TOML file, and leaves all else as it is: comments, order and blanks.
 *
 * @param edits null if the whole table is to be set
 * @param table replaces `[path]` and its comments; used only if a setting cannot be set alone
 * @returns whether it could be done; if not, the file is as it was
 */
export async function editSettings(file: string, edits: readonly Edit[] | null, table: WholeTable | null = null) {
  const { parse } = await import('smol-toml');
  const valuesOf = (text: string): unknown => {
    try {
      return JSON.parse(JSON.stringify(parse(text)));
    } catch {
      return null;
    }
  };
  const before = await readFile(file, 'utf8');
  const after = (edits && withEdits(before, edits, valuesOf)) ?? (table && withWholeTable(before, table, valuesOf));
  if (after === null) return false;
  // If it cannot be written, the hint says to name another folder: no flag names the file.
  if (after !== before) await replaceFile(file, (handle) => handle.writeFile(after), { noun: 'folder', flag: null });
  return true;
}

/** The text with each setting set; null if one of them cannot be set without changing another. */
function withEdits(before: string, edits: readonly Edit[], valuesOf: ValuesOf): string | null {
  let text = before;
  for (const edit of edits) {
    const wanted = withValue(valuesOf(text), edit.path, edit.value);
    // Which candidate means what is wanted shows only when it is parsed.
    const edited = candidates(text, edit).find((candidate) => isDeepStrictEqual(valuesOf(candidate), wanted));
    if (edited === undefined) return null;
    text = edited;
  }
  return text;
}

/** The text with the table in place of its present one; null if that would change another setting. */
function withWholeTable(before: string, table: WholeTable, valuesOf: ValuesOf): string | null {
  const wanted = withValue(valuesOf(before), table.path, valueAt(valuesOf(table.text), table.path));
  const candidate = replaceTable(before, table.path, table.text);
  return isDeepStrictEqual(valuesOf(candidate), wanted) ? candidate : null;
}

/**
 * One changed text for each place where the setting may belong: its present value, each heading of its table, a table
 * in braces (`custody_days = { driver = 2 }`), a new table at the end. {@link withEdits} finds the right one.
 */
function candidates(text: string, { path, value }: Edit): string[] {
  const name = path.at(-1)!;
  const parent = path.slice(0, -1);
  const valueText = typeof value === 'string' ? tomlText(value) : `[${value.map(tomlText).join(', ')}]`;
  const texts: string[] = [];
  const put = (from: number, to: number, added: string) =>
    texts.push(`${text.slice(0, from)}${added}${text.slice(to)}`);
  for (const match of text.matchAll(new RegExp(`((?:^|[\\s{,.])${keyPattern(name)}\\s*=\\s*)${VALUE}`, 'g'))) {
    put(match.index + match[1]!.length, match.index + match[0].length, valueText);
  }
  for (const { end } of tableHeads(text, parent)) put(end, end, `\n${tomlKey(name)} = ${valueText}`);
  if (parent.length > 0) {
    for (const match of text.matchAll(new RegExp(`(?:^|[\\s{,.])${keyPattern(parent.at(-1)!)}\\s*=\\s*\\{`, 'g'))) {
      const end = match.index + match[0].length;
      const isEmpty = /^\s*\}/.test(text.slice(end));
      put(end, end, ` ${tomlKey(name)} = ${valueText}${isEmpty ? ' ' : ','}`);
    }
    put(text.length, text.length, `\n[${parent.map(tomlKey).join('.')}]\n${tomlKey(name)} = ${valueText}\n`);
  }
  return texts;
}

/** The places of the heading `[path]` in a text. */
function tableHeads(text: string, path: readonly string[]): { readonly start: number; readonly end: number }[] {
  const heads = text.matchAll(new RegExp(`^[ \\t]*\\[${pathPattern(path)}\\][ \\t]*(?:#[^\\n]*)?$`, 'gm'));
  return [...heads].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** The text with another table in place of the first `[path]` and the tables within it. */
function replaceTable(text: string, path: readonly string[], table: string): string {
  const [head] = tableHeads(text, path);
  if (!head) return text;
  const within = new RegExp(`^[ \\t]*\\[${pathPattern(path)}[\\].]`);
  const lines = text.slice(head.end).split('\n');
  const next = lines.findIndex((line) => /^[ \t]*\[/.test(line) && !within.test(line));
  const after = next < 0 ? [] : lines.slice(next);
  return `${text.slice(0, head.start)}${table}\n${after.length > 0 ? `\n${after.join('\n')}` : ''}`;
}

function pathPattern(path: readonly string[]): string {
  return path.map((key) => `\\s*${keyPattern(key)}\\s*`).join('\\.');
}

function keyPattern(key: string): string {
  const plain = asPattern(key);
  return `(?:"${plain}"|'${plain}'|${plain})`;
}

type Table = { [name: string]: unknown };

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce((table: unknown, key) => (table as Table | undefined)?.[key], values);
}

/** A copy of the values with one of them set; missing tables on its path are made. */
function withValue(values: unknown, [name, ...innerPath]: readonly string[], value: unknown): unknown {
  const table = { ...(values as Table | undefined) };
  table[name!] = innerPath.length === 0 ? value : withValue(table[name!] ?? {}, innerPath, value);
  return table;
}
