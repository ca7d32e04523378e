import { approve, refuse } from './approvals.ts';
import type { Decision } from './decision.ts';
import { DECISIONS } from './list.ts';

/** Every decision, and those about one that waits for a second person. */
export const EVERY_DECISION: readonly Decision[] = [...DECISIONS, approve, refuse];

export type Declared = (typeof DECISIONS)[number] | typeof approve | typeof refuse;
