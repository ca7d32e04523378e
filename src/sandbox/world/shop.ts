import { DISTRICTS } from '../store/areas.ts';
import { ensureMerchant } from '../store/merchants.ts';
import type { AreaRow, MerchantRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { MERCHANTS, nearSquare } from './names.ts';

/** A customer's address, to which orders go. */
export interface Destination {
  readonly customerId: number;
  readonly locationId: number;
  readonly district: string;
}

/** A merchant in memory, so that the simulation does not read it again for each order. */
export interface Shop {
  readonly id: number;
  readonly name: string;
  readonly pickupIds: readonly number[];
  readonly areas: readonly Pick<AreaRow, 'id' | 'district'>[];
  /** Grows with every new customer. */
  readonly destinations: Destination[];
}

/** Makes the merchants of a world, each with its pickup locations. */
export function openShops(store: Store, now: Date): Shop[] {
  return MERCHANTS.map(({ name, brand, branches }) => {
    const { id } = ensureMerchant(store, name, now);
    store.run('update merchant set brand = ? where id = ?', brand, id);
    for (const code of branches) addBranch(store, id, name, code);
    return loadShop(store, { id, name });
  });
}

function addBranch(store: Store, merchantId: number, name: string, areaCode: string): void {
  const area = store.get<AreaRow>('select * from area where merchant_id is null and code = ?', areaCode) as AreaRow;
  const { name_en: city, district } = area;
  store.insert('pickup_location', {
    merchant_id: merchantId,
    name: `${name}, ${city}`,
    address: `${city}, main road`,
    contact_person: 'Shift manager',
    contact_phone: '+9611555010',
    district,
    governorate: DISTRICTS[district] ?? '',
    city,
    directions: nearSquare(area.name_ar),
    area_id: area.id,
    mode: 'SCHEDULE',
    opening_hours: JSON.stringify({ 'monday-saturday': ['09:00', '18:00'] }),
  });
}

/** Loads every merchant that has a pickup location. */
export function loadShops(store: Store): Shop[] {
  const merchants = store.all<MerchantRow>('select * from merchant order by id');
  return merchants.map((merchant) => loadShop(store, merchant)).filter((shop) => shop.pickupIds.length > 0);
}

function loadShop(store: Store, { id, name }: { id: number; name: string }): Shop {
  const pickups = 'select id from pickup_location where merchant_id = ? and is_active = 1 order by id';
  return {
    id,
    name,
    pickupIds: store.all<{ id: number }>(pickups, id).map((row) => row.id),
    areas: store.all('select id, district from area where merchant_id is null order by id'),
    destinations: store.all(
      `select c.id as customerId, l.id as locationId, a.district
       from customer c join customer_location l on l.customer_id = c.id join area a on a.id = l.area_id
       where c.merchant_id = ? order by l.id`,
      id,
    ),
  };
}
