import { DELIVERY_STATES, PAYMENT_STATES } from '../../base/states.ts';
import { readUnknownStatuses } from '../../ledger/queries/invoices/listed.ts';
import { readUnknownRecordStates, readUnknownRowStates } from '../../ledger/queries/rows/row-differences.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { rowPlaces } from '../facts/billed-orders.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { finding, ofRow } from '../finding.ts';
import { ISSUED, NEW_INVOICE } from '../plant.ts';

const KNOWN = { delivery_state: DELIVERY_STATES, payment_state: PAYMENT_STATES } as const;
type StateField = keyof typeof KNOWN;
const FIELDS = ['delivery_state', 'payment_state'] as const;

/** `state`: the one that the documentation does not name. */
type OfOrder = { order_id: string; reference: string; field: StateField; state: string };
type Found =
  | { id: 'status-unknown'; number: number; state: string }
  | ({ id: 'status-unknown/row'; number: number } & OfOrder)
  | ({ id: 'status-unknown/record' } & OfOrder);
type Says = Found | { id: 'status-unknown/cause'; state: string; count: number };

const NAMES = {
  en: { delivery_state: 'delivery state', payment_state: 'payment state' },
  ar: { delivery_state: 'حالة تسليم', payment_state: 'حالة دفع' },
} as const;

export const statusUnknown = defineCheck<Says>({
  code: 'status-unknown',
  severity: 'warning',
  title: {
    en: 'Every status is one that the delivery company’s documentation names.',
    ar: 'كل حالة هي مما تذكره وثائق شركة التوصيل.',
  },
  finds: { en: 'A status that is not documented', ar: 'حالة لا تذكرها وثائق شركة التوصيل' },
  cause: ({ sentence }) => ({ id: 'status-unknown/cause', state: (JSON.parse(sentence) as Found).state }),
  async find(context) {
    const { invoices, rows, orders } = await population(context);
    const findings = [...(await findInvoices(context)), ...(await findRows(context)), ...(await findRecords(context))];
    return { findings, compared: invoices + rows + orders };
  },
  words: {
    en: {
      'status-unknown': ({ number, state }, { text }) =>
        `Invoice ${number} has the status ${text(state)}, which the documentation does not name; an invoice that is not PAID counts as unpaid: ask the delivery company what it means.`,
      'status-unknown/row': ({ number, order_id, reference, field, state }, { order, text }) =>
        `On invoice ${number} the ${NAMES.en[field]} of ${order(order_id, reference)} is ${text(state)}, which the documentation does not name: it counts as neither delivered nor paid; ask the delivery company what it means.`,
      'status-unknown/record': ({ order_id, reference, field, state }, { order, text }) =>
        `In the order book the ${NAMES.en[field]} of ${order(order_id, reference)} is ${text(state)}, which the documentation does not name: it counts as neither delivered nor paid; ask the delivery company what it means.`,
      'status-unknown/cause': ({ state, count: times }, { count, text }) =>
        `${count(times, { one: 'invoice or order has', other: 'invoices or orders have' })} the undocumented status ${text(state)}`,
    },
    ar: {
      'status-unknown': ({ number, state }, { text }) =>
        `حالة الفاتورة ${number} هي ${text(state)}، والوثائق لا تذكرها؛ وكل فاتورة ليست PAID تُعدّ غير مدفوعة: اسأل شركة التوصيل عن معناها.`,
      'status-unknown/row': ({ number, order_id, reference, field, state }, { order, text }) =>
        `في الفاتورة ${number} ${NAMES.ar[field]} ${order(order_id, reference)} هي ${text(state)}، والوثائق لا تذكرها: لا يُعدّ الطلب مسلَّمًا ولا مدفوعًا؛ اسأل شركة التوصيل عن معناها.`,
      'status-unknown/record': ({ order_id, reference, field, state }, { order, text }) =>
        `في سجلّ الطلبات ${NAMES.ar[field]} ${order(order_id, reference)} هي ${text(state)}، والوثائق لا تذكرها: لا يُعدّ الطلب مسلَّمًا ولا مدفوعًا؛ اسأل شركة التوصيل عن معناها.`,
      'status-unknown/cause': ({ state, count: times }, { count, text }) =>
        `الحالة ${text(state)} غير الموثّقة في ${count(times, arabicNoun('موضع', 'مواضع', 'genitive'))}`,
    },
  },
  guide: {
    compares:
      "Every status of an invoice or an order is one that the API's documentation names. An invoice that is not `PAID` counts as unpaid.",
    remedy: 'Ask what it means.',
  },
  plant: { night: (books) => void books.bill(NEW_INVOICE, ISSUED, ['C1'], 'ON_HOLD') },
});

async function findInvoices({ db, periods }: CheckContext): Promise<Finding[]> {
  return (await readUnknownStatuses(db, periods)).map(({ number, period, status: state }) => {
    const sentence: Says = { id: 'status-unknown', number, state };
    return finding({ period, invoice_number: number, field: 'status', sentence });
  });
}

async function findRows(context: CheckContext): Promise<Finding[]> {
  const unknown = await readUnknownRowStates(context.db, context.periods);
  const placeOf = await rowPlaces(context);
  return unknown.flatMap((row) => {
    const { number, order_id, reference } = row;
    return undocumentedIn(row).map((field) =>
      finding<Says>({
        ...ofRow(row),
        field,
        place: placeOf(row).place,
        sentence: { id: 'status-unknown/row', number, order_id, reference, field, state: row[field] },
      }),
    );
  });
}

async function findRecords(context: CheckContext): Promise<Finding[]> {
  const records = await readUnknownRecordStates(context.db);
  const months = await orderMonths(context, records);
  return records.flatMap((record) => {
    const { order_id, reference } = record;
    return undocumentedIn(record).map((field) =>
      finding<Says>({
        ...months.get(order_id)!.ofFinding,
        reference_id: reference,
        field,
        sentence: { id: 'status-unknown/record', order_id, reference, field, state: record[field] },
      }),
    );
  });
}

/** The fields whose state the documentation does not name. */
function undocumentedIn(states: Readonly<Record<StateField, string>>): StateField[] {
  return FIELDS.filter((field) => !(KNOWN[field] as readonly string[]).includes(states[field]));
}
