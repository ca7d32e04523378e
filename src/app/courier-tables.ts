/** Which courier a table of remit.toml is of. */
import type { CourierSettings } from '../config/index.ts';
import { SOLE_COURIER } from '../ledger/index.ts';
import { courierRecord, isSame, type SettingsRecord } from './settings-record.ts';

/** A courier's name at some time: of those of one key the last is its name. */
interface Named {
  readonly key: string;
  readonly name: string;
}

/** What the ledger knows of its couriers. */
export interface KnownCouriers {
  readonly held: readonly Named[];
  /** Every name that each ever had, in order. */
  readonly names: readonly Named[];
  readonly record: SettingsRecord | null;
}

/** A table of the settings. */
export interface CourierTable {
  readonly name: string;
  readonly own: CourierSettings;
}

/**
 * Finds the courier of each table: one that has or ever had its name, and of several the one whose settings it has; a table that fits none
 * is a new courier's.
 *
 * @returns the tables by their couriers' keys
 */
export function placeTables(tables: readonly CourierTable[], known: KnownCouriers): Map<string, CourierTable> {
  const placed = new Map<string, CourierTable>();
  const left = new Set(tables);
  const place = (table: CourierTable, key: string) => {
    placed.set(key, table);
    left.delete(table);
  };
  const candidates = ({ name }: CourierTable) => bearers(name, known).filter((key) => !placed.has(key));
  // Two couriers that swapped names: whichever of both the tables say, their content says whose they are.
  for (const isLike of [hasSettingsOf, hasAddressOf]) {
    for (const table of [...left]) {
      const keys = bearers(table.name, known);
      const like = keys.filter((key) => isLike(table, known.record?.couriers[key]));
      if (keys.length > 1 && like.length === 1 && !placed.has(like[0]!)) place(table, like[0]!);
    }
  }
  for (;;) {
    const open = [...left].map((table) => ({ table, keys: candidates(table) })).filter(({ keys }) => keys.length > 0);
    const isNamed = (one: (typeof open)[number]) => known.held.some(({ name }) => name === one.table.name);
    open.sort((a, b) => a.keys.length - b.keys.length || Number(isNamed(b)) - Number(isNamed(a)));
    if (open.length === 0) break;
    place(open[0]!.table, open[0]!.keys[0]!);
  }
  const taken = new Set(known.held.map(({ key }) => key));
  for (const table of left) placed.set(freeKey(table.name, taken), table);
  return placed;
}

/** The keys of the couriers that have or had a name: first the one that has it, then the one that began with it, then the last that had it. */
function bearers(name: string, { held, names }: KnownCouriers): string[] {
  const former = names.filter((one) => one.name === name).reverse();
  const keys = [...held.filter((one) => one.name === name), ...held.filter(({ key }) => key === name), ...former];
  return [...new Set(keys.map(({ key }) => key))];
}

type Held = SettingsRecord['couriers'][string] | undefined;

function hasSettingsOf({ own }: CourierTable, held: Held): boolean {
  return isSame(courierRecord(own, held), held);
}

function hasAddressOf({ own }: CourierTable, held: Held): boolean {
  return own.apiUrl !== null && own.apiUrl === held?.api_url;
}

/** A key that no courier has: the name, unless a courier that was renamed has it. */
function freeKey(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(key) && (n > 1 || key !== SOLE_COURIER)) return key;
  }
}
