import path from 'node:path';
import { statement } from '../../../reports/statement/index.ts';
import type { ClosedBy, Statement } from '../../../reports/statement/model.ts';
import { allCurrencies } from '../../../reports/statement/signing-page.ts';
import { LedgerError, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { Ledger } from '../../ledger/index.ts';
import { type ChainPlace, readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readRecordCurrencies } from '../../ledger/queries/rows/rows.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { writeStatement, writeStatementPage } from '../../render/statement/index.ts';
import { statingError } from '../../words/errors/stating.ts';
import type { LanguageCode } from '../../words/index.ts';
import { usingBooksAsOf } from '../as-of.ts';
import { type Books, refuseOwnFiles, usingBooks } from '../books.ts';
import { type CheckedMonth, checkWithoutStoring, usingChecked } from '../check.ts';
import type { CheckResult } from '../check-result.ts';
import { couriersOf, type LackingCourier, ledgerOf } from '../couriers.ts';
import type { ImportedResolutions } from '../import/resolutions.ts';
import { type Figures, figuresOf, usingMonthAtClose } from './figures.ts';
import { findBrowser, usualPlaces, writeStatementPdf } from './print.ts';
import { chooseOtherTarget, chooseWorkbookTarget, type Keep, rememberWritten } from './target.ts';

/** A workbook, an HTML page or a PDF. */
export type StatementMedium = 'xlsx' | 'html' | 'pdf';

/** A file that was written (its absolute path), and the one currency in it; null for all currencies of the month. */
export interface StatementFile {
  readonly currency: string | null;
  readonly file: string;
}

export interface WrittenStatement {
  /** One file; if the month was split, one per currency. */
  readonly files: readonly StatementFile[];
  readonly invoices: number;
  readonly orders: number;
  readonly figures: readonly Figures[];
  /** Who closed the month, when, and the chain's head then; null while it is a draft. */
  readonly closed: ClosedBy | null;
  readonly result: CheckResult;
  /** The statuses and notes that were taken back from each earlier workbook. */
  readonly taken: readonly ImportedResolutions[];
}

export interface StatementRequest {
  /** Such as `2026-10`. */
  readonly month: string;
  /** The file to write, absolute; null for the month's file in the books' statements folder, which is made. */
  readonly out: string | null;
  /** The month as it was known then; null for as it is. */
  readonly asOf: Date | null;
  /** A workbook when absent. */
  readonly format?: StatementMedium;
  /** One file per currency, such as `2026-10-USD.xlsx`, instead of `2026-10.xlsx` for all. */
  readonly split?: boolean;
  /** English when absent. */
  readonly language?: LanguageCode;
  /** What to do with what people wrote into the earlier workbook; absent: refuse, and write nothing. */
  readonly keep?: Keep;
}

/**
 * Checks a month of the books, so that its mismatches are of today, and writes its statement. If there are several
 * couriers, each gets a file with its name in the file's name; one that was never synced or does not tie out is named,
 * and the others are written.
 *
 * @throws LedgerError when the only courier's month was never synced, or its figures do not tie out; nothing is written
 * then
 * @throws FileError when the file cannot be written, is one of the books' own, or holds what somebody typed; a former
 * one is as it was
 * @throws InstallationError or ConfigError when a PDF is wanted and there is no browser to print it; nothing is checked
 * then
 */
export function writeBooksStatements(books: Books, request: StatementRequest): Promise<CourierStatements> {
  return usingBooksAsOf(books, request.asOf, {}, async (ledger, booksThen) => {
    const couriers = await couriersOf(ledger.db, booksThen.config);
    if (couriers.length > 1 && request.out !== null) {
      throw new UsageError(statingError({ id: 'one-file-for-several', couriers: couriers.map(({ name }) => name) }));
    }
    const statements: { courier: string; written: WrittenStatement }[] = [];
    const missing: LackingCourier[] = [];
    for (const courier of couriers) {
      const courierBooks = { ...booksThen, config: courier.config, signal: books.signal };
      try {
        const written = await writeMonth(ledgerOf(ledger, courier), courierBooks, request);
        statements.push({ courier: courier.name, written });
      } catch (error) {
        // The statements of the others are written all the same.
        if (couriers.length === 1 || !(error instanceof LedgerError)) throw error;
        missing.push({ courier: courier.name, error });
      }
    }
    if (statements.length === 0 && missing[0]) throw missing[0].error;
    return { statements, missing };
  });
}

/** The statements of a month, and the couriers that have none, each with why. */
export interface CourierStatements {
  readonly statements: readonly { readonly courier: string; readonly written: WrittenStatement }[];
  readonly missing: readonly LackingCourier[];
}

/** The end of a statement's name that says as of when it is: ` as of 2026-11-01T093000Z`; empty if as of now. */
export function instantInName(asOf: Date | null): string {
  return asOf === null ? '' : ` as of ${asOf.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

/** Replaces only a workbook that nobody changed: takes nothing back, and writes nothing beside it. */
export const REPLACE_UNCHANGED: Keep = { takeNotes: false, beside: false, by: null };

/** The books with the settings of one courier. */
type BooksOfCourier = Pick<Books, 'config' | 'now' | 'signal'>;

/** Checks one courier's month and writes its statement, from a ledger that is open. */
export async function writeMonth(ledger: Ledger, books: BooksOfCourier, request: StatementRequest) {
  const planned = await planStatement(ledger, books, request);
  const written = await usingChecked(ledger, books, [request.month], (db, checked) =>
    writePlanned(db, books, planned, checked.get(request.month)!),
  );
  // What `--as-of` reads is a copy of the ledger, which is thrown away.
  if (request.asOf === null) await rememberStatement(ledger, books, request.month, written);
  return written;
}

/**
 * Writes a month's statement, open or closed, to a temporary file for a download at the desk. Nothing is recorded: what
 * the checks find is not stored, and the next statement does not show its changes since this one.
 *
 * @param request `out` is the temporary file
 * @throws LedgerError when the month was never synced, or its figures do not tie out
 */
export function writeForDownload(
  books: Books,
  request: Pick<StatementRequest, 'month' | 'format' | 'language'> & { readonly out: string },
): Promise<void> {
  return usingBooks(books, { readOnly: true }, async (ledger, courierBooks) => {
    const planned = await planStatement(ledger, courierBooks, { ...request, asOf: null });
    await usingSnapshot(ledger, async (db) => {
      await writePlanned(db, courierBooks, planned, await checkWithoutStoring(db, courierBooks, request.month));
    });
  });
}

/** A statement whose files are chosen, and not yet written. */
export interface PlannedStatement {
  readonly month: string;
  readonly files: readonly StatementFile[];
  readonly taken: readonly ImportedResolutions[];
  readonly language: LanguageCode;
  readonly format: StatementMedium;
  /** The browser that prints it; null if it is no PDF. */
  readonly browser: string | null;
  /**
   * With `--as-of`: the chain's head as it was before the checks, which add their findings to the copy of the ledger;
   * null if the chain is empty. Otherwise undefined: the statement prints the head of the snapshot that it is of.
   */
  readonly head: ChainPlace | null | undefined;
}

/**
 * Chooses the files of a month's statement, and takes back what people wrote into the earlier ones.
 *
 * @throws FileError when one holds what somebody typed, or is one of the books' own
 */
export async function planStatement(
  ledger: Ledger,
  books: BooksOfCourier,
  { month, out, asOf, format = 'xlsx', split = false, language = 'en', keep = REPLACE_UNCHANGED }: StatementRequest,
): Promise<PlannedStatement> {
  const browser = format === 'pdf' ? browserOf(books) : null;
  if (out !== null) refuseOwnFiles(books, out);
  const { statements } = books.config;
  if (out === null) makeFolder(statements);
  // A courier's settings have its name where the books have several.
  const courier = books.config.name === undefined ? '' : `-${books.config.name}`;
  // A past state of the month never replaces the file that people work on.
  const instant = instantInName(asOf);
  const whole = out ?? path.join(statements, `${month}${courier}${instant}.${format}`);
  const head = asOf ? await readFigureHead(ledger.db) : undefined;
  const openBooks = { ledger, books, isPast: asOf !== null };
  const files: StatementFile[] = [];
  const taken: ImportedResolutions[] = [];
  for (const currency of split ? await currenciesOf(ledger, books, month) : [null]) {
    const wanted = currency === null ? whole : fileOfCurrency(whole, currency);
    if (currency !== null) refuseOwnFiles(books, wanted);
    const target =
      format === 'xlsx'
        ? await chooseWorkbookTarget(wanted, keep, openBooks)
        : { file: await chooseOtherTarget(wanted, keep, ledger), taken: null };
    files.push({ currency, file: target.file });
    if (target.taken) taken.push(target.taken);
  }
  return { month, files, taken, language, format, browser, head };
}

/**
 * Writes a planned statement from a snapshot.
 *
 * @param checked what the checks found in that snapshot
 * @throws LedgerError when its figures do not tie out, or a split month has a currency for which no file was chosen
 */
export async function writePlanned(
  db: LedgerReader,
  { config, signal }: Pick<Books, 'config' | 'signal'>,
  { month, files, taken, language, format, browser, head }: PlannedStatement,
  checked: CheckedMonth,
): Promise<WrittenStatement> {
  const model = await usingMonthAtClose(db, config, month, async (atClose) => {
    const request = { ...requestOf(db, config, month, checked), head, atClose };
    const whole = await statement(request);
    if (files.some(({ currency }) => currency !== null)) {
      const currencies = allCurrencies(whole, await readRecordCurrencies(db, month));
      const missing = currencies.find((currency) => files.every((file) => file.currency !== currency));
      if (missing !== undefined)
        throw new LedgerError(statingError({ id: 'currency-meanwhile', month, currency: missing }));
    }
    const write = (one: Statement, file: string) => {
      if (browser !== null) return writeStatementPdf(one, { file, language, browser, signal });
      return format === 'html' ? writeStatementPage(one, file, language) : writeStatement(one, file, language);
    };
    for (const { currency, file } of files) {
      await write(currency === null ? whole : await statement({ ...request, currency }), file);
    }
    return whole;
  });
  const { invoices, orders } = model.totals;
  return { files, invoices, orders, figures: figuresOf(model), closed: model.closed, result: checked.result, taken };
}

/** What a month's statement is made from: a snapshot, and what the checks found in it. */
function requestOf(db: LedgerReader, settings: Books['config'], month: string, { result, facts }: CheckedMonth) {
  const { bridge, effects, reasons } = result;
  const { skipped, incomplete, uncompared } = reasons;
  return { db, settings, month, facts, bridge, effects, skipped, incomplete, uncompared };
}

function browserOf({ config }: BooksOfCourier): string {
  const { platform, env } = process;
  return findBrowser({ chosen: config.browser, path: env.PATH ?? '', places: usualPlaces(platform, env) });
}

/** Records the files of a statement, so that the next one knows whether anybody has changed them. */
export async function rememberStatement(
  ledger: Ledger,
  { now }: Pick<Books, 'now'>,
  month: string,
  { files, figures }: Pick<WrittenStatement, 'files' | 'figures'>,
): Promise<void> {
  for (const { file } of files) await rememberWritten(ledger, { month, file, figures, now: now() });
}

/** The currencies for which a split month has a file; `[null]`, one file, for a month without any money. */
async function currenciesOf(ledger: Ledger, books: BooksOfCourier, month: string): Promise<readonly (string | null)[]> {
  const currencies = await usingChecked(ledger, books, [month], async (db, checked) => {
    // The checks name currencies that no invoice has, such as that of an order which was never invoiced.
    const request = requestOf(db, books.config, month, checked.get(month)!);
    return usingMonthAtClose(db, books.config, month, async (atClose) =>
      allCurrencies(await statement({ ...request, atClose }), await readRecordCurrencies(db, month)),
    );
  });
  return currencies.length === 0 ? [null] : currencies;
}

/** `2026-10.xlsx` → `2026-10-USD.xlsx`. */
function fileOfCurrency(file: string, currency: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${currency}${ext}`);
}
