import { listApprovals } from '../../app/approvals/list.ts';
import { readCloseConditions } from '../../app/close/conditions.ts';
import { readStanding } from '../../app/desk/home.ts';
import { listViews } from '../../app/desk/views.ts';
import { listReports } from '../../app/report.ts';
import type { Look } from '../desk.ts';
import type { HomeModel, MonthModel } from '../models.ts';
import { oneMonth } from './month-of.ts';
import { readTable } from './read-table.ts';

/** How long the first page waits for the checks: what they cannot explain is shown when they are done. */
const PATIENCE_MS = 500;

/** Months by currency, and how each stands. */
export async function readHome({ desk: { books, proof }, path, query, all }: Look): Promise<HomeModel> {
  const proved = proof(null).then(
    ({ check }) => check.bridge.map(({ period, currency, unexplained }) => ({ period, currency, unexplained })),
    () => null,
  );
  const table = await readTable({ books, report: 'totals', path, query, all });
  const balance = await readTable({ books, report: 'roll-forward', path, query: new URLSearchParams(), all: true });
  const standing = await readStanding(books);
  const approvals = await listApprovals(books);
  return {
    table,
    ...standing,
    balance,
    unexplained: await Promise.race([proved, later(PATIENCE_MS)]),
    waiting: approvals.filter(({ status }) => status === 'waiting').length,
    views: await listViews(books),
  };
}

function later(milliseconds: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), milliseconds).unref());
}

/** A month: the bridge, what to do next, and whether it can be closed. */
export async function readMonth({ desk: { books, proof }, parameters, path, query }: Look): Promise<MonthModel> {
  const month = oneMonth(parameters.month);
  const table = (report: string) =>
    readTable({ books, report, path, query: new URLSearchParams(), periods: [month], all: true });
  const [totals, balance] = [await table('totals'), await table('roll-forward')];
  const { check, lacking } = await proof([month]);
  const { months } = await readStanding(books);
  return {
    ...check,
    standing: months.find(({ period }) => period === month) ?? null,
    totals,
    balance,
    refusals: await readCloseConditions(books, { month, lacking, first: query.has('first') }),
    reports: listReports(),
  };
}
