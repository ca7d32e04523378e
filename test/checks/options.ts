import type { CheckOptions } from '../../src/checks/run.ts';

/** What every test of checks runs with, unless it says otherwise. */
export const OPTIONS: CheckOptions = {
  periods: ['2026-09', '2026-10', '2026-11'],
  settings: { overdueDays: 30, invoiceLagDays: 14 },
  now: new Date('2026-11-20T12:00:00Z'),
};
