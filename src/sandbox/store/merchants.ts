import { timestamp } from '../calendar.ts';
import { DISTRICTS, ensureSharedAreas } from './areas.ts';
import type { AreaRow, MerchantRow } from './rows.ts';
import type { Store } from './store.ts';

/** Brand colours, given to merchants in turn. */
const COLORS = ['#0F766E', '#B91C1C', '#1D4ED8', '#A16207', '#7E22CE', '#15803D'];

export function findMerchant(store: Store, name: string): MerchantRow | undefined {
  return store.get<MerchantRow>('select * from merchant where name = ?', name);
}

/** Finds the merchant with this name, or makes it, with one pickup location and the shared areas. */
export function ensureMerchant(store: Store, name: string, now: Date): MerchantRow {
  return store.write(() => {
    const existing = findMerchant(store, name);
    if (existing) return existing;
    ensureSharedAreas(store);
    const color = COLORS[store.count('merchant') % COLORS.length];
    const insert = 'insert into merchant (name, brand, primary_color, created_at) values (?, ?, ?, ?)';
    const id = store.run(insert, name, name, color, timestamp(now));
    const area = store.get<AreaRow>('select * from area where merchant_id is null order by id limit 1') as AreaRow;
    store.run(
      `insert into pickup_location (merchant_id, name, address, contact_person, contact_phone, district, governorate, city,
         is_default, area_id)
       values (@merchant, @name, @address, @name, '', @district, @governorate, @city, 1, @area)`,
      {
        merchant: id,
        name: name.slice(0, 200),
        address: `${area.name_en}, ${area.district}`,
        district: area.district,
        governorate: DISTRICTS[area.district] ?? '',
        city: area.name_en,
        area: area.id,
      },
    );
    return findMerchant(store, name) as MerchantRow;
  });
}
