import { UsageError } from '../../base/errors.ts';
import { numberText } from '../../base/number-texts.ts';
import type { Config } from '../../config/index.ts';
import type { MatchEvidence } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readSettlementsWithoutReceipt } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { type OpenAmount, type PlannedSettlement, planSettlement, type SettlementKind } from '../../matching/settle.ts';
import { formatUnits, parseUnits, smallestCoin } from '../../money/units.ts';
import { because } from '../../words/errors/deciding.ts';
import { isAboveLimit } from '../approvals/limit.ts';
import { propose, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksOfInvoices } from '../each-courier.ts';
import { recordMatches } from '../record.ts';
import { readOpen } from './give-up.ts';

export interface SettleRequest {
  readonly invoices: readonly number[];
  readonly kind: SettlementKind;
  /** Needed if an invoice has more than one currency open; null for the only one. */
  readonly currency: string | null;
  /** Decimal text: what to take off each invoice; null for all that is open of it. */
  readonly amount: string | null;
  readonly note: string;
  readonly by: string;
}

/** What was taken off an invoice, and what is still open of it. */
export interface Settled {
  readonly id: number;
  readonly invoice_number: number;
  readonly invoice_number_text: string;
  readonly currency: string;
  readonly amount: string;
  readonly kind: string;
  readonly open: string;
}

export interface SettledInvoices {
  readonly settled: readonly Settled[];
}

/**
 * Takes amounts off invoices without a receipt, as evidence; above the limit of the books a second person has to
 * approve it first.
 *
 * @throws UsageError for an unknown invoice, one that several couriers have, several open currencies, or more than what
 * is open
 */
export async function settleInvoices(books: Books, request: SettleRequest): Promise<SettledInvoices | Waiting> {
  const invoiceBooks = await booksOfInvoices(books, request.invoices);
  return changeBooks(invoiceBooks, {}, async (trx, { config }) => {
    await holdHead(trx);
    const planned = await plan(trx, config, request);
    // Above the limit it is only tried, so that the proposal can say what it would do.
    const decide = () => record(trx, planned, request, books.now());
    return (await isAboveLimit(trx, config, planned))
      ? propose(trx, { ...books, config }, { what: 'settle', request }, decide)
      : decide();
  });
}

/** Settles inside an open transaction, without asking whether a second person must approve it. */
export async function settleIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  request: SettleRequest,
): Promise<SettledInvoices> {
  return record(trx, await plan(trx, config, request), request, now());
}

async function record(
  trx: LedgerTransaction,
  planned: readonly PlannedSettlement[],
  { by, kind, note }: SettleRequest,
  at: Date,
): Promise<SettledInvoices> {
  const settlements = planned.map((one) => ({ ...one, kind, note, finding: null }));
  return { settled: await recordSettlements(trx, { at, by }, settlements) };
}

async function plan(db: LedgerReader, config: Config, request: SettleRequest): Promise<PlannedSettlement[]> {
  const { invoices, kind, currency, amount } = request;
  const open = await readOpen(db, config);
  const repeated = invoices.find((number, index) => invoices.indexOf(number) !== index);
  if (repeated !== undefined) throw new UsageError(because({ id: 'invoice-twice', number: repeated })).at('invoices');
  const roundingLimit = (currencyCode: string) => {
    const limit = config.roundingLimit[currencyCode];
    return limit === undefined ? smallestCoin(currencyCode) : parseUnits(limit);
  };
  return invoices.map((number) => {
    const invoice = chooseOpen(open, number, currency);
    return planSettlement(invoice, { kind, amount: amount === null ? null : parseUnits(amount), roundingLimit });
  });
}

/** What is open of an invoice, in the currency given or in the only one that is open. */
function chooseOpen(all: readonly OpenAmount[], number: number, currency: string | null): OpenAmount {
  const ofInvoice = all.filter((one) => one.number === number);
  if (ofInvoice.length === 0) throw new UsageError(because({ id: 'no-invoice', number })).at('invoices');
  if (currency !== null) {
    const inCurrency = ofInvoice.find((one) => one.currency === currency);
    if (inCurrency) return inCurrency;
    const currencies = ofInvoice.map((one) => one.currency);
    throw new UsageError(because({ id: 'invoice-not-in-currency', number, currency, currencies })).at('currency');
  }
  const open = ofInvoice.filter((one) => one.open !== 0n);
  if (open.length < 2) return open[0] ?? ofInvoice[0]!;
  const currencies = open.map((one) => one.currency).sort();
  throw new UsageError(because({ id: 'open-in-several-currencies', number, currencies })).at('currency');
}

interface NewSettlement extends PlannedSettlement {
  readonly kind: SettlementKind;
  readonly note: string;
  /** The id of the finding that is given up with it; null if none is. */
  readonly finding: string | null;
}

/** Appends settlements as evidence and derives their rows. Call it inside a transaction. */
export async function recordSettlements(
  trx: LedgerTransaction,
  { at, by }: { readonly at: Date; readonly by: string },
  settlements: readonly NewSettlement[],
): Promise<readonly Settled[]> {
  const matches = settlements.map(({ number, currency, amount, kind, note, finding }): MatchEvidence => {
    const text = formatUnits(amount);
    return {
      rule: 'settled',
      currency,
      receipts: [],
      // Nothing was paid; all of it is an agreed difference.
      invoices: [[number, '0.00', text]],
      due: text,
      difference: formatUnits(-amount),
      difference_kind: kind,
      note,
      why: note,
      reverses: null,
      ...(finding === null ? {} : { claim: finding }),
    };
  });
  const { id: evidence } = await recordMatches(trx, { at, actor: by, matches, subject: 'settlements' });
  // In the order of `settlements`.
  const recorded = (await readSettlementsWithoutReceipt(trx)).filter(({ evidence_id }) => evidence_id === evidence);
  const texts = await readNumberTexts(trx);
  return recorded.map(({ id, invoice_number, currency, amount, kind }, index) => ({
    id,
    invoice_number,
    invoice_number_text: numberText(invoice_number, texts),
    currency,
    amount: formatUnits(amount),
    kind,
    open: formatUnits(settlements[index]!.open - amount),
  }));
}
