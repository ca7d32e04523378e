import { createHash } from 'node:crypto';
import type { Finding } from './check.ts';

/**
 * The stable identity of a finding: the same one keeps it on every run and every machine, whatever its figures and its month become.
 * It is made of the check's code and what the finding is about.
 */
export function identityOf(code: string, finding: Finding): string {
  const { invoice_number, subject, place, currency, field } = finding;
  // An order is not in your book whatever its COD: the amount came to these findings later, and they stay the same.
  const about = [code, invoice_number, subject, place, code === 'not-in-books' ? null : currency, field];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 16);
}
