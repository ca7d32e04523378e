/** The claim as a report, for those that write it. */
export { type ClaimLine, type ClaimTotal, claimReport, claimTotals } from '../../../reports/claim.ts';
