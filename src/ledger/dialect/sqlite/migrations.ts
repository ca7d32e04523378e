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
      case when abs(${c}) % 100 = 0 then printf('%02d', abs(${c}) % 10000 / 100) else printf('%04d', abs(${c}) % 10000) end end`;
  },
};
