/**
 * DuckDB, another program that reads Parquet: the module of a Python, `python3` or the one that `REMIT_PYTHON` names.
 */
import { execFileSync, spawnSync } from 'node:child_process';

const PYTHON = process.env.REMIT_PYTHON ?? 'python3';

export const hasDuckDb = spawnSync(PYTHON, ['-c', 'import duckdb']).status === 0;

/** What is said in the name of a test that is skipped without it. */
export const WITHOUT_DUCKDB = hasDuckDb ? '' : ` (skipped: ${PYTHON} has no module duckdb here; pip install duckdb)`;

/** Runs a query. @returns its rows, every value as DuckDB writes it as text */
export function duckdb(query: string, cwd: string): string[][] {
  const script = `import duckdb, json, sys
rows = duckdb.sql(sys.argv[1]).fetchall()
print(json.dumps([[None if value is None else str(value) for value in row] for row in rows]))`;
  return JSON.parse(execFileSync(PYTHON, ['-c', script, query], { cwd, encoding: 'utf8' })) as string[][];
}
