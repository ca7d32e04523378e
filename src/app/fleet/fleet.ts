import path from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { describePlace, type Place } from '../../base/place.ts';
import { quoted } from '../../base/text.ts';
import type { Fleet, FleetCell, Merchant } from '../../config/fleet.ts';
import { loadConfig } from '../../config/index.ts';
import { readKey } from '../../config/key.ts';
import type { Books } from '../books.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What the program that runs a fleet's use case provides. */
export interface FleetProgram extends Required<Pick<Books, 'now' | 'signal' | 'note' | 'by'>> {
  /** The fleet's folder, absolute. */
  readonly folder: string;
  readonly env: Env;
}

/** Environment variables for one books folder: in a fleet they would give all merchants the same books. */
const OF_ONE_BOOKS = ['REMIT_HOME', 'REMIT_API_URL', 'REMIT_API_KEY', 'REMIT_LEDGER'];

/** The environment without the variables for one books folder. */
export function withoutBooks(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !OF_ONE_BOOKS.includes(name));
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The books of a merchant, as its own commands see them. @throws ConfigError */
export async function booksOfMerchant({ books: directory }: Merchant, program: FleetProgram): Promise<Books> {
  const { now, signal, note, by } = program;
  const env = withoutBooks(program.env);
  const config = await loadConfig({ env, cwd: directory, directory });
  const key: Books['key'] = (source = config.keySource) => readKey(source, env);
  // Nobody asked for the details of one merchant.
  return { config, now, signal, note, by, key, detail: () => {} };
}

/** @throws UsageError if the fleet has no merchant of that name */
export function merchantNamed({ merchants, file }: Fleet, name: string): Merchant {
  const found = merchants.get(name);
  if (found) return found;
  throw new UsageError(`there is no merchant ${quoted(name)} in ${file}`, 'See: remit fleet status');
}

/** @throws UsageError naming the cells that there are */
export function cellNamed({ cells, file }: Fleet, name: string): FleetCell {
  const found = cells.get(name);
  if (found) return found;
  const names = [...cells.keys()].join(', ') || 'none';
  throw new UsageError(`there is no cell ${quoted(name)} in ${file}`, `The cells are ${names}.`);
}

/** Where the fleet keeps what its nights found: in its database, or else in a file in its folder. */
export function nightsPlace({ database, folder }: Fleet): Place {
  return database ?? { kind: 'file', file: path.join(folder, 'nights.db') };
}

/** Whether two places are the same, even if their passwords differ. */
export function isSamePlace(a: Place, b: Place): boolean {
  return describePlace(a) === describePlace(b);
}
