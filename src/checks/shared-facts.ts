/** Facts that several checks of one run need: each is read once. */
export class SharedFacts {
  readonly #read = new Map<string, Promise<unknown>>();

  /** What `read` gives, read the first time that this name is asked for. */
  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = this.#read.get(name);
    if (known) return known as Promise<T>;
    const reading = read();
    this.#read.set(name, reading);
    return reading;
  }
}
