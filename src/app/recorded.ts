/** The ledger's record of the settings, and `remit.toml`. */
import { type Config, SETTINGS_FILE } from '../config/index.ts';
import { wholeLedger } from '../ledger/index.ts';
import type { LedgerReader } from '../ledger/queries/index.ts';
import type { PayerRule } from '../matching/index.ts';
import { placeCouriers } from './couriers.ts';
import { booksRecord, courierRecord, differences, isSame, type SettingsRecord } from './settings-record.ts';

/** The settings on record, and those that a command would record. */
export interface Recorded {
  readonly record: SettingsRecord | null;
  /** The record as remit.toml would have it. */
  readonly wanted: SettingsRecord;
  readonly isCurrent: boolean;
  /** What a person should know of couriers that are in no table; null where all are. */
  readonly left: string | null;
  /** Where the two differ, as one finds it in remit.toml. */
  readonly differing: readonly string[];
}

/** Compares the settings on record with those of remit.toml. */
export async function readRecorded(reader: LedgerReader, config: Config): Promise<Recorded> {
  const db = wholeLedger(reader);
  const { held, record, placed } = await placeCouriers(db, config);
  const couriers: Record<string, SettingsRecord['couriers'][string]> = {};
  const heldKeys = held.map(({ key }) => key);
  for (const key of new Set([...heldKeys, ...Object.keys(record?.couriers ?? {}), ...placed.keys()])) {
    const before = record?.couriers[key];
    const table = placed.get(key);
    if (table) couriers[key] = courierRecord(table.own, before);
    // What a courier's settings were stays when its table goes; one of which nothing ever came goes with it.
    else if (heldKeys.includes(key)) couriers[key] = before ?? courierRecord(config.sole, undefined);
    else if (before && !Object.hasOwn(config.couriers, key) && (await hasLines(db, before.receipts as PayerRule)))
      couriers[key] = before;
  }
  const wanted = { books: booksRecord(config, record?.books), couriers };
  const isCurrent = record !== null && isSame(record, wanted);
  const nameOf = (key: string) => held.find((one) => one.key === key)?.name ?? placed.get(key)?.name ?? key;
  const left = held.filter(({ key }) => !placed.has(key)).map(({ name }) => name);
  return {
    record,
    wanted,
    isCurrent,
    left: left.length === 0 ? null : leftNote(left),
    differing: record === null || isCurrent ? [] : differences(record, wanted, nameOf),
  };
}

function leftNote(names: readonly string[]): string {
  const [is, their] = names.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return `${names.join(', ')} ${is} not in ${SETTINGS_FILE}: ${their} figures stay as they are, and ${their} invoices are not fetched`;
}

/** Whether receipts are a courier's by its payers or accounts. */
async function hasLines(db: LedgerReader, rule: PayerRule): Promise<boolean> {
  // Loaded late: hardly ever is a courier taken out of which nothing came.
  const [{ whoseLine }, { readReceipts }] = await Promise.all([
    import('../matching/index.ts'),
    import('../ledger/queries/receipts/receipts.ts'),
  ]);
  const whose = whoseLine(rule, () => false);
  return (await readReceipts(db)).some((row) => whose(row) !== null);
}
