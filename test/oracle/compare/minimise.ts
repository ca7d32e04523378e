import type { Plan } from '../world/plan.ts';
import type { Difference } from './play.ts';

/**
 * Leaves out nights' changes, what the accountant does, and last nights as long as some difference remains. Bounded by
 * `tries`.
 */
export async function minimise(
  plan: Plan,
  first: Difference,
  play: (plan: Plan) => Promise<Difference | null>,
  tries = 40,
): Promise<{ plan: Plan; difference: Difference }> {
  let best: { plan: Plan; difference: Difference } = {
    plan: { ...plan, nights: plan.nights.slice(0, first.night + 1) },
    difference: first,
  };
  let left = tries;
  const attempt = async (smaller: Plan): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    const difference = await play(smaller).catch(() => null);
    if (difference && kindOf(difference) === kindOf(first)) best = { plan: smaller, difference };
    return difference !== null && best.difference === difference;
  };
  for (let night = best.plan.nights.length - 1; night >= 0; night -= 1) {
    for (let change = (best.plan.nights[night]?.changes.length ?? 0) - 1; change >= 0; change -= 1) {
      await attempt(without(best.plan, night, 'changes', change));
    }
    for (let act = (best.plan.nights[night]?.acts.length ?? 0) - 1; act >= 0; act -= 1) {
      await attempt(without(best.plan, night, 'acts', act));
    }
  }
  return best;
}

/** The first fault without its figures: the same kind must remain. */
const kindOf = ({ faults }: Difference): string => (faults[0] ?? '').split(/[:{]/).slice(0, 1).join();

function without(plan: Plan, night: number, what: 'changes' | 'acts', left: number): Plan {
  const nights = plan.nights.map((each, at) =>
    at === night ? { ...each, [what]: (each[what] as readonly unknown[]).filter((_, place) => place !== left) } : each,
  );
  return { ...plan, nights };
}

/** The history in words, a line a night. */
export function describePlan({ seed, manner, firstClosed, nights }: Plan): string {
  const lines = nights.map(({ at, orders, full, asked, down, own, changes, acts }, index) => {
    const done = acts.map((act) =>
      act.kind === 'close' ? `close ${act.ahead}${act.withOpen ? ' with open' : ''}` : act.kind,
    );
    const options = [
      asked ? `${asked.from}..${asked.to}` : '',
      orders ? '--orders' : '',
      full ? '--full' : '',
      down ? '(server down)' : '',
      own === null ? '' : '(own files)',
    ];
    return `  night ${index} ${at.toISOString()} sync ${options.filter(Boolean).join(' ')}: ${changes.map(({ name }) => name).join(', ') || 'nothing'}${done.length > 0 ? `; then ${done.join(', ')}` : ''}`;
  });
  return [`world ${seed} (${manner.shape}, pages of ${manner.pageSize}, books from ${firstClosed})`, ...lines].join(
    '\n',
  );
}
