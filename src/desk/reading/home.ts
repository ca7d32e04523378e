import { setTimeout as delay } from 'node:timers/promises';
import { listApprovals } from '../../app/approvals/list.ts';
import type { Books } from '../../app/books.ts';
import { type BooksProof, checkBooksWithoutStoring } from '../../app/check-books.ts';
import { checkJson } from '../../app/check-result.ts';
import { readCloseConditions } from '../../app/close/objections.ts';
import { readCourierCash } from '../../app/custody.ts';
import { type MonthOfBooks, readBooksState } from '../../app/desk/books-state.ts';
import { listViews } from '../../app/desk/views.ts';
import { countUnclaimed } from '../../app/disputes/plan.ts';
import { readMonthSteps } from '../../app/header-from-rows.ts';
import { listReports } from '../../app/report.ts';
import type { FiguresRequest, FiguresTables, PageRequest } from '../desk.ts';
import { booksOfCourier, requireMonth } from './address.ts';
import { readDeskTable } from './read-table.ts';

/** How long the first page waits for the checks; for large books not at all. It shows their result once it is there. */
const PATIENCE_MS = 500;

/** If the checks fail: no month is ready, and each is shown as not proven, because `unexplained` does not name it. */
const NOT_PROVEN: BooksProof = { unexplained: [], lacking: [] };

/** A month is `ready` if only its close is left to do, and `waiting` if a second person has to approve its close. */
type MonthState = 'open' | 'ready' | 'waiting' | 'closed';

/** The model of the first page: the months by currency, and the state of each. */
export async function readHome({ desk, seen, path, query, everyRow }: PageRequest) {
  const { books } = desk;
  const { courier: name } = books.config;
  const { totals, balance, ageing, cash } = await desk.figures(
    { path, search: query.toString(), months: null, everyRow },
    seen,
  );
  const proving = desk.proof(seen).catch(() => NOT_PROVEN);
  const booksState = await readBooksState(books);
  const approvals = (await listApprovals(books)).filter(({ status }) => status === 'waiting');
  // Null if the checks take longer.
  const proof = await Promise.race([proving, delay(seen.isLarge ? 1 : PATIENCE_MS, null, { ref: false })]);
  const monthsWaiting = approvals.flatMap((approval) => (approval.what === 'close' ? [approval.request.month] : []));
  const ready = proof === null || proof === NOT_PROVEN ? null : await desk.readyToClose(proof.lacking, seen);
  const stateOf = ({ closed, period }: MonthOfBooks): MonthState | null => {
    if (closed) return 'closed';
    if (monthsWaiting.includes(period)) return 'waiting';
    if (proof === null) return null;
    return period === ready ? 'ready' : 'open';
  };
  return {
    table: totals,
    ...booksState,
    months: booksState.months.map((month) => ({ ...month, state: stateOf(month) })),
    balance,
    cash,
    ageing,
    /** What the checks cannot explain, by month and currency; null, like the state of a month, while it is computed. */
    unexplained: proof?.unexplained.filter(({ courier }) => name === null || courier === name) ?? null,
    /** How many decisions wait for a second person. */
    waiting: approvals.length,
    views: await listViews(books),
  };
}

const MOST_CAUSES = 20;

/** The model of a month's page: its bridge, what to do next, and whether it can be closed. */
export async function readMonth({ desk, parameters, path, query, wholeLists }: PageRequest) {
  const { books } = desk;
  const month = requireMonth(parameters.month);
  const { totals, balance } = await readFigures(books, { path, search: '', months: [month], everyRow: true });
  const result = await checkBooksWithoutStoring(books, [month]);
  const check = checkJson(result);
  const { lacking, skipped, incomplete, causes } = result.reasons;
  const { months } = await readBooksState(books);
  const shownCheck: typeof check = wholeLists
    ? check
    : { ...check, mismatches: [], groups: check.groups.slice(0, MOST_CAUSES) };
  return {
    ...shownCheck,
    /** The sentences in the lists of the check, not yet in words. */
    reasons: { skipped, incomplete, causes: wholeLists ? causes : causes.slice(0, MOST_CAUSES) },
    /** Null if the books hold no such month. */
    standing: months.find(({ period }) => period === month) ?? null,
    /** How many findings are about receipts without an invoice. */
    unmatched: check.groups
      .filter(({ code }) => code.startsWith('receipt-'))
      .reduce((sum, { count }) => sum + count, 0),
    unclaimed: await countUnclaimed(books, month),
    previous: months.findLast(({ period }) => period < month)?.period ?? null,
    next: months.find(({ period }) => period > month)?.period ?? null,
    header_from_rows: await readMonthSteps(books, month, totals.rows),
    totals,
    balance,
    /** Why the month cannot be closed; empty if it can. */
    refusals: await readCloseConditions(books, month, lacking, query.has('first')),
    reports: listReports(),
  };
}

/** The months' totals by currency, what moved the balance, its ages, and for all months where the cash is today. */
export async function readFigures(
  books: Books,
  { path, search, months, everyRow }: FiguresRequest,
): Promise<FiguresTables> {
  const query = new URLSearchParams(search);
  const request = { books: booksOfCourier(books, query.get('courier')), path, periods: months };
  const noFilter = new URLSearchParams();
  const ageing = await readDeskTable({ ...request, report: 'ageing', query: noFilter, everyRow: true });
  return {
    totals: await readDeskTable({ ...request, report: 'totals', query, everyRow }),
    balance: await readDeskTable({ ...request, report: 'roll-forward', query: noFilter, everyRow: true }),
    // The ages are in the totals. Of the rows the page needs only receipts that no invoice explains: they have no age.
    ageing: { ...ageing, rows: ageing.rows.filter(({ bucket }) => bucket === 'unallocated') },
    cash: months === null ? await readCourierCash(request.books) : [],
  };
}
