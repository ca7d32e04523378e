/** The claim as a report, for those that write it. */
export { type ClaimLine, claimData, claimReport, claimTotals } from '../../../reports/claim.ts';
