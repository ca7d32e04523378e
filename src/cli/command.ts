import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Session } from './session.ts';

/** A command's work: returns the exit code. */
export type Work<Input> = (session: Session, input: Input) => Promise<number>;

/** Starts a command that was understood. The program's tests put a recorder in its place. */
export type Start = <Input>(name: string, input: Input, work: Work<Input>) => Promise<void>;

/** Every command, for shell completion. */
export interface WholeProgram {
  readonly program: CommandUnknownOpts;
  /** By command: the values of its arguments (by name) and of its options (by long flag) that help does not list. */
  readonly words: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}

/**
 * What the file of a command exports: its arguments, its help and what it does. It imports at once only what help needs, and the
 * rest when its work begins, so that every command starts quickly.
 */
export interface CommandFile {
  readonly declare: (start: Start, whole: () => Promise<WholeProgram>) => CommandUnknownOpts;
  /** What completion offers for arguments (by name) and options (by long flag) whose words help does not list. */
  readonly completes?: () => Promise<Readonly<Record<string, readonly string[]>>>;
}

/** An option's value as a whole number of at least `min`. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,12}$/.test(text) || Number(text) < min) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    }
    return Number(text);
  };
}

/** The text below a command's options. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** How a period is written, for the help of an argument. */
export const PERIOD = '2026-10, 2026-Q4, 2026, 2026-08..2026-10, this-month or last-month';

/** `--ledger`, of every command that opens a ledger. */
export const ledgerOption = () =>
  new Option('--ledger <place>', 'the ledger: a file or postgresql://... (default: ledger.db in the books folder)');

/** `--as-of`, of every command that can show the past. */
export const asOfOption = () =>
  new Option(
    '--as-of <day>',
    'what was known then: a day (its end, by time_zone) or an instant such as 2026-11-05T09:00:00+02:00',
  );

/** `--api-url`, of every command that speaks to the API. */
export const apiUrlOption = () => new Option('--api-url <url>', "where the API's paths begin");

/** `--fail-on`, of every command that checks. */
export const failOnOption = () =>
  new Option('--fail-on <severity>', 'exit with 3 when an open mismatch is at least this severe').choices([
    'error',
    'warning',
    'never',
  ] as const);
