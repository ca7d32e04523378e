import { UsageError } from '../../base/errors.ts';
import { instantForPeople } from '../../base/instant.ts';
import { numberText } from '../../base/number-texts.ts';
import type { Config } from '../../config/index.ts';
import type { MatchEvidence } from '../../derive/decisions.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readGivenUpNow } from '../../ledger/queries/findings/effects.ts';
import { readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readSettlementsWithoutReceipt, readTakenOff } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { type OpenAmount, type PlannedSettlement, planSettlement, type SettlementKind } from '../../matching/settle.ts';
import { formatUnits, parseUnits, smallestCoin } from '../../money/units.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { decideUnderLimit, type Waiting } from '../approvals/propose.ts';
import { type Books, changeBooks } from '../books.ts';
import { booksHaving, booksOfInvoices, booksOfMismatches } from '../each-courier.ts';
import { type NewDecision, recordDecision, recordMatches, recordRemoved } from '../record.ts';
import { oneMismatch } from '../show/mismatch.ts';
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
  return changeBooks(await booksOfInvoices(books, request.invoices), {}, async (trx, courierBooks) => {
    await holdHead(trx);
    const givenUp = await plan(trx, courierBooks.config, request);
    const proposed = { what: 'settle', request, givenUp } as const;
    return decideUnderLimit(trx, courierBooks, proposed, () => settleIn(trx, courierBooks, request));
  });
}

/** Settles inside an open transaction, whatever the limit. */
export async function settleIn(
  trx: LedgerTransaction,
  { config, now }: Pick<Books, 'config' | 'now'>,
  request: SettleRequest,
): Promise<SettledInvoices> {
  const planned = await plan(trx, config, request);
  return { settled: await recordSettlements(trx, { at: now(), by: request.by }, planned) };
}

async function plan(db: LedgerReader, config: Config, request: SettleRequest): Promise<NewSettlement[]> {
  const { invoices, kind, currency, amount, note } = request;
  const open = await readOpen(db, config);
  const repeated = invoices.find((number, index) => invoices.indexOf(number) !== index);
  if (repeated !== undefined)
    throw new UsageError(decidingError({ id: 'invoice-twice', number: repeated })).at('invoices');
  const roundingLimit = (currencyCode: string) => {
    const limit = config.roundingLimit[currencyCode];
    return limit === undefined ? smallestCoin(currencyCode) : parseUnits(limit);
  };
  return invoices.map((number) => {
    const invoice = chooseOpen(open, number, currency);
    const wanted = { kind, amount: amount === null ? null : parseUnits(amount), roundingLimit };
    return { ...planSettlement(invoice, wanted), kind, note, finding: null };
  });
}

/** What is open of an invoice, in the currency given or in the only one that is open. */
function chooseOpen(all: readonly OpenAmount[], number: number, currency: string | null): OpenAmount {
  const ofInvoice = all.filter((one) => one.number === number);
  if (ofInvoice.length === 0) throw new UsageError(decidingError({ id: 'no-invoice', number })).at('invoices');
  if (currency !== null) {
    const inCurrency = ofInvoice.find((one) => one.currency === currency);
    if (inCurrency) return inCurrency;
    const currencies = ofInvoice.map((one) => one.currency);
    throw new UsageError(decidingError({ id: 'invoice-not-in-currency', number, currency, currencies })).at('currency');
  }
  const open = ofInvoice.filter((one) => one.open !== 0n);
  if (open.length < 2) return open[0] ?? ofInvoice[0]!;
  const currencies = open.map((one) => one.currency).sort();
  throw new UsageError(decidingError({ id: 'open-in-several-currencies', number, currencies })).at('currency');
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
  // A settlement is kept as a match without receipts.
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

/**
 * Undoes what was taken off invoices or given up, whatever command did it: a match with its difference is removed, a
 * finding is open again. All of it stays on record.
 *
 * @param undone `id`: the number of a settlement or of a match with a named difference; or a mismatch's id, or the
 * beginning of one
 * @throws UsageError when no such settlement is in force
 */
export async function undoSettlement(books: Books, { id, reason, by }: { id: string; reason: string; by: string }) {
  const undoing = { why: reason, by, at: books.now() };
  if (/^\d{1,12}$/.test(id)) return undoNumbered(books, id, undoing);
  return changeBooks(await booksOfMismatches(books, [id]), {}, async (trx) => {
    await holdHead(trx);
    await reopen(trx, (await oneMismatch(trx, id)).id, undoing);
  });
}

type Undoing = Pick<NewDecision, 'by' | 'at'> & { readonly why: string };

/** @param id the number of a settlement or of a match with a named difference */
async function undoNumbered(books: Books, id: string, undoing: Undoing): Promise<void> {
  const number = Number(id);
  const readSettlement = async (db: LedgerReader) => (await readTakenOff(db)).find((one) => one.id === number);
  const courierBooks = await booksHaving(books, { kind: 'settlement', name: id }, async (db) => {
    return (await readSettlement(db)) !== undefined;
  });
  return changeBooks(courierBooks, {}, async (trx) => {
    await holdHead(trx);
    const settlement = await readSettlement(trx);
    if (!settlement) throw new UsageError(decidingError({ id: 'no-settlement', settlement: id }));
    // `claim`: the finding that was given up with it.
    const { claim: finding, removed_at } = settlement;
    if (removed_at !== null) {
      const at = instantForPeople(removed_at);
      throw new UsageError(decidingError({ id: 'settlement-undone', settlement: number, at }));
    }
    const isGivenUp =
      finding !== null && (await readMismatchesById(trx, [finding])).get(finding)?.status === 'resolved';
    // To open the finding again is enough: what was taken off with it is then open too.
    if (isGivenUp) await reopen(trx, finding, undoing);
    else await recordRemoved(trx, { ...undoing, id: number });
  });
}

/**
 * Reopens a finding that a person gave up, and so what was taken off its invoice with it. The data may not show the
 * finding any more, just because that was taken off; what was given up is known all the same.
 */
async function reopen(trx: LedgerTransaction, id: string, { why, by, at }: Undoing): Promise<void> {
  if (!(await readGivenUpNow(trx)).has(id))
    throw new UsageError(decidingError({ id: 'no-settlement', settlement: id }));
  await recordDecision(trx, { ids: [id], to_status: 'open', note: why, by, at });
}
