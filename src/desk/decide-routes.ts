import { EVERY_DECISION } from '../app/decisions/list.ts';
import type { DecideRoute } from './deciding/act.ts';
import { CLAIM_ROUTES } from './deciding/claims.ts';
import { routeOf } from './deciding/declared.ts';
import { HABIT_ROUTES } from './deciding/habits.ts';
import { IMPORT_ROUTES } from './deciding/imports.ts';
import { MISMATCH_ROUTES } from './deciding/mismatches.ts';
import { MONEY_ROUTES } from './deciding/money.ts';
import { MONTH_ROUTES } from './deciding/months.ts';

/** Every decision that can be sent, as a form to its path or as JSON below /api/v1. */
export const DECIDE_ROUTES: readonly DecideRoute[] = [
  ...EVERY_DECISION.map(routeOf),
  ...MISMATCH_ROUTES,
  ...MONEY_ROUTES,
  ...MONTH_ROUTES,
  ...CLAIM_ROUTES,
  ...IMPORT_ROUTES,
  ...HABIT_ROUTES,
];
