/** What is read once and used by several checks of one run. */
export class Memo {
  readonly #made = new Map<string, Promise<unknown>>();

  /** What `make` gives, made the first time that this key is asked for. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const made = this.#made.get(key);
    if (made) return made as Promise<T>;
    const making = make();
    this.#made.set(key, making);
    return making;
  }
}
