/** Gives a ledger more couriers, each with the rows of the one that it holds. `node couriers.js LEDGER north swift` */
import { openDatabase } from '../../src/base/sqlite.ts';
import { COURIER_TABLES } from '../../src/ledger/tables.ts';

/** A sync of each would take longer than what is measured on them; the checks read the same but for the evidence. */
function addCouriers(file: string, names: readonly string[]): void {
  const database = openDatabase(file, { fileMustExist: true });
  database.pragma('synchronous = OFF');
  database.pragma('foreign_keys = OFF');
  const columnsOf = (table: string) =>
    (database.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name);
  // Evidence of the whole books is every courier's. It is append-only, but for this copy.
  const triggers = database
    .prepare("select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'evidence'")
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`);
  database.exec('update evidence set courier = null');
  for (const { sql } of triggers) database.exec(sql);
  const { key } = database.prepare('select key from courier').get() as { key: string };
  database.transaction(() => {
    for (const name of names) {
      copy('courier', (column) => (column === 'key' || column === 'name' ? `'${name}'` : column), `key = '${key}'`);
      for (const table of COURIER_TABLES) {
        copy(table, (column) => (column === 'courier' ? `'${name}'` : column), `courier = '${key}'`);
      }
    }
  })();
  database.close();

  function copy(table: string, cellOf: (column: string) => string, which: string): void {
    const columns = columnsOf(table);
    database.exec(
      `insert into ${table} (${columns.join(', ')}) select ${columns.map(cellOf).join(', ')} from ${table} where ${which}`,
    );
  }
}

const [, , ledger, ...names] = process.argv;
addCouriers(ledger!, names);
