import { requireSaneClock } from '../base/period.ts';
import { CHECKS } from '../checks/catalogue/index.ts';
import type { Check, CheckSettings, SharedFacts } from '../checks/check.ts';
import { readMonthsToCheck } from '../checks/facts/months.ts';
import { needsOwnSide } from '../checks/requirement.ts';
import { type RunResult, runChecks } from '../checks/run.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import {
  appendEvidence,
  courierOf,
  type ImportedKind,
  type Ledger,
  ofCourier,
  readHead,
  SOLE_COURIER,
  sealBody,
  usingTransaction,
  wholeLedger,
} from '../ledger/index.ts';
import { readCouriers } from '../ledger/queries/couriers.ts';
import { readLastChange } from '../ledger/queries/findings/history.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/snapshot.ts';
import type { FindingsDelta, FoundRecord } from '../ledger/write/mismatches.ts';
import { say } from '../words/index.ts';
import { type CheckResult, resultOf } from './check-result.ts';
import { monthsOf } from './couriers.ts';
import { matchWhatIsNew } from './match/run.ts';
import { recordEvidence } from './record.ts';

/** Whether a check needs your own files or a close: without them it is skipped, which is no fault of a sync. */
export function needsFilesOrClose(code: string): boolean {
  return CHECKS.some((check) => check.code === code && needsOwnSide(check));
}

/** Every check, in the order of the catalogue: its code, and in a sentence what it expects. */
export function listChecks(): readonly { readonly code: string; readonly title: string }[] {
  return CHECKS.map(({ code, title }) => ({ code, title: title.en }));
}

export interface CheckRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** Whether these are all months of the books; true where `periods` is null. */
  readonly isWhole?: boolean | undefined;
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[] | undefined;
  /**
   * The instant whose knowledge is checked, with today's checks; null or absent for now. Nothing of a past check is
   * kept.
   */
  readonly asOf?: Date | null | undefined;
  /** The catalogue; every check of remit when absent. */
  readonly checks?: readonly Check[] | undefined;
  /** The kind of the import that was just taken back: mismatches that only it showed are resolved with that reason. */
  readonly undone?: ImportedKind | undefined;
}

export interface CheckedMonth {
  readonly result: CheckResult;
  /**
   * What the checks read of it; null where several months were checked, because what they read would all be held at
   * once.
   */
  readonly facts: SharedFacts | null;
}

/** Runs the checks on months of a snapshot: nothing is matched before, and nothing is stored. */
export function lookAtMonths(db: LedgerReader, { config, now }: Surroundings, periods: readonly string[]) {
  return runChecks(db, { periods, settings: config, now: now() });
}

/** Checks one month in a snapshot: the result as it is printed, and what the checks read. */
export async function checkWithoutStoring(
  db: LedgerReader,
  surroundings: Surroundings,
  month: string,
): Promise<CheckedMonth> {
  const run = await lookAtMonths(db, surroundings, [month]);
  const about = { periods: [month], period: month, isWhole: false, courier: await nameOf(db) };
  return { result: resultOf(run, about, await readNumberTexts(db)), facts: run.facts };
}

/**
 * If another check or a decision comes between reading and storing, everything is read again; at the last try it is
 * stored all the same.
 */
const MOST_TRIES = 5;

/** How often months are checked again when others write meanwhile. */
const SNAPSHOT_TRIES = 3;

export interface Surroundings {
  readonly config: CheckSettings;
  readonly now: () => Date;
}

/** Checks one courier's months in an open ledger, and stores what is found. */
export async function checkLedger(
  ledger: Ledger,
  surroundings: Surroundings,
  request: CheckRequest,
): Promise<CheckResult> {
  return (await checkAndStore(ledger, surroundings, request)).result;
}

/**
 * Matches what is new, checks, and stores the findings; if a check or decision came between, it checks again. Every use
 * case that stores findings does it through this function.
 *
 * @returns what it found and read; the head of the chain `before` it looked; and the head `after` its findings were
 * stored, which is null where others wrote while it looked
 */
async function checkAndStore(
  ledger: Ledger,
  { config, now }: Surroundings,
  { periods: requested, isWhole = requested === null, only = [], checks, undone }: CheckRequest,
) {
  // Ages are computed from the clock, and findings are kept.
  requireSaneClock(now());
  await matchWhatIsNew(ledger, { config, now });
  const { periods, period } = await monthsOf(ledger, config, requested, (db) =>
    readMonthsToCheck(db, config.timeZone, now()),
  );
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const { run, since, before, texts, name } = await usingSnapshot(ledger, async (db) => ({
      before: await readHead(db),
      texts: await readNumberTexts(db),
      name: await nameOf(db),
      since: await readLastChange(db),
      run: await runChecks(db, { periods, settings: config, now: at, only, checks, undone }),
    }));
    const isLast = attempt >= MOST_TRIES;
    const stored = await storeChanges(ledger, run, at, isLast ? null : since);
    if (!stored) continue;
    const after = stored.before === before ? stored.after : null;
    const result = resultOf(run, { periods, period, isWhole, courier: name }, texts);
    return { result, facts: run.facts, before, after };
  }
}

/**
 * Checks months, and lends a snapshot of the ledger in the state that was checked. If others write meanwhile, the
 * months are checked again; if they do not stop writing, such as a sync, the months are checked in the snapshot itself.
 *
 * @param use is given what was found in each month
 */
export function usingChecked<T>(
  ledger: Ledger,
  surroundings: Surroundings,
  months: readonly string[],
  use: (db: LedgerReader, checked: ReadonlyMap<string, CheckedMonth>) => Promise<T>,
): Promise<T> {
  return usingAllChecked(ledger, [{ ledger, surroundings }], months, (db, [checked]) => use(db, checked!));
}

interface CourierToCheck {
  readonly ledger: Ledger;
  readonly surroundings: Surroundings;
}

/**
 * Does what {@link usingChecked} does for several couriers: `use` sees one state of the ledger, in which each was
 * checked.
 */
export async function usingAllChecked<T>(
  ledger: Ledger,
  couriers: readonly CourierToCheck[],
  months: readonly string[],
  use: (db: LedgerReader, checked: readonly ReadonlyMap<string, CheckedMonth>[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const { checked: stored, head } = await checkTogether(couriers, months);
    const isLast = attempt >= SNAPSHOT_TRIES;
    const done = await usingSnapshot(ledger, async (db) => {
      const isAsChecked = head !== null && (await readHead(db)) === head;
      if (isAsChecked) return { value: await use(db, stored) };
      // Others wrote since: null makes the months be checked again.
      if (!isLast) return null;
      const checked = await checkEach(couriers, months, (courier, month) => {
        const key = courierOf(courier.ledger.db);
        return checkWithoutStoring(key === null ? db : ofCourier(db, key), courier.surroundings, month);
      });
      return { value: await use(db, checked) };
    });
    if (done) return done.value;
  }
}

/**
 * Checks each month of each courier, and stores the findings.
 *
 * @returns `checked`: what was found, by courier and month; `head`: the head of the chain after the last check; null if
 * others wrote meanwhile, so that the findings are not all of one state, or if nothing was checked
 */
export async function checkTogether(couriers: readonly CourierToCheck[], months: readonly string[]) {
  let head = null as string | null;
  let isOneState = true;
  const checked = await checkEach(couriers, months, async (courier, month) => {
    const request = { periods: [month] };
    const { before, after, ...found } = await checkAndStore(courier.ledger, courier.surroundings, request);
    if (after === null || (head !== null && before !== head)) isOneState = false;
    head = after;
    return found;
  });
  return { checked, head: isOneState ? head : null };
}

/** Checks each month of each courier, one after the other. @returns what was found, by courier and month */
async function checkEach(
  couriers: readonly CourierToCheck[],
  months: readonly string[],
  check: (courier: CourierToCheck, month: string) => Promise<CheckedMonth>,
): Promise<ReadonlyMap<string, CheckedMonth>[]> {
  const keepsFacts = couriers.length * months.length === 1;
  const checked: Map<string, CheckedMonth>[] = [];
  for (const courier of couriers) {
    const checkedMonths = new Map<string, CheckedMonth>();
    checked.push(checkedMonths);
    for (const month of months) {
      const { result, facts } = await check(courier, month);
      checkedMonths.set(month, { result, facts: keepsFacts ? facts : null });
    }
  }
  return checked;
}

/** The name of the courier to which the handle is narrowed. */
async function nameOf(db: LedgerReader): Promise<string> {
  const key = courierOf(db) ?? SOLE_COURIER;
  return (await readCouriers(wholeLedger(db))).find((courier) => courier.key === key)?.name ?? key;
}

/** How many mismatches one document of findings holds: a first check of bad books may have many. */
const MOST_IN_DOCUMENT = 5_000;

/**
 * Puts on record that the checks were run, and what they changed: evidence first, and the rows derived from it.
 *
 * @param since the last change of mismatches that the findings are based on; null to store them even if others came
 * since
 * @returns the heads of the chain before and after; null, and nothing stored, if another check or a decision came
 * between
 */
async function storeChanges(
  ledger: Ledger,
  { period, periods, codes, changes, incomplete, skipped, returns: { adopts } }: RunResult,
  at: Date,
  since: number | null,
) {
  const documents = splitIntoDocuments(withMessages(changes));
  const bodies = await Promise.all(documents.map((delta) => sealBody(Buffer.from(JSON.stringify(delta)))));
  return usingTransaction(ledger, async (trx) => {
    const data = {
      periods,
      codes,
      opened: changes.opened.length,
      reopened: changes.reopened.length,
      resolved: changes.resolved.length,
      incomplete: incomplete.length,
      skipped: skipped.length,
    };
    // First, so that nobody else appends now, and the newest is read.
    await holdHead(trx);
    if (since !== null && (await readLastChange(trx)) !== since) return null;
    const before = await readHead(trx);
    let { chain: after } = await appendEvidence(trx, { at, kind: 'check', subject: period, data });
    // How the courier's invoices show RETURN orders: from now on that is on record.
    if (adopts) {
      const adopted = { at, kind: 'returns-adopted', subject: 'returns', data: { ...adopts } } as const;
      after = (await recordEvidence(trx, adopted)).chain;
    }
    for (const body of bodies) {
      after = (await recordEvidence(trx, { at, kind: 'findings', subject: period, body })).chain;
    }
    return { before, after };
  });
}

/** Adds each mismatch's sentence in English to its id and parameters. */
function withMessages(delta: FindingsDelta<FoundRecord>): FindingsDelta {
  const worded = <R extends FoundRecord>(records: readonly R[]) =>
    records.map((record) => ({ ...record, message: say(JSON.parse(record.sentence)) }));
  const { opened, reopened, updated } = delta;
  return { ...delta, opened: worded(opened), reopened: worded(reopened), updated: worded(updated) };
}

/** Divides what changed, by id, into documents of bounded size; where nothing changed there is none. */
function splitIntoDocuments(delta: FindingsDelta): FindingsDelta[] {
  const { replaced = [] } = delta;
  // Sorted, so that the evidence does not depend on the order of a database's rows.
  const sorted: FindingsDelta = {
    opened: byId(delta.opened),
    reopened: byId(delta.reopened),
    updated: byId(delta.updated),
    resolved: byId(delta.resolved),
    ...(replaced.length > 0 && { replaced: byId(replaced) }),
  };
  const size = Object.values(sorted).reduce((sum, items) => sum + items.length, 0);
  if (size === 0) return [];
  if (size <= MOST_IN_DOCUMENT) return [sorted];
  const deltas: FindingsDelta[] = [];
  const none: FindingsDelta = { opened: [], reopened: [], updated: [], resolved: [] };
  for (const [name, items] of Object.entries(sorted)) {
    for (let from = 0; from < items.length; from += MOST_IN_DOCUMENT) {
      deltas.push({ ...none, [name]: items.slice(from, from + MOST_IN_DOCUMENT) });
    }
  }
  return deltas;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}
