import { LedgerError } from '../../base/errors.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import type { Check, CheckSettings } from '../../checks/check.ts';
import { type CourierBooks, PAYER, type Plant, type PlantedEffect } from '../../checks/plant.ts';
import { needsClose, needsOwnSide } from '../../checks/requirement.ts';
import { DEFAULTS } from '../../config/settings.ts';
import { usingScratchCopy, usingScratchLedger } from '../../ledger/copy.ts';
import { type Ledger, ofCourier } from '../../ledger/index.ts';
import { silent } from '../../sync/progress.ts';
import { runSync } from '../../sync/run.ts';
import { checkLedger } from '../check.ts';
import type { Bridge, CheckResult, FoundMismatch } from '../check-result.ts';
import { closeLedger } from '../close/close.ts';
import { keepMessages } from '../webhooks/keep.ts';
import { inMemoryClient, PaperBooks } from './books.ts';
import { cleanFiles, importOwnFiles } from './own-files.ts';

/** The months that are synced and checked; both are over by then. */
const MONTHS = ['2026-10', '2026-11'];

const CHECKED_AT = new Date('2026-12-08T08:00:00Z');

/**
 * Two months of business in which everything agrees: paid and unpaid invoices in two currencies, an order that was
 * cancelled, one on its way, and three that were delivered and wait for their invoice.
 */
function cleanBooks(): PaperBooks {
  const books = new PaperBooks();
  books.place('A1', '2026-10-05');
  books.place('A2', '2026-10-06', { USD: ['40.50', '3.25'], LBP: ['900000', '50000'] });
  books.place('A3', '2026-10-07');
  books.bill(1001, '2026-10-20', ['A1', 'A2', 'A3']);
  books.place('B1', '2026-11-03');
  books.place('B2', '2026-11-04', { LBP: ['450000', '50000'] });
  books.place('B3', null, { USD: ['0.00', '0.00'] }).delivery_state = 'CANCELLED';
  books.bill(1002, '2026-11-20', ['B1', 'B2', 'B3']);
  books.place('B4', '2026-11-10');
  books.place('B5', '2026-11-11');
  books.bill(1003, '2026-11-24', ['B4', 'B5'], 'PENDING_PAYMENT');
  // Delivered so late that nobody misses them on an invoice yet.
  books.place('C1', '2026-11-27');
  books.place('C2', '2026-11-28');
  books.place('C3', '2026-11-28', { USD: ['10.00', '2.50'], LBP: ['180000', '20000'] });
  books.place('D1', null);
  return books;
}

/** What `selftest --json` prints. */
export interface SelfTest {
  readonly ok: boolean;
  /** Whether the books in which nothing is planted are clean: nothing found, skipped, incomplete or unexplained. */
  readonly clean: boolean;
  readonly checks: readonly Tested[];
}

const DAY = 86_400_000;
/** When the merchant's own files are imported, if there are any. */
const IMPORTED_AT = new Date('2026-12-07T08:00:00Z');
/** When months are closed before something is planted. */
const CLOSED_AT = new Date('2026-12-03T12:00:00Z');
/** Every check has two syncs to compare before anything is planted. */
const CLEAN_NIGHTS = 2;

/**
 * Proves the checks and the bridge on this machine: plants a mismatch of every kind in a copy of a clean ledger, one at
 * a time, in documents that a sync reads. The check of that kind must find it, and no other check anything. If that
 * check is left out, the bridge must leave exactly the plant's money unexplained. Touches no ledger of yours and needs
 * no settings.
 *
 * @param checks the catalogue to prove
 */
export function selfTest(checks: readonly Check[] = CHECKS): Promise<SelfTest> {
  return usingScratchLedger(async (ledger) => {
    await syncCleanNights(ledger);
    // The books are clean twice: as the courier states them, and with the merchant's files and closed months.
    const courierOnly = checks.filter((check) => !needsOwnSide(check));
    const clean = await usingScratchCopy(ledger, async (copy) => {
      const isCourierClean = isClean(await runChecks(copy, courierOnly));
      await importOwnFiles(copy, cleanFiles(cleanBooks()), IMPORTED_AT);
      await closeMonths(copy, MONTHS, CHECKED_AT);
      return isCourierClean && isClean(await runChecks(copy, checks));
    });
    const tested: Tested[] = [];
    for (const check of checks) {
      const runnable = checksFor(check.plant, checks);
      tested.push(await usingScratchCopy(ledger, (copy) => testPlant(copy, check, runnable)));
    }
    return { ok: clean && tested.every(({ ok }) => ok), clean, checks: tested };
  });
}

/** The checks that can run on a plant's books, which may lack the merchant's files or a closed month. */
function checksFor({ merchantFiles, closes }: Plant, checks: readonly Check[]): readonly Check[] {
  return checks.filter((check) => {
    if (!needsOwnSide(check)) return true;
    return needsClose(check) ? closes !== undefined : merchantFiles !== undefined;
  });
}

/** Puts a check's plant into clean books. @returns the mismatches that the check finds there */
export function findPlanted(check: Check): Promise<readonly FoundMismatch[]> {
  return usingScratchLedger(async (ledger) => {
    await syncCleanNights(ledger);
    await applyPlant(ledger, check.plant);
    return (await runChecks(ledger, [check], settingsFor(check.plant))).mismatches;
  });
}

async function testPlant(ledger: Ledger, check: Check, checks: readonly Check[]): Promise<Tested> {
  await applyPlant(ledger, check.plant);
  const config = settingsFor(check.plant);
  const result = await runChecks(ledger, checks, config);
  // Money outside the month's invoices is no step from the courier's figure to ours.
  const isStep = check.plant.effects !== undefined && !check.outsideInvoices;
  if (!isStep) return judge(check, result, null);
  const otherChecks = checks.filter(({ code }) => code !== check.code);
  return judge(check, result, await runChecks(ledger, otherChecks, config));
}

async function applyPlant(ledger: Ledger, plant: Plant): Promise<void> {
  const { closes = [], night, nextNight, secondCourier, merchantFiles } = plant;
  const nights = [night, nextNight].filter((change) => change !== undefined);
  const books = cleanBooks();
  await closeMonths(ledger, closes, CLOSED_AT);
  for (const [index, change] of nights.entries()) {
    change(books);
    await syncNight(ledger, books, CLEAN_NIGHTS + index);
  }
  if (secondCourier) {
    const otherBooks = new PaperBooks();
    secondCourier(otherBooks);
    await syncNight({ ...ledger, db: ofCourier(ledger.db, OTHER.key) }, otherBooks, CLEAN_NIGHTS);
  }
  if (merchantFiles) {
    const files = cleanFiles(books);
    merchantFiles(files);
    await importOwnFiles(ledger, files, IMPORTED_AT);
  }
}

async function syncCleanNights(ledger: Ledger): Promise<void> {
  for (let night = 0; night < CLEAN_NIGHTS; night += 1) await syncNight(ledger, cleanBooks(), night);
}

/** When the first sync is made; each further one is a day later. */
const FIRST_NIGHT = new Date('2026-12-02T02:00:00Z');

async function syncNight(ledger: Ledger, books: CourierBooks, night: number): Promise<void> {
  const now = () => new Date(FIRST_NIGHT.getTime() + night * DAY);
  for (const id of books.messages.splice(0)) {
    const body = Buffer.from(JSON.stringify({ id, last_updated_at: now().toISOString() }));
    await keepMessages(ledger, [{ body, at: now(), source: 'self-test' }]);
  }
  await runSync({
    ledger,
    client: inMemoryClient(books, now),
    periods: MONTHS,
    orders: true,
    full: false,
    recheckHours: DEFAULTS.recheck_hours,
    recheckPaidDays: DEFAULTS.recheck_paid_days,
    timeZone: 'UTC',
    concurrency: 1,
    now,
    progress: silent,
  });
}

/** Closes the books' first months, in order. @throws LedgerError when one is refused: unclean books prove nothing */
async function closeMonths(ledger: Ledger, months: readonly string[], at: Date): Promise<void> {
  for (const [index, month] of months.entries()) {
    const request = { month, by: 'self-test', withOpen: null, first: index === 0 };
    const closed = await closeLedger(ledger, { config: CONFIG, now: () => at }, request);
    if (closed.status === 'closed') continue;
    throw new LedgerError(
      `the self-test cannot close ${month}: ${closed.reasons.map(({ why }) => why).join('; ')}`,
      'Report this with the version of remit.',
    );
  }
}

const CONFIG = {
  overdueDays: DEFAULTS.overdue_days,
  matchDays: DEFAULTS.match_days,
  timeZone: 'UTC',
  remittanceLagDays: DEFAULTS.remittance_lag_days,
  remittanceTolerance: DEFAULTS.remittance_tolerance,
  rateTolerance: DEFAULTS.rate_tolerance,
  referenceRule: DEFAULTS.reference_rule,
  returns: DEFAULTS.returns,
  receipts: { payers: [PAYER], accounts: [] },
  invoiceLagDays: DEFAULTS.invoice_lag_days,
  custodyDays: { driver: 2, company: 7, ready: 30 },
};

/** The other courier of the books, if a plant has one. */
const OTHER = { key: 'another', name: 'another', receipts: { payers: [], accounts: [] } };

function settingsFor({ secondCourier }: Plant): CheckSettings {
  return secondCourier ? { ...CONFIG, others: [OTHER] } : CONFIG;
}

function runChecks(ledger: Ledger, checks: readonly Check[], config: CheckSettings = CONFIG): Promise<CheckResult> {
  return checkLedger(ledger, { config, now: () => CHECKED_AT }, { periods: MONTHS, checks });
}

/** How many mismatches of a code there are, and their steps in the bridge. */
interface Count {
  readonly findings: number;
  readonly effects: readonly PlantedEffect[];
}

/** Whether a check found what was planted for it. */
export interface Tested {
  readonly code: string;
  /** What was planted. */
  readonly expected: Count;
  /** What the check found, and the codes of other checks that found something too. */
  readonly found: Count & { readonly others: readonly string[] };
  /** What the bridge could not explain with this check left out; null if its money is no step of the bridge. */
  readonly unexplained: readonly PlantedEffect[] | null;
  readonly ok: boolean;
}

/**
 * Compares what was planted for a check with what was found.
 *
 * @param result of every check
 * @param without the result with this check left out; null if its money is no step of the bridge
 */
function judge(
  { code, plant: { findings = 1, effects = [], alsoFoundBy = [], monthsUndecided = [] } }: Check,
  result: CheckResult,
  without: CheckResult | null,
): Tested {
  const ofCheck = result.mismatches.filter((mismatch) => mismatch.code === code);
  const others = [...new Set(result.mismatches.map((mismatch) => mismatch.code))].filter(
    (each) => each !== code && !alsoFoundBy.includes(each),
  );
  const found = { findings: ofCheck.length, effects: effectsOf(result.bridge, code), others };
  const unexplained = without && unexplainedOf(without.bridge);
  const isFound = ofCheck.length === findings && isSame(found.effects, effects);
  const isAlone = others.length === 0 && result.skipped.length === 0;
  // A month whose returns convention the plant leaves undecided has no figure of ours. In any other all is explained.
  const isExplained = result.bridge.every((line) =>
    monthsUndecided.includes(line.period) ? line.ours === null : line.ours !== null && line.unexplained === '0.00',
  );
  const isNeeded = unexplained === null || isSame(unexplained, effects);
  const ok = isFound && isAlone && isExplained && isNeeded;
  return { code, expected: { findings, effects }, found, unexplained, ok };
}

/** Whether nothing at all was found, and everything was checked. */
function isClean({ mismatches, skipped, incomplete, bridge }: CheckResult): boolean {
  const found = mismatches.length + skipped.length + incomplete.length;
  // An empty bridge would leave nothing unexplained, and prove nothing.
  return found === 0 && bridge.length > 0 && unexplainedOf(bridge).length === 0;
}

function effectsOf(bridge: readonly Bridge[], code: string): PlantedEffect[] {
  return bridge.flatMap(({ period, currency, steps, outside }) =>
    [...steps, ...outside].filter((step) => step.code === code).map(({ effect }) => ({ period, currency, effect })),
  );
}

/** What the bridge leaves unexplained; without a figure of ours, all of it. */
function unexplainedOf(bridge: readonly Bridge[]): PlantedEffect[] {
  return bridge
    .filter(({ unexplained }) => unexplained !== '0.00')
    .map(({ period, currency, unexplained }) => ({ period, currency, effect: unexplained ?? 'nothing of ours' }));
}

function isSame(found: readonly PlantedEffect[], planted: readonly PlantedEffect[]): boolean {
  const sorted = (effects: readonly PlantedEffect[]) =>
    JSON.stringify(effects.map(({ period, currency, effect }) => [period, currency, effect]).sort());
  return sorted(found) === sorted(planted);
}
