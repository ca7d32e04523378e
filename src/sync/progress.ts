import { cleanText } from '../base/text.ts';

/**
 * A step of long work, by what it fetches or makes: the order book, the parts of a close pack, the statements of some
 * months; a month's list of invoices, or the invoices of a month.
 */
export type ProgressStep =
  | { readonly brings: 'orders' | 'parts' | 'statements' }
  | { readonly brings: 'list' | 'invoices'; readonly month: string };

/** Receives the progress of long work: a progress bar on a terminal, plain lines in a log, nothing in a test. */
export interface Progress {
  /** Says which run all later calls are about. */
  setRun?(run: number): void;
  /** A new step begins; `total` is null while it is not known. */
  begin(step: ProgressStep, total: number | null): void;
  /** The total became known or changed. */
  expect(total: number): void;
  advance(count: number): void;
  /** Something to know that does not stop the work. */
  warn(sentence: string): void;
  end(): void;
}

/** The longest warning: room for a long list of numbers, not for a name of megabytes. */
const MAX_CHARACTERS = 10_000;

/** Removes control characters from warnings, which quote the service. */
export function withCleanWarnings(progress: Progress): Progress {
  return {
    setRun: (run) => progress.setRun?.(run),
    begin: (step, total) => progress.begin(step, total),
    expect: (total) => progress.expect(total),
    advance: (count) => progress.advance(count),
    warn: (sentence) => progress.warn(cleanText(sentence, MAX_CHARACTERS)),
    end: () => progress.end(),
  };
}

export const silent: Progress = { begin() {}, expect() {}, advance() {}, warn() {}, end() {} };
