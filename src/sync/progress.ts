/** What a long piece of work tells whoever watches it: a progress bar on a terminal, plain lines in a log, nothing in a test. */
export interface Progress {
  /** A new stretch of work begins; `total` is null while it is not known. */
  begin(label: string, total: number | null): void;
  /** The total has become known, or has changed. */
  expect(total: number): void;
  advance(count: number): void;
  /** Something that the reader should know and that does not stop the work. */
  warn(sentence: string): void;
  end(): void;
}

export const silent: Progress = { begin() {}, expect() {}, advance() {}, warn() {}, end() {} };
