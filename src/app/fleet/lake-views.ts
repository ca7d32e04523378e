import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Column, Report } from '../../../reports/model.ts';
import { sha256OfFile } from '../../base/files/read.ts';
import { parseUnits } from '../../money/units.ts';
import { inCodes, type SaidReport, type SaidRow } from '../../render/in-words.ts';
import { jsonColumns } from '../../render/json.ts';
import {
  type ParquetCell,
  type ParquetColumn,
  type ParquetTable,
  type ParquetType,
  writeParquet,
} from '../../render/parquet.ts';
import type { Books } from '../books.ts';
import { readCourierCash } from '../custody.ts';
import { findReport, usingReport } from '../report.ts';

/** A merchant's part of the lake, and the state of the books that it shows. */
export interface LakePart {
  /** The run of `fleet lake` that wrote it. */
  readonly run: number;
  readonly version: string;
  /** The chain's head at the last evidence that figures rest on; null while the books hold nothing. */
  readonly head: string | null;
  readonly written_at: string;
  /** The columns of each view, also of a view without rows. */
  readonly columns: Readonly<Record<string, readonly ParquetColumn[]>>;
  /** Each file by its path in the lake: its rows and its SHA-256. */
  readonly files: Readonly<Record<string, { readonly rows: number; readonly sha256: string }>>;
}

/** A table of the lake: a report's rows, and the month whose partition each is in. */
interface View {
  readonly name: string;
  readonly report: string;
  /** The month's partition; null for none. @param last the last month in the books */
  readonly monthOf: (row: SaidRow, last: string) => string | null;
}

const byPeriod = (row: SaidRow) => row.period as string | null;
/** Custody and ageing are of today: each has its one state in the last month's partition. */
const byLastMonth = (_: SaidRow, last: string) => last;

/** Each view has the rows of the merchant's report of all months. */
const VIEWS: readonly View[] = [
  { name: 'totals', report: 'totals', monthOf: byPeriod },
  { name: 'invoices', report: 'invoices', monthOf: byPeriod },
  { name: 'orders', report: 'orders', monthOf: byPeriod },
  { name: 'mismatches', report: 'mismatches', monthOf: byPeriod },
  { name: 'receipts', report: 'receipts', monthOf: ({ date }) => (date as string).slice(0, 7) },
  { name: 'balances', report: 'roll-forward', monthOf: byPeriod },
  { name: 'custody', report: 'custody', monthOf: byLastMonth },
  { name: 'ageing', report: 'ageing', monthOf: byLastMonth },
];

export const VIEW_NAMES: readonly string[] = VIEWS.map(({ name }) => name);

/** The ending of files that are being written: no `*.parquet` pattern takes them for a part of the lake. */
export const STAGED = '.new';

/** Writes the rows of a merchant's reports, each view by month. @param last the last month in the books */
export async function writeViews(books: Books, merchant: string, unfinished: string, last: string) {
  const columns: Record<string, readonly ParquetColumn[]> = {};
  const files: Record<string, LakePart['files'][string]> = {};
  const cash = await readCourierCash(books);
  const overdueOf = new Map(cash.map((one) => [`${one.courier} ${one.currency}`, one.overdue]));
  for (const view of VIEWS) {
    // Orders are far more than fit in memory: their report is read month by month. Any other is one of all months.
    const periods = view.name === 'orders' ? (await monthsInTotals(books)).map((month) => [month]) : [null];
    for (const months of periods) {
      await usingReport(books, { entry: findReport(view.report), periods: months, asOf: null }, async (report) => {
        const viewed = view.name === 'balances' ? await withOverdue(report, overdueOf) : report;
        const parquetColumns = columnsOf(viewed.columns);
        columns[view.name] = parquetColumns;
        const { rows } = inCodes(viewed);
        const cells = cellsOfRows(parquetColumns);
        const partitions: ReadonlyMap<string, Batches> =
          months === null
            ? await partitionsOf(rows, (row) => view.monthOf(row, last), cells)
            : new Map([[months[0]!, pagesOf(rows, cells)]]);
        for (const [partition, batches] of partitions) {
          const folder = path.posix.join(view.name, `merchant=${merchant}`, `month=${partition}`);
          const file = path.posix.join(folder, `${view.name}.parquet`);
          const table = { name: view.name, columns: parquetColumns, batches };
          const written = await writePartition(path.join(unfinished, file), table);
          if (written !== null) files[file] = written;
        }
      });
    }
  }
  return { columns, files };
}

/** Writes the file of a partition, under its staged name. @returns null, and no file, where it has no rows */
async function writePartition(file: string, table: ParquetTable): Promise<LakePart['files'][string] | null> {
  await mkdir(path.dirname(file), { recursive: true });
  let rows = 0;
  const counted = async function* () {
    for await (const batch of table.batches) {
      rows += batch.length;
      yield batch;
    }
  };
  const staged = `${file}${STAGED}`;
  await writeParquet(staged, { ...table, batches: counted() });
  if (rows > 0) return { rows, sha256: await sha256OfFile(staged) };
  await rm(staged);
  return null;
}

type Batches = ParquetTable['batches'];
type CellsOf = (row: SaidRow) => readonly ParquetCell[];

/** Makes a function that turns a report's rows into cells. Call it for each row in order: it numbers them. */
function cellsOfRows(columns: readonly ParquetColumn[]): CellsOf {
  let position = 0;
  return (row) => {
    position += 1;
    return columns.map(({ name, type }) => (name === POSITION ? position : cellOf(row[name] ?? null, type)));
  };
}

/** A report's rows by the month whose partition they are in. */
async function partitionsOf(
  rows: SaidReport['rows'],
  monthOf: (row: SaidRow) => string | null,
  cells: CellsOf,
): Promise<Map<string, Batches>> {
  const rowsOfMonth = new Map<string, (readonly ParquetCell[])[]>();
  for await (const row of rows) {
    const month = monthOf(row) ?? NO_MONTH;
    const rowsBefore = rowsOfMonth.get(month) ?? [];
    rowsOfMonth.set(month, rowsBefore);
    rowsBefore.push(cells(row));
  }
  return new Map([...rowsOfMonth].map(([month, rowsInIt]) => [month, [rowsInIt]]));
}

/** The partition of rows without a month, by the name that Hive and later engines use. */
const NO_MONTH = '__HIVE_DEFAULT_PARTITION__';
const ROWS_A_PAGE = 1_000;

async function* pagesOf(rows: SaidReport['rows'], cells: CellsOf) {
  let page: (readonly ParquetCell[])[] = [];
  for await (const row of rows) {
    page.push(cells(row));
    if (page.length < ROWS_A_PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** The months in which the totals have a row: rows of orders do not name their month. */
async function monthsInTotals(books: Books): Promise<string[]> {
  const months = new Set<string>();
  await usingReport(books, { entry: findReport('totals'), periods: null, asOf: null }, async ({ rows }) => {
    for await (const { period } of rows) months.add(period as string);
  });
  return [...months].sort();
}

/**
 * Adds what is overdue today to the roll-forward, in the last row of each courier and currency.
 *
 * @param overdueOf the overdue amounts, by `courier currency`: each is taken out as it is placed
 */
async function withOverdue(report: Report, overdueOf: Map<string, string>): Promise<Report> {
  const rows = [];
  for await (const row of report.rows) rows.push(row);
  const placed = rows.toReversed().map((row) => {
    const key = `${row.courier} ${row.currency}`;
    const overdue = overdueOf.get(key) ?? null;
    overdueOf.delete(key);
    return { ...row, overdue };
  });
  return { ...report, columns: [...report.columns, { name: 'overdue', type: 'money' }], rows: placed.toReversed() };
}

/** The types of a report's JSON as Parquet has them. */
const TYPES = {
  text: 'text',
  integer: 'integer',
  money: 'money',
  date: 'day',
  datetime: 'instant',
} as const satisfies Readonly<Record<string, ParquetType>>;

/** The column with a row's place in the report: no sorting by other columns gives that order. */
const POSITION = 'position';

/** Each column name once: a report with payouts' own numbers has their column twice. */
function columnsOf(columns: readonly Column[]): ParquetColumn[] {
  const distinct = columns.filter(({ name }, at) => columns.findIndex((column) => column.name === name) === at);
  return [
    ...jsonColumns(distinct).map(({ name, type }): ParquetColumn => ({ name, type: TYPES[type], nullable: true })),
    { name: POSITION, type: 'integer' },
  ];
}

function cellOf(cell: string | number | null, type: ParquetType): ParquetCell {
  return type === 'money' && cell !== null ? parseUnits(String(cell)) : cell;
}
