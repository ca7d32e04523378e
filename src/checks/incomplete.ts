import { dayIn, monthIn } from '../base/day.ts';
import { groupBy } from '../base/group.ts';
import { parsePeriod } from '../base/period.ts';
import type { Sentence } from '../base/sentence.ts';
import { compareText } from '../base/text.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import {
  type LackingDocument,
  type MonthWalk,
  readLackingDocuments,
  readLastWholeLooks,
  readUnfinishedSyncs,
  type UnfinishedSync,
} from '../ledger/queries/sync/walks.ts';
import { formatAmount, ZERO } from '../money/decimal.ts';
import { amountOfUnits } from '../money/units.ts';
import { notComparedRows } from './bridge/not-compared.ts';
import type { CheckContext, CheckSettings, NotComparable, Stake, UncomparedSentence } from './check.ts';
import { returnsOf } from './facts/returns/convention.ts';
import type { Sources } from './facts/sources.ts';
import { hasOnlySheets, type Lacking, withRemedy } from './requirement.ts';

/** Why the ledger may not hold all of a month. `why`: the message of the error at the time; null if it is not known. */
export type IncompleteSentence =
  | { id: 'month-never-synced' }
  | { id: 'month-without-sheet' }
  | { id: 'list-in-part'; why: string | null }
  | { id: 'detail-missing'; invoices: readonly string[] }
  | { id: 'detail-superseded'; invoices: readonly string[]; why: string | null }
  | { id: 'list-unreadable'; places: readonly string[]; why: string | null }
  | { id: 'sync-unfinished'; on: string; status: UnfinishedSync['status'] }
  /** `why`: the budget that was spent. */
  | { id: 'left-undone'; on: string; why: string }
  | { id: 'list-read-early'; on: string }
  | { id: 'order-book-in-part'; why: string | null }
  | { id: 'order-book-left'; on: string; why: string };

/** How much a check compared and found. */
export interface Coverage {
  readonly code: string;
  readonly compared: number;
  readonly not_comparable: number;
  readonly found: number;
  /** Why `not_comparable` of them could not be compared. */
  readonly reasons: readonly NotComparable[];
}

export type NotComparableSentence = {
  id: 'not-comparable';
  by: readonly { readonly code: string; readonly count: number }[];
  why: Sentence;
};

/** Why a month is not clean although nothing in it is wrong: records with money in them were compared with nothing. */
export type NotComparedSentence = {
  id: 'not-compared';
  what: Stake['what'];
  count: number;
  money: readonly { readonly currency: string; readonly amount: string }[];
  why: Sentence;
};

/** One reason why a month is incomplete: something was not fetched, or could not be compared. */
export interface Incomplete extends Lacking<IncompleteSentence | NotComparedSentence> {
  readonly period: string;
  /** True if only time is lacking: the month is not over, or was not when its list was last read. */
  readonly isEarly: boolean;
}

/**
 * Why each of some months may lack something: silence about them would read as 'all is well'.
 *
 * @param settings `kind`: how the courier's documents come
 */
export async function findIncomplete(
  db: LedgerReader,
  periods: readonly string[],
  sources: Sources,
  { kind = 'api', timeZone }: Pick<CheckSettings, 'kind' | 'timeZone'>,
): Promise<Incomplete[]> {
  const { months, book } = sources;
  const bySheets = kind === 'files' || hasOnlySheets(sources);
  const walks = new Map(months.map((walk) => [walk.period, walk]));
  const synced = periods.filter((period) => walks.has(period));
  const lacking = groupBy(await readLackingDocuments(db, synced), ({ period }) => period);
  const unfinished = synced.length === 0 ? [] : await readUnfinishedSyncs(db);
  const lastLooks = await readLastWholeLooks(db, synced);
  const lookedAt = new Map(lastLooks.map(({ period, started_at }) => [period, started_at]));
  return periods.flatMap((period) => {
    const walk = walks.get(period);
    const commands = [(walk?.isOfSheet ?? bySheets) ? 'remit import settlement FILE' : `remit sync ${period}`];
    const ofMonth = [
      ...listReasons(walk, bySheets),
      ...documentReasons(lacking.get(period) ?? []),
      ...syncReasons(walk, unfinished, timeZone),
    ];
    const ofOrderBook = walk ? bookReasons(book, unfinished, timeZone) : [];
    const early = earlyLook(period, lookedAt.get(period), timeZone);
    return [
      ...ofMonth.map((why) => ({ period, why, commands, isEarly: false })),
      ...ofOrderBook.map((reason) => ({ period, ...reason, isEarly: false })),
      ...early.map((why) => ({ period, why, commands, isEarly: true })),
    ];
  });
}

function listReasons(walk: MonthWalk | undefined, bySheets: boolean): IncompleteSentence[] {
  if (!walk) return [{ id: bySheets ? 'month-without-sheet' : 'month-never-synced' }];
  return walk.isComplete ? [] : [{ id: 'list-in-part', why: walk.why }];
}

/**
 * Details that were never read (`missing`) or whose newer form could not be (`superseded`), and rows of lists that
 * cannot be read. The reason is said only of one document alone.
 */
function documentReasons(documents: readonly LackingDocument[]): IncompleteSentence[] {
  return [...groupBy(documents, ({ what }) => what)].map(([what, alike]): IncompleteSentence => {
    const subjects = alike.map(({ subject }) => subject);
    const why = alike.length === 1 && alike[0]!.why !== '' ? alike[0]!.why : null;
    if (what === 'missing') return { id: 'detail-missing', invoices: subjects };
    if (what === 'superseded') return { id: 'detail-superseded', invoices: subjects, why };
    return { id: 'list-unreadable', places: subjects, why };
  });
}

/** The last sync of the month, if it did not read the month's list to its end. */
function syncReasons(
  walk: MonthWalk | undefined,
  unfinished: readonly UnfinishedSync[],
  timeZone: string,
): IncompleteSentence[] {
  if (!walk) return [];
  // What the sync left undone of the month, because its budget of requests was spent.
  const leftOf = ({ left }: UnfinishedSync) => left.find(({ period }) => period === walk.period);
  // A later sync that did not get to this list, or the sync that read the list and left something of the month.
  const run = unfinished.find(
    (sync) => (sync.id > walk.run_id && covers(sync.period, walk.period)) || (sync.id === walk.run_id && leftOf(sync)),
  );
  if (!run) return [];
  const on = dayIn(run.started_at, timeZone);
  const left = leftOf(run);
  if (left) return [{ id: 'left-undone', on, why: left.why }];
  // A sync that its budget of requests stopped names the months that it left: this month is not one of them.
  return run.left.length > 0 ? [] : [{ id: 'sync-unfinished', on, status: run.status }];
}

/** The last read of the order book, if it was in part: every month's figures rest on it. */
function bookReasons(
  { last, lastRun }: Sources['book'],
  unfinished: readonly UnfinishedSync[],
  timeZone: string,
): Lacking<IncompleteSentence>[] {
  const commands = ['remit sync --orders'];
  if (last !== null && !last.isWhole) return [{ why: { id: 'order-book-in-part', why: last.why }, commands }];
  // `period` is null for the order book. A later look at it made good what an earlier sync left.
  const run = unfinished.find(({ left }) => left.some(({ period }) => period === null));
  if (!run || run.id < lastRun) return [];
  const { why } = run.left.find(({ period }) => period === null)!;
  return [{ why: { id: 'order-book-left', on: dayIn(run.started_at, timeZone), why }, commands }];
}

/** Whether a sync was about a month. @param periods such as `2026-10, 2026-Q4`; null or unreadable means every month */
function covers(periods: string | null, month: string): boolean {
  if (periods === null) return true;
  return periods.split(/,\s*/).some((period) => {
    try {
      return parsePeriod(period, new Date(0), 'UTC').includes(month);
    } catch {
      return true;
    }
  });
}

/** A month's list that was last read whole (`at`) before the month ended may have grown since. */
function earlyLook(period: string, at: string | undefined, timeZone: string): IncompleteSentence[] {
  if (at === undefined || monthIn(at, timeZone) > period) return [];
  return [{ id: 'list-read-early', on: dayIn(at, timeZone) }];
}

/** Money that was compared with nothing, and what was lacking. */
type LackingStake = Stake & { readonly lacking: Lacking };

/**
 * The reasons why the months are not clean although nothing in them is wrong: money that the checks could not compare,
 * one entry per month and reason. Some of it comes only after the month has ended, such as the bank's next statement:
 * until then the entry is early (`isEarly`), and nobody is at fault.
 *
 * @param notComparable what each check could not compare
 */
export async function findNotCompared(context: CheckContext, notComparable: readonly NotComparable[]) {
  const stakes = [
    ...(await rowsAtStake(context)),
    ...(await returnsAtStake(context)),
    ...notComparable.flatMap(({ why, commands = [], stakes: uncompared = [] }) =>
      uncompared.map((stake) => ({ ...stake, lacking: { why, commands } })),
    ),
  ];
  const currentMonth = monthIn(context.now, context.settings.timeZone);
  return context.periods.flatMap((period) => {
    const ofMonth = stakes.filter((stake) => stake.period === period && !stake.amount.isZero());
    const byReason = groupBy(ofMonth, ({ what, lacking, comesLater }) => JSON.stringify([what, lacking, comesLater]));
    return [...byReason.values()].map((alike) => {
      const { what, lacking, comesLater } = alike[0]!;
      const count = new Set(alike.map(({ subject }) => subject)).size;
      const why: NotComparedSentence = { id: 'not-compared', what, count, money: moneyOf(alike), why: lacking.why };
      return { period, why, commands: lacking.commands, isEarly: comesLater === true && period >= currentMonth };
    });
  });
}

/** The invoices' rows that the bridge has as its step `not-compared`. */
async function rowsAtStake(context: CheckContext): Promise<LackingStake[]> {
  const rows = await notComparedRows(context);
  return rows.map(({ row, period, currency, amount, lacking }) => {
    return { period, currency, amount, lacking, what: 'row', subject: row };
  });
}

/** The money of RETURN rows on invoices whose convention for returns nobody knows. */
async function returnsAtStake(context: CheckContext): Promise<LackingStake[]> {
  const lacking: Lacking<UncomparedSentence> = { why: { id: 'returns-convention-unknown' }, commands: [] };
  const { uncompared } = await returnsOf(context);
  const live = uncompared.filter(({ vanished_at }) => vanished_at === null);
  return live.flatMap(({ number, period, lines }) =>
    lines.map(({ currency, returned: { cod, delivery_fee } }) => {
      const amount = amountOfUnits(cod).abs().plus(amountOfUnits(delivery_fee).abs());
      return { period, currency, what: 'invoice', subject: String(number), lacking, amount };
    }),
  );
}

function moneyOf(stakes: readonly Stake[]): NotComparedSentence['money'] {
  return [...groupBy(stakes, ({ currency }) => currency)]
    .map(([currency, inCurrency]) => {
      const sum = inCurrency.reduce((total, { amount }) => total.plus(amount), ZERO);
      return { currency, amount: formatAmount(sum) };
    })
    .sort((a, b) => compareText(a.currency, b.currency));
}

/** The reasons why records could not be compared, each once, with the number of records that each check gave it for. */
export function uncomparedIn(coverage: readonly Coverage[]): NotComparableSentence[] {
  const byReason = new Map<string, NotComparableSentence>();
  for (const { code, reasons } of coverage) {
    for (const { commands = [], count, ...reason } of reasons) {
      const why = withRemedy({ ...reason, commands });
      const key = JSON.stringify(why);
      byReason.set(key, { id: 'not-comparable', why, by: [...(byReason.get(key)?.by ?? []), { code, count }] });
    }
  }
  return [...byReason.values()];
}
