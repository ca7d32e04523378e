import type { Cell, Column, ColumnType, Report, Row } from './model.ts';

type Shape = readonly [name: string, title: string, type: ColumnType];

const AT: Shape = ['at', 'When', 'datetime'];
const BY: Shape = ['by', 'Who', 'text'];
const COURIER: Shape = ['courier', 'Courier', 'id'];
const INVOICE: Shape = ['invoice_number_text', 'Invoice', 'number'];
const NOTE: Shape = ['note', 'Note', 'wide'];

/** What people brought and decided, and the columns of each list: fields of its records. */
const LISTS = {
  settlements: [
    'Settlements',
    [
      ['id', 'Id', 'id'],
      AT,
      COURIER,
      INVOICE,
      ['amount', 'Amount', 'money'],
      ['currency', 'Currency', 'text'],
      ['kind', 'Kind', 'text'],
      ['command', 'Command', 'text'],
      BY,
      NOTE,
      ['undone_at', 'Undone', 'datetime'],
      ['undone_by', 'Undone by', 'text'],
      ['undone_reason', 'Why undone', 'wide'],
    ],
  ],
  imports: [
    'Imports',
    [
      ['id', 'Id', 'id'],
      AT,
      COURIER,
      ['kind', 'Kind', 'text'],
      ['source', 'File', 'text'],
      ['format', 'Format', 'text'],
      ['account', 'Account', 'text'],
      ['rows', 'Rows', 'count'],
      ['new', 'New', 'count'],
      ['actor', 'Who', 'text'],
      ['waiting', 'Waits', 'text'],
      ['undone_at', 'Undone', 'datetime'],
      ['undone_by', 'Undone by', 'text'],
      ['undone_why', 'Why undone', 'wide'],
    ],
  ],
  closes: [
    'Closes',
    [
      ['period', 'Month', 'id'],
      AT,
      BY,
      ['reopened_at', 'Opened again', 'datetime'],
      ['reopened_by', 'Opened again by', 'text'],
      ['reopened_reason', 'Why opened again', 'wide'],
    ],
  ],
  claims: [
    'Claims',
    [
      COURIER,
      ['mismatch_id', 'Mismatch', 'id'],
      ['code', 'Check', 'id'],
      ['period', 'Month', 'id'],
      INVOICE,
      ['order_id', 'Order', 'id'],
      ['claimed', 'Claimed', 'money'],
      ['now', 'Now', 'money'],
      ['currency', 'Currency', 'text'],
      ['state', 'State', 'wide'],
    ],
  ],
  decisions: ['Decisions', [AT, BY, COURIER, ['kind', 'What', 'text'], ['subject', 'About', 'text'], NOTE]],
  views: ['Saved views', [['name', 'View', 'text'], BY, AT]],
} as const satisfies Readonly<Record<string, readonly [title: string, columns: readonly Shape[]]>>;

export type ListName = keyof typeof LISTS;

/**
 * A list as a report: columns that no record fills, and couriers where all are of one, are left out.
 *
 * @param timeZone whose days its instants are shown by
 */
export function listReport(name: ListName, records: readonly object[], timeZone?: string | undefined): Report {
  const [title, shapes] = LISTS[name];
  const rows = records as readonly Readonly<Record<string, Cell | boolean | undefined>>[];
  const filled = (field: string) => rows.some((row) => (row[field] ?? '') !== '');
  const columns = shapes
    .filter(([field]) => (field === 'courier' ? new Set(rows.map((row) => row.courier)).size > 1 : filled(field)))
    .map(([field, heading, type]): Column => ({ name: field, title: heading, type }));
  const cells = (row: (typeof rows)[number]): Row =>
    Object.fromEntries(columns.map(({ name: field }) => [field, cellOf(row[field])]));
  return {
    report: name,
    title,
    period: '',
    ...(timeZone === undefined ? {} : { timeZone }),
    columns,
    rows: rows.map(cells),
    totals: () => [],
    notes: () => [],
  };
}

/** A fact that holds is a word. */
function cellOf(value: Cell | boolean | undefined): Cell {
  return typeof value === 'boolean' ? (value ? 'yes' : null) : (value ?? null);
}
