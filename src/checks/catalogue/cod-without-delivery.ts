import type { Speech } from '../../base/sentence.ts';
import { isDelivered } from '../../base/states.ts';
import { readCodOfUndelivered } from '../../ledger/queries/rows/money.ts';
import { formatAmount, ZERO } from '../../money/decimal.ts';
import { amountOfUnits } from '../../money/units.ts';
import { defineCheck } from '../check.ts';
import { coverageOfRowsWithStates } from '../facts/population.ts';
import { orderSigns } from '../facts/returns/convention.ts';
import { statedRows, unseenRecords } from '../facts/stated-rows.ts';
import { amounts, effectOf, finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE, november } from '../plant.ts';

/**
 * `state`: that of the row, or if only the record shows that the order was not delivered (`byRecord`), that of the
 * record. `deliveredBy`: what shows a delivery in spite of the row's state.
 */
type Undelivered = {
  number: number;
  order_id: string;
  reference: string;
  currency: string;
  /** Never negative, even if COD is taken back. */
  amount: string;
  state: string;
  byRecord: boolean;
  deliveredBy: 'record' | 'row' | null;
};
type Says = Undelivered & ({ id: 'cod-without-delivery' } | { id: 'cod-without-delivery/taken-back' });

export const codWithoutDelivery = defineCheck<Says>({
  code: 'cod-without-delivery',
  severity: 'warning',
  title: { en: 'COD is credited for delivered orders only.', ar: 'لا يُقيَّد المحصَّل إلا لطلبات سُلّمت.' },
  finds: { en: 'COD credited without a delivery', ar: 'مبلغ محصَّل من دون تسليم' },
  claim: {
    en: 'COD is credited or taken back for an order that was not delivered.',
    ar: 'مبلغ محصَّل مقيَّد أو مسترَدّ لطلب لم يُسلَّم.',
  },
  async find(context) {
    const { book } = context.sources;
    const statedRowOf = await statedRows(context);
    const signsOfOrder = await orderSigns(context);
    const findings = (await readCodOfUndelivered(context.db, context.periods, book.lastWholeWalk)).map((line) => {
      const row = statedRowOf(line);
      const { number, order_id, reference, state, place } = row;
      const { currency } = line;
      const amount = amountOfUnits(line.cod);
      const hasRecord = row.record_order_id !== null;
      // A row that says delivered is here because its order's record never shows a delivery.
      const byRecord = isDelivered(state);
      const shownBy = hasRecord ? 'record' : 'row';
      // - The order was delivered: the row's state is wrong, and its money right.
      // - It was not, by its record or without any order book: the money is wrong, on the row where the order counts.
      // - The order book was read and has no record of it: nobody knows, and there is no effect.
      const isMoneyWrong = row.isCounted && !row.wasDelivered && (hasRecord || !book.hasOrders);
      return finding<Says>({
        ...ofRow(row),
        currency,
        field: 'cod',
        place,
        ...amounts(ZERO, amount),
        effect: isMoneyWrong ? effectOf('cod', amount, signsOfOrder(order_id)) : null,
        sentence: {
          id: amount.isNegative() ? 'cod-without-delivery/taken-back' : 'cod-without-delivery',
          number,
          order_id,
          reference,
          currency,
          amount: formatAmount(amount.abs()),
          state: byRecord ? (row.record_state ?? '') : state,
          byRecord,
          deliveredBy: row.wasDelivered && !byRecord ? shownBy : null,
        },
      });
    });
    return { findings, ...(await coverageOfRowsWithStates(context)) };
  },
  unseen: unseenRecords,
  words: {
    en: {
      'cod-without-delivery': ({ number, currency, amount, ...row }, { money, order, state }) =>
        `Invoice ${number} credits ${money(amount, currency)} of COD for ${order(row.order_id, row.reference)}, ${inEnglish(row, state)}, where 0.00 is expected: ask the delivery company whether the order was delivered, before it takes the money back.`,
      'cod-without-delivery/taken-back': ({ number, currency, amount, ...row }, { money, order, state }) =>
        `Invoice ${number} takes back ${money(amount, currency)} of COD (it states -${money(amount, currency)}) for ${order(row.order_id, row.reference)}, ${inEnglish(row, state)}, where 0.00 is expected: ask the delivery company why.`,
    },
    ar: {
      'cod-without-delivery': ({ number, currency, amount, ...row }, { money, order, state }) =>
        `تقيّد الفاتورة ${number} محصَّلًا قدره ${money(amount, currency)} عن ${order(row.order_id, row.reference)}، ${inArabic(row, state)}، والمتوقَّع 0.00: اسأل شركة التوصيل هل سُلّم الطلب، قبل أن تستردّ المال.`,
      'cod-without-delivery/taken-back': ({ number, currency, amount, ...row }, { money, order, state }) =>
        `تستردّ الفاتورة ${number} محصَّلًا قدره ${money(amount, currency)} (تذكره بالسالب) عن ${order(row.order_id, row.reference)}، ${inArabic(row, state)}، والمتوقَّع 0.00: اسأل شركة التوصيل عن السبب.`,
    },
  },
  guide: {
    compares:
      "COD is credited (or taken back) only for an order that is `DELIVERED` or `DELIVERED_AT_WAREHOUSE`, by the row's state and by the order's own record.",
    remedy: 'Ask whether it was delivered, before the money is taken back.',
  },
  plant: {
    // D1 is on its way: its COD is not due, its fee is.
    night: (books) => void books.bill(NEW_INVOICE, ISSUED, ['C1', 'D1']),
    effects: november({ USD: '25.00' }),
  },
});

type State = Pick<Undelivered, 'state' | 'byRecord' | 'deliveredBy'>;

function inEnglish({ state, byRecord, deliveredBy }: State, text: Speech['state']): string {
  if (byRecord) return `which its record (${text(state)}) never shows as delivered`;
  const evidence = { record: ', though its own record shows a delivery', row: ', though another row shows a delivery' };
  return `which is ${text(state)} and not Delivered${deliveredBy === null ? '' : evidence[deliveredBy]}`;
}

function inArabic({ state, byRecord, deliveredBy }: State, text: Speech['state']): string {
  if (byRecord) return `ولا يُظهر سجلّه (${text(state)}) أنه سُلّم قط`;
  const evidence = { record: '، مع أن سجلّه يُظهر تسليمًا', row: '، مع أن سطرًا آخر يُظهر تسليمًا' };
  return `وحالته ${text(state)} لا «سُلّم»${deliveredBy === null ? '' : evidence[deliveredBy]}`;
}
