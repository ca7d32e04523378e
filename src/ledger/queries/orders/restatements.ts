/** Orders whose amounts changed after they were first seen delivered, and changes from a row of evidence on. */
import { sql } from 'kysely';
import type { ExactDecimal } from '../../../money/decimal.ts';
import { eachField, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { amountOfUnits } from '../../../money/units.ts';
import type { OrderChangeTable } from '../../schema.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An order's record in one currency, as first seen delivered and as it is now. */
export interface OrderRestatement {
  readonly order_id: string;
  readonly invoice_number: number;
  readonly currency: string;
  readonly before: Readonly<Record<OrderMoneyField, ExactDecimal>>;
  readonly after: Readonly<Record<OrderMoneyField, ExactDecimal>>;
  /**
   * When a walk last found its amounts changed, and the SHA-256 of the records before the first change after its
   * delivery and now.
   */
  readonly seen_at: string | null;
  readonly before_sha256: string | null;
  readonly after_sha256: string;
}

/**
 * These months' orders whose amounts changed after they were first seen delivered, by order and currency. The table of
 * amounts at delivery has an order only while its record states others.
 */
export async function readOrderRestatements(db: LedgerReader, periods: readonly string[]): Promise<OrderRestatement[]> {
  const ofChange = (which: 'first' | 'last', column: string) => sql`(
    select ${sql.ref(column)} from order_change change join evidence on evidence.id = change.evidence_id
    left join evidence_part part on part.part = change.from_part
    where change.order_id = wanted.order_id and change.amounts_changed = 1
      and change.evidence_id > record.delivered_evidence_id
    order by change.evidence_id ${which === 'first' ? sql`asc` : sql`desc`} limit 1)`;
  const money = (table: string, when: string) =>
    ORDER_MONEY_FIELDS.map((field) => sql`${unitsText(`${table}.${field}`)} as ${sql.ref(`${when}_${field}`)}`);
  const { rows } = await sql<
    Record<'order_id' | 'currency' | 'record_sha256', string> &
      Record<`${'then' | 'now'}_${OrderMoneyField}` | 'seen_at', string | null> & {
        number: number;
        before_hash: Uint8Array | null;
      }
  >`
    select wanted.order_id, wanted.currency, record.record_sha256, (
        select min(invoice.number) from invoice_order billed join invoice on invoice.number = billed.invoice_number
        where billed.order_id = wanted.order_id and invoice.vanished_at is null
          and ${isOneOf('invoice.period', periods)}
      ) as number,
      ${sql.join([...money('delivered', 'then'), ...money('amounts', 'now')])},
      ${ofChange('last', 'evidence.at')} as seen_at, ${ofChange('first', 'part.sha256')} as before_hash
    from (
      select order_id, currency from courier_order_delivered_amount
      union
      select amounts.order_id, amounts.currency from courier_order_amount amounts
      where amounts.order_id in (select order_id from courier_order_delivered_amount)
    ) wanted
    join courier_order record on record.order_id = wanted.order_id
    left join courier_order_delivered_amount delivered
      on delivered.order_id = wanted.order_id and delivered.currency = wanted.currency
    left join courier_order_amount amounts on amounts.order_id = wanted.order_id and amounts.currency = wanted.currency
    where exists (
      select 1 from invoice_order billed join invoice on invoice.number = billed.invoice_number
      where billed.order_id = wanted.order_id and invoice.vanished_at is null and ${isOneOf('invoice.period', periods)}
    )
    order by wanted.order_id, wanted.currency`.execute(db);
  return rows.map((row) => ({
    order_id: row.order_id,
    invoice_number: row.number,
    currency: row.currency,
    before: eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(row[`then_${field}`] ?? '0')),
    after: eachField(ORDER_MONEY_FIELDS, (field) => amountOfUnits(row[`now_${field}`] ?? '0')),
    seen_at: row.seen_at,
    before_sha256: row.before_hash === null ? null : Buffer.from(row.before_hash).toString('hex'),
    after_sha256: row.record_sha256,
  }));
}

export interface OrderChange extends Readonly<Omit<OrderChangeTable, 'evidence_id'>> {
  readonly reference_id: string;
  readonly seen_at: string;
}

/** The changes of orders' records from a row of evidence on, oldest first. @param order only those of this order */
export async function readOrderChanges(
  db: LedgerReader,
  { sinceEvidence = 0, order }: { sinceEvidence?: number; order?: string },
): Promise<OrderChange[]> {
  let query = db
    .selectFrom('order_change as c')
    .innerJoin('courier_order as o', 'o.order_id', 'c.order_id')
    .innerJoin('evidence as e', 'e.id', 'c.evidence_id')
    .select([
      'c.order_id',
      'o.reference_id',
      'e.at as seen_at',
      'c.what',
      'c.from_delivery_state',
      'c.to_delivery_state',
    ])
    .select([
      'c.from_payment_state',
      'c.to_payment_state',
      'c.from_part',
      'c.to_part',
      'c.amounts_changed',
      'c.backward',
    ])
    .where('c.evidence_id', '>=', sinceEvidence)
    .orderBy('c.evidence_id')
    .orderBy('c.order_id');
  if (order !== undefined) query = query.where('c.order_id', '=', order);
  return query.execute();
}

/** How many orders were first seen from a row of evidence on. */
export async function countNewOrders(db: LedgerReader, from: number): Promise<number> {
  const { count } = await db
    .selectFrom('courier_order')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('first_evidence_id', '>=', from)
    .executeTakeFirstOrThrow();
  return Number(count);
}
