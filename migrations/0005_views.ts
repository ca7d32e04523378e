import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { changesView } from './views/changes.ts';
import { evidenceViews } from './views/evidence.ts';
import { lagView } from './views/lag.ts';
import { monthViews } from './views/months.ts';
import { rowViews } from './views/rows.ts';

/** What people open in other tools: the rows of the reports. */
export function views(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const all = {
        ...rowViews(dialect),
        ...monthViews(dialect),
        ...lagView(dialect),
        ...changesView(dialect),
        ...evidenceViews(dialect),
      };
      for (const [name, query] of Object.entries(all))
        await sql`create view ${sql.table(name)} as ${query}`.execute(db);
    },
  };
}
