import type { Workshop } from '../plants/made.ts';
import { tooSmall } from '../plants/too-small.ts';
import type { Destination } from '../shop.ts';

/** A location of a known customer in a district where the company has no area of its own. Only within `store.write`. */
export function remoteDestination({ store, shop }: Workshop, district: string): Destination {
  const customer = shop.destinations[0] ?? tooSmall();
  const area = store.run(
    `insert into area (merchant_id, name_ar, name_en, district, lat, long, code, is_external)
     values (?, 'الهرمل', 'Hermel', ?, '34.3942', '36.3847', 'EXT-HRM', 1)`,
    shop.id,
    district,
  );
  const locationId = store.run(
    `insert into customer_location (customer_id, area_id, directions) values (?, ?, 'By the river')`,
    customer.customerId,
    area,
  );
  return { customerId: customer.customerId, locationId, district };
}
