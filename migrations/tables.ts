import type { ColumnDataType, Kysely } from 'kysely';
import type { MigrationDialect } from './dialect.ts';

/** A column: its type, with `?` where it may be null. */
export type ColumnSpec = 'text' | 'text?' | 'integer' | 'integer?' | 'blob';

export interface TableSpec {
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  /** The primary key. */
  readonly key: readonly string[];
  /** Column to the table and column that it refers to. */
  readonly refers?: Readonly<Record<string, `${string}.${string}`>>;
  /** Indexes by name: their columns. */
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
}

/** Makes a table with its indexes, from what migrations share. */
export async function createTable(
  db: Kysely<unknown>,
  dialect: MigrationDialect,
  name: string,
  spec: TableSpec,
): Promise<void> {
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(spec.columns)) {
    const refers = spec.refers?.[column];
    table = table.addColumn(column, dialect[type.replace('?', '') as 'text'] as unknown as ColumnDataType, (c) => {
      const column = type.endsWith('?') ? c : c.notNull();
      return refers === undefined ? column : column.references(refers);
    });
  }
  await table
    .addPrimaryKeyConstraint(`${name}_key`, [...spec.key] as never)
    .modifyEnd(
      spec.key.length > 1 || spec.columns[spec.key[0]!] === 'blob' ? dialect.clusteredTableEnd : dialect.tableEnd,
    )
    .execute();
  for (const [index, columns] of Object.entries(spec.indexes ?? {})) {
    await db.schema
      .createIndex(`${name}_by_${index}`)
      .on(name)
      .columns([...columns])
      .execute();
  }
}
