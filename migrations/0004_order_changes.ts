import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { changesView } from './views/changes.ts';

/** Makes the view of restated orders anew: the first record that it names is never from before the delivery. */
export function orderChanges(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const { order_changes } = changesView(dialect, true);
      await db.schema.dropView('order_changes').execute();
      await sql`create view order_changes as ${order_changes}`.execute(db);
    },
  };
}
