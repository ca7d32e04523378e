import { existsSync } from 'node:fs';
import path from 'node:path';
import { RemitError, UsageError } from '../../base/errors.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { defaultMonths } from '../../sandbox/calendar.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/index.ts';
import { parseReturns } from '../../sandbox/operator/returns.ts';
import { openStore } from '../../sandbox/store/open.ts';
import { bookFiles } from '../../sandbox/world/books/files.ts';
import { COURIER_ON_BANK_LINES } from '../../sandbox/world/books/shop-books.ts';
import { plantDrift } from '../../sandbox/world/drift.ts';
import type { Planted, PlantFilter } from '../../sandbox/world/planted.ts';
import { seedWorld } from '../../sandbox/world/seed.ts';

/** The delivery company's data in a demo's folder. */
export const DEMO_SERVICE = 'courier.db';

/** Where the demo's service listens if it can, so that what it prints looks the same for everyone. */
const USUAL_PORT = 4180;
const HOST = '127.0.0.1';

/** Chooses the plainest fault of each check: other checks may find something in a variant too. */
const isPlainest: PlantFilter = ({ code, variant }) =>
  variant === undefined && CHECKS.some((check) => check.code === code);

/**
 * Fills a new service file with a world that holds one mismatch of every kind.
 *
 * @returns `key` and `ownFiles`: the first merchant's API key and files; `payer`: the courier's name on its bank's
 * lines; `planted`: the faults in the service and in those files
 */
export function seedDemo(file: string, now: Date) {
  const months = defaultMonths(now);
  const store = openStore(file);
  try {
    const options = { seed: 'demo', months, asOf: now, books: true, returns: parseReturns('deducted') };
    const { merchants, planted, books } = seedWorld(store, { ...options, plant: isPlainest });
    return {
      key: merchants[0]?.key ?? '',
      planted: [...withSideEffects(planted.map(withoutCurrency)), ...(books?.planted ?? [])],
      ownFiles: books ? bookFiles(books) : [],
      payer: COURIER_ON_BANK_LINES,
    };
  } finally {
    store.close();
  }
}

/** Checks that report an order once, whatever its currencies. */
const ONCE_PER_ORDER = ['order-repeated', 'order-on-two-invoices', 'order-unknown', 'delivered-not-invoiced'];

/** Takes the currency off a planted fault whose finding names none. */
function withoutCurrency(planted: Planted): Planted {
  return ONCE_PER_ORDER.includes(planted.code) ? { ...planted, currency: null } : planted;
}

/** Plants the faults that only a second sync can see. */
export function driftDemo(file: string): Planted[] {
  const store = openStore(file, { mustExist: true });
  try {
    return withSideEffects(plantDrift(store, isPlainest));
  } finally {
    store.close();
  }
}

/**
 * Adds what other checks find of a planted fault with the shop's own files: a fee that was raised is off the rate card.
 */
function withSideEffects(planted: readonly Planted[]): Planted[] {
  const plants = new Map(CHECKS.map(({ code, plant }) => [code, plant]));
  const sideEffects = planted.flatMap(({ code, invoice_number, currency }) =>
    (plants.get(code)?.alsoFoundBy ?? []).map((other) => ({ code: other, invoice_number, order_id: null, currency })),
  );
  return [...planted, ...new Map(sideEffects.map((each) => [`${each.code} ${each.invoice_number}`, each])).values()];
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

/** Serves a demo folder's company, so that its desk can sync; null for any other folder, or if it is served already. */
export async function serveDemoOf(folder: string, apiUrl: string | null): Promise<RunningSandbox | null> {
  const file = path.join(folder, DEMO_SERVICE);
  if (apiUrl === null || new URL(apiUrl).hostname !== HOST || !existsSync(file)) return null;
  return serveDemoAgain(file, apiUrl).catch((error) => {
    if (error instanceof UsageError) return null;
    throw error;
  });
}

/** Serves an earlier demo again, at the address in its settings. @throws UsageError when its port is in use */
export async function serveDemoAgain(file: string, apiUrl: string): Promise<RunningSandbox> {
  try {
    return await serve(file, Number(new URL(apiUrl).port));
  } catch (error) {
    if (!(error instanceof RemitError)) throw error;
    const hint = 'Stop the `remit sandbox serve` that is running there, or name another folder.';
    throw new UsageError(error.message, hint);
  }
}

function serve(file: string, port: number): Promise<RunningSandbox> {
  return startSandbox({ file, port, host: HOST, results: 'flat' });
}
