import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Pieces } from '../render/output.ts';
import type { Session } from './session.ts';

/** A command's work: returns the exit code. */
export type CommandWork<Input> = (session: Session, input: Input) => Promise<number>;

/**
 * Starts a command that was understood. Where the program is only read (completion, the manual page), it is an empty
 * function; the program's tests put a recorder in its place.
 */
export type Start = <Input>(name: string, input: Input, work: CommandWork<Input>) => Promise<void>;

/** All commands, for shell completion. */
export interface WholeProgram {
  readonly program: CommandUnknownOpts;
  /** By command: the values that completion offers beyond help, by argument (its name) or option (its long flag). */
  readonly words: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}

/**
 * What the file of a command exports: its arguments, its help and what it does. At its top it imports only what help
 * needs, and the rest when its work begins, so that every command starts quickly.
 */
export interface CommandFile {
  readonly declare: (start: Start, whole: () => Promise<WholeProgram>) => CommandUnknownOpts;
  /** The values that completion offers beyond help, by argument (its name) or option (its long flag). */
  readonly completes?: () => Promise<Readonly<Record<string, readonly string[]>>>;
}

/**
 * Prints a command's answer: with --json the value, else the text or its lines.
 *
 * @param isShown false where people do not need the text, such as with --quiet
 * @returns 0, the exit code
 */
export async function printAnswer(
  session: Session,
  value: unknown,
  text: () => Lines | Promise<Lines>,
  isShown = true,
): Promise<number> {
  if (session.json) session.resultJson(value);
  else if (isShown) session.result([await text()].flat().join('\n'));
  return 0;
}

type Lines = string | readonly string[];

/** Writes a document to a file, and says so; without a file to standard output. */
export async function writeOut({ io, note }: Session, file: string | null, pieces: Pieces): Promise<void> {
  const { writeDocument, writePieces } = await import('../render/output.ts');
  if (file === null) return writePieces(io.stdout, pieces);
  await writeDocument(file, async () => pieces);
  note(`wrote ${file}`);
}

/** Makes the parser of an option whose value is a whole number of at least `min`. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,12}$/.test(text) || Number(text) < min) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    }
    return Number(text);
  };
}

/** The examples below a command's options, as `addHelpText` takes them. */
export function example(...lines: string[]): readonly ['after', string] {
  return ['after', `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`];
}

/** How a period is written, for the help of an argument. */
export const PERIOD_FORMS = '2026-10, 2026-Q4, 2026, 2026-08..2026-10, this-month or last-month';

/** For every command that opens a ledger. */
export const ledgerOption = () =>
  new Option('--ledger <place>', 'the ledger: a file or postgresql://... (default: ledger.db in the books folder)');

/** For every command that can show the past. */
export const asOfOption = () =>
  new Option(
    '--as-of <day>',
    'what was known then: a day (its end, by time_zone) or an instant such as 2026-11-05T09:00:00+02:00',
  );

/** For every command that calls the API. */
export const apiUrlOption = () => new Option('--api-url <url>', "where the API's paths begin");

/** For every command that runs the checks. */
export const failOnOption = () =>
  new Option('--fail-on <severity>', 'exit with 3 when an open mismatch is at least this severe').choices(FAIL_ON);

const FAIL_ON = ['error', 'warning', 'never'] as const;
