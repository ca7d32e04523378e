import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report, Row } from '../../reports/model.ts';
import { RemitError } from '../errors.ts';
import { sha256 } from '../ledger/index.ts';
import { readCloseOf, requireSynced, usingSnapshot } from '../ledger/read/index.ts';
import { addMonths } from '../period.ts';
import { renderReportToFile } from '../render/report.ts';
import type { LanguageCode } from '../workbook-words.ts';
import { type Books, usingBooks } from './books.ts';
import { KEEP, type StatementFile, type WrittenStatement, writeMonth } from './statement.ts';
import { chooseIndex, type Keep, rememberWritten } from './statement-target.ts';

/** A month whose statement was written. */
export interface RangeMonth extends Omit<WrittenStatement, 'files'> {
  readonly month: string;
  readonly status: 'draft' | 'closed';
  /** With the SHA-256 of each as it was written. */
  readonly files: readonly (StatementFile & { readonly sha256: string })[];
}

/** A month whose statement could not be written, and why; the others stand. */
export interface FailedMonth {
  readonly month: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface StatementRange {
  readonly from: string;
  readonly to: string;
  /** The workbook that lists them, absolute. */
  readonly index: string;
  readonly written: readonly RangeMonth[];
  readonly failed: readonly FailedMonth[];
}

export interface RangeRequest {
  /** The first and the last month, such as `2026-01`. */
  readonly from: string;
  readonly to: string;
  /** A workbook a currency. */
  readonly split?: boolean;
  readonly language?: LanguageCode;
  readonly keep?: Keep;
  /** Called before each month, and with null after the last. */
  readonly onMonth: (month: string | null, done: number, total: number) => void;
}

/**
 * Writes the statement of each month of a range, one file a month, and a workbook that lists them: file, figures, status, SHA-256. A
 * month that cannot be written is named, and the others stand.
 *
 * @throws FileError when something else stands where the list would, or somebody changed it; nothing is written then
 */
export async function writeStatementRange(books: Books, request: RangeRequest): Promise<StatementRange> {
  const { from, to, split = false, language = 'en', keep = KEEP, onMonth } = request;
  const months: string[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  const written: RangeMonth[] = [];
  const failed: FailedMonth[] = [];
  return usingBooks(books, {}, async (ledger) => {
    await usingSnapshot(ledger, (db) => requireSynced(db, months));
    const range = `${from}..${to}`;
    const index = await chooseIndex(path.join(books.config.statements, `index ${range}.xlsx`), keep, ledger);
    for (const [done, month] of months.entries()) {
      books.signal.throwIfAborted();
      onMonth(month, done, months.length);
      try {
        const one = await writeMonth(ledger, books, {
          month,
          out: null,
          asOf: null,
          split,
          language,
          keep,
        });
        const close = await usingSnapshot(ledger, (db) => readCloseOf(db, month));
        const files = await Promise.all(
          one.files.map(async (each) => ({ ...each, sha256: sha256(await readFile(each.file)) })),
        );
        written.push({ ...one, files, month, status: close === null ? 'draft' : 'closed' });
      } catch (error) {
        if (!(error instanceof RemitError)) throw error;
        failed.push({ month, code: error.code, message: error.message, hint: error.hint });
      }
    }
    onMonth(null, months.length, months.length);
    if (written.length > 0) {
      const now = books.now();
      await renderReportToFile(indexOf(range, written, failed), 'xlsx', index, { generatedAt: now, language });
      await rememberWritten(ledger, { month: range, file: index, figures: [], now });
    }
    return { from, to, index, written, failed };
  });
}

const MONEY = [
  'cod',
  'delivery_fee',
  'net_due_to_merchant',
  'received',
  'outstanding',
  'ours',
  'unexplained',
  'short',
] as const;
const TITLES = [
  'COD',
  'Delivery fees',
  'Net due',
  'Received',
  'Outstanding',
  'Our figure',
  'Unexplained',
  'Short or ahead',
];

/** A row a month and currency; a month that failed has one that says why. */
function indexOf(period: string, written: readonly RangeMonth[], failed: readonly FailedMonth[]): Report {
  const rows: Row[] = [
    ...written.flatMap(({ month, files, status, figures, result }) =>
      files.flatMap(({ currency, file, sha256: hash }) => {
        const about = {
          period: month,
          file: path.basename(file),
          status,
          errors: result.open.error,
          sha256: hash,
          why: null,
        };
        const own = figures.filter((each) => currency === null || each.currency === currency);
        return own.length === 0
          ? [{ ...about, currency }]
          : own.map((each) => ({
              ...about,
              currency: each.currency,
              ...Object.fromEntries(MONEY.map((name) => [name, each[name]])),
            }));
      }),
    ),
    ...failed.map(({ month, message, hint }) => ({ period: month, status: 'not written', why: `${message}. ${hint}` })),
  ].sort((a, b) => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0));
  return {
    report: 'statements',
    title: 'Statements',
    period,
    columns: [
      { name: 'period', title: 'Month', type: 'id' },
      { name: 'file', title: 'File', type: 'text' },
      { name: 'status', title: 'Status', type: 'text' },
      { name: 'currency', title: 'Currency', type: 'text', key: true },
      ...MONEY.map((name, i) => ({ name, title: TITLES[i]!, type: 'money' as const })),
      { name: 'errors', title: 'Errors open', type: 'count' },
      { name: 'sha256', title: 'SHA-256', type: 'id' },
      { name: 'why', title: 'Why not', type: 'wide' },
    ],
    rows,
    totals: () => [],
    notes: () => ['Months are never added up: what is outstanding in one may be in the next.'],
  };
}
