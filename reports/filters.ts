import type { Row } from './model.ts';

/** The filters that narrow a report, each with its columns: a row stays if one of them has the wanted value. */
export const FILTERS = {
  invoice: ['invoice_number', 'number'],
  order: ['order_id'],
  status: ['status', 'delivery_state', 'payment_state'],
  code: ['code'],
  currency: ['currency'],
} as const;
export type FilterName = keyof typeof FILTERS;

/** The wanted values, as text; a filter that is absent narrows nothing. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** Whether a row passes all filters. Every row passes one whose columns it lacks: the caller refuses that before. */
export function fits(row: Row, filters: Filters): boolean {
  return (Object.keys(filters) as FilterName[]).every((name) => {
    const wanted = filters[name];
    const columns = FILTERS[name].filter((column) => column in row);
    if (wanted === undefined || columns.length === 0) return true;
    return columns.some((column) => String(row[column] ?? '') === wanted);
  });
}

/** The currency to which a statement is limited (`--split currency`); null for all. */
export type OnlyCurrency = string | null;

/** Whether a statement shows a part. A part without a currency is in every statement, so that nothing gets lost. */
export function isShown(onlyCurrency: OnlyCurrency, currency: string | null): boolean {
  return onlyCurrency === null || currency === null || currency === onlyCurrency;
}

export function keepCurrency<T extends { readonly currency: string | null }>(
  onlyCurrency: OnlyCurrency,
  parts: readonly T[],
): readonly T[] {
  return onlyCurrency === null ? parts : parts.filter(({ currency }) => isShown(onlyCurrency, currency));
}
