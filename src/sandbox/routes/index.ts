import { areaHandlers } from './areas.ts';
import { customerHandlers } from './customers.ts';
import type { Handlers } from './handler.ts';
import { invoiceHandlers } from './invoices.ts';
import { locationHandlers } from './locations.ts';
import { orderHandlers } from './orders.ts';
import { pickupHandlers } from './pickups.ts';
import { profileHandlers } from './profile.ts';

/** What serves each of the operations that `api/operations.ts` declares. */
export const handlers: Handlers = {
  ...orderHandlers,
  ...customerHandlers,
  ...locationHandlers,
  ...areaHandlers,
  ...pickupHandlers,
  ...invoiceHandlers,
  ...profileHandlers,
};
