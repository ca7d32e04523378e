import type { Approved } from '../../app/approvals/approve.ts';
import type { Policy } from '../../app/approvals/policy.ts';
import { closedLines } from './close.ts';
import { claimLines } from './dispute.ts';
import { importedLines } from './import.ts';
import { addedLine } from './match.ts';
import { decidedLine } from './mismatches.ts';
import { settledLine } from './settle.ts';

/** What was done when a decision was approved, as the decision itself says it. @param zone whose days are shown */
export function approvedLines(approved: Approved, zone: string): string[] {
  switch (approved.what) {
    case 'settle':
      return approved.result.settled.map(settledLine);
    case 'match':
      return [addedLine(approved.result)];
    case 'write-off':
      return claimLines(approved.result.claims, [], zone);
    case 'resolve':
      return [decidedLine('resolve', approved.result.changed.length)];
    case 'close':
      return closedLines(
        'couriers' in approved.result ? approved.result : { ...approved.result, couriers: [approved.result] },
      );
    case 'policy':
      return policyLines(approved.result.policy);
    default:
      return importedLines({ summary: approved.result, isKnown: false, notes: [] }, false);
  }
}

/** The policy that the books have now. */
function policyLines({ write_off_above, close, imports, rate_tolerance }: Policy): string[] {
  const limits = Object.entries(write_off_above).map(([code, most]) => `  write_off_above ${code}: ${most}`);
  return [
    'the books have this policy now:',
    ...limits,
    ...Object.entries({ close, imports, rate_tolerance }).map(([name, value]) => `  ${name}: ${value}`),
  ];
}
