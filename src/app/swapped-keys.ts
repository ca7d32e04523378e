import type { Config } from '../config/index.ts';
import type { Client } from '../courier/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { readCourierNameHistory } from '../ledger/queries/couriers.ts';
import { type Courier, ledgerOf } from './couriers.ts';
import { findInvoiceOf, readLastList } from './last-list.ts';
import { courierRecord, isSame } from './settings-record.ts';

/**
 * Gives two couriers that swapped names each its key, where nothing else tells their tables apart: one address, the same settings. Whose a
 * key is shows in the list that it opens.
 *
 * @param lend a client with the key of a courier's table
 */
export async function withOwnKeys(
  ledger: Ledger,
  couriers: readonly Courier<Config>[],
  lend: <T>(courier: Courier<Config>, use: (client: Client) => Promise<T>) => Promise<T>,
): Promise<Courier<Config>[]> {
  const names = await readCourierNameHistory(ledger.db);
  const everHad = ({ key }: Courier, name: string) => names.some((given) => given.key === key && given.name === name);
  const keySources = new Map(couriers.map(({ key, config }) => [key, config.keySource]));
  for (const [index, first] of couriers.entries()) {
    for (const second of couriers.slice(index + 1)) {
      if (!everHad(first, second.name) || !everHad(second, first.name)) continue;
      if (!isSame(courierRecord(first.config, {}), courierRecord(second.config, {}))) continue;
      const secondList = await readLastList(ledgerOf(ledger, second).db);
      if (secondList === null) continue;
      const opensSecond = await lend(first, (client) => findInvoiceOf(secondList, client));
      if (opensSecond === null) continue;
      keySources.set(first.key, second.config.keySource);
      keySources.set(second.key, first.config.keySource);
    }
  }
  return couriers.map((courier) => {
    return { ...courier, config: { ...courier.config, keySource: keySources.get(courier.key)! } };
  });
}
