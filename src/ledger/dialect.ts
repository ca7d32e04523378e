/**
 * All in which databases differ, behind one door: how a ledger is opened, locked, copied and looked over, what its failures mean,
 * and the SQL that is not shared. Another database is another folder beside `sqlite/`, chosen here.
 */
export { copyDatabase, findDamage, openSqlite, SIDE_FILES, tableNames } from './sqlite/database.ts';
export { LedgerSqliteDialect } from './sqlite/driver.ts';
export { explainLedgerFault } from './sqlite/faults.ts';
export { takeLock } from './sqlite/lock.ts';
export { sqliteMigrations } from './sqlite/migrations.ts';
export { beginSnapshot, MAX_VARIABLES, unitsText } from './sqlite/sql.ts';
