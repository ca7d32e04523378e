import type { CheckSettings } from '../../src/checks/check.ts';

/** The settings of a remit.toml that says nothing but who pays for the courier. */
export const DEFAULT_SETTINGS: CheckSettings = {
  overdueDays: 30,
  invoiceLagDays: 14,
  matchDays: 21,
  remittanceLagDays: 5,
  remittanceTolerance: '0',
  rateTolerance: '0',
  referenceRule: ['trim', 'drop-hash', 'ignore-case'],
  receipts: { payers: ['Cedar Road'], accounts: [] },
};
