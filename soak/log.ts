/**
 * What a run says, line by line. Nothing in it depends on the machine or the time of day: a seed gives the same text
 * again.
 */
export class Log {
  readonly lines: string[] = [];
  readonly #echo: boolean;

  /** @param echo whether each line is printed at once */
  constructor(echo: boolean) {
    this.#echo = echo;
  }

  say(line: string): void {
    this.lines.push(line);
    if (this.#echo) process.stdout.write(`${line}\n`);
  }
}
