/** Faults on demand (design: 'latency, 500, 429 with Retry-After, dropped and truncated answers, a list that changes between pages, a vanished or restated invoice'). */
export { faultHooks } from './faults/hooks.ts';
export { parseFaults } from './faults/parse.ts';
