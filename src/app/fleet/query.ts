import { existsSync } from 'node:fs';
import { LedgerError } from '../../base/errors.ts';
import { type LakeRows, queryLake } from '../../ledger/fleet/lake-database.ts';
import { type FleetProgram, readFleet } from './fleet.ts';
import { finishParts, readParts, VIEW_NAMES } from './lake.ts';

/** Questions that have a name: each gives the rows of the merchants' own reports. */
const QUESTIONS: Readonly<Record<string, string>> = {
  totals: `select merchant, courier, period, currency, invoices, orders, cod, delivery_fee, net_due_to_merchant
    from totals order by merchant, position`,
  mismatches: 'select merchant, * exclude (merchant, month, position) from mismatches order by merchant, position',
  owed: `select merchant, courier, currency, closing, coalesce(overdue, 0::decimal(18,4)) as overdue from balances
    qualify row_number() over (partition by merchant, courier, currency order by period desc) = 1
    order by merchant, courier, currency`,
  ageing: 'select merchant, * exclude (merchant, month, position) from ageing order by merchant, position',
  custody: 'select merchant, * exclude (merchant, month, position) from custody order by merchant, position',
};

export const QUESTION_NAMES: readonly string[] = Object.keys(QUESTIONS);

/**
 * Asks the lake of all merchants.
 *
 * @param question one of {@link QUESTION_NAMES}, or SQL
 * @throws LedgerError while there is no lake; UsageError for SQL that cannot be answered
 */
export async function queryFleet(program: FleetProgram, question: string): Promise<LakeRows> {
  const { lake } = await readFleet(program.folder);
  if (existsSync(lake)) await finishParts(lake);
  const parts = [...readParts(lake).values()];
  if (parts.length === 0) throw new LedgerError(`there is no lake in ${lake}`, 'Write it with: remit fleet lake');
  const tables = VIEW_NAMES.map((name) => {
    const columns = new Map(parts.flatMap((part) => (part.columns[name] ?? []).map((column) => [column.name, column])));
    const hasFiles = parts.some(({ files }) => Object.keys(files).some((file) => file.startsWith(`${name}/`)));
    return { name, hasFiles, columns: [...columns.values()] };
  });
  return queryLake(lake, tables, QUESTIONS[question] ?? question);
}
