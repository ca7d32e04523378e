import type { ColumnMap } from '../books/maps/index.ts';

/** Which lines of a bank account or cash book are the courier's (`[receipts]`). */
export interface ReceiptSettings {
  /** Words of a line's text or counterparty, and account numbers. */
  readonly payers: readonly string[];
  /** Accounts of which every line is the courier's. */
  readonly accounts: readonly string[];
}

export const NO_RECEIPT_SETTINGS: ReceiptSettings = { payers: [], accounts: [] };

/** The settings that are tables. */
export interface TableValues {
  /** The accounts of a journal, as written: each format reads what it takes. */
  readonly journal?: Readonly<Record<string, unknown>>;
  readonly receipts?: ReceiptSettings;
  readonly maps?: Readonly<Record<string, ColumnMap>>;
}

/** Whether a name of remit.toml is that of a table. */
export function isTableName(name: string): name is keyof TableValues {
  return name === 'receipts' || name === 'maps' || name === 'journal';
}

/**
 * Reads a table of remit.toml.
 *
 * @returns its value, and all of its faults, each as what stands after the place
 */
export async function readTable(
  name: keyof TableValues,
  value: unknown,
): Promise<{ value: TableValues[keyof TableValues]; faults: readonly string[] }> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { value: undefined, faults: [`\`${name}\` must be a table: [${name === 'maps' ? 'maps.NAME' : name}]`] };
  }
  if (name === 'journal') return { value: { ...value }, faults: [] };
  return name === 'receipts' ? readReceipts(value) : readMaps(value);
}

function readReceipts(table: object): { value: ReceiptSettings; faults: readonly string[] } {
  const faults: string[] = [];
  const lists: Record<string, readonly string[]> = {};
  for (const [key, list] of Object.entries(table)) {
    const isKnown = Object.hasOwn(NO_RECEIPT_SETTINGS, key);
    if (!isKnown)
      faults.push(`[receipts] has no setting ${JSON.stringify(key.slice(0, 60))}: it knows payers and accounts`);
    else if (Array.isArray(list) && list.every((one) => typeof one === 'string' && one.trim() !== ''))
      lists[key] = list;
    else faults.push(`receipts.${key} must be a list of texts, such as ["Example Delivery"]`);
  }
  return { value: { ...NO_RECEIPT_SETTINGS, ...lists }, faults };
}

async function readMaps(table: object): Promise<{ value: Record<string, ColumnMap>; faults: readonly string[] }> {
  // Loaded where there are maps: they know every format that is read.
  const { parseColumnMap } = await import('../books/maps/index.ts');
  const maps: Record<string, ColumnMap> = {};
  const faults: string[] = [];
  for (const [name, value] of Object.entries(table)) {
    const read = parseColumnMap(name, value);
    if ('map' in read) maps[name] = read.map;
    else faults.push(...read.faults);
  }
  return { value: maps, faults };
}
