import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../errors.ts';
import { DAY, dateText, defaultMonths, parseDay, parseMonths } from '../../sandbox/calendar.ts';
import { removeStore } from '../../sandbox/store/open.ts';
import { plantDrift } from '../../sandbox/world/drift.ts';
import type { Planted } from '../../sandbox/world/plant.ts';
import { seedWorld } from '../../sandbox/world/seed.ts';
import { shellWord } from '../../shell-word.ts';
import { usingStore } from '../sandbox-store.ts';
import type { Session } from '../session.ts';

export interface SandboxSeedInput {
  readonly data: string;
  /** `2026-08..2026-10`; the two full months before this one, and this one to date, unless given. */
  readonly months?: string;
  /** Orders of each merchant over all the months. */
  readonly orders?: number;
  readonly seed?: string;
  readonly plant?: boolean;
  readonly plantDrift?: boolean;
  /** A day: nothing happens after it. Now unless given. */
  readonly asOf?: string;
}

/** `remit sandbox seed`: fills a new service file with a world; with `--plant-drift` changes an order of a seeded one. */
export async function sandboxSeed(session: Session, input: SandboxSeedInput): Promise<number> {
  const file = path.resolve(session.io.cwd, input.data);
  if (input.plantDrift) {
    if (input.plant || input.months || input.orders !== undefined || input.seed !== undefined || input.asOf) {
      throw new UsageError(
        '--plant-drift changes a world that is there already, so that it goes with --data alone',
        'Seed the file first; then, after a first sync, run: remit sandbox seed --data FILE --plant-drift',
      );
    }
    const planted = usingStore(session, input.data, { mustExist: true }, plantDrift);
    if (session.json) session.resultJson({ planted });
    else session.result(plantedLines(planted).join('\n'));
    return 0;
  }

  const now = session.io.now();
  const asOf = input.asOf === undefined ? now : endOfDay(input.asOf, now);
  const months = input.months === undefined ? defaultMonths(asOf) : parseMonths(input.months);
  const isNew = !existsSync(file);
  try {
    const world = usingStore(session, input.data, {}, (store) =>
      seedWorld(store, { months, orders: input.orders, seed: input.seed ?? '1', asOf, plant: input.plant === true }),
    );
    if (session.json) {
      session.resultJson(world);
      return 0;
    }
    session.note(`${file} holds ${months.from} to ${months.to}. The keys are shown this once.`);
    const lines = world.merchants.map(({ name, key }) => `${name}  ${key}`);
    session.result([...lines, ...plantedLines(world.planted)].join('\n'));
    session.note(`Serve it with: remit sandbox serve --data ${shellWord(input.data)}`);
    return 0;
  } catch (error) {
    // A world that could not be made leaves no empty file in its place.
    if (isNew) removeStore(file);
    throw error;
  }
}

/** The last moment of a day, but of today only what has passed. */
function endOfDay(text: string, now: Date): Date {
  const day = parseDay(text);
  return dateText(now.getTime()) === text ? now : new Date(day + DAY);
}

function plantedLines(planted: readonly Planted[]): string[] {
  return planted.map(({ code, invoice_number, order_id, currency }) =>
    [
      `planted ${code}`,
      invoice_number === null ? '' : `invoice ${invoice_number}`,
      order_id === null ? '' : `order ${order_id}`,
      currency ?? '',
    ]
      .filter(Boolean)
      .join('  '),
  );
}
