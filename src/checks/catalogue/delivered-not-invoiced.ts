import { dayIn, monthIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { parseInstant } from '../../base/instant.ts';
import { addMonths } from '../../base/period.ts';
import { isDelivered } from '../../base/states.ts';
import {
  countDeliveredOrders,
  readUnbilledOrders,
  type UnbilledLine,
} from '../../ledger/queries/orders/not-invoiced.ts';
import { formatAmount } from '../../money/decimal.ts';
import type { RowSigns } from '../../money/returns.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { type CheckContext, defineCheck, type Finding, type NotComparable, type Stake } from '../check.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { isWholeSince } from '../facts/sources.ts';
import { amountOf, finding, netAmount } from '../finding.ts';
import { november } from '../plant.ts';
import { orderBook } from '../requirement.ts';

type Says =
  | {
      id: 'delivered-not-invoiced';
      order: string;
      reference: string;
      /** The day of the delivery; if `seen`, of when it was first seen delivered, because no stamp tells. */
      on: string;
      seen: boolean;
      /** Null if there is neither COD nor a fee. */
      money: { currency: string; cod: string; fee: string } | null;
      /** `invoice_lag_days`. */
      days: number;
      /** The day since which it is gone from the order book, or else its state if that is no longer delivered. */
      goneSince: string | null;
      state: string | null;
    }
  | { id: 'delivered-not-invoiced/cause'; month: string; count: number };

export const deliveredNotInvoiced = defineCheck<Says>({
  code: 'delivered-not-invoiced',
  severity: 'error',
  requires: [orderBook],
  outsideInvoices: true,
  title: {
    en: 'A delivered order stands on an invoice within the agreed days.',
    ar: 'يرد الطلب المسلَّم في فاتورة خلال الأيام المتفق عليها.',
  },
  finds: { en: 'Delivered, and on no invoice', ar: 'سُلّم وليس في أي فاتورة' },
  claim: { en: 'The order was delivered and stands on no invoice.', ar: 'سُلّم الطلب ولم يرد في أي فاتورة.' },
  async find(context) {
    const late = (await unbilledOrders(context)).filter(([first]) => isLate(first, context));
    const sure = late.filter(([first]) => isSure(first, context));
    const unsure = late.filter(([first]) => !isSure(first, context));
    const whyOf = ([first]: UnbilledOrder) =>
      isLeftUndone(first, context) ? 'invoices-left-undone' : 'linked-invoice-unread';
    const notComparable = [...groupBy(unsure, whyOf)].map(
      ([id, orders]): NotComparable => ({
        why: { id },
        commands: [syncOf(orders.flat(), context)],
        count: orders.length,
        stakes: orders.flat().flatMap((line) => stakeOf(line, context)),
      }),
    );
    const signsOfOrder = await orderSigns(context);
    const delivered = await countDelivered(context);
    const findings = sure.flatMap((lines) => notInvoiced(lines, context, signsOfOrder(lines[0].order_id)));
    return { findings, compared: delivered - unsure.length, notComparable };
  },
  /** An order that names an invoice which was not read may be on it. */
  async unseen(context) {
    const unsure = (await unbilledOrders(context)).filter(([first]) => !isSure(first, context));
    const ids = new Set(unsure.map(([first]) => first.order_id));
    return ({ order_id }) => ids.has(order_id!);
  },
  cause: ({ period }) => ({ id: 'delivered-not-invoiced/cause', month: period }),
  words: {
    en: {
      'delivered-not-invoiced': ({ order, reference, on, seen, money, days, goneSince, state }, speech) => {
        const due =
          money === null
            ? 'nothing to collect'
            : `a COD of ${speech.money(money.cod, money.currency)} less a fee of ${speech.money(money.fee, money.currency)}`;
        let since = '';
        if (goneSince !== null) since = `, and it is gone from the order book since ${goneSince}`;
        else if (state !== null) since = `, and its state is now ${speech.state(state)}`;
        return `No invoice lists ${speech.order(order, reference)}, ${seen ? 'first seen delivered' : 'delivered'} on ${on} with ${due}, though more than ${days} days have passed${since}: ask the delivery company to put it on the next invoice.`;
      },
      'delivered-not-invoiced/cause': ({ month, count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} delivered in ${month} ${count === 1 ? 'is' : 'are'} on no invoice`,
    },
    ar: {
      'delivered-not-invoiced': ({ order, reference, on, seen, money, days, goneSince, state }, speech) => {
        const due =
          money === null
            ? 'ولا مبلغ يُحصَّل عنه'
            : `بمحصَّل ${speech.money(money.cod, money.currency)} ناقص رسم ${speech.money(money.fee, money.currency)}`;
        let since = '';
        if (goneSince !== null) since = `، وقد اختفى من سجلّ الطلبات منذ ${goneSince}`;
        else if (state !== null) since = `، وحالته الآن ${speech.state(state)}`;
        return `لا فاتورة تذكر ${speech.order(order, reference)}، ${seen ? 'شوهد مسلَّمًا أول مرة' : 'سُلّم'} في ${on} ${due}، وقد مضى على ذلك أكثر من ${speech.count(days, arabicNoun('يوم', 'أيام', 'genitive'))}${since}: اطلب من شركة التوصيل إدراجه في الفاتورة التالية.`;
      },
      'delivered-not-invoiced/cause': ({ month, count }, speech) =>
        `لا فاتورة تذكر ${speech.count(count, arabicNoun('طلب', 'طلبات', 'object'))} من تسليمات ${month}`,
    },
  },
  guide: {
    compares:
      'An order that was ever delivered stands on an invoice within `invoice_lag_days`. Taking it out of the order book, or a later state, does not clear it.',
    remedy: 'Ask to have it put on the next invoice.',
  },
  plant: {
    night: (books) => void books.place('D2', '2026-11-02', { USD: ['25.00', '3.00'], LBP: ['90000', '0'] }),
    findings: 2,
    effects: november({ LBP: '-90000.00', USD: '-22.00' }),
  },
});

/** An order on no invoice, not even a vanished one: one line per currency. */
type UnbilledOrder = readonly [UnbilledLine, ...UnbilledLine[]];

/** The orders on no invoice that were delivered in these months, or in the month before or after. */
function nearbyOrders({ db, periods, facts }: CheckContext): Promise<readonly UnbilledOrder[]> {
  return facts.once('unbilled-orders', async () => {
    // A delivery's month by the courier's clock may be the one before or after its month in the books' time zone.
    const nearby = [...new Set(periods.flatMap((month) => [addMonths(month, -1), month, addMonths(month, 1)]))];
    const orders = groupBy(await readUnbilledOrders(db, nearby), ({ order_id }) => order_id);
    return [...orders.values()] as [UnbilledLine, ...UnbilledLine[]][];
  });
}

/** The orders on no invoice that were delivered in these months by the books' time zone. */
async function unbilledOrders(context: CheckContext): Promise<readonly UnbilledOrder[]> {
  const months = new Set(context.periods);
  return (await nearbyOrders(context)).filter(([first]) => months.has(booksMonthOf(first, context)));
}

/** Counts the orders delivered in these months: invoiced ones by the courier's clock, others by the books' zone. */
async function countDelivered(context: CheckContext): Promise<number> {
  const months = new Set(context.periods);
  const delivered = await countDeliveredOrders(context.db, context.periods);
  const unbilledByCourier = (await nearbyOrders(context)).filter(([first]) => months.has(courierMonthOf(first)));
  return delivered - unbilledByCourier.length + (await unbilledOrders(context)).length;
}

/** The month of the delivery in the books' time zone. */
function booksMonthOf({ delivered }: UnbilledLine, { settings }: Pick<CheckContext, 'settings'>): string {
  return monthIn(delivered, settings.timeZone);
}

/** The month of the delivery by the courier's clock, as its lists and walks have it. */
function courierMonthOf({ delivered }: UnbilledLine): string {
  return delivered.slice(0, 7);
}

const DAY = 86_400_000;

function isLate({ delivered }: UnbilledLine, { now, settings }: CheckContext): boolean {
  const at = parseInstant(delivered);
  return at !== null && now.getTime() - at.getTime() > settings.invoiceLagDays * DAY;
}

/** Whether the budget of requests ran out for a month in which the order may have been invoiced. */
function isLeftUndone(line: UnbilledLine, context: CheckContext): boolean {
  const month = booksMonthOf(line, context);
  return [...context.sources.leftUndone].some((undone) => undone >= month);
}

/**
 * Whether the order is certainly on no invoice. It is if its record names no invoice, or one that was read and lacks the
 * order: `read` stands for both. It may be on an invoice that the ledger lacks: on one of a list (`listed`), or on one
 * that no list shows (`unknown`) while a month since its delivery was not read whole.
 */
function isSure(line: UnbilledLine, context: CheckContext): boolean {
  if (isLeftUndone(line, context)) return false;
  const { named } = line;
  return named === 'read' || (named === 'unknown' && isWholeSince(context.sources, courierMonthOf(line)));
}

/** The command that brings the months whose invoices may list these orders, up to the last walk over the order book. */
function syncOf(lines: readonly UnbilledLine[], { sources }: CheckContext): string {
  const months = [...lines.map(courierMonthOf), sources.book.walkedAt!.slice(0, 7)].sort();
  const [first, last] = [months[0], months.at(-1)];
  return first === last ? `remit sync ${first}` : `remit sync ${first}..${last}`;
}

/** The money of an order that may be on an unread invoice. */
function stakeOf(line: UnbilledLine, context: CheckContext): Stake[] {
  const { order_id, currency, cod, fee } = line;
  if (currency === null) return [];
  const amount = amountOf(cod).abs().plus(amountOf(fee).abs());
  return [{ period: booksMonthOf(line, context), currency, amount, what: 'order', subject: order_id }];
}

function notInvoiced(lines: UnbilledOrder, { settings }: CheckContext, signs: RowSigns | null): Finding[] {
  const { order_id, reference, delivered, first_delivered_at, vanished_at, state } = lines[0];
  const period = monthIn(delivered, settings.timeZone);
  const about = { period, order_id, reference_id: reference, field: 'merchant_invoice' };
  const sentence = {
    id: 'delivered-not-invoiced',
    order: order_id,
    reference,
    on: dayIn(delivered, settings.timeZone),
    seen: first_delivered_at === null,
    days: settings.invoiceLagDays,
    goneSince: vanished_at === null ? null : dayIn(vanished_at, settings.timeZone),
    state: isDelivered(state) ? null : state,
  } as const;
  const atStake = lines.flatMap(({ currency, ...units }) => {
    const [cod, fee] = [amountOf(units.cod), amountOf(units.fee)];
    return currency === null || (cod.isZero() && fee.isZero()) ? [] : [{ currency, cod, fee }];
  });
  if (atStake.length === 0) return [finding<Says>({ ...about, sentence: { ...sentence, money: null } })];
  return atStake.map(({ currency, cod, fee }) =>
    finding<Says>({
      ...about,
      currency,
      effect: signs === null ? null : netAmount({ cod, delivery_fee: fee }, signs).negated(),
      sentence: { ...sentence, money: { currency, cod: formatAmount(cod), fee: formatAmount(fee) } },
    }),
  );
}
