import { copyFileSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { MigrationDialect } from '../../../../migrations/index.ts';
import { makeTemporaryFolder } from '../../../base/files/temporary.ts';
import { openDatabase, type SqliteDatabase } from '../../../base/sqlite.ts';
import type { ConnectionOptions } from '../dialect.ts';

/** A handle; `release`, to be called once it is closed, deletes the copy that was opened, if any. */
interface Opened {
  readonly handle: SqliteDatabase;
  release(): void;
}

/**
 * Opens a handle with the settings that every connection to a ledger needs. With `readOnly`, a copy of the file is
 * opened if SQLite cannot keep its journal in the ledger's folder.
 */
export function openSqlite(file: string, options: Omit<ConnectionOptions, 'lock'>): Opened {
  const { busyMs: timeout = BUSY_MS, create, opensReadOnly = false, scratch = false } = options;
  try {
    const handle = openDatabase(file, { timeout, fileMustExist: !create, readonly: opensReadOnly });
    return { handle: configure(handle, { scratch, opensReadOnly }), release() {} };
  } catch (error) {
    if (!options.readOnly || !isNotWritable(error)) throw error;
    return openCopy(file);
  }
}

const BUSY_MS = 5_000;
/** How much of the file SQLite keeps in memory. */
export const CACHE_KB = 16_000;
/** How much for a snapshot, whose reader goes through tables in order and needs no page twice. */
export const READING_CACHE_KB = 8_000;

function configure(
  handle: SqliteDatabase,
  { scratch, opensReadOnly = false }: Pick<ConnectionOptions, 'scratch' | 'opensReadOnly'>,
): SqliteDatabase {
  try {
    // The first of these reads the file, and so fails if it is no database.
    handle.pragma(opensReadOnly ? 'schema_version' : 'journal_mode = WAL');
    // Switching to WAL silently lowers `synchronous` to NORMAL, which may lose the last transactions at a power cut.
    handle.pragma(`synchronous = ${scratch ? 'OFF' : 'FULL'}`);
    handle.pragma('foreign_keys = ON');
    handle.pragma('trusted_schema = OFF');
    // A large sort spills into a temporary file: in memory it would grow with the books.
    handle.pragma('temp_store = FILE');
    handle.pragma(`cache_size = -${CACHE_KB}`);
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

function isNotWritable(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^SQLITE_(READONLY|CANTOPEN|IOERR)/.test(code);
}

function openCopy(file: string): Opened {
  const folder = makeTemporaryFolder();
  const release = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
    return { handle: configure(openDatabase(copy, { timeout: BUSY_MS }), { scratch: true }), release };
  } catch (error) {
    release();
    throw error;
  }
}

export const sqliteMigrations: MigrationDialect = {
  // SQLite sorts text by code point by itself.
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
    // For each added column SQLite parses every view again, which takes longer than making all tables.
    const { rows: views } = await sql<{ name: string; text: string }>`
      select name, sql as text from sqlite_schema where type = 'view' order by rowid`.execute(db);
    for (const { name } of views) await db.schema.dropView(name).execute();
    await alter();
    for (const { text } of views) await sql.raw(text).execute(db);
  },
  // With two places, or with three or four if they are not zero.
  decimal: (column) => {
    const amount = sql.raw(column);
    return sql`case when ${amount} is null then null else
      case when ${amount} < 0 then '-' else '' end || (abs(${amount}) / 10000) || '.' ||
      case when abs(${amount}) % 100 = 0 then printf('%02d', abs(${amount}) % 10000 / 100)
        when abs(${amount}) % 10 = 0 then printf('%03d', abs(${amount}) % 10000 / 10)
        else printf('%04d', abs(${amount}) % 10000) end end`;
  },
  units: (text) => {
    const t = sql.raw(text);
    // `12.5` becomes `125` followed by `000`.
    const point = sql`instr(${t}, '.')`;
    return sql`case when length(${t}) > ${sql.lit(LONGEST_AMOUNT)} then null when ${point} = 0 then cast(${t} as integer) * 10000
      else cast(replace(${t}, '.', '') || substr('0000', 1, 4 - (length(${t}) - ${point})) as integer) end`;
  },
  sum: (column) => sql`sum(${sql.raw(column)})`,
  moneySum: (column, fault) => {
    // An overflowing sum() says only 'integer overflow'. Whole units and fractions, summed apart, cannot overflow.
    const [whole, fraction] = [sql`sum((${sql.raw(column)}) / 10000)`, sql`sum((${sql.raw(column)}) % 10000)`];
    // Outside a trigger, only an invalid JSON path fails with a text of our choice.
    return sql`case when abs(${whole} + ${fraction} / 10000) >= ${sql.lit(MOST_WHOLE)} then json_extract('{}', ${fault})
      else ${whole} * 10000 + ${fraction} end`;
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

/** How many characters an amount written as text may have, so that it surely fits into 64 bits. */
const LONGEST_AMOUNT = 19;
/** The whole units of the largest amount that fits into 64 bits. */
const MOST_WHOLE = 922_337_203_685_477;
