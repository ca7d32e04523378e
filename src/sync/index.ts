export { planSync } from './plan.ts';
export { type Progress, silent } from './progress.ts';
export { runSync } from './run.ts';
export type { SyncClient, SyncOptions, SyncSummary } from './session.ts';
