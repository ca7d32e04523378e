import { UsageError } from '../../base/errors.ts';
import { inNumberTexts } from '../../base/number-texts.ts';
import { CHECKS } from '../../checks/catalogue/index.ts';
import { ownBook, tariff } from '../../checks/requirement.ts';
import type { MismatchTable } from '../../ledger/index.ts';
import type { AmountsText } from '../../ledger/queries/amounts.ts';
import { readEvidenceTime } from '../../ledger/queries/evidence/chain.ts';
import { readClaimHistory, readClaims } from '../../ledger/queries/findings/claims.ts';
import { readMismatchHistory } from '../../ledger/queries/findings/history.ts';
import { findMismatches } from '../../ledger/queries/findings/mismatches.ts';
import { readImport, readOwnCods, readOwnOrder, readTariffRows } from '../../ledger/queries/imports.ts';
import { readInvoiceHeader, readInvoiceRows, readListedInvoices } from '../../ledger/queries/invoices/invoice.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readOrderRecord } from '../../ledger/queries/orders/order.ts';
import { readInvoiceMatches } from '../../ledger/queries/receipts/match-history.ts';
import { readReceiptSources, readReceipts } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits } from '../../money/units.ts';
import { showingError } from '../../words/errors/showing.ts';
import { say } from '../../words/index.ts';
import type { SideSentence } from '../../words/sentences.ts';
import { SeveralError } from '../each-courier.ts';
import { mismatchInNumberTexts, reasonInWords } from '../mismatches/in-number-texts.ts';

/** All that is known of a mismatch: its history, its claim, and what each document says about it, side by side. */
export async function showMismatch(db: LedgerReader, id: string) {
  const texts = await readNumberTexts(db);
  const mismatch = mismatchInNumberTexts(await oneMismatch(db, id), texts);
  // What each document says itself, then what it is compared with.
  const documents = await documentsOf(db, mismatch);
  // An invoice's last document is its detail.
  const compared = await comparedWith(db, mismatch, documents.at(-1));
  const sides = compared === null ? documents : [...documents, compared];
  return {
    mismatch,
    history: (await readMismatchHistory(db, mismatch.id)).map(reasonInWords),
    claim: (await readClaims(db, [mismatch.id])).get(mismatch.id) ?? null,
    claim_history: (await readClaimHistory(db, mismatch.id)).map(reasonInWords),
    sides: sides.map((side) => new Side(inNumberTexts(side.document, texts), side)),
  };
}

/** The mismatch that an id, or the beginning of one, names. @throws UsageError when it names none, or several */
export async function oneMismatch(db: LedgerReader, id: string) {
  const [found, ...others] = id.trim() === '' ? [] : await findMismatches(db, id.trim());
  if (!found) throw new UsageError(showingError({ id: 'no-mismatch', mismatch: id }));
  if (others.length === 0 || found.id === id.trim()) return found;
  const ids = [found, ...others].map((one) => one.id);
  throw new SeveralError(showingError({ id: 'several-mismatches', mismatch: id, ids }));
}

/** What one document says about a mismatch, to be shown side by side with the others. Its JSON is in English. */
export class Side {
  /** Which document it is. */
  readonly document: SideSentence;
  readonly fields: Readonly<Record<string, string>>;
  readonly received_at: string | null;
  readonly sha256: string | null;

  constructor(document: SideSentence, content: Pick<Side, 'fields' | 'received_at' | 'sha256'>) {
    this.document = document;
    this.fields = content.fields;
    this.received_at = content.received_at;
    this.sha256 = content.sha256;
  }

  /** Which document: `row 3 of invoice 10009`. */
  get what(): string {
    return say(this.document);
  }

  toJSON() {
    const { what, fields, received_at, sha256 } = this;
    return { what, fields, received_at, sha256 };
  }
}

/** The checks that compare an invoice's header with its other figures. */
const BY_FIGURES: Readonly<Record<string, SideSentence>> = {
  'invoice-cod-total': { id: 'side-rows' },
  'invoice-fee-total': { id: 'side-rows' },
  'invoice-order-count': { id: 'side-rows' },
  'invoice-net': { id: 'side-cod-less-fees' },
};

/**
 * What is no document of the courier: your own book, the rate card, or what an invoice's figures add up to.
 *
 * @param detail the invoice's detail, whose figures they are
 */
async function comparedWith(db: LedgerReader, mismatch: MismatchTable, detail: Side | undefined): Promise<Side | null> {
  const { code, field, currency, expected, reference_id: reference } = mismatch;
  const requires = CHECKS.find((check) => check.code === code)?.requires ?? [];
  // What the check expects of the field.
  const figure = { [currency === null ? `${field}` : `${field} ${currency}`]: expected ?? '' };
  if (requires.includes(ownBook)) return reference === null ? null : ownBookSide(db, reference, currency);
  if (requires.includes(tariff)) {
    // The check's sentence names the lines of the rate card that it went by.
    const { lines = [] } = JSON.parse(mismatch.sentence) as { lines?: readonly string[] };
    const price = (await readTariffRows(db)).find(({ source, line }) => lines.includes(`${source}:${line}`));
    if (price === undefined) return null;
    const { at, sha256 } = (await readImport(db, price.evidence_id))!;
    return new Side({ id: 'side-rate-card', lines }, { fields: figure, received_at: at, sha256 });
  }
  const document = BY_FIGURES[code];
  if (document === undefined || detail === undefined || expected === null) return null;
  return new Side(document, { ...detail, fields: figure });
}

/** An order in your own book; null if the book lacks it. @param only the one currency that is shown; null for all */
async function ownBookSide(db: LedgerReader, reference: string, only: string | null): Promise<Side | null> {
  const order = await readOwnOrder(db, reference);
  if (order === null) return null;
  const { at, sha256 } = (await readImport(db, order.evidence_id))!;
  const cods = (await readOwnCods(db, [reference])).filter(({ currency }) => only === null || currency === only);
  const fields = {
    reference_id: reference,
    ...(order.ordered_on === null ? {} : { ordered_on: order.ordered_on }),
    ...Object.fromEntries(cods.map(({ currency, cod }) => [`cod ${currency}`, formatUnits(BigInt(cod))])),
  };
  return new Side({ id: 'side-own-book' }, { fields, received_at: at, sha256 });
}

/** The most invoices, and the most receipts, that are shown side by side. */
const MOST_SIDES = 4;

/**
 * For an order its rows and its record; for an invoice its lists and its detail, with the receipts that pay it if the
 * finding is about them; for a receipt its line, with the invoices that it may pay.
 */
async function documentsOf(db: LedgerReader, mismatch: MismatchTable): Promise<Side[]> {
  const { code, subject, order_id, invoice_number, currency } = mismatch;
  if (order_id !== null) return orderSides(db, order_id, invoice_number, currency);
  if (invoice_number !== null) {
    const matches = code.startsWith('remittance-') ? await readInvoiceMatches(db, invoice_number) : [];
    const paying = matches.filter((match) => match.removed_at === null && match.currency === currency);
    const receipts = paying.flatMap((match) => match.receipts);
    return [...(await invoiceSides(db, invoice_number, currency)), ...(await receiptSides(db, receipts))];
  }
  const [, receipt] = /^receipt (\d+)$/.exec(subject) ?? [];
  if (receipt === undefined) return [];
  // The sets of invoices that the receipt could pay, as the check's sentence names them.
  const { ways = [] } = JSON.parse(mismatch.sentence) as { ways?: readonly { invoices: readonly number[] }[] };
  const invoices = [...new Set(ways.flatMap((way) => way.invoices))].slice(0, MOST_SIDES);
  const sides = await Promise.all(invoices.map((invoice) => detailSide(db, invoice, currency)));
  return [...(await receiptSides(db, [Number(receipt)])), ...sides.flatMap((side) => side ?? [])];
}

/** Lines of bank accounts and cash books. */
async function receiptSides(db: LedgerReader, ids: readonly number[]): Promise<Side[]> {
  const sides: Side[] = [];
  const wanted = [...new Set(ids)].slice(0, MOST_SIDES);
  for (const { id, line, amount, currency, ...receipt } of await readReceipts(db, { ids: wanted })) {
    const [file] = await readReceiptSources(db, id);
    const fields = {
      date: receipt.date,
      [`amount ${currency}`]: formatUnits(amount),
      ...(receipt.counterparty === null ? {} : { counterparty: receipt.counterparty }),
      text: receipt.text,
      ...(receipt.reference === null ? {} : { reference: receipt.reference }),
      ...(receipt.account === null ? {} : { account: receipt.account }),
      source: file?.source ?? '',
      line: String(line),
    };
    const proof = { received_at: receipt.seen_at, sha256: file?.sha256 ?? null };
    sides.push(new Side({ id: 'side-receipt', receipt: id }, { fields, ...proof }));
  }
  return sides;
}

async function orderSides(db: LedgerReader, id: string, invoice: number | null, currency: string | null) {
  const sides: Side[] = [];
  const rows = await readInvoiceRows(db, { order: id });
  for (const row of rows.filter(({ invoice_number }) => invoice === null || invoice_number === invoice)) {
    const header = await readInvoiceHeader(db, row.invoice_number);
    const fields = {
      delivery_state: row.delivery_state,
      payment_state: row.payment_state,
      reference_id: row.reference_id,
      ...money(row.amounts, currency),
    };
    const received_at = await readEvidenceTime(db, header?.detail_evidence_id ?? null);
    const document = { id: 'side-row', row: row.position + 1, invoice: row.invoice_number } as const;
    sides.push(new Side(document, { fields, received_at, sha256: header?.detail_sha256 ?? null }));
  }
  const record = await readOrderRecord(db, id);
  if (record) {
    const fields = {
      delivery_state: record.delivery_state,
      payment_state: record.payment_state,
      reference_id: record.reference_id,
      merchant_invoice: record.merchant_invoice ?? '',
      ...money(record.amounts, currency),
      ...money(record.delivered_amounts ?? {}, currency, 'first delivered '),
    };
    const received_at = await readEvidenceTime(db, record.record_evidence_id);
    sides.push(new Side({ id: 'side-record' }, { fields, received_at, sha256: record.record_sha256 }));
  }
  return sides;
}

async function invoiceSides(db: LedgerReader, number: number, currency: string | null): Promise<Side[]> {
  const sides: Side[] = [];
  for (const listed of await readListedInvoices(db, number)) {
    const fields = {
      status: listed.status ?? '',
      issued_at: listed.issued_at ?? '',
      order_count: String(listed.order_count ?? ''),
      ...money(listed.amounts, currency),
    };
    const proof = { received_at: await readEvidenceTime(db, listed.first_evidence_id), sha256: listed.row_sha256 };
    sides.push(new Side({ id: 'side-listed', month: listed.period }, { fields, ...proof }));
  }
  const detail = await detailSide(db, number, currency, { id: 'side-detail' });
  return detail === null ? sides : [...sides, detail];
}

/** What an invoice's detail says; null if it was never received. */
async function detailSide(
  db: LedgerReader,
  number: number,
  currency: string | null,
  document: SideSentence = { id: 'side-invoice', invoice: number },
): Promise<Side | null> {
  const detail = await readInvoiceHeader(db, number);
  if (detail === null) return null;
  const fields = {
    status: detail.status,
    issued_at: detail.issued_at,
    order_count: String(detail.row_count),
    ...money(detail.amounts, currency),
  };
  const received_at = await readEvidenceTime(db, detail.detail_evidence_id);
  return new Side(document, { fields, received_at, sha256: detail.detail_sha256 });
}

/** The amounts as fields, such as `cod USD`. @param only the one currency that is shown; null for all */
function money(amounts: AmountsText, only: string | null, prefix = ''): Record<string, string> {
  const found = Object.entries(amounts).filter(([currency]) => only === null || currency === only);
  return Object.fromEntries(
    found.flatMap(([currency, fields]) =>
      Object.entries(fields).map(([field, amount]) => [`${prefix}${field} ${currency}`, amount]),
    ),
  );
}
