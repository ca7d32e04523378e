import { type Kysely, type Migration, sql } from 'kysely';

/** Lets an order be found by its reference in any case without reading all orders and invoice rows. */
export function references(): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const indexOf = (table: string) =>
        db.schema.createIndex(`${table}_by_reference`).on(table).column('courier').expression(sql`lower(reference_id)`);
      await db.schema.dropIndex('courier_order_by_reference').execute();
      // This index also has the reference as it is written, so that checks for repeated references read it alone.
      await indexOf('courier_order').column('reference_id').execute();
      await indexOf('invoice_order').execute();
    },
  };
}
