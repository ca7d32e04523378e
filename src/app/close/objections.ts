import { controlMonth } from '../../../reports/journal/build.ts';
import { dayIn, monthIn } from '../../base/day.ts';
import { LedgerError } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { addMonths } from '../../base/period.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { readSources, type Sources } from '../../checks/facts/sources.ts';
import type { Incomplete } from '../../checks/incomplete.ts';
import {
  asksForOrderBook,
  asksForSecondLook,
  hasOnlySheets,
  type Requirement,
  unmetOf,
  withRemedy,
} from '../../checks/requirement.ts';
import { readAgain } from '../../derive/imports.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { type LedgerTransaction, readBody } from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { findMismatchesBy, type Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { readImports, readTariffScope } from '../../ledger/queries/imports.ts';
import { closeError } from '../../words/errors/close.ts';
import { explained, say } from '../../words/index.ts';
import { type Books, readBooks } from '../books.ts';
import type { LackingMonth } from '../check-result.ts';
import { readEachCourier } from '../each-courier.ts';
import { Objection } from './objection.ts';

/** Reasons against closing a month that come from the order of the closes. */
export async function refuseByOrder(
  db: LedgerTransaction,
  { month, first, now, timeZone }: { month: string; first: boolean; now: Date; timeZone: string },
): Promise<Objection[]> {
  const refusals: Objection[] = [];
  if (month >= monthIn(now, timeZone)) {
    const next = addMonths(month, 1);
    refusals.push(new Objection('not-ended', closeError({ id: 'not-ended', month, next, zone: timeZone })));
  }
  const closes = await readClosesInForce(db);
  const monthClose = closes.find(({ period }) => period === month);
  if (monthClose) {
    const on = dayIn(monthClose.at, timeZone);
    const explanation = closeError({ id: 'already-closed', month, by: monthClose.actor, on });
    return [...refusals, new Objection('already-closed', explanation)];
  }
  const later = closes.filter(({ period }) => period > month);
  if (later.length > 0) refusals.push(laterClosed(month, later.at(-1)!.period));
  const earlier = closes.filter(({ period }) => period < month);
  const before = addMonths(month, -1);
  if (first && earlier.length > 0) {
    refusals.push(new Objection('not-first', closeError({ id: 'not-first', month, closed: earlier.at(-1)!.period })));
  }
  if (!first && !earlier.some(({ period }) => period === before)) {
    const mayBeFirst = earlier.length === 0 && later.length === 0;
    refusals.push(
      new Objection('month-before-open', closeError({ id: 'month-before-open', month, before, mayBeFirst })),
    );
  }
  return refusals;
}

/**
 * The reason against closing or opening a month while a later one is closed: the later month begins with the balance
 * with which this one ends.
 */
export function laterClosed(month: string, later: string): Objection {
  return new Objection('later-month-closed', closeError({ id: 'later-month-closed', month, later }));
}

/**
 * Reasons against closing a month that are in its books: data that is missing or was not compared, checks that could
 * not run, and errors that nobody has decided about.
 *
 * @param incomplete why the month is incomplete, as the check found it
 */
export async function refuseByBooks(db: LedgerTransaction, month: string, incomplete: readonly Incomplete[]) {
  const mismatches = await findMismatchesBy(db, { periods: [month] });
  const openErrors = mismatches.filter(({ severity, status }) => severity === 'error' && status === 'open');
  const sources = await readSources(db);
  const unfinished = incomplete.map(({ why, commands }) => {
    return new Objection('incomplete', closeError({ id: 'incomplete', month, why: explained(why), commands }));
  });
  const notChecked = await readNotChecked(db, sources);
  const needed = notChecked.filter((check) => check.isNeeded);
  const alike = groupBy(needed, ({ lacking }) => JSON.stringify(lacking));
  const skipped = [...alike.values()].map((checksAlike) => {
    const { why, commands } = checksAlike[0]!.lacking;
    const checks = checksAlike.map(({ code }) => code);
    return new Objection('not-checked', closeError({ id: 'not-checked', checks, why: explained(why), commands }));
  });
  const codesAndWhy = notChecked.map(({ code, lacking }) => ({ code, why: say(withRemedy(lacking)) }));
  const objections = [...unfinished, ...skipped, ...refuseByErrors(month, openErrors)];
  return { objections, notChecked: codesAndWhy, mismatches, openErrors };
}

function refuseByErrors(month: string, open: readonly Mismatch[]): Objection[] {
  if (open.length === 0) return [];
  const codes = [...new Set(open.map(({ code }) => code))];
  const counts = codes.map((code) => `${code} (${open.filter((one) => one.code === code).length})`);
  return [new Objection('errors-open', closeError({ id: 'errors-open', month, count: open.length, codes: counts }))];
}

/** The checks that cannot run, and whether the month's books need them; without checks of webhooks that never came. */
async function readNotChecked(db: LedgerTransaction, sources: Sources) {
  const takenBack = await readKindsTakenBack(db);
  return CHECKS.flatMap((check) => {
    const unmet = unmetOf(check, sources);
    if (!unmet || (check.needsWebhooks && !sources.hasWebhooks)) return [];
    const { requirement, ...lacking } = unmet;
    return [{ code: check.code, lacking, isNeeded: isNeeded(requirement, sources, takenBack) }];
  });
}

/** Whether the month's books need something that they lack. */
function isNeeded(requirement: Requirement, sources: Sources, takenBack: ReadonlySet<string>): boolean {
  // Files of a kind that was never imported are not missed, but those whose import was undone are.
  if (requirement.file !== undefined) return takenBack.has(requirement.file);
  // Where there was one look there is nothing to compare, and a courier that sends sheets has no order book.
  return !asksForSecondLook(requirement) && !(asksForOrderBook(requirement) && hasOnlySheets(sources));
}

/** The kinds of files whose import was undone; rate cards only if the courier had a price in one. */
async function readKindsTakenBack(db: LedgerTransaction): Promise<ReadonlySet<string>> {
  const linesOfCourier = await readTariffScope(db);
  const kinds = new Set<string>();
  for (const { id, kind, undone_at, sha256, source, column_map } of await readImports(db)) {
    if (undone_at === null || kinds.has(kind)) continue;
    if (kind === 'tariff') {
      const map = column_map === null ? null : (JSON.parse(column_map) as ColumnMap);
      const read = await readAgain(kind, await readBody(db, sha256), source, { map });
      const rows = read.kind === kind ? read.file.rows : [];
      const lines = rows.map((row) => ({ of_courier: row.courier, evidence_id: id }));
      if (linesOfCourier(lines).length === 0) continue;
    }
    kinds.add(kind);
  }
  return kinds;
}

/**
 * Reads what speaks against closing a month, without checking it again.
 *
 * @param first whether the books begin with it
 */
export async function readCloseConditions(
  books: Books,
  month: string,
  lacking: readonly LackingMonth[],
  first: boolean,
): Promise<readonly Objection[]> {
  const { timeZone } = books.config;
  const againstSequence = await readBooks(books, { allCouriers: true }, (db) =>
    refuseByOrder(db, { month, first, now: books.now(), timeZone }),
  );
  const byCourier = await readEachCourier(books, {}, async (db, { name, config }) => {
    // Where there is one courier, a lacking month need not name it.
    const lackingOfCourier = lacking.filter(({ courier = name }) => courier === name);
    const { objections } = await refuseByBooks(db, month, lackingOfCourier);
    return [...objections, ...(await refuseUnproven(db, config, month))];
  });
  const againstBooks = byCourier.flatMap(({ courier, value }) =>
    byCourier.length === 1 ? value : value.map((reason) => reason.inBooksOf(courier)),
  );
  return [...againstSequence, ...againstBooks];
}

/**
 * In books with a base currency: refuses a month whose journal lacks a rate to it, or whose balance is not one figure.
 * Without one the balance is proven when the month is closed.
 */
async function refuseUnproven(db: LedgerTransaction, config: Books['config'], month: string): Promise<Objection[]> {
  if (!config.accounting.baseCurrency) return [];
  try {
    await controlMonth(db, config, month);
    return [];
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return [new Objection('not-proven', error.explanation)];
  }
}
