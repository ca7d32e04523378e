import { createHash } from 'node:crypto';
import { Dice } from '../test/oracle/world/dice.ts';

/** What may happen to an answer on its way, each time another draw. */
export const FAULTS = [
  'status-500',
  'status-503',
  'status-429',
  'refused',
  'reset-in-body',
  'truncated',
  'invalid-json',
  'html',
  'empty',
  'gzip-that-lies',
  'gzip-cut',
  'drip',
  'drip-too-slow',
] as const;
export type Fault = (typeof FAULTS)[number];

/** How many attempts in a row may fail; remit makes one more. */
const IN_A_ROW = 3;

/**
 * Draws what happens to a request. It depends on the seed, on what is asked for and on how often that was asked before,
 * and not on the order in which requests arrive: two runs of a seed see the same, however the machine schedules them.
 */
export class FaultLayer {
  readonly #seed: number;
  readonly #rate: number;
  readonly #asked = new Map<string, number>();
  readonly counts = new Map<Fault, number>();

  /** @param rate the share of attempts that fail, from 0 to 1 */
  constructor(seed: number, rate: number) {
    this.#seed = seed;
    this.#rate = rate;
  }

  next(request: string): Fault | null {
    const attempt = this.#asked.get(request) ?? 0;
    this.#asked.set(request, attempt + 1);
    if (attempt >= IN_A_ROW) return null;
    const dice = new Dice(createHash('sha256').update(`${this.#seed} ${request} ${attempt}`).digest().readUInt32LE(0));
    if (!dice.chance(this.#rate)) return null;
    const fault = dice.pick(FAULTS);
    // It costs a second of real time.
    if (fault === 'drip-too-slow' && !dice.chance(0.03)) return null;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return fault;
  }
}
