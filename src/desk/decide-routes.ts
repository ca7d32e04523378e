import { EVERY_DECISION } from '../app/decisions/every.ts';
import { DECIDE } from '../words/terms.ts';
import { routeOf } from './deciding/declared.ts';
import { DESK_ONLY_ROUTES } from './deciding/desk-only.ts';
import { IMPORT_ROUTES } from './deciding/imports.ts';
import type { DecideRoute } from './deciding/route.ts';

/** The order of the decisions in `openapi.json`. */
const ORDER = Object.keys(DECIDE);

/** Every decision that can be sent, as a form to its path or as JSON below /api/v1. */
export const DECIDE_ROUTES: readonly DecideRoute[] = [
  ...EVERY_DECISION.map(routeOf),
  ...IMPORT_ROUTES,
  ...DESK_ONLY_ROUTES,
].sort((a, b) => ORDER.indexOf(a.operationId) - ORDER.indexOf(b.operationId));
