import { columnsOf } from './columns.ts';
import type { Cell, Report, Row } from './model.ts';

/** The lists of what people imported and decided: a title and columns, each named after a field of the records. */
const LISTS = {
  settlements: [
    'Settlements',
    'id at courier invoice_number_text amount currency kind command by note undone_at undone_by undone_reason',
  ],
  imports: [
    'Imports',
    'id at courier kind source format account rows new actor waiting undone_at undone_by undone_why',
  ],
  closes: ['Closes', 'period at by with_open reopened_at reopened_by reopened_reason'],
  claims: [
    'Claims',
    'courier mismatch_id code period invoice_number_text order_id claimed now currency direction state',
  ],
  decisions: ['Decisions', 'at by courier kind subject note'],
  views: ['Saved views', 'name by at'],
} as const satisfies Readonly<Record<string, readonly [title: string, columns: string]>>;

export type ListName = keyof typeof LISTS;

/**
 * A list as a report, without columns that no record fills, and without `courier` if all records have the same one.
 *
 * @param timeZone the zone in which instants are shown
 */
export function listReport(name: ListName, records: readonly object[], timeZone?: string | undefined): Report {
  const [title, fields] = LISTS[name];
  const rows = records as readonly Readonly<Record<string, Cell | boolean | undefined>>[];
  const isFilled = (field: string) => rows.some((row) => (row[field] ?? '') !== '');
  const hasSeveralCouriers = new Set(rows.map((row) => row.courier)).size > 1;
  const columns = columnsOf(fields).filter(({ name: field }) =>
    field === 'courier' ? hasSeveralCouriers : isFilled(field),
  );
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
  if (typeof value === 'boolean') return value ? 'yes' : null;
  return value ?? null;
}
