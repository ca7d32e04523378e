/**
 * Answers questions about all merchants of a fleet (`remit fleet query`). The lake is a folder of Parquet files: for
 * each report a table, in which each merchant has its files: `totals/merchant=olive/month=2026-10/….parquet`.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api';
import { InstallationError, UsageError } from '../../base/errors.ts';
import { makeTemporaryFolder } from '../../base/files/temporary.ts';

/** A table of the lake. It has its columns even while it has no files. */
export interface LakeTable {
  readonly name: string;
  readonly hasFiles: boolean;
  /** Whether all files have the same columns; if not, DuckDB opens each file first. */
  readonly isAlike: boolean;
  readonly columns: readonly {
    readonly name: string;
    readonly type: 'text' | 'integer' | 'money' | 'day' | 'instant';
  }[];
}

type LakeCell = string | number | null;

type AnswerType = 'money' | 'count' | 'text';

/** The answer to a query of the lake. */
export interface LakeRows {
  readonly columns: readonly { readonly name: string; readonly type: AnswerType }[];
  /** Decimals are text with at least two places. */
  readonly rows: readonly Readonly<Record<string, LakeCell>>[];
}

const THREADS = 4;
const MEMORY = '1GB';

const SQL_TYPES = {
  text: 'varchar',
  integer: 'bigint',
  money: 'decimal(18,4)',
  day: 'date',
  instant: 'timestamp',
} as const;

/** Queries with a name: the rows of each merchant's report of that name; `owed` is the last month of its balances. */
export const QUESTIONS: Readonly<Record<string, string>> = {
  totals: `select merchant, courier, period, currency, invoices, orders, cod, delivery_fee, net_due_to_merchant
    from totals order by merchant, position`,
  mismatches: 'select merchant, * exclude (merchant, month, position) from mismatches order by merchant, position',
  owed: `select merchant, courier, currency, closing, coalesce(overdue, 0::decimal(18,4)) as overdue from balances
    qualify row_number() over (partition by merchant, courier, currency order by period desc) = 1
    order by merchant, courier, currency`,
  ageing: 'select merchant, * exclude (merchant, month, position) from ageing order by merchant, position',
  custody: 'select merchant, * exclude (merchant, month, position) from custody order by merchant, position',
};

/** @throws InstallationError if DuckDB is not installed */
async function loadDuckDb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new InstallationError(
      'a query of the lake needs @duckdb/node-api, which is not installed',
      'Install it where remit is, such as `npm install --global @duckdb/node-api@1.5.6-r.1`; or read the Parquet files of the lake with any other program.',
      { cause: error },
    );
  }
}

/**
 * Runs a query over the lake's Parquet files in DuckDB, which can then neither download anything nor touch any file
 * outside.
 *
 * @param lake the lake's folder, absolute
 * @throws UsageError for SQL that DuckDB refuses
 */
export async function queryLake(lake: string, tables: readonly LakeTable[], sql: string): Promise<LakeRows> {
  const duckDb = await loadDuckDb();
  const folder = makeTemporaryFolder();
  const instance = await duckDb.DuckDBInstance.create(':memory:', {
    threads: String(THREADS),
    memory_limit: MEMORY,
    temp_directory: path.join(folder, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    for (const table of tables) await connection.run(viewOf(lake, table));
    await connection.run(`set allowed_directories = [${sqlText(`${lake}${path.sep}`)}, ${sqlText(folder)}]`);
    await connection.run('set enable_external_access = false');
    await connection.run('set lock_configuration = true');
    const read = await readOnly(duckDb, connection, sql).catch((error: Error) => {
      throw new UsageError(
        `the lake cannot answer: ${error.message.split('\n')[0]}`,
        `The tables are ${tables.map(({ name }) => name).join(', ')}; docs/fleet.md has examples.`,
        { cause: error },
      );
    });
    const names = read.deduplicatedColumnNames();
    const columns = read.columnTypes().map((type, at) => ({ name: names[at]!, type: answerTypeOf(String(type)) }));
    const rows = read
      .getRowObjectsJson()
      .map((row) => Object.fromEntries(columns.map(({ name, type }) => [name, cellOf(row[name], type)])));
    return { columns, rows };
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>;

/** Runs statements, and refuses any that writes: DuckDB may use the lake's folder, and `copy` could write there. */
async function readOnly({ StatementType }: DuckDb, connection: DuckDBConnection, sql: string) {
  // A `pivot` is two statements: it makes a type, in memory, and selects.
  const allowed = [StatementType.SELECT, StatementType.CREATE];
  const statements = await connection.extractStatements(sql);
  let read: DuckDBResultReader | null = null;
  for (let at = 0; at < statements.count; at += 1) {
    const statement = await statements.prepare(at);
    if (!allowed.includes(statement.statementType)) throw new Error('a question may only read: begin it with select');
    read = await statement.runAndReadAll();
  }
  if (read === null) throw new Error('there is no question');
  return read;
}

/** @param sqlType as DuckDB names it: `DECIMAL(18,4)`, `BIGINT` */
function answerTypeOf(sqlType: string): AnswerType {
  if (sqlType.startsWith('DECIMAL')) return 'money';
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/.test(sqlType) ? 'count' : 'text';
}

/** SQL for a view of the table's files; without files it has the same columns, and those of the files' folders. */
function viewOf(lake: string, { name, hasFiles, isAlike, columns }: LakeTable): string {
  const files = path.posix.join(lake.split(path.sep).join('/'), name, 'merchant=*', 'month=*', '*.parquet');
  const emptyColumns = [
    ...columns,
    { name: 'merchant', type: 'text' as const },
    { name: 'month', type: 'text' as const },
  ].map((column) => `null::${SQL_TYPES[column.type]} as "${column.name}"`);
  const source = hasFiles
    ? `* from read_parquet(${sqlText(files)}, hive_partitioning = true, hive_types = {'merchant': varchar, 'month': varchar}, union_by_name = ${!isAlike})`
    : `${emptyColumns.join(', ')} where false`;
  return `create view ${name} as select ${source}`;
}

function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A cell of DuckDB's JSON, in which decimals and large integers are text: money as `12.5000`, here `12.50`. */
function cellOf(cell: unknown, type: AnswerType): LakeCell {
  if (typeof cell === 'boolean' || (typeof cell === 'object' && cell !== null)) return JSON.stringify(cell);
  if (typeof cell !== 'string') return typeof cell === 'number' ? cell : null;
  if (type === 'count') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (type !== 'money') return cell;
  const [, whole, places] = /^(-?\d+)(?:\.(\d+))?$/.exec(cell) ?? [];
  return whole === undefined ? cell : `${whole}.${(places ?? '').replace(/0+$/, '').padEnd(2, '0')}`;
}
