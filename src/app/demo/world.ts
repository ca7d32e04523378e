import { CHECKS } from '../../checks/index.ts';
import { RemitError, UsageError } from '../../errors.ts';
import { defaultMonths, type Months } from '../../sandbox/calendar.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/index.ts';
import { openStore } from '../../sandbox/store/open.ts';
import { plantDrift } from '../../sandbox/world/drift/index.ts';
import type { Planted, PlantFilter } from '../../sandbox/world/planted.ts';
import { type SeededWorld, seedWorld } from '../../sandbox/world/seed.ts';

/** Where the demo's service listens if it can, so that what it prints looks the same for everyone. */
const USUAL_PORT = 4180;
const HOST = '127.0.0.1';

/** What the checks can find. The plainest plant of each code: not every check reads the others as they are meant. */
const known: PlantFilter = ({ code, variant }) => variant === undefined && CHECKS.some((check) => check.code === code);

/** Fills a new service file with a world that holds one mismatch of every kind. */
export function seedDemo(file: string, now: Date): { world: SeededWorld; months: Months } {
  const months = defaultMonths(now);
  const store = openStore(file);
  try {
    const world = seedWorld(store, { months, seed: 'demo', asOf: now, plant: known });
    return { months, world: { ...world, planted: world.planted.map(byOrder) } };
  } finally {
    store.close();
  }
}

/** What a check may name once an order, whatever its currencies. */
const BY_ORDER = ['order-repeated', 'order-on-two-invoices', 'order-unknown', 'delivered-not-invoiced'];

function byOrder(planted: Planted): Planted {
  return BY_ORDER.includes(planted.code) ? { ...planted, currency: null } : planted;
}

/** What only a second sync can see. */
export function driftDemo(file: string): Planted[] {
  const store = openStore(file, { mustExist: true });
  try {
    return plantDrift(store, known);
  } finally {
    store.close();
  }
}

/** Serves a new demo, on the usual port or a free one. */
export async function serveNewDemo(file: string): Promise<RunningSandbox> {
  try {
    return await serve(file, USUAL_PORT);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return serve(file, 0);
  }
}

/** Serves an earlier demo again, where its settings say that it is. @throws UsageError when its port is in use */
export async function serveDemoAgain(file: string, apiUrl: string): Promise<RunningSandbox> {
  try {
    return await serve(file, Number(new URL(apiUrl).port));
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    throw new UsageError(
      error.message,
      'Stop the `remit sandbox serve` that is running there, or name another folder.',
    );
  }
}

function serve(file: string, port: number): Promise<RunningSandbox> {
  return startSandbox({ file, port, host: HOST, results: 'flat' });
}
