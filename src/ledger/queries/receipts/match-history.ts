/**
 * Every match that was ever made, in force or removed, of a receipt or of an invoice. Amounts are plain decimal text;
 * `named` is an invoice's part of the difference that a person agreed to.
 */
import { formatUnits } from '../../../money/units.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** Who made each match, by which rule and why, and who removed it; `removed_at` is null while it is in force. */
function matchesOnRecord(db: LedgerReader) {
  return db
    .selectFrom('receipt_match as m')
    .select(['m.id', 'm.at', 'm.actor', 'm.rule', 'm.why', 'm.currency', 'm.rate', 'm.paid_currency'])
    .select(['m.difference_kind', 'm.note', 'm.removed_at', 'm.removed_by', 'm.removed_why']);
}

/** The matches that some evidence made, in force or removed, by id. */
export async function readMatchedBy(db: LedgerReader, evidence: readonly number[]) {
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
export async function readReceiptMatches(db: LedgerReader, id: number) {
  const matches = await matchesOnRecord(db)
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select(unitsText('r.amount').as('amount'))
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
    amount: formatUnits(amount),
    invoices: shares
      .filter(({ match_id }) => match_id === match.id)
      .map(({ invoice_number: number, amount: paid, named }) => {
        return { number, amount: formatUnits(paid), named: formatUnits(named) };
      }),
  }));
}

/** Every match that ever paid or settled an invoice, oldest first. */
export async function readInvoiceMatches(db: LedgerReader, number: number) {
  const matches = await matchesOnRecord(db)
    .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
    .select([unitsText('i.amount').as('amount'), unitsText('i.named').as('named')])
    .where('i.invoice_number', '=', number)
    .orderBy('m.id')
    .execute();
  if (matches.length === 0) return [];
  const ids = matches.map((match) => match.id);
  const parts = db.selectFrom('receipt_match_receipt').select(['match_id', 'receipt_id']).where('match_id', 'in', ids);
  const shares = await parts.orderBy('receipt_id').execute();
  return matches.map(({ amount, named, ...match }) => ({
    ...match,
    amount: formatUnits(amount),
    named: formatUnits(named),
    receipts: shares.filter(({ match_id }) => match_id === match.id).map(({ receipt_id }) => receipt_id),
  }));
}
