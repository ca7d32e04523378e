import { InvalidArgumentError, Option } from 'commander';
import type { Session } from '../session.ts';

/** A command's work: returns the exit code. */
export type Work<Input> = (session: Session, input: Input) => Promise<number>;

/** Starts a command that was understood. The program's tests put a recorder in its place. */
export type Start = <Input>(name: string, input: Input, work: Work<Input>) => Promise<void>;

/** An option's value as a whole number of at least `min`. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,12}$/.test(text) || Number(text) < min) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
    }
    return Number(text);
  };
}

/** The text that stands below a command's options. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** `--ledger`, of every command that opens a ledger. */
export function ledgerOption(): Option {
  return new Option('--ledger <file>', 'the ledger (default: ledger.db in the books folder)');
}

/** `--api-url`, of every command that speaks to the API. */
export function apiUrlOption(): Option {
  return new Option('--api-url <url>', "where the API's paths begin");
}
