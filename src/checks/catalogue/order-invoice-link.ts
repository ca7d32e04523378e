import { groupBy } from '../../base/group.ts';
import { inChunks } from '../../ledger/chunks.ts';
import {
  type ListedNowhere,
  readNamingKnownInvoices,
  readNamingUnknownInvoices,
  readUnconfirmedLinks,
  readUnrecordedListings,
} from '../../ledger/queries/orders/links.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { isWholeSince } from '../facts/sources.ts';
import { uncomparedRows, unlinkedOrders, whyUncompared } from '../facts/stated-rows.ts';
import { finding, type OrderNames } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';
import { orderBook } from '../requirement.ts';

/** `link`: the invoice that the order's record names, null if it names none; `invoices`: those that list the order. */
type Says = OrderNames &
  (
    | { id: 'order-invoice-link'; link: string | null; invoices: number[] }
    | { id: 'order-invoice-link/nowhere'; link: string; state: LinkState }
  );
/** The invoice named: in no list, gone from its list, or listed and without the order. */
type LinkState = 'unknown' | 'vanished' | 'listed';

export const orderInvoiceLink = defineCheck<Says>({
  code: 'order-invoice-link',
  severity: 'error',
  requires: [orderBook],
  title: { en: 'An order names the invoice that lists it.', ar: 'يذكر الطلب الفاتورة التي ورد فيها.' },
  finds: { en: 'An order does not name its invoice', ar: 'الطلب لا يذكر الفاتورة التي تذكره' },
  claim: {
    en: 'Your record of the order and your invoices do not agree on which invoice lists it.',
    ar: 'سجلّكم للطلب وفواتيركم لا تتفق على الفاتورة التي ورد فيها الطلب.',
  },
  async find(context) {
    const { findings, unsure } = await orderLinks(context);
    const uncompared = await uncomparedRows(context);
    return {
      findings,
      compared: (await population(context)).rows - uncompared.length,
      notComparable: [...whyUncompared(uncompared), { why: { id: 'linked-invoice-unsure' }, count: unsure.length }],
    };
  },
  /** Orders that cannot be judged now: the record is older than an invoice, or an invoice is vanished or unread. */
  async unseen(context, gone) {
    const { findings, unsure } = await orderLinks(context);
    const uncompared = (await uncomparedRows(context)).map(({ order_id }) => order_id);
    const goneOrders = gone.flatMap(({ order_id }) => order_id ?? []);
    const unconfirmed = await inChunks(goneOrders, (chunk) => readUnconfirmedLinks(context.db, chunk));
    const orders = new Set([...unsure, ...uncompared, ...unconfirmed]);
    // An order that has a finding now, about whichever invoice, was compared.
    for (const { order_id } of findings) orders.delete(order_id!);
    return ({ order_id }) => orders.has(order_id!);
  },
  words: {
    en: {
      'order-invoice-link': ({ order, reference, link, invoices }, speech) =>
        `The order book says ${link === null ? 'no invoice' : `invoice ${speech.text(link)}`} for ${speech.order(order, reference)}, but invoice ${speech.list(invoices)} lists it: ask the delivery company which invoice bills the order.`,
      'order-invoice-link/nowhere': ({ order, reference, link, state }, speech) =>
        `The order book says invoice ${speech.text(link)} for ${speech.order(order, reference)}, but ${
          {
            unknown: 'no month since then lists that invoice: ask the delivery company for it',
            vanished:
              'that invoice is gone from its list and no other lists the order: ask the delivery company where it is billed now',
            listed:
              'that invoice does not list it and neither does any other: ask the delivery company to bill the order, or to say where it did',
          }[state]
        }.`,
    },
    ar: {
      'order-invoice-link': ({ order, reference, link, invoices }, speech) =>
        `${link === null ? 'لا يذكر سجلّ الطلبات فاتورة' : `يذكر سجلّ الطلبات الفاتورة ${speech.text(link)}`} عن ${speech.order(order, reference)}، لكنه وارد في ${invoices.length === 1 ? 'الفاتورة' : 'الفواتير'} ${speech.list(invoices)}: اسأل شركة التوصيل في أي فاتورة يُحسب الطلب.`,
      'order-invoice-link/nowhere': ({ order, reference, link, state }, speech) =>
        `يذكر سجلّ الطلبات الفاتورة ${speech.text(link)} عن ${speech.order(order, reference)}، لكن ${
          {
            unknown: 'لا شهر منذ ذلك الحين يذكر هذه الفاتورة: اطلبها من شركة التوصيل',
            vanished: 'هذه الفاتورة اختفت من قائمتها ولا فاتورة غيرها تذكر الطلب: اسأل شركة التوصيل أين يُحسب الآن',
            listed:
              'هذه الفاتورة لا تذكره ولا تذكره فاتورة غيرها: اطلب من شركة التوصيل أن تفوتر الطلب أو أن تبيّن أين فوترته',
          }[state]
        }.`,
    },
  },
  guide: {
    compares:
      'An order names the invoice that lists it. One that names an invoice of a month which you have not synced is left alone.',
    remedy: 'Ask which invoice bills the order.',
  },
  plant: {
    night(books) {
      books.bill(NEW_INVOICE, ISSUED, ['C1']);
      books.orders.get('C1')!.merchant_invoice = null;
    },
  },
});

/** `unsure`: the ids of orders on no live invoice that cannot be compared with the invoice that they name. */
function orderLinks(context: CheckContext) {
  return context.facts.once('order-links', async () => {
    const { findings, unsure } = await findListedNowhere(context);
    return { findings: [...(await findListedElsewhere(context)), ...findings], unsure };
  });
}

/** Orders that are on one or more live invoices and name none of them. */
async function findListedElsewhere(context: CheckContext): Promise<Finding[]> {
  const { db, sources } = context;
  const { recorded } = await unlinkedOrders(context);
  const listings = await readUnrecordedListings(db, recorded, sources.book.lastWholeWalk);
  const listers = groupBy(listings, ({ order_id }) => order_id);
  const months = await orderMonths(context, listings);
  return [...listers].flatMap(([order_id, invoices]) => {
    // `comparable` is 0 for a record that is older than the invoice, and could not name it yet.
    if (invoices.every(({ comparable }) => comparable === 0)) return [];
    const { link, reference } = invoices[0]!;
    const numbers = invoices.map(({ number }) => number);
    const { ofFinding } = months.get(order_id)!;
    // The last invoice of the finding's month: the finding is shown in that month.
    const invoice = invoices.findLast(({ period }) => period === ofFinding.period) ?? invoices.at(-1)!;
    return finding<Says>({
      ...ofFinding,
      invoice_number: invoice.number,
      reference_id: reference,
      field: 'merchant_invoice',
      sentence: { id: 'order-invoice-link', order: order_id, reference, link, invoices: numbers },
    });
  });
}

/** Orders that name an invoice of these months, or an unknown one, and are on no live invoice. */
async function findListedNowhere(context: CheckContext) {
  const { db, periods, sources } = context;
  const rows = [
    ...(await readNamingKnownInvoices(db, periods, sources.book.lastWholeWalk)),
    ...(await readNamingUnknownInvoices(db)),
  ];
  const months = await orderMonths(context, rows);
  const unsure: string[] = [];
  const findings = rows.flatMap((row): Finding[] => {
    const { order_id, reference, link } = row;
    const { ofFinding, billable } = months.get(order_id)!;
    // An unknown invoice may be in a month whose list was not read whole. A known one may be newer than the record.
    const isUnsure = row.period === null ? !isWholeSince(sources, billable) : row.comparable === 0;
    if (isUnsure) {
      unsure.push(order_id);
      return [];
    }
    return [
      finding<Says>({
        period: row.period ?? ofFinding.period,
        // The record may name anything, such as `INV-7`: only a number can be an invoice's.
        invoice_number: /^\d{1,15}$/.test(link) ? Number(link) : null,
        order_id,
        reference_id: reference,
        field: 'merchant_invoice',
        sentence: { id: 'order-invoice-link/nowhere', order: order_id, reference, link, state: stateOf(row) },
      }),
    ];
  });
  return { findings, unsure };
}

function stateOf({ period, vanished_at }: ListedNowhere): LinkState {
  if (period === null) return 'unknown';
  return vanished_at === null ? 'listed' : 'vanished';
}
