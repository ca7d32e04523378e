/**
 * Every match that was ever made, in force or removed, of a receipt or of an invoice. Amounts are plain decimal text.
 */
import { formatAmount } from '../../../money/format.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** Who made a match, by which rule and why, and who removed it; `removed_at` is null while it is in force. */
interface MatchOnRecord {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly rule: string;
  readonly why: string;
  /** The invoices' currency. */
  readonly currency: string;
  /** For a receipt in another currency: its units per unit of the invoices' currency, and its currency. */
  readonly rate: string | null;
  readonly paid_currency: string | null;
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly removed_at: string | null;
  readonly removed_by: string | null;
  readonly removed_why: string | null;
}

/** A match of a receipt, with the part for each invoice. */
export interface ReceiptMatch extends MatchOnRecord {
  /** How much of the receipt it uses. */
  readonly amount: string;
  /** `named`: the invoice's part of a difference that a person named. */
  readonly invoices: readonly { readonly number: number; readonly amount: string; readonly named: string }[];
}

/** A match of an invoice; it has no receipts if it settles the invoice without one. */
export interface InvoiceMatch extends MatchOnRecord {
  /** How much of the invoice it pays or settles. */
  readonly amount: string;
  /** Its part of a difference that a person named. */
  readonly named: string;
  readonly receipts: readonly number[];
}

const MATCH_COLUMNS = [
  'm.id',
  'm.at',
  'm.actor',
  'm.rule',
  'm.why',
  'm.currency',
  'm.rate',
  'm.paid_currency',
  'm.difference_kind',
  'm.note',
  'm.removed_at',
  'm.removed_by',
  'm.removed_why',
] as const;

const amountText = (units: string) => formatAmount(amountOfUnits(units));

/** The ids of a match's receipts and invoices. */
export interface MatchedSides {
  readonly id: number;
  readonly evidence_id: number;
  readonly receipts: readonly number[];
  readonly invoices: readonly number[];
}

/** The matches that some evidence made, in force or removed, by id. */
export async function readMatchedBy(db: LedgerReader, evidence: readonly number[]): Promise<MatchedSides[]> {
  const matchesMade = db.selectFrom('receipt_match as m').where(isOneOf('m.evidence_id', evidence));
  const matches = await matchesMade.select(['m.id', 'm.evidence_id']).orderBy('m.id').execute();
  const receipts = await matchesMade
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select(['m.id', 'r.receipt_id'])
    .orderBy('r.receipt_id')
    .execute();
  const invoices = await matchesMade
    .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
    .select(['m.id', 'i.invoice_number'])
    .orderBy('i.invoice_number')
    .execute();
  return matches.map((match) => ({
    ...match,
    receipts: receipts.filter(({ id }) => id === match.id).map(({ receipt_id }) => receipt_id),
    invoices: invoices.filter(({ id }) => id === match.id).map(({ invoice_number }) => invoice_number),
  }));
}

/** Every match that ever used a receipt, oldest first. */
export async function readReceiptMatches(db: LedgerReader, id: number): Promise<ReceiptMatch[]> {
  const matches = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select([...MATCH_COLUMNS, unitsText('r.amount').as('amount')])
    .where('r.receipt_id', '=', id)
    .orderBy('m.id')
    .execute();
  if (matches.length === 0) return [];
  const ids = matches.map((match) => match.id);
  const shares = await db
    .selectFrom('receipt_match_invoice')
    .select(['match_id', 'invoice_number', unitsText('amount').as('amount'), unitsText('named').as('named')])
    .where('match_id', 'in', ids)
    .orderBy('invoice_number')
    .execute();
  return matches.map(({ amount, ...match }) => ({
    ...match,
    amount: amountText(amount),
    invoices: shares
      .filter(({ match_id }) => match_id === match.id)
      .map((share) => ({
        number: share.invoice_number,
        amount: amountText(share.amount),
        named: amountText(share.named),
      })),
  }));
}

/** Every match that ever paid or settled an invoice, oldest first. */
export async function readInvoiceMatches(db: LedgerReader, number: number): Promise<InvoiceMatch[]> {
  const matches = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
    .select([...MATCH_COLUMNS, unitsText('i.amount').as('amount'), unitsText('i.named').as('named')])
    .where('i.invoice_number', '=', number)
    .orderBy('m.id')
    .execute();
  if (matches.length === 0) return [];
  const ids = matches.map((match) => match.id);
  const shares = await db
    .selectFrom('receipt_match_receipt')
    .select(['match_id', 'receipt_id'])
    .where('match_id', 'in', ids)
    .orderBy('receipt_id')
    .execute();
  return matches.map(({ amount, named, ...match }) => ({
    ...match,
    amount: amountText(amount),
    named: amountText(named),
    receipts: shares.filter(({ match_id }) => match_id === match.id).map(({ receipt_id }) => receipt_id),
  }));
}
