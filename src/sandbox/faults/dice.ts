import { seededRandom } from '../random.ts';
import type { Faults, Struck } from './parse.ts';

/** So many distinct requests are told apart; then the counting starts again, so that memory does not grow for ever. */
const MOST_REQUESTS = 10_000;

/** The chance draws of one request: one for each name, always the same for the same request. */
export interface Draws {
  chance(name: string, probability: number): boolean;
  between(name: string, least: number, most: number): number;
}

/**
 * Deals each request its luck by the seed, its method and address, and how often it came before: not by the order in
 * which requests arrive, so that a run with several at a time can be run again.
 */
export class Dice {
  readonly #seed: string;
  readonly #seen = new Map<string, number>();

  constructor(faults: Faults) {
    this.#seed = faults.seed;
  }

  draws(method: string, url: string): Draws {
    const request = `${method} ${url}`;
    const times = (this.#seen.get(request) ?? 0) + 1;
    if (this.#seen.size >= MOST_REQUESTS) this.#seen.clear();
    this.#seen.set(request, times);
    const random = (name: string) => seededRandom(`${this.#seed}/${name}/${request}/${times}`);
    return {
      chance: (name, probability) => probability > 0 && random(name).chance(probability),
      between: (name, least, most) => random(name).int(least, most),
    };
  }

  /** Whether a fault strikes an invoice: always the same answer for the same invoice. */
  strikes(name: string, { numbers, probability }: Struck, invoice: number): boolean {
    return (
      numbers.has(invoice) || (probability > 0 && seededRandom(`${this.#seed}/${name}/${invoice}`).chance(probability))
    );
  }
}
