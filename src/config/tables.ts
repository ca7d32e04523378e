import type { AccountingSettings } from '../base/accounting-settings.ts';
import type { CustodyDays } from '../base/states.ts';
import { readAccounting } from './accounting.ts';
import { type CourierTable, custodyFaults, readCourierTables } from './couriers.ts';
import { type ApprovalSettings, type DeskSettings, readApprovals, readDesk } from './desk.ts';

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
  readonly accounting?: AccountingSettings;
  /** The most that may be called rounding on one invoice, by currency: decimal text. */
  readonly rounding_limit?: Readonly<Record<string, string>>;
  /** After how many days COD is overdue where it is. */
  readonly custody_days?: CustodyDays;
  /** Which decisions need a second person. */
  readonly approvals?: ApprovalSettings;
  /** Who may do what at a desk that a team shares. */
  readonly desk?: DeskSettings;
  /** Column maps by name, as written: the import that uses one reads it. */
  readonly maps?: Readonly<Record<string, unknown>>;
  /** What each courier sets for itself, by its name. */
  readonly couriers?: Readonly<Record<string, CourierTable>>;
}

/** Whether a name of remit.toml is that of a table. */
export function isTableName(name: string): name is keyof TableValues {
  return [
    ...['receipts', 'maps', 'journal', 'rounding_limit', 'custody_days', 'accounting', 'approvals', 'desk', 'couriers'],
  ].includes(name);
}

/**
 * Reads a table of remit.toml.
 *
 * @returns its value, and all of its faults, each to follow the place in a message
 */
export function readTable(
  name: keyof TableValues,
  value: unknown,
): { value: TableValues[keyof TableValues]; faults: readonly string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      value: undefined,
      faults: [`\`${name}\` must be a table: [${name === 'maps' || name === 'couriers' ? `${name}.NAME` : name}]`],
    };
  }
  if (name === 'accounting') return readAccounting({ ...value });
  if (name === 'couriers') return readCourierTables(value);
  if (name === 'approvals') return readApprovals({ ...value });
  if (name === 'desk') return readDesk({ ...value });
  if (name === 'rounding_limit') return readRoundingLimit(value);
  if (name === 'custody_days') return { value: value as CustodyDays, faults: custodyFaults(name, { ...value }) };
  return name === 'receipts' ? readReceipts(value) : { value: { ...value }, faults: [] };
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

function readRoundingLimit(table: object): { value: Readonly<Record<string, string>>; faults: readonly string[] } {
  const wrong = Object.entries(table).filter(
    ([code, amount]) =>
      !/^[A-Z][A-Z0-9]{1,9}$/.test(code) || typeof amount !== 'string' || !/^\d{1,12}(\.\d{1,4})?$/.test(amount),
  );
  return {
    value: { ...table } as Record<string, string>,
    faults: wrong.map(
      ([code]) =>
        `rounding_limit.${code.slice(0, 60)} must be a currency and a decimal of at most four places in quotes, such as { USD = "0.05" }`,
    ),
  };
}
