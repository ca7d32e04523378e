import type { Books } from '../app/books.ts';
import type { ConfigOptions, SettingFlags } from '../config.ts';
import { parsePeriod } from '../period.ts';
import { escapeMarks } from '../text.ts';
import type { Io } from './io.ts';

/** Flags that every command takes, before or after its name. */
export interface CommonFlags {
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly directory?: string | undefined;
}

/** One run of one command: its surroundings, its flags, and the ways in which it speaks. */
export interface Session {
  readonly io: Io;
  /** `-C DIR`, as it was typed. */
  readonly directory: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Whether results may be coloured. */
  readonly color: boolean;
  /** Writes a result to standard output, with a line end. */
  result(text: string): void;
  /** Writes a result for machines: one JSON document on standard output. */
  resultJson(value: unknown): void;
  /** Tells a person something on standard error; silent with --quiet. */
  note(text: string): void;
  /** A detail on standard error, with --verbose only. */
  detail(text: string): void;
  /**
   * The books that the command is about, for a use case: the settings, read now, and what this session lends. Their key is read
   * when it is first needed; from then on it is masked wherever it would be printed. @throws ConfigError
   */
  books(flags?: SettingFlags, options?: ConfigOptions): Promise<Books>;
  /** The months of a period that was typed, in order; null for none. Needs no settings. @throws UsageError */
  months(period: string | undefined): string[] | null;
  /** A text with every secret of this session replaced by stars. */
  mask(text: string): string;
}

/** Shorter texts are words, not keys: masking them would only garble sentences. */
const SHORTEST_SECRET = 6;

/** Opens the session of a command in its surroundings; with --verbose, --quiet is overruled. Nothing is read until it is asked for. */
export function openSession(io: Io, flags: CommonFlags): Session {
  const secrets = new Set<string>();
  const keep = (secret: string) => secret.length >= SHORTEST_SECRET && secrets.add(secret);
  keep(io.env.REMIT_API_KEY?.trim() ?? '');
  const mask = (text: string) => [...secrets].reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  const verbose = flags.verbose === true;
  const detail = (text: string) => void (verbose && io.stderr.write(`${mask(text)}\n`));
  const quiet = flags.quiet === true && !verbose;
  return {
    io,
    directory: flags.directory,
    json: flags.json === true,
    quiet,
    verbose,
    color: flags.color !== false && !io.env.NO_COLOR && io.isTTY.stdout && !flags.json,
    result: (text) => void io.stdout.write(`${text}\n`),
    resultJson: (value) => void io.stdout.write(`${escapeMarks(JSON.stringify(value))}\n`),
    note: (text) => void (quiet || io.stderr.write(`${mask(text)}\n`)),
    detail,
    books: async (settingFlags = {}, options = {}) => {
      const { loadConfig, readKey } = await import('../config.ts');
      const { env, cwd, now, signal } = io;
      const config = await loadConfig({ env, cwd, directory: flags.directory, flags: settingFlags, ...options });
      const key = async () => {
        const secret = await readKey(config.keySource, env);
        keep(secret);
        return secret;
      };
      return { config, now, signal, key, detail };
    },
    months: (period) => (period === undefined ? null : parsePeriod(period, io.now())),
    mask,
  };
}
