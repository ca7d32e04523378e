import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { changesView } from './views/changes.ts';

/**
 * Makes the view of restated orders anew: only changes of amounts after an order's delivery count. In 1.0.0 earlier
 * changes did too, so that `before_sha256` could be that of a record from before the delivery.
 */
export function orderChanges(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const { order_changes } = changesView(dialect, { isSinceDelivery: true });
      await db.schema.dropView('order_changes').execute();
      await sql`create view order_changes as ${order_changes}`.execute(db);
    },
  };
}
