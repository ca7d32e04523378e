import { expect } from 'vitest';
import type { Api } from './api.ts';
import { orderBody } from './makers.ts';

/** Refuses a create-order body and shows that no order was made; answers the details. */
export async function refuses(api: Api, changes: Parameters<typeof orderBody>[1], status = 400): Promise<string> {
  const before = (await api.list('orders/', { page_size: 1 })).count;
  const { details } = await api.refused(status, 'POST', 'orders/', { json: await orderBody(api, changes) });
  expect((await api.list('orders/', { page_size: 1 })).count).toBe(before);
  return details;
}
