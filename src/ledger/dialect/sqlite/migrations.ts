import { sql } from 'kysely';
import type { MigrationDialect } from '../../../../migrations/index.ts';

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
