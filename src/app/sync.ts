import { AccountHeldError, LedgerBusyError, RemitError, UsageError } from '../base/errors.ts';
import { requireSaneClock } from '../base/period.ts';
import type { Config } from '../config/index.ts';
import type { Client } from '../courier/index.ts';
import { usingScratchLedger } from '../ledger/copy.ts';
import { type Ledger, ledgerExists } from '../ledger/index.ts';
import { readCouriers } from '../ledger/queries/couriers.ts';
import { holdsAny } from '../ledger/queries/snapshot.ts';
import { eachField } from '../money/fields.ts';
import { type BudgetState, readBudget } from '../sync/budget.ts';
import { planOrderBook } from '../sync/order-book.ts';
import { planSync } from '../sync/plan.ts';
import { type Progress, type ProgressStep, silent } from '../sync/progress.ts';
import { runSync } from '../sync/run.ts';
import type { LeftUndone, SyncOptions, SyncSummary } from '../sync/session.ts';
import { booksError } from '../words/errors/books.ts';
import { refuseHeldAccount, refuseSameKey, withSwappedKeys } from './account-held.ts';
import { type Books, booksOf, usingBooks } from './books.ts';
import { meterOf, usingClient } from './client.ts';
import { type Courier, couriersOf, ledgerOf, placeCouriers } from './couriers.ts';
import { matchCouriers } from './match/run.ts';

export { type BudgetState, type Progress, type ProgressStep, type SyncSummary, silent };

/** What a sync of one courier did, and how much of its budget of requests is used after it. */
interface BudgetedSync extends SyncSummary {
  readonly budget: BudgetState;
}

/** What a sync brought from one courier, or why it failed. */
type CourierSync = { readonly name: string } & (
  | BudgetedSync
  | { readonly status: 'failed'; readonly error: Pick<RemitError, 'code' | 'message' | 'hint'> }
);

/** What a sync of the books did: the sum, and each courier alone. */
export interface BooksSync extends Omit<SyncSummary, 'status' | 'incomplete'> {
  readonly status: SyncSummary['status'] | 'failed';
  readonly incomplete: readonly (LeftUndone & { readonly courier?: string })[];
  /** The sum over the couriers that were synced; null where none was. */
  readonly budget: BudgetState | null;
  readonly couriers: readonly CourierSync[];
}

/** Options of a sync; `periods` null: the months that it chooses itself. */
export interface SyncRequest
  extends Pick<SyncOptions, 'periods' | 'orders' | 'full' | 'acceptAccount' | 'acceptVanished'> {
  /** Where every courier sends sheets, the sync brings nothing, instead of failing. */
  readonly mayBeNone?: boolean;
}

export interface PlannedPeriod {
  readonly courier: string;
  readonly period: string;
  readonly listed: number;
  readonly fetch: readonly { readonly number: number; readonly why: string }[];
}

/**
 * Brings invoices, and the order book when asked, into the books' ledger, which is made if it is not there.
 *
 * @returns what was done; `partial` when something could not be brought: all of it was reported to `progress`
 * @throws LedgerBusyError when another command is at work; ConfigError (a wrong clock too), LedgerError, and the
 * client's errors
 */
export async function syncBooks(books: Books, request: SyncRequest, progress: Progress): Promise<BooksSync> {
  requireSaneClock(books.now());
  const { chosen: couriersFetched, areSeveral } = await couriersToSync(books, request.mayBeNone);
  const sync = async (courier: Courier<Config>, reporter: Progress) => {
    // Two new couriers may be one account under two keys, which only the invoices of the first will show: while a new
    // courier is synced, no other sync may run.
    const isNew = await refuseIfHeld(books, courier);
    return syncCourier(booksOf(books, courier), courier.key, request, reporter, areSeveral && !isNew);
  };
  if (couriersFetched.length === 0) return { ...sumOf([]), couriers: [] };
  if (couriersFetched.length === 1) {
    const only = couriersFetched[0]!;
    const summary = await sync(only, progress);
    return { ...summary, couriers: [{ name: await nameOf(books, only), ...summary }] };
  }
  // All couriers are checked before anything of one is stored.
  const faults = new Map<string, unknown>();
  for (const courier of couriersFetched) {
    await refuseIfHeld(books, courier).catch((error) => {
      if (!isOfOneCourier(error)) throw error;
      faults.set(courier.key, error);
    });
  }
  const couriers: CourierSync[] = [];
  for (const courier of couriersFetched) {
    const warn = (sentence: string) => progress.warn(`${courier.name}: ${sentence}`);
    try {
      if (faults.has(courier.key)) throw faults.get(courier.key);
      const summary = await sync(courier, { ...progress, warn });
      couriers.push({ name: await nameOf(books, courier), ...summary });
    } catch (error) {
      if (!isOfOneCourier(error) || books.signal.aborted) throw error;
      const { code, message, hint } = error;
      warn(hint ? `${message}. ${hint}` : message);
      couriers.push({ name: courier.name, status: 'failed', error: { code, message, hint } });
    }
  }
  return { ...sumOf(couriers), couriers };
}

/** Whether an error ends the sync of one courier alone, so that the others are synced all the same. */
function isOfOneCourier(error: unknown): error is RemitError {
  return error instanceof RemitError && !(error instanceof LedgerBusyError) && !(error instanceof AccountHeldError);
}

/**
 * The couriers to sync: those that the command names, of those with an API; and whether the settings have several.
 *
 * @param mayBeNone returns no courier where there is none to sync
 * @throws UsageError where there is none; AccountHeldError where two couriers of the settings share one account
 */
function couriersToSync(books: Books, mayBeNone = false) {
  return usingLedgerOrEmpty(books, async (ledger) => {
    const { tables } = await placeCouriers(ledger.db, books.config);
    // Their settings as in remit.toml: they go on record only after it is known that they are no other courier's.
    const couriersIn = async (config: Config) =>
      (await couriersOf(ledger.db, config)).map((courier) => {
        return { ...courier, config: { ...config, ...tables.get(courier.key)?.settings } };
      });
    const isFetched = ({ isSet, config }: Courier<Config>) => isSet && config.kind === 'api';
    const couriers = await couriersIn(books.config);
    if (!couriers.some(isFetched) && !mayBeNone)
      throw new UsageError(booksError({ id: 'nothing-fetched-of', couriers: couriers.map(({ name }) => name) }));
    const all = (await couriersIn({ ...books.config, courier: null })).filter(isFetched);
    await refuseSameKey(ledger, books, all);
    const mended = await withSwappedKeys(ledger, all, (courier, use) => usingClient(booksOf(books, courier), use));
    const chosen = mended.filter(({ key }) => couriers.some((one) => one.key === key));
    return { chosen, areSeveral: all.length > 1 };
  });
}

/** Refuses a new courier whose account another courier of the ledger has. @returns whether it is new */
async function refuseIfHeld(books: Books, courier: Courier<Config>): Promise<boolean> {
  return usingLedgerOrEmpty(books, async (ledger) => {
    await refuseHeldAccount(ledger, courier, (use) => usingClient(booksOf(books, courier), use));
    return !(await holdsAny(ledgerOf(ledger, courier).db, 'invoice_listed'));
  });
}

/** The courier's name now: the first profile that is fetched gives a name to a courier that has none. */
async function nameOf(books: Books, { key, name }: Courier): Promise<string> {
  const held = await usingLedgerOrEmpty(books, ({ db }) => readCouriers(db));
  return held.find((one) => one.key === key)?.name ?? name;
}

/** The sum over the couriers; its status is the worst of theirs, its run the last one's (0 if every courier failed). */
function sumOf(couriers: readonly CourierSync[]): Omit<BooksSync, 'couriers'> {
  const done = couriers.filter((one): one is CourierSync & BudgetedSync => one.status !== 'failed');
  const statuses = couriers.map(({ status }) => status);
  const sum = (count: (summary: SyncSummary) => number) => done.reduce((total, each) => total + count(each), 0);
  return {
    run: done.at(-1)?.run ?? 0,
    status: (['failed', 'partial'] as const).find((status) => statuses.includes(status)) ?? 'complete',
    periods: [...new Set(done.flatMap(({ periods }) => periods))].sort(),
    requests: sum(({ requests }) => requests),
    retries: sum(({ retries }) => retries),
    invoices: eachField(['listed', 'fetched', 'unchanged', 'failed'], (name) => sum(({ invoices }) => invoices[name])),
    orders: { listed: sum(({ orders }) => orders.listed), changed: sum(({ orders }) => orders.changed) },
    malformed: sum(({ malformed }) => malformed),
    bytes: sum(({ bytes }) => bytes),
    seconds: sum(({ seconds }) => seconds),
    incomplete: done.flatMap(({ name: courier, incomplete }) => incomplete.map((one) => ({ courier, ...one }))),
    budget: budgetOf(done.map(({ budget }) => budget)),
  };
}

/**
 * The budgets of several couriers as one: what all used, what is left of those with a limit, and the first day of a new
 * budget.
 */
function budgetOf(budgets: readonly BudgetState[]): BudgetState | null {
  if (budgets.length === 0) return null;
  const limited = budgets.flatMap(({ left }) => left ?? []);
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  const used_this_month = sum(budgets.map((budget) => budget.used_this_month));
  const [resets_on] = budgets.map((budget) => budget.resets_on).sort();
  return { used_this_month, left: limited.length === 0 ? null : sum(limited), resets_on: resets_on! };
}

/** @param othersMayRun whether other couriers may be synced meanwhile; the courier itself never is */
async function syncCourier(
  books: Books,
  key: string,
  request: SyncRequest,
  progress: Progress,
  othersMayRun: boolean,
): Promise<BudgetedSync> {
  const warn = (sentence: string) => progress.warn(sentence);
  const lock = { exclusive: 'sync', exclusiveOf: othersMayRun ? key : undefined } as const;
  // The meter counts requests in the ledger. It is made before the ledger is open, and counts as soon as it is.
  let opened: Ledger | null = null;
  const meter = meterOf(books, (use) => use(opened!));
  return usingClient(
    books,
    (client) =>
      usingBooks(books, { create: true, ...lock }, async (ledger, courierBooks) => {
        opened = ledger;
        const options = { ...optionsOf(courierBooks, request, progress, client, ledger), meter, othersMayRun };
        const summary = await runSync(options).finally(() => meter?.settle());
        // A receipt may pay what was brought.
        await matchCouriers(ledger, books);
        return { ...summary, budget: await readBudget(ledger, books.config, books.now()) };
      }),
    { warn, meter },
  );
}

/** What a sync would fetch, and how many requests it would take. */
export interface BooksPlan {
  readonly periods: readonly PlannedPeriod[];
  readonly requests: { readonly planned: number } & Omit<BudgetState, 'resets_on'>;
}

/**
 * What {@link syncBooks} would fetch. It reads lists, which count against a budget, and leaves nothing behind, not even
 * a ledger.
 */
export async function planBooksSync(books: Books, request: SyncRequest, progress: Progress): Promise<BooksPlan> {
  requireSaneClock(books.now());
  const plans: Awaited<ReturnType<typeof planCourier>>[] = [];
  const budgets: BudgetState[] = [];
  for (const courier of (await couriersToSync(books)).chosen) {
    await refuseIfHeld(books, courier);
    const courierBooks = booksOf(books, courier);
    plans.push(await planCourier(courierBooks, courier, request, progress));
    // Read after planning, whose requests count too.
    await usingLedgerOrEmpty(courierBooks, async (ledger) => {
      budgets.push(await readBudget(ledgerOf(ledger, courier), courier.config, books.now()));
    });
  }
  const { used_this_month = 0, left = null } = budgetOf(budgets) ?? {};
  const planned = plans.reduce((sum, { requests }) => sum + requests, 0);
  return { periods: plans.flatMap(({ periods }) => periods), requests: { planned, used_this_month, left } };
}

function planCourier(books: Books, courier: Courier, request: SyncRequest, progress: Progress) {
  return usingClient(books, (client) =>
    usingLedgerOrEmpty(books, async (whole) => {
      const ledger = ledgerOf(whole, courier);
      const options = optionsOf(books, request, progress, client, ledger);
      const plans = await planSync(options);
      // Planning has sent the requests for lists that the sync will send.
      const lists = client.stats.requests - client.stats.retries;
      const periods = plans.map(({ period, listed, fetch: planned }) => {
        const fetch = planned.map((one) => ({ number: one.listed.number, why: one.why }));
        return { courier: courier.name, period, listed: listed.size, fetch };
      });
      const details = periods.reduce((sum, { fetch }) => sum + fetch.length, 0);
      const book = request.orders ? (await planOrderBook({ ...options, pageSize: client.pageSize })).next : 0;
      return { periods, requests: PROFILE_REQUESTS + lists + details + book };
    }),
  );
}

/** A sync fetches the profile too. */
const PROFILE_REQUESTS = 1;

function optionsOf(
  { config, now, signal }: Books,
  request: SyncRequest,
  progress: Progress,
  client: Client,
  ledger: Ledger,
): SyncOptions {
  const { recheckHours, recheckPaidDays, concurrency, timeZone, ordersFullEvery } = config;
  const settings = { recheckHours, recheckPaidDays, concurrency, timeZone, ordersFullEvery };
  return { ...request, ...settings, ledger, client, now, progress, signal };
}

/** Lends the ledger, or an empty temporary one where there is none yet. */
async function usingLedgerOrEmpty<T>(books: Books, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  if (await ledgerExists(books.config.ledger))
    return usingBooks(books, { readOnly: true, allCouriers: true, newSettings: 'leave' }, use);
  return usingScratchLedger(use);
}
