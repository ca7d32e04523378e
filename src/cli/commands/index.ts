import type { CommandFile } from '../command.ts';

/** Every command, in the order in which help lists them. Adding one is adding a file and a line here. */
export const COMMANDS: readonly (() => Promise<CommandFile>)[] = [
  () => import('./demo.ts'),
  () => import('./init.ts'),
  () => import('./doctor.ts'),
  () => import('./backup.ts'),
  () => import('./sync.ts'),
  () => import('./import/index.ts'),
  () => import('./match/index.ts'),
  () => import('./check.ts'),
  () => import('./night.ts'),
  () => import('./report.ts'),
  () => import('./statement.ts'),
  () => import('./verify.ts'),
  () => import('./selftest.ts'),
  () => import('./changes.ts'),
  () => import('./show.ts'),
  () => import('./evidence.ts'),
  () => import('./mismatch/index.ts'),
  () => import('./dispute/index.ts'),
  () => import('./ledger/index.ts'),
  () => import('./export/index.ts'),
  () => import('./api.ts'),
  () => import('./completion.ts'),
  () => import('./sandbox/index.ts'),
];
