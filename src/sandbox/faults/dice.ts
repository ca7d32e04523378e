import { seededRandom } from '../random.ts';
import type { Faults, StruckInvoices } from './faults.ts';

/** After this many distinct requests the counts start again, so that memory stays bounded. */
const MOST_REQUESTS = 10_000;

/** The random draws for one request, by the names of faults: the same request draws the same in every run. */
export interface Draws {
  chance(name: string, probability: number): boolean;
  between(name: string, least: number, most: number): number;
}

/**
 * Decides which faults strike a request, from the seed, its method and URL, and how often it came before. The order in
 * which requests arrive does not matter, so that a run with parallel requests can be repeated.
 */
export class Dice {
  readonly #seed: string;
  readonly #timesSeen = new Map<string, number>();

  constructor(faults: Faults) {
    this.#seed = faults.seed;
  }

  /** Draws for the next request of this method and URL. */
  drawFor(method: string, url: string): Draws {
    const request = `${method} ${url}`;
    const times = (this.#timesSeen.get(request) ?? 0) + 1;
    if (this.#timesSeen.size >= MOST_REQUESTS) this.#timesSeen.clear();
    this.#timesSeen.set(request, times);
    const random = (name: string) => seededRandom(`${this.#seed}/${name}/${request}/${times}`);
    return {
      chance: (name, probability) => probability > 0 && random(name).chance(probability),
      between: (name, least, most) => random(name).int(least, most),
    };
  }

  /** A fault strikes an invoice, in every request or in none. */
  strikes(name: string, { numbers, probability }: StruckInvoices, invoice: number): boolean {
    if (numbers.has(invoice)) return true;
    return probability > 0 && seededRandom(`${this.#seed}/${name}/${invoice}`).chance(probability);
  }
}
