import { presentPickup } from '../present/pickup.ts';
import type { PickupLocationRow } from '../store/rows.ts';
import type { Handlers } from './handler.ts';

export const pickupHandlers = {
  pickups: ({ store, merchant }) =>
    store
      .all<PickupLocationRow>('select * from pickup_location where merchant_id = ? order by id', merchant)
      .map((row) => presentPickup(store, row)),
} satisfies Pick<Handlers, 'pickups'>;
