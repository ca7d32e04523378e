import type { ClosedMonth, RefusedClose } from './close.ts';

/** What `close --json` prints, also after an approval. The frozen figures of an only courier are at the top level. */
export function closeJson(result: ClosedMonth | RefusedClose) {
  if (result.status === 'refused' || result.couriers.length > 1) return result;
  const { couriers, ...head } = result;
  return { ...head, ...couriers[0]! };
}
