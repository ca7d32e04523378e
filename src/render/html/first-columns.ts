import type { Column } from '../../../reports/model.ts';

/** The columns that a reader looks at first, for reports whose columns do not begin with them; those that a report lacks are passed over. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  invoices: ['number', 'status', 'currency', 'net_due_to_merchant', 'open', 'outstanding'],
  mismatches: ['message', 'invoice_number', 'order_id', 'currency', 'amount', 'effect', 'severity', 'status'],
  orders: ['invoice_number', 'order_id', 'reference_id', 'currency', 'cod', 'delivery_fee', 'net'],
  receipts: ['receipt', 'date', 'status', 'currency', 'amount', 'left', 'text', 'invoices'],
  ageing: ['number', 'currency', 'open', 'outstanding', 'age', 'days'],
  'open-items': ['kind', 'number', 'receipt', 'currency', 'open', 'days'],
  'not-invoiced': ['order_id', 'reference_id', 'currency', 'cod', 'delivery_fee', 'net', 'days_waiting'],
};

/** A report's columns in the order in which a page shows them; its JSON and CSV keep their own. */
export function inReadingOrder(report: string, columns: readonly Column[]): readonly Column[] {
  const names = FIRST[report];
  if (names === undefined) return columns;
  const first = names.flatMap((name) => columns.filter((column) => column.name === name));
  return [...first, ...columns.filter((column) => !first.includes(column))];
}
