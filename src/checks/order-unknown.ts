import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { chunks } from '../ledger/chunks.ts';
import { isOneOf, unitsText } from '../ledger/sql.ts';
import { currenciesAtStake, netOf } from './billed-twice.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { isBookNewer } from './comparable.ts';
import { amountOf, finding, sayOrder } from './finding.ts';
import { population } from './population.ts';
import { invoiceRecords } from './records.ts';
import { orderBook, wholeOrderBook } from './requirement.ts';
import { rowPlaces } from './row-place.ts';
import { uncomparedRows, unseenRows, whyUncompared } from './uncompared.ts';

type Line = Record<'period' | 'order_id' | 'reference', string> &
  Record<'number' | 'position', number> &
  Record<'vanished_at' | 'currency' | 'cod' | 'fee', string | null>;

export const orderUnknown: Check = {
  code: 'order-unknown',
  severity: 'error',
  requires: [orderBook, wholeOrderBook],
  title: 'Every order on an invoice is in the order book.',
  claim: 'The invoice lists an order that your order book does not hold.',
  async find(context) {
    const findings = await unknownRows(context);
    const uncompared = (await uncomparedRows(context)).filter(({ why }) => why !== 'older');
    const { rows } = await population(context);
    return { findings, compared: rows - uncompared.length, notComparable: whyUncompared(uncompared) };
  },
  unseen: unseenRows,
};

async function unknownRows(context: CheckContext): Promise<Finding[]> {
  const lacking = (await invoiceRecords(context)).filter(({ rows, held }) => held < rows).map(({ number }) => number);
  const findings: Finding[] = [];
  for (const chunk of chunks(lacking)) findings.push(...(await unknownOn(context, chunk)));
  return findings;
}

async function unknownOn(context: CheckContext, invoices: readonly number[]): Promise<Finding[]> {
  const { db, knowledge } = context;
  const { rows } = await sql<Line>`
    select i.number, i.period, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
      a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('i.number', invoices)} and ${isBookNewer(knowledge)}
      and not exists (select 1 from courier_order b where b.order_id = o.order_id)
      and not exists (select 1 from unreadable u where u.kind = 'order' and u.subject = o.order_id)
    order by i.number, o.position, a.currency`.execute(db);
  const placeOf = await rowPlaces(context);
  return [...groupBy(rows, ({ number, position }) => `${number} ${position}`).values()].flatMap((lines) => {
    const [first] = lines;
    const { number, period, order_id, reference } = first!;
    const money = new Map(
      lines.flatMap(({ currency, cod, fee }) =>
        currency === null ? [] : [[currency, { cod: amountOf(cod), delivery_fee: amountOf(fee) }] as const],
      ),
    );
    const { place, isOwn } = placeOf(first!);
    const currencies = currenciesAtStake([{ money }]);
    return (currencies.length > 0 ? currencies : [null]).map((currency) =>
      finding({
        period,
        invoice_number: number,
        order_id,
        reference_id: reference,
        currency,
        place,
        effect: isOwn && currency !== null ? netOf([{ money }], currency) : null,
        message: `Invoice ${number} lists ${sayOrder(order_id, reference)}, which is not in the order book: run \`remit sync --orders\`, and if it is still not there ask the delivery company whose order it is.`,
      }),
    );
  });
}
