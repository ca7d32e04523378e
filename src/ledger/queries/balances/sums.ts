/** The parts of today's balance, summed by the database from other rows than the movements are read from: their control. */
import { sql } from 'kysely';
import { readSum } from '../../../money/add.ts';
import type { Units } from '../../../money/units.ts';
import { chunks } from '../../chunks.ts';
import { isOneOf, sumText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** What invoices ask for that are listed; what came in; what was agreed not to be asked for. By currency. */
export type BalanceSums = Readonly<Record<'stated' | 'received' | 'differences', ReadonlyMap<string, Units>>>;

/** Sums the whole ledger. @param receipts the courier's; of the others only what matches use counts */
export async function sqlBalanceSums(db: LedgerReader, receipts: readonly number[]): Promise<BalanceSums> {
  const stated = await sql<Sum>`
    select a.currency, ${sumText('a.net_due_to_merchant')} as amount
    from invoice i join invoice_amount a on a.invoice_number = i.number
    where i.vanished_at is null group by a.currency`.execute(db);
  const differences = await sql<Sum>`
    select m.currency, ${sumText('s.named')} as amount
    from receipt_match m join receipt_match_invoice s on s.match_id = m.id
    where m.removed_at is null group by m.currency`.execute(db);
  const used = await sql<Sum>`
    select m.currency, ${sumText('s.amount')} as amount
    from receipt_match m join receipt_match_receipt s on s.match_id = m.id
    where m.removed_at is null and m.paid_currency is null group by m.currency`.execute(db);
  // A receipt in another currency brings an invoice what it is worth.
  const exchanged = await sql<Sum>`
    select m.currency, ${sumText('s.amount')} as amount
    from receipt_match m join receipt_match_invoice s on s.match_id = m.id
    where m.removed_at is null and m.paid_currency is not null group by m.currency`.execute(db);
  const received: Sum[][] = [used.rows, exchanged.rows];
  for (const ids of chunks(receipts)) {
    const whole = await sql<Sum>`
      select r.currency, ${sumText('r.amount')} as amount
      from receipt r where ${isOneOf('r.id', ids)} group by r.currency`.execute(db);
    // What matches use of the courier's receipts is in their whole amounts already.
    const matched = await sql<Sum>`
      select r.currency, ${sumText(sql`-s.amount`)} as amount
      from receipt_match m
        join receipt_match_receipt s on s.match_id = m.id
        join receipt r on r.id = s.receipt_id
      where m.removed_at is null and ${isOneOf('s.receipt_id', ids)} group by r.currency`.execute(db);
    received.push(whole.rows, matched.rows);
  }
  return { stated: sumsOf([stated.rows]), received: sumsOf(received), differences: sumsOf([differences.rows]) };
}

interface Sum {
  readonly currency: string;
  readonly amount: string | null;
}

function sumsOf(lists: readonly (readonly Sum[])[]): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { currency, amount } of lists.flat()) {
    sums.set(currency, (sums.get(currency) ?? 0n) + readSum(amount ?? '0', currency));
  }
  return sums;
}
