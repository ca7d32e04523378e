import { copyFileSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { MigrationDialect } from '../../../../migrations/index.ts';
import { makeTemporaryFolder } from '../../../base/files/temporary.ts';
import { openDatabase, type SqliteDatabase } from '../../../base/sqlite.ts';
import type { ConnectionOptions } from '../dialect.ts';

/** A handle, and what to do once it is closed. */
interface Opened {
  readonly handle: SqliteDatabase;
  release(): void;
}

/**
 * Opens a handle with the settings that every connection to a ledger needs. A ledger that may only be read, in a folder where
 * SQLite cannot keep its journal, is read from a copy.
 */
export function openSqlite(file: string, options: Omit<ConnectionOptions, 'lock'>): Opened {
  const { busyMs: timeout = BUSY_MS, create, holdsReadOnly = false, scratch } = options;
  try {
    const handle = openDatabase(file, { timeout, fileMustExist: !create, readonly: holdsReadOnly });
    return { handle: configured(handle, { scratch, holdsReadOnly }), release() {} };
  } catch (error) {
    if (!options.readOnly || !isReadOnly(error)) throw error;
    return openCopy(file);
  }
}

const BUSY_MS = 5_000;
/** How much of the file is held in memory. */
export const CACHE_KB = 16_000;
/** A reader goes through tables in order and asks for no page twice. */
export const READING_CACHE_KB = 8_000;

function configured(
  handle: SqliteDatabase,
  { scratch, holdsReadOnly = false }: Pick<ConnectionOptions, 'scratch' | 'holdsReadOnly'>,
): SqliteDatabase {
  try {
    // The file is first looked at by a statement that reads it.
    handle.pragma(holdsReadOnly ? 'schema_version' : 'journal_mode = WAL');
    // Switching to WAL silently lowers `synchronous` to NORMAL, which may lose the last transactions at a power cut.
    handle.pragma(`synchronous = ${scratch ? 'OFF' : 'FULL'}`);
    handle.pragma('foreign_keys = ON');
    handle.pragma('trusted_schema = OFF');
    // What a sort needs beyond the cache goes into a file without a name: in memory it would grow with the books.
    handle.pragma('temp_store = FILE');
    handle.pragma(`cache_size = -${CACHE_KB}`);
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

function isReadOnly(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^SQLITE_(READONLY|CANTOPEN|IOERR)/.test(code);
}

function openCopy(file: string): Opened {
  const folder = makeTemporaryFolder();
  const release = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
    return { handle: configured(openDatabase(copy, { timeout: BUSY_MS }), { scratch: true }), release };
  } catch (error) {
    release();
    throw error;
  }
}

export const sqliteMigrations: MigrationDialect = {
  // SQLite's own order of text is by code point.
  text: sql`text`,
  integer: sql`integer`,
  blob: sql`blob`,
  tableEnd: sql`strict`,
  clusteredTableEnd: sql`strict, without rowid`,
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (
        action,
      ) => sql`create trigger ${sql.raw(`${table}_refuses_${action}`)} before ${sql.raw(action)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`,
    ),
  altering: async (db, alter) => {
    // SQLite reads every view again at each column that is added, which takes longer than to make all tables.
    const { rows: views } = await sql<{ name: string; text: string }>`
      select name, sql as text from sqlite_schema where type = 'view' order by rowid`.execute(db);
    for (const { name } of views) await db.schema.dropView(name).execute();
    await alter();
    for (const { text } of views) await sql.raw(text).execute(db);
  },
  decimal: (column) => {
    const c = sql.raw(column);
    return sql`case when ${c} is null then null else
      case when ${c} < 0 then '-' else '' end || (abs(${c}) / 10000) || '.' ||
      case when abs(${c}) % 100 = 0 then printf('%02d', abs(${c}) % 10000 / 100)
        when abs(${c}) % 10 = 0 then printf('%03d', abs(${c}) % 10000 / 10)
        else printf('%04d', abs(${c}) % 10000) end end`;
  },
  units: (text) => {
    const t = sql.raw(text);
    const point = sql`instr(${t}, '.')`;
    return sql`case when length(${t}) > ${sql.lit(LONGEST)} then null when ${point} = 0 then cast(${t} as integer) * 10000
      else cast(replace(${t}, '.', '') || substr('0000', 1, 4 - (length(${t}) - ${point})) as integer) end`;
  },
  sum: (column) => sql`sum(${sql.raw(column)})`,
  moneySum: (column, fault) => {
    // sum() fails with 'integer overflow' and no more, so that whole units and the rest are summed apart and cannot overflow.
    const [whole, rest] = [sql`sum((${sql.raw(column)}) / 10000)`, sql`sum((${sql.raw(column)}) % 10000)`];
    // A path that is none is the one way to fail with a text of one's own outside a trigger.
    return sql`case when abs(${whole} + ${rest} / 10000) >= ${sql.lit(MOST_WHOLE)} then json_extract('{}', ${fault})
      else ${whole} * 10000 + ${rest} end`;
  },
  days: (from, to) =>
    sql`cast(julianday(substr(${sql.raw(to)}, 1, 10)) - julianday(substr(${sql.raw(from)}, 1, 10)) as integer)`,
  lastDay: (month) => sql`date(${sql.raw(month)} || '-01', '+1 month', '-1 day')`,
  hex: (column) => sql`lower(hex(${sql.raw(column)}))`,
  jsonCount: (column, path) => {
    const at = sql.lit(`$.${path.join('.')}`);
    const json = sql.raw(column);
    return sql`case when json_valid(${json}) and json_type(${json}, ${at}) = 'integer' then json_extract(${json}, ${at}) end`;
  },
};

/** Digits, sign and point of an amount that surely fits; the table's own amounts are integers and always do. */
const LONGEST = 19;
/** Whole units of the largest amount that 64 bits hold. */
const MOST_WHOLE = 922_337_203_685_477;
