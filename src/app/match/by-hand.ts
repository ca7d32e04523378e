import { MoneyError, UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { numberText } from '../../base/number-texts.ts';
import { type ExchangeMatch, readBeyondRate, readRateLines } from '../../checks/facts/rates.ts';
import { invoiceOf, type MatchBooks, readMatchBooks, receiptOf } from '../../checks/facts/receipts/match-books.ts';
import type { Config } from '../../config/index.ts';
import type { MatchEvidence } from '../../derive/decisions.ts';
import { parseRate, RateTable } from '../../imports/rates.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readMatchState } from '../../ledger/queries/receipts/matches.ts';
import {
  type DifferenceKind,
  type ManualMatch,
  type ManualRequest,
  matchAtRate,
  matchByHand,
  matchInPart,
} from '../../matching/manual.ts';
import { type InvoiceShare, outstandingOf } from '../../matching/model.ts';
import { formatUnits } from '../../money/units.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { decideUnderLimit, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksHaving, booksOfInvoices } from '../each-courier.ts';
import { recordMatches, recordRemoved } from '../record.ts';
import type { ReportedMatch } from './report-matches.ts';
import { evidenceOf } from './run.ts';

/** What a person asks of `remit match add`. */
export interface AddRequest {
  readonly receipt: number;
  readonly invoices: readonly number[];
  /** What the difference between the receipt and the invoices is, such as a bank fee; null for no difference. */
  readonly difference: DifferenceKind | null;
  /** For a receipt in another currency: its units per unit of the invoices, or `table` for the day's imported rate. */
  readonly rate?: string | null;
  /** A part payment: what the receipt does not pay stays open, and so does what is left of the receipt. */
  readonly inPart?: boolean;
  /** Allow a receipt that is another courier's; needs a note. */
  readonly anyCourier?: boolean;
  readonly note: string | null;
  readonly by: string;
}

/** A match that a person made. */
export interface AddedMatch extends Omit<ReportedMatch, 'courier' | 'id' | 'rule' | 'receipts' | 'evidence'> {
  readonly receipt: number;
}

/**
 * Matches a receipt to invoices by hand; a difference above the limit of the books needs a second person.
 *
 * @throws UsageError for an unknown receipt or invoice, another courier's receipt, a rate that is not imported, and a
 *   difference that is not named
 */
export async function addMatch(books: Books, request: AddRequest): Promise<AddedMatch | Waiting> {
  return changeBooks(await booksOfInvoices(books, request.invoices), {}, async (trx, courierBooks) => {
    const { config } = courierBooks;
    await holdHead(trx);
    const match = await validMatch(trx, config, request);
    const { currency } = match;
    const beyondRate = await readBeyondRate(trx, [exchangeOf(match)], config.rateTolerance);
    // What the match gives up of the invoices: named differences, and what is beyond the day's rate.
    const givenUp = [...match.named, ...beyondRate.flatMap(({ shares }) => shares)].map(({ number, amount }) => {
      return { number, currency, amount };
    });
    const decide = () => recordManualMatch(trx, match, request, books.now());
    return decideUnderLimit(trx, courierBooks, { what: 'match', request, givenUp }, decide);
  });
}

/** Matches by hand inside an open transaction, whatever the limit. */
export async function addMatchIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  request: AddRequest,
): Promise<AddedMatch> {
  return recordManualMatch(trx, await validMatch(trx, config, request), request, now());
}

/** Checks what was asked for against the ledger, and makes the match of it. Nothing is written. */
async function validMatch(
  trx: LedgerTransaction,
  config: Config,
  { receipt, invoices, difference, note, rate = null, inPart = false, anyCourier = false }: AddRequest,
): Promise<ManualMatch> {
  if (inPart && difference !== null)
    throw new UsageError(decidingError({ id: 'part-and-difference' })).at('difference');
  if (anyCourier && note === null) throw new UsageError(decidingError({ id: 'any-courier-without-note' }));
  const matchBooks = await readMatchBooks(trx, config);
  const sides = {
    ...sidesOf(matchBooks, receipt, invoices, { atRate: rate !== null, anyCourier }),
    ...(difference === null ? {} : { difference: { kind: difference, note } }),
  };
  let match: ManualMatch;
  if (rate !== null) match = matchAtRate({ ...sides, inPart, rate: await rateOf(trx, rate, sides) });
  else match = inPart ? matchInPart(sides) : matchByHand(sides);
  // With `anyCourier` it may be another courier's receipt. A shared one may be this courier's as well.
  const owner = matchBooks.elsewhere.get(receipt);
  if (!owner || owner.isShared) return match;
  return { ...match, evidence: `${match.evidence}; the receipt is of ${owner.other}` };
}

async function recordManualMatch(
  trx: LedgerTransaction,
  match: ManualMatch,
  { receipt, note, by }: AddRequest,
  at: Date,
): Promise<AddedMatch> {
  await recordMatches(trx, { at, actor: by, matches: [manualEvidence(match, note)] });
  const texts = await readNumberTexts(trx);
  const shares = sharesOf(match);
  return {
    receipt,
    invoices: shares.map(({ number }) => number),
    invoices_text: shares.map(({ number }) => numberText(number, texts)),
    currency: match.currency,
    receipts_amount: formatUnits(match.due + match.difference),
    invoices_amount: formatUnits(match.due),
    difference: formatUnits(match.difference),
    difference_kind: match.differenceKind,
    rate: match.exchanged?.rate ?? null,
    paid_currency: match.exchanged?.currency ?? null,
    paid_amount: match.exchanged ? formatUnits(match.exchanged.amount) : null,
  };
}

/** The given rate, or for `table` the imported one of the receipt's day. @throws UsageError when there is none */
async function rateOf(trx: LedgerTransaction, given: string, { receipts: [receipt], invoices: [invoice] }: Sides) {
  const [from, to] = [invoice!.currency, receipt!.currency];
  if (given !== 'table') {
    try {
      return parseRate(given);
    } catch (error) {
      if (!(error instanceof MoneyError)) throw error;
      throw new UsageError(decidingError({ id: 'no-rate', why: error.explanation, to, from })).at('rate');
    }
  }
  const found = new RateTable(await readRateLines(trx)).on(receipt!.date, from, to);
  if (found) return found.rate;
  throw new UsageError(decidingError({ id: 'rate-not-imported', from, to, on: receipt!.date })).at('rate');
}

type Sides = Pick<ManualRequest, 'receipts' | 'invoices'>;

/**
 * The receipt, and the invoices in its currency; with `atRate`, the invoices in another currency.
 *
 * @throws UsageError for a receipt or an invoice that is not in the ledger, or another courier's receipt
 */
function sidesOf(
  { receipts, invoices, elsewhere }: MatchBooks,
  id: number,
  numbers: readonly number[],
  { atRate, anyCourier }: { readonly atRate: boolean; readonly anyCourier: boolean },
): Sides {
  const receipt = receipts.get(id);
  if (!receipt) throw new UsageError(decidingError({ id: 'no-receipt', receipt: id }));
  const owner = elsewhere.get(id);
  // It pays another courier's invoice already.
  if (owner?.isMatched)
    throw new UsageError(decidingError({ id: 'receipt-of-another', receipt: id, courier: owner.other }));
  // Another courier's settings name its payer; one that several name may be anybody's.
  if (owner && !owner.isShared && !anyCourier) {
    throw new UsageError(decidingError({ id: 'receipt-of-their-payer', receipt: id, courier: owner.other }));
  }
  const paidInvoices = numbers.map((number) => {
    const perCurrency = invoices.filter((invoice) => invoice.number === number);
    if (perCurrency.length === 0) throw new UsageError(decidingError({ id: 'no-invoice', number }));
    const { currency } = receipt;
    if (atRate) return inOtherCurrency(perCurrency, currency);
    const invoice = perCurrency.find((one) => one.currency === currency);
    if (invoice) return invoiceOf(invoice);
    const other = perCurrency[0]!.currency;
    throw new UsageError(decidingError({ id: 'invoice-in-other-currency', number, currency, receipt: id, other }));
  });
  return { receipts: [receiptOf(receipt)], invoices: paidInvoices };
}

/** The one currency, other than the receipt's, in which an invoice still asks for money. */
function inOtherCurrency(perCurrency: MatchBooks['invoices'], receiptCurrency: string) {
  const others = perCurrency.filter(({ currency }) => currency !== receiptCurrency);
  const open = others.filter((invoice) => outstandingOf(invoiceOf(invoice)) !== 0n);
  const number = perCurrency[0]!.number;
  if (open.length > 1) {
    const currencies = open.map(({ currency }) => currency);
    throw new UsageError(decidingError({ id: 'invoice-in-several-currencies', number, currencies }));
  }
  const first = open[0] ?? others[0];
  if (!first)
    throw new UsageError(decidingError({ id: 'invoice-in-their-currency', number, currency: receiptCurrency }));
  return invoiceOf(first);
}

/** A match as its rate is compared with the imported rates: without named differences, because they were not paid. */
function exchangeOf({ currency, exchanged, receipts, invoices }: ManualMatch): ExchangeMatch {
  return {
    currency,
    paid_currency: exchanged?.currency ?? null,
    receipts: receipts.map(({ id, amount }) => ({ id: Number(id), amount: exchanged?.amount ?? amount })),
    invoices: invoices.map(({ number, amount }) => ({ number, amount, named: 0n })),
  };
}

/** What a match pays of each invoice; 0 for one that it only takes something off. */
function sharesOf({ invoices, named }: ManualMatch): InvoiceShare[] {
  const paid = new Set(invoices.map(({ number }) => number));
  const unpaid = named.filter(({ number }) => !paid.has(number));
  return [...invoices, ...unpaid.map(({ number }) => ({ number, amount: 0n }))];
}

/** What is kept of a match by hand: the same as of one by the rules, and what only a person can say. */
function manualEvidence(match: ManualMatch, note: string | null): MatchEvidence {
  const named = new Map(match.named.map(({ number, amount }) => [number, amount]));
  return {
    ...evidenceOf(match),
    invoices: sharesOf(match).map(({ number, amount }) => {
      return [number, formatUnits(amount), formatUnits(named.get(number) ?? 0n)];
    }),
    difference_kind: match.differenceKind,
    note,
    rate: match.exchanged?.rate ?? null,
    paid_currency: match.exchanged?.currency ?? null,
  };
}

/** Removes a match; its receipts are matched only by hand from then on. @throws UsageError when it is not in force */
export async function removeMatch(books: Books, { id, reason: why, by }: { id: number; reason: string; by: string }) {
  const named = { kind: 'match', name: String(id) } as const;
  const matchBooks = await booksHaving(books, named, async (db) => (await readMatchState(db, id)) !== undefined);
  return changeBooks(matchBooks, {}, async (trx) => {
    await holdHead(trx);
    const match = await readMatchState(trx, id);
    if (!match) throw new UsageError(decidingError({ id: 'no-match', match: id }));
    // An amount taken off without a receipt: `remit settle undo` takes it back.
    if (match.rule === 'settled') throw new UsageError(decidingError({ id: 'settlement-no-match', match: id }));
    if (match.removed_at !== null) {
      throw new UsageError(decidingError({ id: 'match-removed', match: id, at: instantForPeople(match.removed_at) }));
    }
    await recordRemoved(trx, { id, why, by, at: books.now() });
  });
}
