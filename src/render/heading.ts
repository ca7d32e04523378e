import type { Report } from '../../reports/model.ts';

/** `Invoices, 2026-10`; a report about the whole ledger has no period to name. */
export function headingOf({ title, period }: Pick<Report, 'title' | 'period'>): string {
  return period === '' ? title : `${title}, ${period}`;
}
