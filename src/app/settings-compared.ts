/** Compares `remit.toml` with the settings that the ledger has on record. */
import { type Config, SETTINGS_FILE } from '../config/index.ts';
import { wholeLedger } from '../ledger/index.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import type { PayerRule } from '../matching/courier-lines.ts';
import { findLooser, type Looser, tighterOf } from './approvals/policy.ts';
import { placeCouriers } from './couriers.ts';
import {
  booksRecord,
  booksSettings,
  courierRecord,
  differences,
  isSame,
  type SettingsRecord,
} from './settings-record.ts';

export interface ComparedSettings {
  /** The settings on record; null where none are yet. */
  readonly record: SettingsRecord | null;
  /** The record as remit.toml would have it, but for a looser policy: a higher limit, or fewer approvals. */
  readonly wanted: SettingsRecord;
  /** The looser policy that remit.toml asks for, which a second person has to approve; null where it is not looser. */
  readonly looser: Looser | null;
  /** Whether the record is as `wanted`. */
  readonly isCurrent: boolean;
  /** Names the couriers that have no table in remit.toml; null where all have. */
  readonly tablelessNote: string | null;
  /** The settings that differ, by their names in remit.toml. */
  readonly differing: readonly string[];
}

export async function compareSettings(reader: LedgerReader, config: Config): Promise<ComparedSettings> {
  const db = wholeLedger(reader);
  const { ledgerCouriers, record, tables } = await placeCouriers(db, config);
  const ledgerKeys = ledgerCouriers.map(({ key }) => key);
  const wantedOf = async (key: string) => {
    const onRecord = record?.couriers[key];
    const table = tables.get(key);
    if (table) return courierRecord(table.settings, onRecord);
    // Its table was taken out: its settings on record stay. If there are none, those at the top of remit.toml hold.
    if (ledgerKeys.includes(key)) return onRecord ?? courierRecord(config.sole, undefined);
    // Where remit.toml has a table of its name all the same, that is another courier's by now.
    if (!onRecord || Object.hasOwn(config.couriers, key)) return null;
    // No documents came from it: its settings stay if receipts did.
    return (await hasReceipts(db, onRecord.receipts as PayerRule)) ? onRecord : null;
  };
  const couriers: Record<string, SettingsRecord['couriers'][string]> = {};
  for (const key of new Set([...ledgerKeys, ...Object.keys(record?.couriers ?? {}), ...tables.keys()])) {
    const wantedCourier = await wantedOf(key);
    if (wantedCourier) couriers[key] = wantedCourier;
  }
  const wantedOfBooks = booksRecord(config, record?.books);
  // The tighter value of each setting of the policy holds at once; a looser one waits for a second person. Books that
  // never had a policy take their first as it is.
  const recorded = record?.books.approvals === undefined ? config : { ...config, ...booksSettings(record) };
  const { approvals, rateTolerance } = tighterOf(recorded, config);
  const wanted = { books: { ...wantedOfBooks, approvals, rate_tolerance: rateTolerance }, couriers };
  const isCurrent = record !== null && isSame(record, wanted);
  const nameOf = (key: string) =>
    ledgerCouriers.find((courier) => courier.key === key)?.name ?? tables.get(key)?.name ?? key;
  const tableless = ledgerCouriers.filter(({ key }) => !tables.has(key)).map(({ name }) => name);
  return {
    record,
    wanted,
    looser: await findLooser(db, { approvals, rateTolerance }, config),
    isCurrent,
    tablelessNote: tableless.length === 0 ? null : tablelessNote(tableless),
    differing: record === null || isCurrent ? [] : differences(record, wanted, nameOf),
  };
}

function tablelessNote(names: readonly string[]): string {
  const [is, their] = names.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return `${names.join(', ')} ${is} not in ${SETTINGS_FILE}: ${their} figures stay as they are, and ${their} invoices are not fetched`;
}

/** Whether any receipt is a courier's by the payers or accounts of its settings. */
async function hasReceipts(db: LedgerReader, rule: PayerRule): Promise<boolean> {
  // Loaded late: hardly ever is a courier taken out from which nothing came.
  const [{ whoseLine }, { readReceipts }] = await Promise.all([
    import('../matching/courier-lines.ts'),
    import('../ledger/queries/receipts/receipts.ts'),
  ]);
  // No line is the courier's for an invoice that it names: no invoice came from it.
  const whose = whoseLine(rule, () => false);
  return (await readReceipts(db)).some((row) => whose(row) !== null);
}
