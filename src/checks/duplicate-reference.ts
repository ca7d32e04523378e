import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import { listOf } from '../ledger/sql.ts';
import type { Check, CheckContext } from './check.ts';
import { counts, finding, sayList, shown } from './finding.ts';
import { type OrderMonths, orderMonths } from './order-months.ts';
import { plainReference } from './plain-reference.ts';
import { population } from './population.ts';
import { orderBook } from './requirement.ts';

export const duplicateReference: Check = {
  code: 'duplicate-reference',
  severity: 'warning',
  requires: [orderBook],
  title: 'No reference of the shop stands on two orders that are not cancelled.',
  async find(context) {
    const groups = [...groupBy(await suspects(context), ({ reference }) => plainReference(reference))]
      .filter(([plain, orders]) => plain !== '' && orders.length > 1)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const months = await orderMonths(
      context.db,
      groups.flatMap(([, orders]) => orders.map(({ order_id }) => order_id)),
      context.knowledge,
    );
    const findings = groups.map(([plain, orders]) => {
      const ids = orders.map(({ order_id }) => order_id);
      const own = ids.map((id) => months.get(id)!);
      return finding({
        ...shownIn(own),
        subject: `reference ${plain}`,
        order_id: ids[0]!,
        reference_id: orders[0]!.reference,
        field: 'reference_id',
        ...counts(1, ids.length),
        message: `The reference "${shown(plain)}" stands on ${ids.length} orders where 1 is right, ${sayList(ids)}: look whether the sale was sent twice, and cancel or rename the surplus orders.`,
      });
    });
    return { findings, compared: (await population(context)).orders, notComparable: [] };
  },
};

interface Named {
  readonly order_id: string;
  readonly reference: string;
}

/** The most references that one statement looks for. */
const MOST = 10_000;
const NAMED = sql`delivery_state <> 'CANCELLED' and reference_id <> ''`;

/**
 * Every order whose reference some other may share: those whose references are equal but for the case of A to Z, which any database can tell,
 * and all that are written with other blanks or letters than the plainest, with those that they may be equal to.
 */
async function suspects({ db }: CheckContext): Promise<readonly Named[]> {
  const blanks = ['\t', '\n', '\v', '\f', '\r', '  '].map((blank) => sql`reference_id like ${`%${blank}%`}`);
  const odd = sql`(octet_length(reference_id) <> length(reference_id) or reference_id <> trim(reference_id)
    or ${sql.join(blanks, sql` or `)})`;
  const shared = await sharedReferences(db);
  const written = await sql<Named>`
    select order_id, reference_id as reference from courier_order where ${NAMED} and ${odd}`.execute(db);

  const found = new Map(written.rows.map((order) => [order.order_id, order]));
  const plain = [...new Set([...shared, ...written.rows.map(({ reference }) => plainReference(reference))])];
  for (let from = 0; from < plain.length; from += MOST) {
    const same = await sql<Named>`
      select order_id, reference_id as reference from courier_order
      where ${NAMED} and lower(reference_id) in ${listOf(plain.slice(from, from + MOST))}`.execute(db);
    for (const order of same.rows) found.set(order.order_id, order);
  }
  return [...found.values()].sort((a, b) => (a.order_id < b.order_id ? -1 : 1));
}

/**
 * The references, in small letters, that stand on several orders as they are or but for their case. Most are told apart by the index alone:
 * nothing is sorted but those that are not all in capitals, or not all in small letters, whichever are fewer.
 */
async function sharedReferences(db: LedgerReader): Promise<readonly string[]> {
  const same = await sql<{ reference: string }>`
    select lower(twice.reference_id) as reference
    from (
      select reference_id from courier_order where reference_id <> '' group by reference_id having count(*) > 1
    ) twice
    where (select count(*) from courier_order o where o.reference_id = twice.reference_id and ${NAMED}) > 1`.execute(
    db,
  );
  const counted = await sql<{ orders: number; small: number }>`
    select count(*) as orders, coalesce(sum(case when reference_id <> upper(reference_id) then 1 else 0 end), 0) as small
    from courier_order`.execute(db);
  const { orders, small } = counted.rows[0]!;
  if (Number(small) === 0) return same.rows.map(({ reference }) => reference);
  const plainest = Number(small) * 2 > Number(orders) ? sql`lower` : sql`upper`;
  const otherwise = await sql<{ reference: string }>`
    select lower(reference_id) as reference from courier_order
    where ${NAMED} and reference_id <> ${plainest}(reference_id)
    group by lower(reference_id) having count(*) > 1
    union
    select lower(o.reference_id) from courier_order o
    where ${NAMED} and o.reference_id <> ${plainest}(o.reference_id) and exists (
      select 1 from courier_order other where other.reference_id = ${plainest}(o.reference_id) and other.delivery_state <> 'CANCELLED'
    )`.execute(db);
  return [...same.rows, ...otherwise.rows].map(({ reference }) => reference);
}

/** In every month of its orders; its own is the latest of an invoice, else the latest of all. */
function shownIn(orders: readonly OrderMonths[]): { period: string; periods: string[] } {
  const periods = [...new Set(orders.flatMap(({ shown }) => shown.periods))].sort();
  const invoiced = orders.flatMap(({ invoiced }) => invoiced).sort();
  return { period: invoiced.at(-1) ?? periods.at(-1) ?? '', periods };
}
