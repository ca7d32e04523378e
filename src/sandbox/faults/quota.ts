import type { Faults } from './parse.ts';

/** The plan of a key that allows so many requests a minute and a month, and answers no more until it ends. Its counts end with the process. */
export class Quota {
  readonly #limits: readonly { readonly most: number; readonly end: (now: Date) => number }[];
  readonly #now: () => Date;
  /** By key and the instant at which they begin again. */
  readonly #counts = new Map<string, number>();

  constructor({ perMinute, perMonth }: Pick<Faults, 'perMinute' | 'perMonth'>, now: () => Date) {
    this.#now = now;
    this.#limits = [
      { most: perMinute, end: (at: Date) => (Math.floor(at.getTime() / 60_000) + 1) * 60_000 },
      { most: perMonth, end: (at: Date) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1) },
    ].filter(({ most }) => most > 0);
  }

  /** Counts a request of a key. @returns the seconds until it may ask again where it has asked too often; null where it has not */
  take(key: string): number | null {
    const now = this.#now();
    let wait: number | null = null;
    for (const { most, end } of this.#limits) {
      const until = end(now);
      const count = (this.#counts.get(`${key} ${until}`) ?? 0) + 1;
      this.#counts.set(`${key} ${until}`, count);
      if (count > most) wait = Math.max(wait ?? 1, Math.ceil((until - now.getTime()) / 1_000));
    }
    return wait;
  }
}
