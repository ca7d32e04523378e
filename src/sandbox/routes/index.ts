import { areaOperations } from './areas.ts';
import { customerOperations } from './customers.ts';
import { invoiceOperations } from './invoices.ts';
import { locationOperations } from './locations.ts';
import type { Operation } from './operation.ts';
import { orderOperations } from './orders.ts';
import { pickupOperations } from './pickups.ts';
import { profileOperations } from './profile.ts';

/** All 18 operations, in the order of the spec. */
export const operations: readonly Operation[] = [
  ...orderOperations,
  ...customerOperations,
  ...locationOperations,
  ...areaOperations,
  ...pickupOperations,
  ...invoiceOperations,
  ...profileOperations,
];
