/** What migrations make tables with. Released migrations call it too: change nothing that alters what they make. */
import type { ColumnDataType, Kysely } from 'kysely';
import type { MigrationDialect } from './dialect.ts';

/** A column's type, with `?` if it may be null. */
export type ColumnSpec = 'text' | 'text?' | 'integer' | 'integer?' | 'blob';

export interface TableSpec {
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly key: readonly string[];
  /** Foreign keys: column to `table.column`. */
  readonly refers?: Readonly<Record<string, `${string}.${string}`>>;
  /** A column of both tables, such as `courier`, that is a part of every foreign key. */
  readonly within?: string;
  /** The columns of each index, by the index's name. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  /** The columns of each unique index, by the index's name. */
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /** The database refuses to change or remove a row. */
  readonly appendOnly?: boolean;
}

export type Tables = Readonly<Record<string, TableSpec>>;

/**
 * Tables in which each row belongs to one courier: `courier` is the first column of every key and index, because two
 * couriers may use the same number. A foreign key of such a row refers to a row of the same courier.
 */
export const perCourier = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { columns, key, indexes = {}, unique = {}, ...spec }]) => [
      name,
      {
        ...spec,
        columns: { courier: 'text', ...columns },
        key: ['courier', ...key],
        indexes: underCourier(indexes),
        unique: underCourier(unique),
        within: 'courier',
      } satisfies TableSpec,
    ]),
  );

const underCourier = (indexes: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(indexes).map(([index, on]) => [index, ['courier', ...on]]));

/** Adds a column, which is null in existing rows. @param column `table.column` */
export async function addColumn(
  db: Kysely<unknown>,
  dialect: MigrationDialect,
  column: `${string}.${string}`,
  type: Extract<ColumnSpec, `${string}?`>,
): Promise<void> {
  const [table, name] = column.split('.') as [string, string];
  await db.schema.alterTable(table).addColumn(name, typeOf(dialect, type)).execute();
}

function typeOf(dialect: MigrationDialect, type: ColumnSpec): ColumnDataType {
  const name = type.replace('?', '') as 'text' | 'integer' | 'blob';
  return dialect[name] as unknown as ColumnDataType;
}

/** Makes a table with its indexes and triggers. */
export async function createTable(
  db: Kysely<unknown>,
  dialect: MigrationDialect,
  name: string,
  spec: TableSpec,
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(spec.columns)) {
    const refers = spec.within === undefined ? spec.refers?.[column] : undefined;
    table = table.addColumn(column, typeOf(dialect, type), (definition) => {
      const typed = type.endsWith('?') ? definition : definition.notNull();
      return refers === undefined ? typed : typed.references(refers);
    });
  }
  if (spec.within !== undefined) {
    for (const [column, referred] of Object.entries(spec.refers ?? {})) {
      const [parent, key] = referred.split('.') as [string, string];
      table = table.addForeignKeyConstraint(`${name}_${column}`, [spec.within, column] as never, parent, [
        spec.within,
        key,
      ]);
    }
  }
  // SQLite keeps rows in the order of an integer key by itself, and in that of a compound or binary key if told to.
  const isClustered = spec.key.length > 1 || spec.columns[spec.key[0]!] === 'blob';
  await table
    .addPrimaryKeyConstraint(`${name}_key`, [...spec.key] as never)
    .modifyEnd(isClustered ? dialect.clusteredTableEnd : dialect.tableEnd)
    .execute();
  for (const [index, columns] of Object.entries(spec.indexes ?? {})) await indexBy(index, columns).execute();
  for (const [index, columns] of Object.entries(spec.unique ?? {})) await indexBy(index, columns).unique().execute();
  if (spec.appendOnly) for (const statement of dialect.appendOnly(name)) await statement.execute(db);

  function indexBy(index: string, columns: readonly string[]) {
    return db.schema
      .createIndex(`${name}_by_${index}`)
      .on(name)
      .columns([...columns]);
  }
}
