import { setTimeout as delay } from 'node:timers/promises';
import { listApprovals } from '../../app/approvals/list.ts';
import type { Books } from '../../app/books.ts';
import { readCloseConditions } from '../../app/close/objections.ts';
import { readCourierCash } from '../../app/custody.ts';
import { readBooksState } from '../../app/desk/books-state.ts';
import { type BooksProof, proveBooks } from '../../app/desk/proof.ts';
import { listViews } from '../../app/desk/views.ts';
import { countUnclaimed } from '../../app/disputes/plan.ts';
import { readMonthSteps } from '../../app/header-from-rows.ts';
import { listReports } from '../../app/report.ts';
import type { FiguresRequest, FiguresTables, PageRequest } from '../desk.ts';
import type { HomeModel, MonthModel } from '../models.ts';
import { booksOfCourier, requireMonth } from './address.ts';
import { readDeskTable } from './read-table.ts';

/** How long the first page waits for the checks; for large books not at all. It shows their result once it is there. */
const PATIENCE_MS = 500;

/** Where the checks fail, the page shows their figures as not proven, and no month as ready to be closed. */
const NOT_PROVEN: BooksProof = { unexplained: [], lacking: [] };

/** The model of the first page: the months by currency, and the state of each. */
export async function readHome({ desk, seen, path, query, everyRow }: PageRequest): Promise<HomeModel> {
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
  return {
    table: totals,
    ...booksState,
    months: booksState.months.map((month) => {
      if (month.closed) return { ...month, state: 'closed' };
      if (monthsWaiting.includes(month.period)) return { ...month, state: 'waiting' };
      if (proof === null) return { ...month, state: null };
      return { ...month, state: month.period === ready ? 'ready' : 'open' };
    }),
    balance,
    cash,
    ageing,
    unexplained: proof?.unexplained.filter(({ courier }) => name === null || courier === name) ?? null,
    waiting: approvals.length,
    views: await listViews(books),
  };
}

/** The most causes on a month's page: what to do first. */
const MOST_CAUSES = 20;

/** The model of a month's page: its bridge, what to do next, and whether it can be closed. */
export async function readMonth({ desk, parameters, path, query, wholeLists }: PageRequest): Promise<MonthModel> {
  const { books } = desk;
  const month = requireMonth(parameters.month);
  const { totals, balance } = await readFigures(books, { path, search: '', months: [month], everyRow: true });
  const { check, reasons } = await proveBooks(books, [month]);
  const { lacking, skipped, incomplete, causes } = reasons;
  const { months } = await readBooksState(books);
  return {
    ...(wholeLists ? check : { ...check, mismatches: [], groups: check.groups.slice(0, MOST_CAUSES) }),
    reasons: { skipped, incomplete, causes: wholeLists ? causes : causes.slice(0, MOST_CAUSES) },
    standing: months.find(({ period }) => period === month) ?? null,
    unmatched: check.groups
      .filter(({ code }) => code.startsWith('receipt-'))
      .reduce((sum, { count }) => sum + count, 0),
    unclaimed: await countUnclaimed(books, month),
    previous: months.findLast(({ period }) => period < month)?.period ?? null,
    next: months.find(({ period }) => period > month)?.period ?? null,
    header_from_rows: await readMonthSteps(books, month, totals.rows),
    totals,
    balance,
    refusals: await readCloseConditions(books, month, lacking, query.has('first')),
    reports: listReports(),
  };
}

/** The months' totals by currency, what moved the balance, and its age; for all months also where the cash is today. */
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
    // Receipts that no invoice explains are a part of the balance that has no age.
    ageing: { ...ageing, rows: ageing.rows.filter(({ bucket }) => bucket === 'unallocated') },
    cash: months === null ? await readCourierCash(request.books) : [],
  };
}
