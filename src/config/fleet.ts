import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nearestWords } from '../base/edit-distance.ts';
import { ConfigError } from '../base/errors.ts';
import { type LockKind, type Place, placeOf, type ServerPlace } from '../base/place.ts';
import { cleanText, quoted, shellWord, tomlText } from '../base/text.ts';
import { readPassword } from './key.ts';
import { isTable } from './settings.ts';
import { allFaults, asPattern, lineOf, parseToml, readText, type SettingsFault } from './settings-file.ts';

export const FLEET_FILE = 'fleet.toml';

/** A place for merchants' ledgers: a server with a schema each, or a folder with an SQLite file each. */
export interface FleetCell {
  readonly name: string;
  /** The most merchants that it takes; null for any number. */
  readonly most: number | null;
  /** The address of its server, without a schema; null for a folder. */
  readonly ledger: string | null;
  readonly passwordCommand: string | null;
  /** How a second writing command is kept out of its ledgers; null: `advisory`. */
  readonly lock: LockKind | null;
  /** Absolute; null for a server. */
  readonly folder: string | null;
}

export interface Merchant {
  readonly name: string;
  /** Its books folder, absolute. */
  readonly books: string;
  /** A name of {@link Fleet.cells}. */
  readonly cell: string;
}

/** The books of many merchants, which one office or platform keeps: what fleet.toml says. */
export interface Fleet {
  /** The fleet's folder, absolute. */
  readonly folder: string;
  readonly file: string;
  /** The database of the queue and of the nights' results; null if one machine runs the nights. */
  readonly database: ServerPlace | null;
  /** The folder of the lake, absolute: `remit fleet lake` writes the figures of all merchants there, for queries. */
  readonly lake: string;
  readonly cells: ReadonlyMap<string, FleetCell>;
  readonly merchants: ReadonlyMap<string, Merchant>;
}

type Kind = 'server' | 'text' | 'path' | 'count' | 'lock';

const FLEET = { database: 'server', database_password_command: 'text', lake: 'path' } as const;
const CELL = {
  ledger: 'server',
  ledger_password_command: 'text',
  ledger_lock: 'lock',
  folder: 'path',
  most: 'count',
} as const;
const MERCHANT = { books: 'path', cell: 'text' } as const;

const FAULT_OF_KIND: Readonly<Record<Kind, string>> = {
  server:
    'must be the address of a database in quotes, such as "postgresql://remit@db.example.com/cell", without a schema',
  text: 'must be a text in quotes, and not empty',
  path: 'must be a path in quotes, and not empty',
  count: 'must be a whole number of at least 1',
  lock: 'must be "advisory" or "lease"',
};
const CORRECT_LINE = 'Correct that line; docs/fleet.md has examples.';

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'count') return Number.isSafeInteger(value) && (value as number) >= 1;
  if (kind === 'lock') return value === 'advisory' || value === 'lease';
  if (typeof value !== 'string' || value.trim() === '') return false;
  return kind !== 'server' || (/^postgres(ql)?:\/\//i.test(value.trim()) && !/[?&]schema=/i.test(value));
}

/** A merchant's or cell's name is that of a folder, a schema and a partition of the lake. */
const NAME_FORM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;
const RESERVED_NAME = /^(pg_.*|public|information_schema|fleet|graphile_worker)$/i;

/** The fault of a name, as the end of a sentence; undefined when it has none. */
export function faultOfName(name: string): string | undefined {
  if (!NAME_FORM.test(name))
    return 'must be of letters, digits, hyphens and underscores, at most 60, a letter or digit first';
  return RESERVED_NAME.test(name) ? 'is a name that PostgreSQL or the fleet keeps for itself' : undefined;
}

/**
 * Reads fleet.toml.
 *
 * @param folder the fleet's folder, absolute
 * @throws ConfigError when there is none, or naming file and line of everything that is wrong
 */
export async function readFleet(folder: string): Promise<Fleet> {
  const file = path.join(folder, FLEET_FILE);
  const text = await readText(file);
  if (text === undefined) {
    throw new ConfigError(
      `${folder} is not a fleet's folder: it holds no ${FLEET_FILE}`,
      `Make one with: remit fleet init ${shellWord(folder)}; or name one with -C.`,
    );
  }
  const { cells: cellTables, merchants: merchantTables, ...top } = await parseToml(file, text);
  const tables = new FleetTables(file, text);
  const { database, database_password_command: command, lake = 'lake' } = tables.read(top, FLEET, null);
  const cells = new Map(tables.named('cells', cellTables).map((table) => [table.key, readCell(tables, table, folder)]));
  const cellNames = [...cells.keys()];
  const merchants = new Map(
    tables.named('merchants', merchantTables).map((one) => [one.key, readMerchant(tables, one, folder, cellNames)]),
  );
  if (tables.faults.length > 0) throw allFaults(file, tables.faults, 'docs/fleet.md');
  const password = { setting: 'database_password_command', command: command ?? null, folder } as const;
  return {
    folder,
    file,
    database: database === undefined ? null : serverPlace(database.trim(), 'fleet', password),
    lake: path.resolve(folder, lake),
    cells,
    merchants,
  };
}

/** A table `[cells.KEY]` or `[merchants.KEY]`. */
interface NamedTable {
  readonly key: string;
  /** With its kind: `cells.KEY`. */
  readonly fullName: string;
  readonly table: object;
}

/** Reads the tables of a fleet.toml, and collects everything that is wrong in them. */
class FleetTables {
  readonly faults: SettingsFault[] = [];
  readonly text: string;
  readonly #file: string;

  constructor(file: string, text: string) {
    this.#file = file;
    this.text = text;
  }

  addFault(line: number, what: string, hint = CORRECT_LINE): void {
    this.faults.push({ place: `${this.#file}:${line}`, what, hint });
  }

  /** The valid values of a table; each other is a fault. @param name that of the table; null for the top of the file */
  read(table: object, known: Readonly<Record<string, Kind>>, name: string | null) {
    const below = name === null ? 0 : headOf(this.text, name);
    const values: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(table)) {
      const shown = `\`${name === null ? '' : `${name}.`}${cleanText(key, 60)}\``;
      const kind = Object.hasOwn(known, key) ? known[key] : undefined;
      if (kind === undefined) {
        const [nearest] = nearestWords(key, Object.keys(known));
        const hint = nearest
          ? `Did you mean \`${nearest}\`?`
          : `It knows ${Object.keys(known).join(', ')}; remove this line.`;
        this.addFault(lineOf(this.text, key, below), `there is no setting ${shown}`, hint);
      } else if (isOfKind(kind, value)) values[key] = value;
      else this.addFault(lineOf(this.text, key, below), `${shown} ${FAULT_OF_KIND[kind]}`);
    }
    return values as Partial<Record<string, string>> & { most?: number };
  }

  /** The tables of a kind; one with a wrong name, or that is no table, is a fault. */
  named(kind: 'cells' | 'merchants', value: unknown): readonly NamedTable[] {
    if (value === undefined) return [];
    if (!isTable(value)) {
      this.addFault(lineOf(this.text, kind), `\`${kind}\` must be tables: [${kind}.NAME]`);
      return [];
    }
    return Object.entries(value).flatMap(([key, table]) => {
      const fullName = `${kind}.${key}`;
      const fault = faultOfName(key) ?? (isTable(table) ? undefined : `must be a table: [${kind}.NAME]`);
      if (fault === undefined) return [{ key, fullName, table: table as object }];
      this.addFault(headOf(this.text, fullName), `\`${cleanText(fullName, 80)}\` ${fault}`);
      return [];
    });
  }
}

function readCell(tables: FleetTables, { key, fullName, table }: NamedTable, fleetFolder: string): FleetCell {
  const { ledger, folder, ledger_password_command, ledger_lock, most } = tables.read(table, CELL, fullName);
  if (['ledger', 'folder'].filter((name) => Object.hasOwn(table, name)).length !== 1)
    tables.addFault(headOf(tables.text, fullName), `[${fullName}] must have either \`ledger\` or \`folder\``);
  return {
    name: key,
    most: most ?? null,
    ledger: ledger?.trim() ?? null,
    passwordCommand: ledger_password_command ?? null,
    lock: (ledger_lock as LockKind | undefined) ?? null,
    folder: folder === undefined ? null : path.resolve(fleetFolder, folder),
  };
}

function readMerchant(tables: FleetTables, { key, fullName, table }: NamedTable, fleetFolder: string, cells: string[]) {
  const { books, cell } = tables.read(table, MERCHANT, fullName);
  const below = headOf(tables.text, fullName);
  for (const name of ['books', 'cell']) {
    if (!Object.hasOwn(table, name)) tables.addFault(below, `[${fullName}] lacks \`${name}\``);
  }
  if (cell !== undefined && !cells.includes(cell))
    tables.addFault(
      lineOf(tables.text, 'cell', below),
      `\`${fullName}.cell\` names ${quoted(cell)}, which is no cell`,
      `The cells are ${cells.join(', ') || 'none'}.`,
    );
  return { name: key, books: path.resolve(fleetFolder, books ?? ''), cell: cell ?? '' };
}

/** The line of a table's heading such as `[cells.a]`; without one, the first line that names its kind. */
function headOf(text: string, name: string): number {
  const [parent, key] = name.split(/\.(.*)/s) as [string, string];
  const head = new RegExp(`^\\s*\\[\\s*["']?${parent}["']?\\s*\\.\\s*["']?${asPattern(key)}["']?\\s*\\]`);
  const index = text.split('\n').findIndex((line) => head.test(line));
  return index < 0 ? lineOf(text, parent) : index + 1;
}

/** The place of a server; its password comes from the command if its address has none. */
function serverPlace(
  address: string,
  schema: string,
  { setting, command, folder }: { setting: Parameters<typeof readPassword>[0]; command: string | null; folder: string },
): ServerPlace {
  const place = placeOf(withSchema(address, schema), folder) as ServerPlace;
  const password = async () =>
    (await place.password()) ?? (command === null ? null : await readPassword(setting, { command, folder }));
  return { ...place, password };
}

/** Works on the text, because an address may name several hosts, which `URL` cannot read. */
function withSchema(address: string, schema: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}schema=${schema}`;
}

/** Where the ledger of a merchant is on a cell. @throws ConfigError for an address that cannot be understood */
export function ledgerOn({ folder }: Fleet, cell: FleetCell, merchant: string): Place {
  if (cell.ledger === null) return { kind: 'file', file: path.join(cell.folder!, `${merchant}.db`) };
  const password = { setting: 'ledger_password_command', command: cell.passwordCommand, folder } as const;
  const place = serverPlace(cell.ledger, merchant, password);
  return cell.lock === null ? place : { ...place, lock: cell.lock };
}

/** The ledger's settings in the remit.toml of a merchant on a cell. */
export function ledgerSettings(
  cell: FleetCell,
  { name: merchant, books }: Pick<Merchant, 'name' | 'books'>,
): Readonly<Record<string, string>> {
  if (cell.ledger === null) return { ledger: path.relative(books, path.join(cell.folder!, `${merchant}.db`)) };
  return {
    ledger: withSchema(cell.ledger, merchant),
    ...(cell.passwordCommand === null ? {} : { ledger_password_command: cell.passwordCommand }),
    ...(cell.lock === null ? {} : { ledger_lock: cell.lock }),
  };
}

const LEDGER_LINE = /^\s*(ledger|ledger_password_command|ledger_lock)\s*=/;

/**
 * The text of a remit.toml with its ledger's settings replaced; they become its first lines, and all else stays.
 *
 * @throws ConfigError when the present ones cannot be taken out
 */
export async function withLedger(file: string, text: string, settings: Readonly<Record<string, string>>) {
  const lines = text.split('\n');
  const firstTable = lines.findIndex((line) => /^\s*\[/.test(line));
  const isInTable = (index: number) => firstTable >= 0 && index >= firstTable;
  const kept = lines.filter((line, index) => isInTable(index) || !LEDGER_LINE.test(line)).join('\n');
  const added = Object.entries(settings).map(([name, value]) => `${name} = ${tomlText(value)}\n`);
  const changed = `${added.join('')}${kept}`;
  const { ledger: _, ledger_password_command: __, ledger_lock: ___, ...others } = await parseToml(file, text);
  const after = await parseToml(file, changed).catch(() => null);
  if (isDeepStrictEqual(asJson(after), asJson({ ...settings, ...others }))) return changed;
  throw new ConfigError(
    `the ledger's settings in ${file} cannot be replaced`,
    'Write each of them on a line of its own, above the tables.',
  );
}

/** Values as JSON, in which also dates of TOML can be compared. */
const asJson = (values: unknown): unknown => JSON.parse(JSON.stringify(values));

/** The text of a new fleet.toml: one cell, of files. */
export const FLEET_TEXT = `# A fleet of merchants: docs/fleet.md explains each setting. Paths are relative to this folder.

# The queue of the nights and what each night said; without it one machine runs the nights (remit fleet night --jobs N).
# database = "postgresql://fleet@db.example.com/fleet"
# database_password_command = "pass show fleet/database"

# What \`remit fleet lake\` writes and \`remit fleet query\` reads.
lake = "lake"

# A cell is one database that holds a schema a merchant, at most so many; or a folder that holds an SQLite file a merchant.
# [cells.a]
# ledger = "postgresql://remit@db-a.example.com/cell"
# ledger_password_command = "pass show fleet/cell-a"
# ledger_lock = "advisory"
# most = 500
[cells.small]
folder = "ledgers"

# \`remit fleet add MERCHANT\` adds a table here.
`;
