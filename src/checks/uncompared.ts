import { sql } from 'kysely';
import type { CheckContext, Gone, NotComparable } from './check.ts';
import { isComparable } from './comparable.ts';

/** An invoice's row that cannot be compared with the order's own record. */
export interface UncomparedRow {
  readonly number: number;
  readonly position: number;
  readonly order_id: string;
  readonly period: string;
  readonly vanished_at: string | null;
  /** `older`: the record is older than the invoice; `unread`: the order book holds the order, and no record of it could be read; `absent`: the book is older than the invoice and lacks the order. */
  readonly why: 'older' | 'unread' | 'absent';
}

const COLUMNS = sql`i.number, o.position, o.order_id, i.period, i.vanished_at`;

/**
 * The rows of these months' invoices that cannot be compared with the order book: those of invoices newer than the book. None where
 * there is no order book at all: then no row is compared with anything.
 */
export function uncomparedRows({ db, periods, knowledge, memo }: CheckContext): Promise<readonly UncomparedRow[]> {
  return memo.once('uncompared', async () => {
    if (!knowledge.book.hasOrders) return [];
    const months = sql.join([...periods]);
    const { whole } = knowledge.book;
    // Three ways to be so, each looked for from its small side: a newer invoice, a record that is gone or unreadable, an unreadable order.
    const { rows } = await sql<UncomparedRow>`
      select ${COLUMNS}, case when b.order_id is not null then 'older' when u.subject is not null then 'unread' else 'absent' end as why
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      left join courier_order b on b.order_id = o.order_id
      left join unreadable u on u.kind = 'order' and u.subject = o.order_id
      where i.period in (${months}) and i.detail_evidence_id > ${whole} and (b.order_id is null or not ${isComparable(knowledge)})
      union all
      select ${COLUMNS}, 'older'
      from courier_order b cross join invoice_order o
      join invoice i on i.number = o.invoice_number
      where (b.vanished_at is not null or b.superseded_at is not null) and o.order_id = b.order_id
        and i.period in (${months}) and i.detail_evidence_id <= ${whole} and not ${isComparable(knowledge)}
      union all
      select ${COLUMNS}, 'unread'
      from unreadable u cross join invoice_order o
      join invoice i on i.number = o.invoice_number
      where u.kind = 'order' and o.order_id = u.subject and i.period in (${months}) and i.detail_evidence_id <= ${whole}
        and not exists (select 1 from courier_order b where b.order_id = o.order_id)
      order by 1, 2`.execute(db);
    return rows;
  });
}

const WHY = {
  older: 'the order book is older than the invoice; run `remit sync --orders`',
  unread: 'the order’s own record could not be read',
  absent: 'the order book is older than the invoice and lacks the order; run `remit sync --orders`',
} as const;

/** The same as a check's coverage says it. */
export function whyUncompared(rows: readonly UncomparedRow[]): NotComparable[] {
  return (['older', 'absent', 'unread'] as const).flatMap((why) => {
    const count = rows.filter((row) => row.why === why).length;
    return count === 0 ? [] : { why: WHY[why], count };
  });
}

/** Those of some mismatches about an invoice's row that could not be looked at, because the row cannot be compared now. */
export async function unseenRows(
  context: CheckContext,
  gone: readonly { id: string; invoice_number: number | null; order_id: string | null }[],
): Promise<ReadonlySet<string>> {
  const rows = new Set((await uncomparedRows(context)).map(({ number, order_id }) => `${number} ${order_id}`));
  return new Set(
    gone.filter(({ invoice_number, order_id }) => rows.has(`${invoice_number} ${order_id}`)).map(({ id }) => id),
  );
}

/** How the sentence of a finding begins to say that it rests on the order's record, and not on what the row itself states. */
export const BY_RECORD = 'which its record (';

/** The same of findings that rest on the record: what a row itself states is seen with every newer detail. */
export function unseenRecords(context: CheckContext, gone: readonly Gone[]): Promise<ReadonlySet<string>> {
  return unseenRows(
    context,
    gone.filter(({ message }) => message.includes(BY_RECORD)),
  );
}
