import path from 'node:path';
import type { Books } from '../app/books.ts';
import { isRelative, parsePeriod } from '../base/period.ts';
import type { Place } from '../base/place.ts';
import { cleanLines, escapeMarks } from '../base/text.ts';
import type { ConfigOptions, SettingFlags } from '../config/index.ts';
import type { renderList } from '../render/report.ts';
import type { Io } from './io.ts';

/** Flags that were typed or not, by their names. */
export type Flags<Name extends string> = { readonly [One in Name]?: boolean | undefined };

/** Texts that were typed or not, by the names of their flags or arguments. */
export type Texts<Name extends string> = { readonly [One in Name]?: string | undefined };

/** Flags that every command takes, before or after its name. */
export interface CommonFlags extends Flags<'json' | 'quiet' | 'verbose' | 'color'>, Texts<'directory' | 'courier'> {
  readonly logFormat?: LogFormat | undefined;
}

/** A terminal that understands nothing but line ends, such as an editor's: it gets no colours and no progress bar. */
export const isDumb = ({ env }: Pick<Io, 'env'>) => env.TERM === 'dumb';

/** Flags that take the place of settings. */
export type SettingInput = Texts<'apiUrl' | 'ledger'> & { readonly concurrency?: number | undefined };

/** With the name that was typed with `--by`. */
export type PersonInput = SettingInput & Texts<'by'>;

/** One run of one command: its surroundings, its flags, and what it prints with. */
export type Session = ReturnType<typeof openSession>;

/** Shorter texts are words, not keys: masking them would only garble sentences. */
const SHORTEST_SECRET = 6;

/**
 * Opens a command's session. --verbose overrules --quiet. Settings and keys are read when they are needed.
 *
 * @param typed the command's flags in the place of settings, which a period and a day go by too
 */
export function openSession(io: Io, flags: CommonFlags, typed: SettingInput = {}) {
  const secrets = new Set<string>();
  const addSecret = (secret: string) => secret.length >= SHORTEST_SECRET && secrets.add(secret);
  addSecret(io.env.REMIT_API_KEY?.trim() ?? '');
  addSecret(io.env.PGPASSWORD ?? '');
  /** Masks the longest first: a secret may be the beginning of another. */
  const mask = (text: string) => {
    const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  };
  /** The place, with its password masked from the moment it is known. */
  const withMaskedPassword = (place: Place): Place => {
    if (place.kind === 'file') return place;
    const password = async () => {
      const secret = await place.password();
      addSecret(secret ?? '');
      return secret;
    };
    return { ...place, password };
  };
  const verbose = flags.verbose === true;
  const quiet = flags.quiet === true && !verbose;
  const logFormat = flags.logFormat ?? 'text';
  const isColored = flags.color !== false && !io.env.NO_COLOR && !isDumb(io) && io.isTTY.stdout && !flags.json;
  const tableOptions = { color: isColored, width: io.columns ?? null };
  let run: number | null = null;
  /** Writes a line of a JSON log. */
  const log = (level: Level, event: string, fields: Fields) =>
    void io.stderr.write(logLine(io, { level, event, run, fields }, mask));
  const print = (level: Level, text: string) => {
    if (logFormat === 'json') log(level, 'note', { message: text.trim() });
    else io.stderr.write(`${cleanLines(mask(level === 'warning' ? `warning: ${text}` : text))}\n`);
  };
  const settings = async (input: SettingInput, options: ConfigOptions) => {
    const { loadConfig } = await import('../config/index.ts');
    const { env, cwd } = io;
    const place = { env, cwd, directory: flags.directory, courier: flags.courier };
    return loadConfig({ ...place, flags: settingFlags(input), ...options });
  };
  /** Prints a detail on standard error, with --verbose only. */
  const detail = (text: string) => void (verbose && print('debug', text));
  /** Prints a note for a person on standard error; silent with --quiet. */
  const note = (text: string) => void (quiet || print('info', text));
  /**
   * The books that the command is about, as use cases take them, with the settings read now. The API key is read when
   * it is first needed; from then on it is masked wherever it would be printed. @throws ConfigError
   */
  const books = async (input: PersonInput = typed, options: ConfigOptions = {}): Promise<Books> => {
    const { readKey } = await import('../config/key.ts');
    const { personOf, userOf } = await import('./person.ts');
    const { env, now, signal } = io;
    const { by } = input;
    const config = await settings(input, options);
    if (config.assumesZone) {
      note('this machine names no time zone, so days are those of UTC: set time_zone in remit.toml, or TZ');
    }
    const key = async (source = config.keySource) => {
      const secret = await readKey(source, env);
      addSecret(secret);
      return secret;
    };
    const ledger = withMaskedPassword(config.ledger);
    // Without --by it is just the user of this machine.
    const who = by === undefined ? { by: userOf(io) } : { by: personOf(io, by), isNamed: true };
    return { config: { ...config, ledger }, now, signal, key, detail, note, ...who };
  };
  return {
    io,
    /** `-C DIR`, as it was typed. */
    directory: flags.directory,
    json: flags.json === true,
    quiet,
    verbose,
    color: isColored,
    /** Writes a result to standard output, with a line end. */
    result: (text: string) => void io.stdout.write(`${text}\n`),
    /** How lines are written: coloured, and broken where there is a terminal. */
    lineOptions: { color: isColored, width: io.isTTY.stdout ? io.columns : undefined },
    /** How tables and pages are drawn. */
    tableOptions,
    /** Writes a list as a table. */
    list: async (name: Parameters<typeof renderList>[0], records: readonly object[], timeZone?: string) => {
      const report = await import('../render/report.ts');
      await report.renderList(name, records, io.stdout, { ...tableOptions, generatedAt: io.now(), timeZone });
    },
    /** Writes a result for machines: one JSON document on standard output. */
    resultJson: (value: unknown) => void io.stdout.write(`${escapeMarks(JSON.stringify(value))}\n`),
    logFormat,
    note,
    /** Prints a warning on standard error, with --quiet too. */
    warn: (text: string) => print('warning', text),
    /**
     * Prints what happened on standard error: its fields in a JSON log, the sentence otherwise. Silent with --quiet.
     *
     * @param sentence null if people see it elsewhere
     */
    event: (name: string, fields: Fields, sentence: string | null) => {
      if (quiet) return;
      if (logFormat === 'json') log('info', name, fields);
      else if (sentence !== null) print('info', sentence);
    },
    log,
    /** From now on each line of a JSON log names this run, which is a sync. */
    setRun: (id: number) => {
      run = id;
    },
    detail,
    books,
    /** Who decides: the name typed with `--by`, or the system's user. @throws UsageError without a usable name */
    person: async (by: string | undefined) => (await import('./person.ts')).personOf(io, by),
    /** The time zone of the books as the ledger records it, for the days that are printed with its figures. */
    zone: async (ofBooks: Books) => (await import('../app/books.ts')).zoneOf(ofBooks),
    /** The absolute path of a file or folder that was typed; null for none. */
    file: (typed: string | undefined) => (typed === undefined ? null : path.resolve(io.cwd, typed)),
    /** Parses a ledger's place: a file, or an address, which a settings file completes. @throws ConfigError */
    place: async (text: string, settingsFile: string | null) => {
      const { typedPlace } = await import('../config/index.ts');
      return withMaskedPassword(await typedPlace(text, io.cwd, settingsFile));
    },
    /** Parses a period into months; null for none. `last-month` and `this-month` read settings. @throws UsageError */
    months: async (period: string | undefined) => {
      if (period === undefined) return null;
      // Any other period is the same in every time zone.
      if (!isRelative(period)) return parsePeriod(period, io.now(), 'UTC');
      const sessionBooks = await books();
      const { isZoneSet, timeZone } = sessionBooks.config;
      const { zoneOf } = await import('../app/books.ts');
      return parsePeriod(period, io.now(), isZoneSet ? timeZone : await zoneOf(sessionBooks));
    },
    /** Parses --as-of, a day (in the books' time zone) or an instant; null for none. @throws UsageError */
    asOf: async (text: string | undefined) => {
      if (text === undefined) return null;
      const { isDay, parseAsOf } = await import('../app/as-of.ts');
      const { zoneOf } = await import('../app/books.ts');
      // A time zone that was changed in remit.toml is put on record first: the day goes by it.
      return parseAsOf(text, io.now(), isDay(text) ? await zoneOf(await books(), 'record') : 'UTC');
    },
    /** A text with every secret of this session replaced by stars. */
    mask,
  };
}

/** `text`: for people; `json`: one line per event, for programs that collect logs. */
type LogFormat = 'text' | 'json';

type Level = 'debug' | 'info' | 'warning' | 'error';

/** The fields of an event; secrets in them are masked when it is written. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * A line of a JSON log: `{"at","level","event","run",...}`; `run` is the sync that it belongs to, or null.
 *
 * @param mask replaces every secret in a text
 */
function logLine(
  { now }: Pick<Io, 'now'>,
  { level, event, run, fields }: { level: Level; event: string; run: number | null; fields: Fields },
  mask: (text: string) => string,
): string {
  const line = { at: now().toISOString(), level, event, run, ...fields };
  // Each text is masked by itself: a secret that JSON writes with escapes would not be found in the line.
  const masked = JSON.stringify(line, (_key, value: unknown) => (typeof value === 'string' ? mask(value) : value));
  return `${escapeMarks(masked)}\n`;
}

/** The settings that were given as flags, under their names in remit.toml. */
export function settingFlags({ apiUrl, ledger, concurrency }: SettingInput): SettingFlags {
  return {
    ...(apiUrl === undefined ? {} : { api_url: apiUrl }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
