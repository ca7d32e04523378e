import type { Cell, Column, ColumnType, Report, Row } from './model.ts';

type ColumnShape = readonly [name: string, type: ColumnType];

const AT: ColumnShape = ['at', 'datetime'];
const BY: ColumnShape = ['by', 'text'];
const COURIER: ColumnShape = ['courier', 'id'];
const INVOICE: ColumnShape = ['invoice_number_text', 'number'];
const NOTE: ColumnShape = ['note', 'wide'];

/** The lists of what people imported and decided: a title and columns, each named after a field of the records. */
const LISTS = {
  settlements: [
    'Settlements',
    [
      ['id', 'id'],
      AT,
      COURIER,
      INVOICE,
      ['amount', 'money'],
      ['currency', 'text'],
      ['kind', 'text'],
      ['command', 'text'],
      BY,
      NOTE,
      ['undone_at', 'datetime'],
      ['undone_by', 'text'],
      ['undone_reason', 'wide'],
    ],
  ],
  imports: [
    'Imports',
    [
      ['id', 'id'],
      AT,
      COURIER,
      ['kind', 'text'],
      ['source', 'text'],
      ['format', 'text'],
      ['account', 'text'],
      ['rows', 'count'],
      ['new', 'count'],
      ['actor', 'text'],
      ['waiting', 'text'],
      ['undone_at', 'datetime'],
      ['undone_by', 'text'],
      ['undone_why', 'wide'],
    ],
  ],
  closes: [
    'Closes',
    [
      ['period', 'id'],
      AT,
      BY,
      ['with_open', 'wide'],
      ['reopened_at', 'datetime'],
      ['reopened_by', 'text'],
      ['reopened_reason', 'wide'],
    ],
  ],
  claims: [
    'Claims',
    [
      COURIER,
      ['mismatch_id', 'id'],
      ['code', 'id'],
      ['period', 'id'],
      INVOICE,
      ['order_id', 'id'],
      ['claimed', 'money'],
      ['now', 'money'],
      ['currency', 'text'],
      ['direction', 'text'],
      ['state', 'wide'],
    ],
  ],
  decisions: ['Decisions', [AT, BY, COURIER, ['kind', 'text'], ['subject', 'text'], NOTE]],
  views: ['Saved views', [['name', 'text'], BY, AT]],
} as const satisfies Readonly<Record<string, readonly [title: string, columns: readonly ColumnShape[]]>>;

export type ListName = keyof typeof LISTS;

/**
 * A list as a report, without columns that no record fills, and without `courier` if all records have the same one.
 *
 * @param timeZone the zone in which instants are shown
 */
export function listReport(name: ListName, records: readonly object[], timeZone?: string | undefined): Report {
  const [title, shapes] = LISTS[name];
  const rows = records as readonly Readonly<Record<string, Cell | boolean | undefined>>[];
  const isFilled = (field: string) => rows.some((row) => (row[field] ?? '') !== '');
  const columns = shapes
    .filter(([field]) => (field === 'courier' ? new Set(rows.map((row) => row.courier)).size > 1 : isFilled(field)))
    .map(([field, type]): Column => ({ name: field, type }));
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

/** True is the word `yes`, false an empty cell. */
function cellOf(value: Cell | boolean | undefined): Cell {
  if (value === true) return 'yes';
  return value === false ? null : (value ?? null);
}
