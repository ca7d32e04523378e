import { groupBy } from '../../base/group.ts';
import {
  type ReferencedOrder,
  readOddReferences,
  readOrdersByReferences,
  readSharedReferences,
} from '../../ledger/queries/orders/links.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { defineCheck } from '../check.ts';
import { type OrderMonths, orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { counts, finding } from '../finding.ts';
import { orderBook } from '../requirement.ts';

type Found = { id: 'duplicate-reference'; reference: string; orders: string[] };
type Says = Found | { id: 'duplicate-reference/cause'; reference: string; count: number };

export const duplicateReference = defineCheck<Says>({
  code: 'duplicate-reference',
  severity: 'warning',
  requires: [orderBook],
  title: {
    en: 'No reference of the shop stands on two orders that are not cancelled.',
    ar: 'لا يتكرر مرجع من مراجع المتجر على طلبين غير ملغيين.',
  },
  finds: { en: 'One reference on several orders', ar: 'مرجع واحد لعدة طلبات' },
  async find(context) {
    const groups = [...groupBy(await suspects(context.db), ({ reference }) => plainReference(reference))]
      .filter(([plain, orders]) => plain !== '' && orders.length > 1)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const suspected = groups.flatMap(([, orders]) => orders);
    const months = await orderMonths(context, suspected);
    const findings = groups.map(([plain, orders]) => {
      const orderIds = orders.map(({ order_id }) => order_id);
      return finding<Says>({
        ...monthsOfFinding(orderIds.map((id) => months.get(id)!)),
        subject: `reference ${plain}`,
        order_id: orderIds[0]!,
        reference_id: orders[0]!.reference,
        field: 'reference_id',
        ...counts(1, orderIds.length),
        sentence: { id: 'duplicate-reference', reference: plain, orders: orderIds },
      });
    });
    return { findings, compared: (await population(context)).orders };
  },
  cause: ({ sentence }) => ({
    id: 'duplicate-reference/cause',
    reference: (JSON.parse(sentence) as Found).reference,
  }),
  words: {
    en: {
      'duplicate-reference': ({ reference, orders }, { text, list }) =>
        `The reference "${text(reference)}" stands on ${orders.length} orders where 1 is right, ${list(orders)}: check whether the sale was sent twice, and cancel or rename the surplus orders.`,
      'duplicate-reference/cause': ({ reference }, { text }) =>
        `The reference "${text(reference)}" stands on several orders`,
    },
    ar: {
      'duplicate-reference': ({ reference, orders }, { text, list }) =>
        `المرجع «${text(reference)}» وارد على عدة طلبات (${orders.length} بدل 1): ${list(orders)}؛ تحقّق هل أُرسل البيع مرتين، وألغِ الطلبات الزائدة أو غيّر مراجعها.`,
      'duplicate-reference/cause': ({ reference }, { text }) => `المرجع «${text(reference)}» وارد على عدة طلبات`,
    },
  },
  guide: {
    compares:
      'No reference of your shop stands on two orders that are not cancelled; case, white space and Unicode form aside.',
    remedy: 'Check whether the sale was sent twice.',
  },
  plant: {
    // C1 has the reference `ref-C1`.
    night(books) {
      books.place('D2', '2026-11-28').reference_id = ' REF-c1\t';
    },
  },
});

/**
 * A shop's reference without differences of case, Unicode form and white space: ` REF-c1\t` gives `ref-c1`. Normalised
 * twice, because some letters with a mark are one character in lower case alone.
 */
export function plainReference(reference: string): string {
  return reference.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/**
 * The orders that may share a reference: those whose references the database finds equal but for the case of A to Z,
 * and those with unusual blanks or letters (odd references), with the orders that they may be equal to.
 */
async function suspects(db: LedgerReader): Promise<readonly ReferencedOrder[]> {
  const odd = await readOddReferences(db);
  const plain = odd.map(({ reference }) => plainReference(reference));
  const suspected = [...new Set([...(await readSharedReferences(db)), ...plain])];
  const orders = [...odd, ...(await readOrdersByReferences(db, suspected))];
  const byId = new Map(orders.map((order) => [order.order_id, order]));
  return [...byId.values()].sort((a, b) => (a.order_id < b.order_id ? -1 : 1));
}

/** The months of all orders of a finding. Its own is the latest month of an invoice, or else the latest of all. */
function monthsOfFinding(orders: readonly OrderMonths[]): { period: string; periods: string[] } {
  const periods = [...new Set(orders.flatMap(({ ofFinding }) => ofFinding.periods))].sort();
  const invoiced = orders.flatMap(({ invoiced }) => invoiced).sort();
  return { period: invoiced.at(-1) ?? periods.at(-1) ?? '', periods };
}
