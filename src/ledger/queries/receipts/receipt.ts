/** All that the ledger holds of one receipt. Amounts are plain decimal text. */
import { amountOfUnits, formatAmount } from '../../../money/index.ts';
import type { ImportedTable } from '../../schema.ts';
import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An import that holds a receipt, and the line's place in its file. */
export interface ReceiptSource extends ImportedTable {
  /** From 0, over the booked lines of the file. */
  readonly position: number;
}

/** The imports in force that hold a receipt, the one that brought it first. */
export async function readReceiptSources(db: LedgerReader, id: number): Promise<ReceiptSource[]> {
  return db
    .selectFrom('receipt_line as l')
    .innerJoin('imported as i', 'i.id', 'l.evidence_id')
    .selectAll('i')
    .select('l.position')
    .where('l.receipt_id', '=', id)
    .where('l.replaced_by', 'is', null)
    .orderBy('i.id')
    .execute();
}

/** A match of a receipt, in force or removed, with its share for each invoice. */
export interface ReceiptMatch {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly rule: string;
  readonly why: string;
  readonly difference_kind: string | null;
  readonly note: string | null;
  /** How much of the receipt it uses. */
  readonly amount: string;
  readonly invoices: readonly { readonly number: number; readonly amount: string; readonly named: string }[];
  readonly removed_at: string | null;
  readonly removed_by: string | null;
  readonly removed_why: string | null;
}

/** Every match that ever used a receipt, in the order in which they were made. */
export async function readReceiptMatches(db: LedgerReader, id: number): Promise<ReceiptMatch[]> {
  const matches = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select(['m.id', 'm.at', 'm.actor', 'm.rule', 'm.why', 'm.difference_kind', 'm.note'])
    .select(['m.removed_at', 'm.removed_by', 'm.removed_why', unitsText('r.amount').as('amount')])
    .where('r.receipt_id', '=', id)
    .orderBy('m.id')
    .execute();
  if (matches.length === 0) return [];
  const shares = await db
    .selectFrom('receipt_match_invoice')
    .select(['match_id', 'invoice_number', unitsText('amount').as('amount'), unitsText('named').as('named')])
    .where(
      'match_id',
      'in',
      matches.map((match) => match.id),
    )
    .orderBy('invoice_number')
    .execute();
  const text = (units: string) => formatAmount(amountOfUnits(units));
  return matches.map(({ amount, ...match }) => ({
    ...match,
    amount: text(amount),
    invoices: shares
      .filter(({ match_id }) => match_id === match.id)
      .map((share) => ({ number: share.invoice_number, amount: text(share.amount), named: text(share.named) })),
  }));
}

/** What an invoice got in a match, in force or removed: from receipts, or none where it was settled without one. */
export interface InvoiceMatch {
  readonly id: number;
  readonly at: string;
  readonly actor: string;
  readonly rule: string;
  readonly why: string;
  readonly currency: string;
  /** What the match took off the invoice. */
  readonly amount: string;
  readonly named: string;
  readonly receipts: readonly number[];
  readonly difference_kind: string | null;
  readonly note: string | null;
  readonly removed_at: string | null;
  readonly removed_by: string | null;
  readonly removed_why: string | null;
}

/** Every match that ever took something off an invoice, in the order in which they were made. */
export async function readInvoiceMatches(db: LedgerReader, number: number): Promise<InvoiceMatch[]> {
  const matches = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
    .select(['m.id', 'm.at', 'm.actor', 'm.rule', 'm.why', 'm.currency', 'm.difference_kind', 'm.note'])
    .select(['m.removed_at', 'm.removed_by', 'm.removed_why'])
    .select([unitsText('i.amount').as('amount'), unitsText('i.named').as('named')])
    .where('i.invoice_number', '=', number)
    .orderBy('m.id')
    .execute();
  if (matches.length === 0) return [];
  const shares = await db
    .selectFrom('receipt_match_receipt')
    .select(['match_id', 'receipt_id'])
    .where(
      'match_id',
      'in',
      matches.map((match) => match.id),
    )
    .orderBy('receipt_id')
    .execute();
  const text = (units: string) => formatAmount(amountOfUnits(units));
  return matches.map(({ amount, named, ...match }) => ({
    ...match,
    amount: text(amount),
    named: text(named),
    receipts: shares.filter(({ match_id }) => match_id === match.id).map(({ receipt_id }) => receipt_id),
  }));
}
