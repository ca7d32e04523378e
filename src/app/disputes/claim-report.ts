/** The claim as a report, for those that write it. */
export type { ClaimLine } from '../../../reports/claim/line.ts';
export { claimData, claimReport } from '../../../reports/claim/report.ts';
export { claimTotals } from '../../../reports/claim/totals.ts';
