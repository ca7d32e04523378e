import { LedgerError } from '../../base/errors.ts';
import { type LakeRows, QUESTIONS, queryLake } from '../../ledger/fleet/lake-database.ts';
import { type FleetProgram, readFleet } from './fleet.ts';
import { finishLake, readParts } from './lake.ts';
import { VIEW_NAMES } from './lake-views.ts';

/**
 * Asks the lake of all merchants.
 *
 * @param question a name of {@link QUESTIONS}, or SQL
 * @throws LedgerError while there is no lake; UsageError for SQL that cannot be answered
 */
export async function queryFleet(program: FleetProgram, question: string): Promise<LakeRows> {
  const { lake } = await readFleet(program.folder);
  await finishLake(lake);
  const parts = [...readParts(lake).values()];
  if (parts.length === 0) throw new LedgerError(`there is no lake in ${lake}`, 'Write it with: remit fleet lake');
  const tables = VIEW_NAMES.map((name) => {
    const held = parts.flatMap((part) => (part.columns[name] ? [part.columns[name]] : []));
    const columns = new Map(held.flatMap((own) => own.map((column) => [column.name, column])));
    const hasFiles = parts.some(({ files }) => Object.keys(files).some((file) => file.startsWith(`${name}/`)));
    // Of books that could not be read, another version of remit may have written the part.
    const isAlike = new Set(held.map((own) => JSON.stringify(own))).size < 2;
    return { name, hasFiles, isAlike, columns: [...columns.values()] };
  });
  return queryLake(lake, tables, QUESTIONS[question] ?? question);
}
