import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { parseInstant } from '../instant.ts';
import { unitsText } from '../ledger/sql.ts';
import type { ExactDecimal } from '../money/index.ts';
import type { Check, CheckContext, Finding, NotComparable } from './check.ts';
import { amountOf, finding, say, sayOrder } from './finding.ts';
import { isWholeSince } from './knowledge.ts';
import { ourRecords } from './our-records.ts';
import { orderBook } from './requirement.ts';

const HOUR = 3_600_000;

type Line = Record<'order_id' | 'reference' | 'delivered' | 'state', string> &
  Record<'first_delivered_at' | 'link' | 'vanished_at' | 'currency' | 'cod' | 'fee', string | null> & {
    named: 'read' | 'listed' | 'unknown';
  };

export const deliveredNotInvoiced: Check = {
  code: 'delivered-not-invoiced',
  severity: 'error',
  requires: [orderBook],
  stands: 'outside',
  title: 'A delivered order stands on an invoice within the agreed days.',
  claim: 'The order was delivered and stands on no invoice.',
  async find(context) {
    const orders = [...(await findUnbilled(context))];
    const late = orders.filter(([first]) => isLate(first!, context));
    const unsure = late.filter(([first]) => !isSure(first!, context));
    const findings = late.filter((lines) => !unsure.includes(lines)).flatMap((lines) => notInvoiced(lines, context));
    const notComparable: NotComparable[] =
      unsure.length === 0
        ? []
        : [
            {
              why: 'the order names an invoice that was not read, or of a month that was not synced whole',
              count: unsure.length,
            },
          ];
    return { findings, compared: (await countDelivered(context)) - unsure.length, notComparable };
  },
  /** What names an invoice that was not read may stand on it. */
  async unseen(context, gone) {
    const unsure = (await findUnbilled(context)).filter(([first]) => !isSure(first!, context));
    const ids = new Set(unsure.map(([first]) => first!.order_id));
    return new Set(gone.filter(({ order_id }) => ids.has(order_id!)).map(({ id }) => id));
  },
};

const DELIVERED = sql<string>`coalesce(b.first_delivered_at, b.delivered_seen_at)`;

/** The orders delivered in these months that no invoice lists, be it a vanished one; each with a line a currency. */
function findUnbilled({ db, periods, memo }: CheckContext): Promise<readonly (readonly Line[])[]> {
  return memo.once('unbilled', async () => {
    const { rows } = await sql<Line>`
      with unbilled(order_id) as materialized (
        select b.order_id from courier_order b
        where b.delivered_seen_at is not null and substr(${DELIVERED}, 1, 7) in (${sql.join([...periods])})
          and not exists (select 1 from invoice_order o where o.order_id = b.order_id)
      )
      select b.order_id, b.reference_id as reference, ${DELIVERED} as delivered, b.first_delivered_at,
        b.delivery_state as state, b.merchant_invoice as link, b.vanished_at,
        own.currency, ${unitsText('own.cod')} as cod, ${unitsText('own.delivery_fee')} as fee,
        case
          when b.merchant_invoice is null or b.merchant_invoice in (select cast(number as text) from invoice) then 'read'
          when b.merchant_invoice in (
            select cast(invoice_number as text) from invoice_listed where vanished_at is null
          ) then 'listed'
          else 'unknown'
        end as named
      from unbilled join courier_order b on b.order_id = unbilled.order_id
      left join (${ourRecords(sql`select order_id from unbilled`)}) own on own.order_id = b.order_id
      order by ${DELIVERED}, b.order_id, own.currency`.execute(db);
    return [...groupBy(rows, ({ order_id }) => order_id).values()];
  });
}

function isLate({ delivered }: Line, { now, settings }: CheckContext): boolean {
  const at = parseInstant(delivered);
  return at !== null && now.getTime() - at.getTime() > settings.invoiceLagDays * 24 * HOUR;
}

/** An order that names no invoice is on none; one that names an invoice which the ledger does not hold may be on that. */
function isSure({ named, delivered }: Line, { knowledge }: CheckContext): boolean {
  return named === 'read' || (named === 'unknown' && isWholeSince(knowledge, delivered.slice(0, 7)));
}

function notInvoiced(lines: readonly Line[], { settings }: CheckContext): Finding[] {
  const first = lines[0]!;
  const { order_id, reference, delivered } = first;
  const about = { period: delivered.slice(0, 7), order_id, reference_id: reference, field: 'merchant_invoice' };
  const when = first.first_delivered_at === null ? 'first seen delivered' : 'delivered';
  const say1 = (cod: ExactDecimal, fee: ExactDecimal, currency: string) =>
    `a COD of ${say(cod, currency)} less a fee of ${say(fee, currency)}`;
  const message = (money: string) =>
    `No invoice lists ${sayOrder(order_id, reference)}, ${when} on ${delivered.slice(0, 10)} with ${money}, though more than ${settings.invoiceLagDays} days have passed${sayLater(first)}: ask the delivery company to put it on the next invoice.`;
  const atStake = lines.filter(
    ({ currency, cod, fee }) => currency !== null && !(amountOf(cod).isZero() && amountOf(fee).isZero()),
  );
  if (atStake.length === 0) return [finding({ ...about, message: message('nothing to collect') })];
  return atStake.map((line) => {
    const [cod, fee, currency] = [amountOf(line.cod), amountOf(line.fee), line.currency!];
    return finding({
      ...about,
      currency,
      effect: cod.minus(fee).negated(),
      message: message(say1(cod, fee, currency)),
    });
  });
}

/** What the courier did to the order since, which clears nothing. */
function sayLater({ vanished_at, state }: Line): string {
  if (vanished_at !== null) return `, and it is gone from the order book since ${vanished_at.slice(0, 10)}`;
  return state === 'DELIVERED' ? '' : `, and its state is now ${state}`;
}

async function countDelivered({ db, periods }: CheckContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from courier_order b
    where b.delivered_seen_at is not null and substr(${DELIVERED}, 1, 7) in (${sql.join([...periods])})`.execute(db);
  return Number(rows[0]!.count);
}
