import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Room for young objects: with less the collector runs too often, with more memory grows and nothing is gained. */
const YOUNG_BYTES = 4 << 20;

/** What a function works before V8 compiles it for speed, in bytes of its code: some ten times what V8 itself would wait for. */
const WORK_BEFORE_COMPILING = 700_000;

/** For a sync, see {@link collectSooner}. Beside an order book more is in use: the hashes of all its orders. */
export const SYNC_GARBAGE = { invoices: 80, orders: 150 };

/**
 * Has the garbage collector run often, young objects keep little room and code prove hot before it is compiled, for a command that makes
 * very many short-lived objects. Left to itself, Node holds back until memory is several times what is needed. To be called only where
 * the process ends with the command, and after what it needs is loaded: V8 takes no code cache that was made under other flags.
 */
export function collectOften(): void {
  collectSooner(30);
  // In a heap this small, helpers take longer to wake than they save.
  setFlagsFromString('--no-parallel-scavenge');
  // Compiled sooner, much is compiled again once it meets what it had not met, and much that has next to nothing left to do.
  setFlagsFromString(`--interrupt-budget=${WORK_BEFORE_COMPILING}`);
  if (keepYoungSmall()) return;
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    if (keepYoungSmall()) observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Has the garbage collector run once there is so much garbage, for a command that runs long: memory stays flat over many months, and the
 * processor is hardly busier. To be called where {@link collectOften} may be.
 *
 * @param percent garbage as a share of what is in use. The more is in use, the longer each collection takes.
 */
export function collectSooner(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Ends the growth of the room for young objects once it is large enough; whether it is. */
function keepYoungSmall(): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if ((young?.space_size ?? 0) < YOUNG_BYTES) return false;
  setFlagsFromString('--semi-space-growth-factor=1');
  return true;
}
