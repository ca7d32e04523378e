import { sql } from 'kysely';
import { unitsText } from '../ledger/sql.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../money/index.ts';
import type { Check } from './check.ts';
import { amountOf, amounts, effectOf, FIELD_NAMES, finding, say, sayOrder, sentence } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';
import { twoOrderBooks } from './requirement.ts';

type Line = Record<'order_id' | 'reference' | 'currency', string> &
  Record<`${OrderMoneyField}_${'then' | 'now'}`, string | null>;

export const orderRestated: Check = {
  code: 'order-restated',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: 'An order’s COD and fee stay as they were when it was first seen delivered.',
  claim: "The amount in the order's own record was changed after the delivery.",
  async find(context) {
    const { db, knowledge } = context;
    const { rows } = await sql<Line>`
      select named.order_id, named.currency, b.reference_id as reference,
        ${sql.join(
          ORDER_MONEY_FIELDS.flatMap((field) => [
            sql`${unitsText(`d.${field}`)} as ${sql.ref(`${field}_then`)}`,
            sql`${unitsText(`own.${field}`)} as ${sql.ref(`${field}_now`)}`,
          ]),
        )}
      from (
        select order_id, currency from courier_order_delivered_amount
        union
        select own.order_id, own.currency from courier_order_amount own
        where own.order_id in (select order_id from courier_order_delivered_amount)
      ) named
      join courier_order b on b.order_id = named.order_id
      left join courier_order_delivered_amount d on d.order_id = named.order_id and d.currency = named.currency
      left join courier_order_amount own on own.order_id = named.order_id and own.currency = named.currency
      order by named.order_id, named.currency`.execute(db);
    const months = await orderMonths(
      db,
      rows.map(({ order_id }) => order_id),
      knowledge,
    );
    const findings = rows.flatMap((row) =>
      ORDER_MONEY_FIELDS.flatMap((field) => {
        const [expected, actual] = [amountOf(row[`${field}_then`]), amountOf(row[`${field}_now`])];
        const difference = actual.minus(expected);
        if (difference.isZero()) return [];
        const { order_id, reference, currency } = row;
        const { first, shown } = months.get(order_id)!;
        const effect = first === null ? null : effectOf(field, difference);
        return finding({
          ...shown,
          order_id,
          reference_id: reference,
          currency,
          field,
          ...amounts(expected, actual),
          effect,
          parts: effect === null ? [] : [{ period: first!, effect }],
          message: sentence(
            `the ${FIELD_NAMES[field]} of ${sayOrder(order_id, reference)} was ${say(expected, currency)} when it was first seen delivered and is ${say(actual, currency)} now: ask the delivery company why it was changed afterwards.`,
          ),
        });
      }),
    );
    return { findings, compared: (await population(context)).orders, notComparable: [] };
  },
};
