import type { Row } from './model.ts';

/** What a report may be narrowed to: the columns that each filter looks at, of which one must hold what is asked for. */
export const FILTERS = {
  invoice: ['invoice_number', 'number'],
  order: ['order_id'],
  status: ['status', 'delivery_state', 'payment_state'],
  code: ['code'],
  currency: ['currency'],
} as const;
export type FilterName = keyof typeof FILTERS;

/** What a report is narrowed to, as text; what is absent narrows nothing. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** Whether a row is what was asked for. A column that the report lacks is no reason to leave a row out: the caller refuses such a filter. */
export function fits(row: Row, filters: Filters): boolean {
  return (Object.keys(filters) as FilterName[]).every((name) => {
    const wanted = filters[name];
    const columns = FILTERS[name].filter((column) => column in row);
    return (
      wanted === undefined || columns.length === 0 || columns.some((column) => String(row[column] ?? '') === wanted)
    );
  });
}
