import { cleanText } from '../text.ts';

/** What a long piece of work tells whoever watches it: a progress bar on a terminal, plain lines in a log, nothing in a test. */
export interface Progress {
  /** The sync that everything after this belongs to. */
  belongsTo?(run: number): void;
  /** A new stretch of work begins; `total` is null while it is not known. */
  begin(label: string, total: number | null): void;
  /** The total has become known, or has changed. */
  expect(total: number): void;
  advance(count: number): void;
  /** Something that the reader should know and that does not stop the work. */
  warn(sentence: string): void;
  end(): void;
}

/** What a warning says at most: a long list of numbers, but no name of megabytes. */
const MOST_CHARACTERS = 10_000;

/** The same, told nothing that a terminal would obey: warnings repeat names and words of the service. */
export function cleanly(progress: Progress): Progress {
  return {
    belongsTo: (run) => progress.belongsTo?.(run),
    begin: (label, total) => progress.begin(label, total),
    expect: (total) => progress.expect(total),
    advance: (count) => progress.advance(count),
    warn: (sentence) => progress.warn(cleanText(sentence, MOST_CHARACTERS)),
    end: () => progress.end(),
  };
}

export const silent: Progress = { begin() {}, expect() {}, advance() {}, warn() {}, end() {} };
