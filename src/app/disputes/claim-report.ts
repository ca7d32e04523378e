/** The claim as a report, for callers that may not import reports themselves. */
export type { ClaimLine } from '../../../reports/claim/line.ts';
export { claimData, claimReport } from '../../../reports/claim/report.ts';
export { claimTotals } from '../../../reports/claim/totals.ts';
