import { createHash } from 'node:crypto';
import type { Finding } from './check.ts';

/**
 * The stable identity of a finding: the same one keeps it on every run and every machine, whatever its figures become. It is
 * derived from the check's code and what the finding is about.
 */
export function identityOf(code: string, finding: Finding): string {
  const about = [
    code,
    finding.invoice_number,
    finding.subject ?? finding.order_id,
    finding.currency,
    finding.field,
    finding.occurrence ?? 0,
  ];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 16);
}
