import type { PickupLocation } from '../../api/wire.ts';
import { readArea } from '../store/areas.ts';
import type { PickupLocationRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentArea } from './areas.ts';
import type { Handlers } from './handler.ts';

export const pickupHandlers = {
  pickups: ({ store, merchant }) =>
    store
      .all<PickupLocationRow>('select * from pickup_location where merchant_id = ? order by id', merchant)
      .map((row) => presentPickup(store, row)),
} satisfies Pick<Handlers, 'pickups'>;

/** A pickup location (spec, 'Pickup location'). */
function presentPickup(store: Store, row: PickupLocationRow): PickupLocation {
  const { merchant_id, area_id, opening_hours, is_default, is_open, is_active, ...rest } = row;
  return {
    ...rest,
    merchant: merchant_id,
    is_default: is_default === 1,
    area: presentArea(readArea(store, area_id)),
    opening_hours: opening_hours === null ? null : JSON.parse(opening_hours),
    is_open: is_open === 1,
    is_active: is_active === 1,
  };
}
