export { accountKey } from './identity.ts';
export type { HeldImport, KnownBy, PlannedLine, StatementFile, StatementLine } from './model.ts';
export { type OverlapPlan, planOverlap, planUndo, type UndoPlan } from './plan.ts';
export { type CoverableLine, type CoveredDays, heldButNotIn } from './uncovered.ts';
