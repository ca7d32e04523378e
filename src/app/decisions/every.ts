import { approve, refuse } from './approvals.ts';
import type { Decision } from './decision.ts';
import { DECISIONS } from './list.ts';

/** All decisions: those of the list, and approving or refusing one of them. */
export const EVERY_DECISION: readonly Decision[] = [...DECISIONS, approve, refuse];

export type Declared = (typeof DECISIONS)[number] | typeof approve | typeof refuse;
