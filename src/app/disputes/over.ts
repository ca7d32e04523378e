import type { ClaimState } from '../../base/states.ts';

/** How a claim ends. */
export type Over = 'mended' | 'settled' | 'written-off' | 'withdrawn';

/** Whether nothing more comes of a claim. */
export function isOver(state: ClaimState): state is Over {
  return state === 'mended' || state === 'settled' || state === 'written-off' || state === 'withdrawn';
}
