/** Orders by the shop's references. Cancelled orders and empty references are left out. */
import { sql } from 'kysely';
import { listOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An order by both its names. */
export interface ReferencedOrder {
  readonly order_id: string;
  readonly reference: string;
}

const NAMED = sql`delivery_state <> 'CANCELLED' and reference_id <> ''`;

/** The most references that one statement looks for. */
const MOST = 10_000;

/**
 * The references in small letters that several orders have, cancelled ones among them, but for the case of A to Z, which every database can
 * tell.
 */
export async function readSharedReferences(db: LedgerReader): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select lower(reference_id) as reference from courier_order where reference_id <> ''
    group by lower(reference_id) having count(*) > 1`.execute(db);
  return rows.map(({ reference }) => reference);
}

/** The orders whose references hold other blanks than single spaces between words, or letters outside ASCII. */
export async function readOddReferences(db: LedgerReader): Promise<ReferencedOrder[]> {
  const blanks = ['\t', '\n', '\v', '\f', '\r', '  '].map((blank) => sql`reference_id like ${`%${blank}%`}`);
  const { rows } = await sql<ReferencedOrder>`
    select order_id, reference_id as reference from courier_order
    where ${NAMED} and order_id in (
      select order_id from courier_order
      where octet_length(reference_id) <> length(reference_id) or reference_id <> trim(reference_id)
        or ${sql.join(blanks, sql` or `)}
    )`.execute(db);
  return rows;
}

/** The orders whose references are among some but for the case of A to Z. @param references in small letters */
export async function readOrdersByReferences(
  db: LedgerReader,
  references: readonly string[],
): Promise<ReferencedOrder[]> {
  const found: ReferencedOrder[] = [];
  for (let from = 0; from < references.length; from += MOST) {
    const { rows } = await sql<ReferencedOrder>`
      select order_id, reference_id as reference from courier_order
      where ${NAMED} and lower(reference_id) in ${listOf(references.slice(from, from + MOST))}`.execute(db);
    for (const order of rows) found.push(order);
  }
  return found;
}
