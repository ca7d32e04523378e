import path from 'node:path';
import { ColumnTotals, MONEY_COLUMNS } from '../../../reports/columns.ts';
import type { Column, Report, Row } from '../../../reports/model.ts';
import { RemitError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { sha256OfFile } from '../../base/files/read.ts';
import { eachMonth } from '../../base/period.ts';
import { compareText } from '../../base/text.ts';
import { readMonths, requireMonths } from '../../checks/facts/months.ts';
import type { Config } from '../../config/index.ts';
import { type Ledger, ofCourier } from '../../ledger/index.ts';
import { isStatementRecorded } from '../../ledger/queries/evidence/statements.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { parseAmount } from '../../money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../../money/fields.ts';
import { renderReportToFile } from '../../render/report.ts';
import { type Books, booksOf, usingBooks } from '../books.ts';
import { usingChecked } from '../check.ts';
import { type Courier, couriersOf, ledgerOf } from '../couriers.ts';
import {
  type CourierStatements,
  instantInName,
  type PlannedStatement,
  planStatement,
  REPLACE_UNCHANGED,
  rememberStatement,
  type StatementFile,
  type StatementRequest,
  type WrittenStatement,
  writeBooksStatements,
  writePlanned,
} from './statement.ts';
import { chooseOtherTarget, rememberWritten } from './target.ts';

interface RangeMonth extends Omit<WrittenStatement, 'files'> {
  readonly courier: string;
  readonly month: string;
  readonly status: 'draft' | 'closed';
  /** With the SHA-256 of each as it was written. */
  readonly files: readonly (StatementFile & { readonly sha256: string })[];
}

/** A month whose statement could not be written, and why. */
interface FailedMonth extends Pick<RemitError, 'code' | 'message' | 'hint'> {
  readonly courier: string;
  readonly month: string;
}

export interface StatementRange {
  readonly from: string;
  readonly to: string;
  /** The workbook that lists them, absolute. */
  readonly index: string;
  readonly written: readonly RangeMonth[];
  readonly failed: readonly FailedMonth[];
}

type MonthRequest = Pick<StatementRequest, 'format' | 'split' | 'language' | 'keep'>;

/** `format`: that of the statements; the index is always a workbook. */
interface RangeRequest extends MonthRequest {
  /** The first and the last month, such as `2026-01`. */
  readonly from: string;
  readonly to: string;
  /** Called before each month, and with null after the last. */
  readonly onMonth: (month: string | null, done: number, total: number) => void;
}

/**
 * Writes the statement of each month of a range, one file per month and courier, and an index of them as a workbook:
 * file, figures, status, SHA-256. All of a courier show one state of the ledger. If a month cannot be written, the
 * result names it and the others are written.
 *
 * @throws FileError when another file is in the place of the index, or somebody changed the index; nothing is written
 *   then
 */
export async function writeStatementRange(books: Books, request: RangeRequest): Promise<StatementRange> {
  const { from, to, language = 'en', keep = REPLACE_UNCHANGED, onMonth } = request;
  const months = eachMonth(from, to);
  const written: RangeMonth[] = [];
  const failed: FailedMonth[] = [];
  return usingBooks(books, { allCouriers: true }, async (ledger) => {
    const couriers = await couriersOf(ledger.db, books.config);
    await usingSnapshot(ledger, (db) => requireAny(db, couriers, months));
    const range = `${from}..${to}`;
    // A courier's settings have its name if the books have several: the index of one must not replace that of all.
    const chosen = couriers.length === 1 ? couriers[0]!.config.name : undefined;
    const name = chosen === undefined ? `index ${range}` : `index ${range}-${chosen}`;
    const index = await chooseOtherTarget(path.join(books.config.statements, `${name}.xlsx`), keep, ledger);
    const total = months.length * couriers.length;
    for (const [place, courier] of couriers.entries()) {
      const result = await writeMonths(ledgerOf(ledger, courier), booksOf(books, courier), months, {
        ...request,
        courier: courier.name,
        onMonth: (month, done) => onMonth(month, place * months.length + done, total),
      });
      written.push(...result.written);
      failed.push(...result.failed);
    }
    onMonth(null, total, total);
    if (written.length > 0) {
      const now = books.now();
      const report = indexOfMonths(range, written, failed, couriers.length > 1);
      await renderReportToFile(report, 'xlsx', index, { generatedAt: now, language });
      await rememberWritten(ledger, { month: range, file: index, figures: [], now });
    }
    return { from, to, index, written, failed };
  });
}

/** @throws LedgerError when no courier has any of the months */
async function requireAny(db: LedgerReader, couriers: readonly Courier<Config>[], months: readonly string[]) {
  for (const { key, config } of couriers) {
    if ((await readMonths(ofCourier(db, key), config)).some((month) => months.includes(month))) return;
  }
  // None has: the first courier's error says so.
  const [{ key, config }] = couriers as [Courier<Config>];
  await requireMonths(ofCourier(db, key), config, months);
}

async function writeMonths(
  ledger: Ledger,
  books: Books,
  months: readonly string[],
  request: MonthRequest & { readonly courier: string; readonly onMonth: (month: string, done: number) => void },
) {
  const { courier, onMonth } = request;
  const written: RangeMonth[] = [];
  const failed: FailedMonth[] = [];
  /** If a month fails, the others are still written. */
  const attempt = async (month: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RemitError)) throw error;
      failed.push({ courier, month, code: error.code, message: error.message, hint: error.hint });
    }
  };
  const planned = new Map<string, PlannedStatement>();
  for (const month of months) {
    await attempt(month, async () => {
      planned.set(month, await planStatement(ledger, books, { ...request, month, out: null, asOf: null }));
    });
  }
  await usingChecked(ledger, books, [...planned.keys()], async (db, checked) => {
    for (const [done, month] of months.entries()) {
      books.signal.throwIfAborted();
      onMonth(month, done);
      const plan = planned.get(month);
      if (plan === undefined) continue;
      await attempt(month, async () => {
        const statement = await writePlanned(db, books, plan, checked.get(month)!);
        const files = await Promise.all(
          statement.files.map(async (each) => ({ ...each, sha256: await sha256OfFile(each.file) })),
        );
        written.push({ courier, ...statement, files, month, status: statement.closed === null ? 'draft' : 'closed' });
      });
    }
  });
  // Remembered only now, because nothing can be written while the snapshot is read.
  for (const one of written) await rememberStatement(ledger, books, one.month, one);
  failed.sort((a, b) => (a.month < b.month ? -1 : 1));
  return { written, failed };
}

const RANGE_FIGURES = ['received', 'closing', 'ours', 'unexplained', 'short'] as const;

/** One row per month and currency; a month that failed has one row, which says why. */
function indexOfMonths(period: string, written: RangeMonth[], failed: FailedMonth[], hasCouriers: boolean): Report {
  const rows: Row[] = [
    ...written.flatMap(({ courier, month, files, status, figures, result }) =>
      files.flatMap(({ currency, file, sha256: hash }) => {
        const stated = { file: path.basename(file), status, errors: result.open.error, sha256: hash, why: null };
        const about = { courier, period: month, ...stated };
        const inCurrency = figures.filter((each) => currency === null || each.currency === currency);
        if (inCurrency.length === 0) return [{ ...about, currency }];
        return inCurrency.map((each) => {
          const amounts = eachField([...MONEY_FIELDS, ...RANGE_FIGURES], (name) => each[name]);
          return { ...about, currency: each.currency, ...amounts };
        });
      }),
    ),
    ...failed.map(({ courier, month, message, hint }) => ({
      courier,
      period: month,
      status: 'not written',
      why: `${message}. ${hint}`,
    })),
  ].sort((a, b) => compareText(a.period, b.period));
  return {
    report: 'statements',
    title: 'Statements',
    period,
    columns: [
      ...(hasCouriers ? [{ name: 'courier', type: 'text' as const, key: true }] : []),
      { name: 'period', type: 'id' },
      { name: 'file', type: 'text' },
      { name: 'status', type: 'text' },
      { name: 'currency', type: 'text', key: true },
      ...MONEY_COLUMNS,
      ...RANGE_FIGURES.map((name): Column => ({ name, type: 'money' })),
      { name: 'errors', type: 'count' },
      { name: 'sha256', type: 'id' },
      { name: 'why', type: 'wide' },
    ],
    rows,
    totals: () => [],
    notes: () => [{ id: 'months-never-added-up' }],
  };
}

const MONTH_FIGURES = ['received', 'outstanding', 'closing'] as const;

/**
 * Writes a month's statements, and an index of them: each courier's figures with the file of its statement, and their
 * totals per currency.
 *
 * @throws FileError when such an index is on record, and the file in its place is not as remit wrote it; nothing is
 *   written then
 */
export async function writeStatementsAndIndex(
  books: Books,
  request: StatementRequest,
): Promise<CourierStatements & { readonly index: string }> {
  const { month, asOf, keep = REPLACE_UNCHANGED, language = 'en' } = request;
  const { statements: folder, courier } = books.config;
  const usingLedger = <T>(use: (ledger: Ledger) => Promise<T>) => usingBooks(books, { allCouriers: true }, use);
  // The index of one courier of several does not replace that of all.
  const name = `${month}-index${courier === null ? '' : `-${courier}`}`;
  const wanted = path.join(folder, `${name}${instantInName(asOf)}.xlsx`);
  // An index that an earlier remit wrote is not on record, and is replaced.
  const choose = async (ledger: Ledger) =>
    (await isStatementRecorded(ledger.db, name)) ? chooseOtherTarget(wanted, keep, ledger) : wanted;
  const index = asOf === null ? await usingLedger(choose) : wanted;
  const written = await writeBooksStatements(books, request);
  makeFolder(folder);
  const now = books.now();
  await renderReportToFile(indexOfCouriers(month, written), 'xlsx', index, { generatedAt: now, language });
  const record = { month: name, file: index, figures: [], now };
  // A past state is only looked at: nothing is put on record.
  if (asOf === null) await usingLedger((ledger) => rememberWritten(ledger, record));
  return { ...written, index };
}

function indexOfCouriers(month: string, { statements, missing }: CourierStatements): Report {
  const figureNames = [...MONEY_FIELDS, ...MONTH_FIGURES] as const;
  const sums = new ColumnTotals(...figureNames);
  const rows: Row[] = statements.flatMap(({ courier, written: { figures, files } }) =>
    figures.map((figure) => {
      const { currency } = figure;
      const money = eachField(figureNames, (name) => figure[name]);
      const amounts = eachField(figureNames, (name) => parseAmount(money[name]));
      sums.add(currency, amounts);
      // A split month has a file per currency.
      const ofCurrency = files.find((one) => one.currency === null || one.currency === currency);
      return { courier, currency, ...money, file: ofCurrency ? path.basename(ofCurrency.file) : null };
    }),
  );
  return {
    report: 'couriers',
    title: 'Couriers',
    period: month,
    columns: [
      { name: 'courier', type: 'text', key: true },
      { name: 'currency', type: 'text', key: true },
      ...MONEY_COLUMNS,
      ...MONTH_FIGURES.map((name): Column => ({ name, type: 'money' })),
      { name: 'file', type: 'text' },
    ],
    rows,
    totals: () => sums.rows(),
    notes: () =>
      missing.map(({ courier, error }) => ({
        id: 'courier-without-statement',
        courier,
        why: { id: 'error', why: error.explanation },
      })),
  };
}
