import type { Decision } from './decision.ts';
import { addMatch, removeMatch } from './match.ts';

/** Every decision, in the order in which help lists those of a group. Adding one is adding its declaration and a line here. */
export const DECISIONS = [addMatch, removeMatch] as const;

export const EVERY_DECISION: readonly Decision[] = DECISIONS;
