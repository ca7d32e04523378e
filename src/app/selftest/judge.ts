import type { Check } from '../../checks/check.ts';
import type { PlantedEffect } from '../../checks/plant.ts';
import type { Bridge, CheckResult } from '../check-result.ts';

/** How many mismatches of a code, and their lines in the bridge. */
interface Count {
  readonly findings: number;
  readonly effects: readonly PlantedEffect[];
}

/** What became of one check's plant. */
export interface Tested {
  readonly code: string;
  /** What was planted. */
  readonly expected: Count;
  /** What the check found, and the codes of others that found something too. */
  readonly found: Count & { readonly others: readonly string[] };
  /** What the bridge could not explain with this check left out; null where its money is no step of the bridge. */
  readonly unexplained: readonly PlantedEffect[] | null;
  readonly ok: boolean;
}

/**
 * Compares what was planted for a check with what was found.
 *
 * @param whole with every check
 * @param without with this check left out; null where its money is no step of the bridge
 */
export function judge(
  { code, plant: { findings, effects = [], beside = [], unknown = [] } }: Check,
  whole: CheckResult,
  without: CheckResult | null,
): Tested {
  const own = whole.mismatches.filter((mismatch) => mismatch.code === code);
  const others = [...new Set(whole.mismatches.map((mismatch) => mismatch.code))].filter(
    (each) => each !== code && !beside.includes(each),
  );
  const found = { findings: own.length, effects: effectsOf(whole.bridge, code), others };
  const unexplained = without && unexplainedOf(without.bridge);
  const ok =
    own.length === findings &&
    isSame(found.effects, effects) &&
    others.length === 0 &&
    whole.skipped.length === 0 &&
    unexplainedOf(whole.bridge.filter(({ period }) => !unknown.includes(period))).length === 0 &&
    whole.bridge.every(({ period, ours }) => (ours === null) === unknown.includes(period)) &&
    (unexplained === null || isSame(unexplained, effects));
  return { code, expected: { findings, effects }, found, unexplained, ok };
}

/** Whether nothing at all was found, and everything was looked at. */
export function isClean({ mismatches, skipped, incomplete, bridge }: CheckResult): boolean {
  const found = mismatches.length + skipped.length + incomplete.length;
  // An empty bridge would leave nothing unexplained, and prove nothing.
  return found === 0 && bridge.length > 0 && unexplainedOf(bridge).length === 0;
}

function effectsOf(bridge: readonly Bridge[], code: string): PlantedEffect[] {
  return bridge.flatMap(({ period, currency, steps, outside }) =>
    [...steps, ...outside].filter((step) => step.code === code).map(({ effect }) => ({ period, currency, effect })),
  );
}

/** Without any figure of ours, nothing is explained. */
function unexplainedOf(bridge: readonly Bridge[]): PlantedEffect[] {
  return bridge
    .filter(({ unexplained }) => unexplained !== '0.00')
    .map(({ period, currency, unexplained }) => ({ period, currency, effect: unexplained ?? 'nothing of ours' }));
}

function isSame(some: readonly PlantedEffect[], others: readonly PlantedEffect[]): boolean {
  const sorted = (effects: readonly PlantedEffect[]) =>
    JSON.stringify(effects.map(({ period, currency, effect }) => [period, currency, effect]).sort());
  return sorted(some) === sorted(others);
}
