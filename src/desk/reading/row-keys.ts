import type { Column, Row } from '../../../reports/model.ts';

const BETWEEN = '~';

/** A row's key: what names it, in the order of the columns, and how often the same came before. */
export function keysOf(columns: readonly Column[]): (row: Row) => string {
  const names = columns.filter(({ type, key }) => key || type === 'id' || type === 'number').map(({ name }) => name);
  const seen = new Map<string, number>();
  return (row) => {
    const key = names.map((name) => String(row[name] ?? '')).join(BETWEEN);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}${BETWEEN}${count}`;
  };
}

/** The courier and invoice of an invoice row's key. Rows of the same key stand on one invoice: from its first row on, they are counted alike. */
export function invoiceOfKey(key: string): { courier: string; invoice: number } | undefined {
  const [courier = '', invoice = ''] = key.split(BETWEEN);
  return /^\d{1,15}$/.test(invoice) ? { courier, invoice: Number(invoice) } : undefined;
}
