import type { ClosedMonth, RefusedClose } from './close.ts';

/** What `close --json` prints: what was frozen of one courier stands at the top where there is no other. */
export function closeJson(result: ClosedMonth | RefusedClose) {
  if (result.status === 'refused' || result.couriers.length > 1) return result;
  const { couriers, ...head } = result;
  return { ...head, ...couriers[0]! };
}
