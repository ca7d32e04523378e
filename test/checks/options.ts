import { checkLedger } from '../../src/app/check.ts';
import type { CheckResult } from '../../src/app/check-result.ts';
import type { CheckOptions } from '../../src/checks/run.ts';
import type { Config } from '../../src/config/index.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import { DEFAULT_SETTINGS } from '../helpers/check-settings.ts';

/** What every test of checks runs with, unless it says otherwise. */
export const OPTIONS: CheckOptions = {
  periods: ['2026-09', '2026-10', '2026-11'],
  settings: DEFAULT_SETTINGS,
  now: new Date('2026-11-20T12:00:00Z'),
};

/** Checks a ledger as the command does: what is found is kept. */
export function check(ledger: Ledger, options: Partial<CheckOptions> = {}): Promise<CheckResult> {
  const { periods, only, settings, now } = { ...OPTIONS, ...options };
  return checkLedger(ledger, { config: settings as Config, now: () => now }, { periods, only });
}
