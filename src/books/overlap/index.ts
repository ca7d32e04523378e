export type { HeldImport, KnownBy, PlannedLine, StatementFile, StatementLine } from './model.ts';
export { type OverlapPlan, planOverlap, planUndo, type UndoPlan } from './plan.ts';
