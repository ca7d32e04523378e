import { escapeMarks } from '../base/text.ts';
import type { Io } from './io.ts';

/** `text` for people; `json`: a line an event, for programs that collect logs. */
export type LogFormat = 'text' | 'json';

export type Level = 'debug' | 'info' | 'warning' | 'error';

/** What an event says beside its name; written with the secrets masked. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A line of a JSON log: `{"at","level","event","run",...}`; `run` is the sync that it belongs to, null where there is none.
 *
 * @param mask replaces every secret in a text
 */
export function logLine(
  { now }: Pick<Io, 'now'>,
  { level, event, run, fields }: { level: Level; event: string; run: number | null; fields: Fields },
  mask: (text: string) => string,
): string {
  const line = { at: now().toISOString(), level, event, run, ...fields };
  // Each text by itself: a secret that JSON writes with escapes would not be found in the line.
  const masked = JSON.stringify(line, (_key, value: unknown) => (typeof value === 'string' ? mask(value) : value));
  return `${escapeMarks(masked)}\n`;
}
