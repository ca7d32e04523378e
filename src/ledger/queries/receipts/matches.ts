/** Matches of receipts to invoices, and what people settled without a receipt. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { groupBy } from '../../../base/group.ts';
import type { ReceiptMatchTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { AtClose } from '../balances/movements.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A match, with the amounts that it uses of each receipt (`receipts`) and that it pays of each invoice. */
export interface HeldMatch
  extends Omit<ReceiptMatchTable, 'due' | 'difference' | 'removed_at' | 'removed_by' | 'removed_why'> {
  /** What was outstanding of the invoices before it. */
  readonly due: bigint;
  /** What its receipts pay beyond that; negative if less. */
  readonly difference: bigint;
  readonly receipts: readonly { readonly id: number; readonly amount: bigint }[];
  /** `amount`: what the match pays of the invoice; `named`: the part of the difference that a person put down to it. */
  readonly invoices: readonly { readonly number: number; readonly amount: bigint; readonly named: bigint }[];
}

/** The matches in force, by id. @param atClose instead those that were in force when a month was closed */
export function readMatches(db: LedgerReader, atClose?: AtClose): Promise<HeldMatch[]> {
  return readMatchesWhere(db, isInForce(atClose));
}

/** The matches with these ids, in force or not. */
export function readMatchesOf(db: LedgerReader, ids: readonly number[]): Promise<HeldMatch[]> {
  return readMatchesWhere(db, isOneOf('m.id', ids));
}

async function readMatchesWhere(db: LedgerReader, isWanted: Expression<SqlBool>): Promise<HeldMatch[]> {
  const matches = await db
    .selectFrom('receipt_match as m')
    .select(['id', 'evidence_id', 'at', 'actor', 'rule', 'currency', 'difference_kind', 'note', 'why', 'reverses'])
    .select(['claim', 'rate', 'paid_currency'])
    .select([unitsText('due').as('due'), unitsText('difference').as('difference')])
    .where(isWanted)
    .orderBy('id')
    .execute();
  const receipts = await db
    .selectFrom('receipt_match_receipt as r')
    .innerJoin('receipt_match as m', 'm.id', 'r.match_id')
    .select(['r.match_id', 'r.receipt_id', unitsText('r.amount').as('amount')])
    .where(isWanted)
    .orderBy('r.match_id')
    .orderBy('r.receipt_id')
    .execute();
  const invoices = await db
    .selectFrom('receipt_match_invoice as i')
    .innerJoin('receipt_match as m', 'm.id', 'i.match_id')
    .select(['i.match_id', 'i.invoice_number'])
    .select([unitsText('i.amount').as('amount'), unitsText('i.named').as('named')])
    .where(isWanted)
    .orderBy('i.match_id')
    .orderBy('i.invoice_number')
    .execute();
  const receiptsOf = groupBy(receipts, ({ match_id }) => match_id);
  const invoicesOf = groupBy(invoices, ({ match_id }) => match_id);
  return matches.map((match) => ({
    ...match,
    due: BigInt(match.due),
    difference: BigInt(match.difference),
    receipts: (receiptsOf.get(match.id) ?? []).map(({ receipt_id: id, amount }) => ({ id, amount: BigInt(amount) })),
    invoices: (invoicesOf.get(match.id) ?? []).map(({ invoice_number: number, amount, named }) => {
      return { number, amount: BigInt(amount), named: BigInt(named) };
    }),
  }));
}

/** Why a match was removed with an import; the ledger keeps it. */
export function whyUndone(importId: number): string {
  return `import ${importId} was undone`;
}

/** The matches that were removed because one of their receipts went away with an undone import. */
export function readMatchesUndoneWith(db: LedgerReader, importId: number): Promise<HeldMatch[]> {
  return readMatchesWhere(db, sql<SqlBool>`m.removed_why = ${whyUndone(importId)}`);
}

function isInForce(atClose: AtClose | undefined) {
  if (!atClose) return sql<SqlBool>`m.removed_at is null`;
  const { id, at } = atClose;
  const wasMatched = sql`m.evidence_id < ${id} and (m.removed_at is null or m.removed_at > ${at})`;
  // A receipt counted at the close if it was there and no later file had replaced it yet. One whose file was undone
  // since is no longer in the ledger: its match does not count, as no closed month can rest on it.
  const counted = sql`select 1 from receipt c where c.id = s.receipt_id and c.evidence_id < ${id}
    and (c.replaced_by is null or c.replaced_by >= ${id})`;
  const notCounted = sql`select 1 from receipt_match_receipt s where s.match_id = m.id and not exists (${counted})`;
  return sql<SqlBool>`(${wasMatched} and not exists (${notCounted}))`;
}

/** Whether any match in force has a receipt in another currency than its invoices. */
export async function holdsExchanges(db: LedgerReader): Promise<boolean> {
  const exchanges = db.selectFrom('receipt_match').select('id').where('paid_currency', 'is not', null);
  return (await exchanges.where('removed_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
}

/** The receipts whose match a person removed: from then on only people match them. */
export async function readReceiptsByHand(db: LedgerReader): Promise<Set<number>> {
  const rows = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_receipt as r', 'r.match_id', 'm.id')
    .select('r.receipt_id')
    .where('m.removed_at', 'is not', null)
    .where('m.removed_by', '<>', 'remit')
    .execute();
  return new Set(rows.map(({ receipt_id }) => receipt_id));
}

/** A match's rule, and when it was removed; undefined if there is none with that id. */
export function readMatchState(db: LedgerReader, id: number) {
  return db.selectFrom('receipt_match').select(['removed_at', 'rule']).where('id', '=', id).executeTakeFirst();
}

/**
 * An amount that a person took off an invoice without a receipt, in force or not. With the rule `settled` it stands
 * alone; with any other rule it is the difference that the person named (`named`) when matching a receipt.
 */
export interface AmountTakenOff
  extends Pick<ReceiptMatchTable, 'id' | 'evidence_id' | 'at' | 'actor' | 'rule' | 'currency' | 'note' | 'claim'>,
    Pick<ReceiptMatchTable, 'removed_at' | 'removed_by' | 'removed_why'> {
  readonly kind: string;
  readonly invoice_number: number;
  readonly amount: bigint;
}

/** All settlements, undone ones too, by id. */
export async function readSettlementsWithoutReceipt(db: LedgerReader): Promise<AmountTakenOff[]> {
  return (await readTakenOff(db)).filter(({ rule }) => rule === 'settled');
}

/** The settlements of {@link readSettlementsWithoutReceipt}, and the differences that people named in matches. */
export async function readTakenOff(db: LedgerReader): Promise<AmountTakenOff[]> {
  const rows = await db
    .selectFrom('receipt_match as m')
    .innerJoin('receipt_match_invoice as i', 'i.match_id', 'm.id')
    .select(['m.id', 'm.evidence_id', 'm.at', 'm.actor', 'm.rule', 'm.currency', 'm.difference_kind', 'm.note'])
    .select(['m.claim', 'i.invoice_number', unitsText('i.named').as('named')])
    .select(['m.removed_at', 'm.removed_by', 'm.removed_why'])
    .where(sql<SqlBool>`(m.rule = 'settled' or (i.named <> 0 and m.actor <> 'remit'))`)
    .orderBy('m.id')
    .orderBy('i.invoice_number')
    .execute();
  return rows.map(({ difference_kind, named, ...row }) => ({ ...row, kind: difference_kind!, amount: BigInt(named) }));
}
