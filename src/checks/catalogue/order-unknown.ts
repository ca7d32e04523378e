import { groupBy } from '../../base/group.ts';
import { readUnknownRows } from '../../ledger/queries/rows/row-differences.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { currenciesOfFindings, moneyOfLines, netOf, rowKey, rowPlaces } from '../facts/billed-orders.ts';
import { population } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { uncomparedRows, unlinkedOrders, unseenRows, whyUncompared } from '../facts/stated-rows.ts';
import { finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';
import { orderBook, wholeOrderBook } from '../requirement.ts';

type Says = { id: 'order-unknown'; number: number; order: string; reference: string };

export const orderUnknown = defineCheck<Says>({
  code: 'order-unknown',
  severity: 'error',
  requires: [orderBook, wholeOrderBook],
  title: { en: 'Every order on an invoice is in the order book.', ar: 'كل طلب في فاتورة موجود في سجلّ الطلبات.' },
  finds: { en: 'An order without a record of ours', ar: 'طلب في فاتورة لا سجلّ له عندنا' },
  claim: {
    en: 'The invoice lists an order that your records do not hold.',
    ar: 'تذكر الفاتورة طلبًا لا يوجد في سجلّاتكم.',
  },
  async find(context) {
    const findings = await unknownRows(context);
    // A record that is older than the invoice shows as well that the order book has the order.
    const uncompared = (await uncomparedRows(context)).filter(({ why }) => why !== 'older');
    const { rows } = await population(context);
    return { findings, compared: rows - uncompared.length, notComparable: whyUncompared(uncompared) };
  },
  unseen: unseenRows,
  words: {
    en: {
      'order-unknown': ({ number, order, reference }, speech) =>
        `Invoice ${number} lists ${speech.order(order, reference)}, which is not in the order book: run \`remit sync --orders\`, and if it is still not there ask the delivery company whose order it is.`,
    },
    ar: {
      'order-unknown': ({ number, order, reference }, speech) =>
        `تذكر الفاتورة ${number} ${speech.order(order, reference)}، وهو غير موجود في سجلّ الطلبات: شغّل \`remit sync --orders\`، فإن لم يظهر فاسأل شركة التوصيل لمن هذا الطلب.`,
    },
  },
  guide: { remedy: 'Sync the order book again; then ask whose order it is.' },
  plant: {
    night(books) {
      books.place('D2', ISSUED);
      books.bill(NEW_INVOICE, ISSUED, ['C1', 'D2']);
      books.orders.delete('D2');
    },
    effects: november({ USD: '22.00' }),
  },
});

/**
 * A finding for each such row and currency. It has no effect if the order counts on another row, or if nobody knows how
 * the order counts (a return, while the convention for returns is not known).
 */
async function unknownRows(context: CheckContext): Promise<Finding[]> {
  const { db, periods, sources } = context;
  const { unrecorded: orderIds } = await unlinkedOrders(context);
  const rows = await readUnknownRows(db, periods, { orderIds, lastWholeWalk: sources.book.lastWholeWalk });
  const placeOf = await rowPlaces(context);
  const signsOfOrder = await orderSigns(context);
  // `rows` has a line for each currency of an invoice's row.
  return [...groupBy(rows, rowKey).values()].flatMap((lines) => {
    const first = lines[0]!;
    const { number, order_id, reference } = first;
    const money = moneyOfLines(lines);
    const { place, isCounted } = placeOf(first);
    return currenciesOfFindings([{ money }]).map((currency) =>
      finding<Says>({
        ...ofRow(first),
        currency,
        place,
        effect: isCounted && currency !== null ? netOf([{ money }], currency, signsOfOrder(order_id)) : null,
        sentence: { id: 'order-unknown', number, order: order_id, reference },
      }),
    );
  });
}
