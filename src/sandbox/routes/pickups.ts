import { PickupLocation } from '../../api/wire.ts';
import { presentPickup } from '../present/pickup.ts';
import type { PickupLocationRow } from '../store/rows.ts';
import { operation } from './operation.ts';

export const pickupOperations = [
  operation({
    id: 'pickups',
    method: 'GET',
    path: '/pickups/',
    summary: "List the merchant's pickup locations",
    answers: 'list',
    schema: PickupLocation,
    handle: ({ store, merchant }) =>
      store
        .all<PickupLocationRow>('select * from pickup_location where merchant_id = ? order by id', merchant)
        .map((row) => presentPickup(store, row)),
  }),
];
