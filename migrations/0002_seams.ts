/** The migration of 1.1.0, the version about the seams: where couriers, months, files and settings meet. */
import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { addColumn, type ColumnSpec, createTable, perCourier, type Tables } from './tables.ts';
import { monthViews } from './views/months.ts';

/** The tables that 1.1.0 adds. */
const TABLES: Tables = perCourier({
  settlement_row_net: {
    columns: { invoice_number: 'integer', position: 'integer', currency: 'text', net: 'integer' },
    key: ['invoice_number', 'position', 'currency'],
    refers: { invoice_number: 'invoice.number' },
  },
});

/**
 * By table, the columns that 1.1.0 adds to tables of 1.0.0; `src/ledger/schema` says what is in each. They are null
 * until all rows are derived again, right after the migrations.
 */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, Extract<ColumnSpec, `${string}?`>>>>> = {
  invoice_version_amount: { return_cod: 'text?' },
  imported: { ids: 'text?' },
  receipt_line: { balance: 'integer?' },
  settlement_row: { weight: 'integer?' },
  // What else than workflow, place and day a price may depend on, and how it is computed.
  tariff_line: {
    charge: 'text?',
    percent: 'integer?',
    min: 'integer?',
    max: 'integer?',
    cod_from: 'integer?',
    cod_to: 'integer?',
    weight_from: 'integer?',
    weight_to: 'integer?',
  },
};

/**
 * The delivery states in which the view `returns` counts a parcel as come back, besides RETURN orders. 1.0.0 counted
 * DELIVERED_AT_WAREHOUSE too, although the customer collects such a parcel there.
 */
const RETURNED = ['AWAITING_RETURN', 'CANCELLED'];

/** Adds what 1.1.0 keeps besides the tables and columns of 1.0.0, and makes the view `returns` anew. */
export function seams(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, spec] of Object.entries(TABLES)) await createTable(db, dialect, name, spec);
      await dialect.altering(db, async () => {
        for (const [table, columns] of Object.entries(COLUMNS)) {
          for (const [column, type] of Object.entries(columns))
            await addColumn(db, dialect, `${table}.${column}`, type);
        }
      });
      const { returns } = monthViews(dialect, RETURNED);
      await db.schema.dropView('returns').ifExists().execute();
      await sql`create view "returns" as ${returns}`.execute(db);
    },
  };
}
