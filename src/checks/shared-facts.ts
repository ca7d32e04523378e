/** What several checks of one run need from the ledger, each thing read once. */
export class SharedFacts {
  readonly #read = new Map<string, Promise<unknown>>();

  /** The value of `read`, which is called only the first time for a name. */
  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const earlier = this.#read.get(name);
    if (earlier) return earlier as Promise<T>;
    const reading = read();
    this.#read.set(name, reading);
    return reading;
  }
}
