import { Dice } from './dice.ts';
import { lateMutations } from './mutations/late.ts';
import type { Change } from './plan.ts';

/** What the accountant does in the morning after a night. */
export type Act =
  | {
      readonly kind: 'close';
      /** 0: the month that is due; 1: the one after it; -1: the one that is closed already. */
      readonly ahead: number;
      /** Whatever is open. */
      readonly withOpen: boolean;
    }
  /** Opens the last closed month again. */
  | { readonly kind: 'reopen' };

/** How the books of a world are closed: with which month they begin, and what is done after each night. */
export interface Closing {
  readonly first: string;
  readonly acts: readonly (readonly Act[])[];
  /** What the courier does late, before each night but the first. */
  readonly late: readonly (readonly Change[])[];
}

const NIGHTS = 6;
const LATE = Object.keys(lateMutations);

/** Drawn from dice of their own, so that what the server does is not shifted. Half of the worlds close nothing. */
export function closingOf(seed: number, months: readonly string[], nights = NIGHTS): Closing {
  const dice = new Dice(seed ^ 0xc105e);
  const closes = dice.chance(0.5);
  const first = dice.pick(months);
  const act = (): Act => {
    if (dice.chance(0.15)) return { kind: 'reopen' };
    return { kind: 'close', ahead: dice.chance(0.1) ? dice.pick([-1, 1]) : 0, withOpen: dice.chance(0.8) };
  };
  const acts = Array.from({ length: nights }, () => Array.from({ length: dice.pick([0, 1, 1, 2]) }, act));
  const late = acts.map((_, night) =>
    night === 0 ? [] : Array.from({ length: dice.int(0, 2) }, () => ({ name: dice.pick(LATE), seed: dice.seed() })),
  );
  const none = acts.map(() => []);
  return closes ? { first, acts, late } : { first, acts: none, late: none };
}
