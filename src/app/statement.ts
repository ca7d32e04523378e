import path from 'node:path';
import { NOTHING_SETTLED, settledAmounts } from '../../reports/settled.ts';
import { type ClosedBy, currenciesIn, statement } from '../../reports/statement/index.ts';
import { makeFolder } from '../files/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { readFigureHead, readRecordCurrencies, usingSnapshot } from '../ledger/read/index.ts';
import { formatAmount } from '../money/index.ts';
import { writeStatement } from '../render/statement/index.ts';
import type { LanguageCode } from '../workbook-words.ts';
import { usingBooksAsOf } from './as-of.ts';
import { type Books, refuseOwnFiles } from './books.ts';
import { type CheckResult, checkLedger } from './check.ts';
import type { ImportedResolutions } from './import/resolutions.ts';
import { chooseTarget, type Keep, rememberWritten } from './statement-target.ts';

/** A month's key figures in one currency, as plain decimals. */
export interface Figures {
  readonly currency: string;
  readonly cod: string;
  readonly delivery_fee: string;
  readonly net_due_to_merchant: string;
  /** The net of what the courier marks `PAID`. */
  readonly paid: string;
  /** What of the net due came in by receipts, what a person named, what the courier alone says that it paid, and the rest of it. */
  readonly received: string;
  readonly differences: string;
  readonly paid_on_word: string;
  readonly outstanding: string;
  /** By what these are known. */
  readonly basis: 'receipts' | 'courier' | 'both';
  /** The courier's figure, and ours; null where there is no record of ours. */
  readonly courier: string;
  readonly ours: string | null;
  /** What neither accounts for nor the mismatches name; `0.00` is the goal, null where there is no record of ours. */
  readonly unexplained: string | null;
  /** What the merchant is short (negative) or ahead. */
  readonly short: string;
}

/** A workbook that was written, absolute, and the currency that it is of; null for all of the month. */
export interface StatementFile {
  readonly currency: string | null;
  readonly file: string;
}

export interface WrittenStatement {
  /** One workbook, or where the month was split one a currency. */
  readonly files: readonly StatementFile[];
  readonly invoices: number;
  readonly orders: number;
  readonly figures: readonly Figures[];
  /** Who closed the month, when, and the chain's head then; null while it is a draft. */
  readonly closed: ClosedBy | null;
  readonly result: CheckResult;
  /** What was taken back from each workbook that was there. */
  readonly taken: readonly ImportedResolutions[];
}

export interface StatementRequest {
  /** Such as `2026-10`. */
  readonly month: string;
  /** The workbook to write, absolute; null for the month's file in the books' statements folder, which is made. */
  readonly out: string | null;
  /** The month as it was known then; null for as it is. */
  readonly asOf: Date | null;
  /** A workbook a currency instead of one for all: `2026-10-USD.xlsx` beside where the one would stand. */
  readonly split?: boolean;
  /** The language of its words; English where absent. */
  readonly language?: LanguageCode;
  /** What becomes of what people wrote into the workbook that is there; absent: it stays, and nothing is written. */
  readonly keep?: Keep;
}

/**
 * Checks a month of the books, so that its mismatches are of today, and writes its workbook.
 *
 * @throws LedgerError when the month was never synced, or its figures do not tie out; nothing is written then
 * @throws FileError when the file cannot be written, is one of the books' own, or holds what somebody typed; a former one is as it was
 */
export function writeBooksStatement(books: Books, request: StatementRequest): Promise<WrittenStatement> {
  return usingBooksAsOf(books, request.asOf, {}, (ledger, then) =>
    writeMonth(ledger, { ...then, signal: books.signal }, request),
  );
}

/** Nothing is taken back, and nothing written beside what is there. */
export const KEEP: Keep = { takeNotes: false, beside: false, by: null };

/** The same from a ledger that is open. */
export async function writeMonth(
  ledger: Ledger,
  books: Pick<Books, 'config' | 'now' | 'signal'>,
  { month, out, asOf, split = false, language = 'en', keep = KEEP }: StatementRequest,
): Promise<WrittenStatement> {
  if (out !== null) refuseOwnFiles(books, out);
  const { statements } = books.config;
  if (out === null) makeFolder(statements);
  // A past month never takes the place of the one that is being worked on.
  const name = asOf ? `${month} as of ${asOf.toISOString().slice(0, 19).replaceAll(':', '')}Z` : month;
  const { now, signal } = books;
  const surroundings = { ledger, isPast: asOf !== null, now: now(), signal };
  const whole = out ?? path.join(statements, `${name}.xlsx`);
  // What is found in a past ledger is thrown away with it: no chain will ever hold it.
  const head = asOf ? await readFigureHead(ledger.db) : undefined;
  const files: StatementFile[] = [];
  const taken: ImportedResolutions[] = [];
  for (const currency of split ? await currenciesOf(ledger, books, month) : [null]) {
    const wanted = currency === null ? whole : fileOfCurrency(whole, currency);
    if (currency !== null) refuseOwnFiles(books, wanted);
    const target = await chooseTarget(wanted, keep, surroundings);
    files.push({ currency, file: target.file });
    if (target.taken) taken.push(target.taken);
  }
  const result = await checkLedger(ledger, books, { periods: [month] });
  const written = await usingSnapshot(ledger, async (db) => {
    const request = { db, month, head, settings: books.config, ...result };
    const model = await statement(request);
    for (const { currency, file } of files) {
      const one = currency === null ? model : await statement({ ...request, currency });
      await writeStatement(one, file, language);
    }
    const { invoices, orders, currencies } = model.totals;
    const bridges = new Map(result.bridge.map((bridge) => [bridge.currency, bridge]));
    const figures = currencies.map(({ currency, ...figure }): Figures => {
      const settled = model.settled.get(currency) ?? NOTHING_SETTLED;
      const came = settledAmounts(settled);
      return {
        currency,
        cod: formatAmount(figure.cod),
        delivery_fee: formatAmount(figure.delivery_fee),
        net_due_to_merchant: formatAmount(figure.net_due_to_merchant),
        paid: formatAmount(figure.paid),
        received: formatAmount(came.received),
        differences: formatAmount(came.differences),
        paid_on_word: formatAmount(came.paid_on_word),
        outstanding: formatAmount(came.outstanding),
        basis: settled.basis,
        courier: bridges.get(currency)?.courier ?? '0.00',
        ours: bridges.get(currency)?.ours ?? null,
        unexplained: bridges.get(currency)?.unexplained ?? null,
        short: bridges.get(currency)?.short ?? '0.00',
      };
    });
    return { files, invoices, orders, figures, closed: model.closed, result, taken };
  });
  if (asOf === null) {
    for (const { file } of files) await rememberWritten(ledger, { month, file, figures: written.figures, now: now() });
  }
  return written;
}

/** The currencies that a split month has a workbook of; `[null]`, all in one, where it holds no money at all. */
async function currenciesOf(
  ledger: Ledger,
  books: Pick<Books, 'config' | 'now'>,
  month: string,
): Promise<readonly (string | null)[]> {
  // The checks name currencies that no invoice has, such as that of an order which was never invoiced.
  const found = await checkLedger(ledger, books, { periods: [month] });
  const currencies = await usingSnapshot(ledger, async (db) =>
    currenciesIn(
      await statement({ db, month, settings: books.config, ...found }),
      await readRecordCurrencies(db, month),
    ),
  );
  return currencies.length === 0 ? [null] : currencies;
}

/** `2026-10.xlsx` → `2026-10-USD.xlsx`. */
function fileOfCurrency(file: string, currency: string): string {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${currency}${ext}`);
}
