import { groupBy } from '../../base/group.ts';
import { readOwnCods } from '../../ledger/queries/imports.ts';
import { amountOfUnits, formatUnits } from '../../money/units.ts';
import { type CheckContext, defineCheck, type Finding } from '../check.ts';
import { recordedOrBilledMonths } from '../facts/order-months.ts';
import { type SentTwice, sentTwice } from '../facts/other-couriers.ts';
import { ownLinks } from '../facts/own-links.ts';
import { counts, finding } from '../finding.ts';
import { ownBook } from '../requirement.ts';

type Says =
  | {
      id: 'order-at-two-couriers';
      reference: string;
      /** The order at each courier, in the order in which they were sent. */
      sent: { courier: string; order: string }[];
      /** The COD that the own book asks for and each courier is to collect; null if there is none. */
      money: { currency: string; cod: string } | null;
    }
  | { id: 'order-at-two-couriers/cause'; couriers: string[]; count: number };

/**
 * Its findings have no effect, because each courier owes what it collects and pays it. At stake is the COD, which the
 * customer owes only once. A finding shows only at the courier to which the order was sent last, in its month.
 */
export const orderAtTwoCouriers = defineCheck<Says>({
  code: 'order-at-two-couriers',
  severity: 'warning',
  requires: [ownBook],
  comparesCouriers: true,
  title: { en: 'An order of the shop is sent with one courier.', ar: 'يُرسَل طلب المتجر مع شركة توصيل واحدة.' },
  finds: { en: 'An order that is at several couriers', ar: 'طلب لدى أكثر من شركة توصيل' },
  async find(context) {
    const { linked } = await ownLinks(context);
    const sentLastHere = (await sentTwice(context)).filter(({ isLastHere }) => isLastHere);
    return { findings: await findingsOf(context, sentLastHere), compared: linked.size };
  },
  cause: ({ sentence }) => ({
    id: 'order-at-two-couriers/cause',
    couriers: (JSON.parse(sentence) as Says & { id: 'order-at-two-couriers' }).sent
      .map(({ courier }) => courier)
      .sort(),
  }),
  words: {
    en: {
      'order-at-two-couriers': ({ reference, sent, money }, speech) => {
        const asked = money === null ? '' : `, each to collect ${speech.money(money.cod, money.currency)}`;
        return `The order "${speech.text(reference)}" of your own book is at ${sent.length} couriers where 1 is right, ${speech.list(sent.map(({ courier, order }) => `${order} of ${courier}`))}${asked}: cancel the surplus one, or return what was collected twice.`;
      },
      'order-at-two-couriers/cause': ({ couriers, count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} sent with ${speech.list(couriers)}`,
    },
    ar: {
      'order-at-two-couriers': ({ reference, sent, money }, speech) => {
        const asked = money === null ? '' : `، وعلى كل منها أن تحصّل ${speech.money(money.cod, money.currency)}`;
        return `الطلب «${speech.text(reference)}» في سجلّك لدى عدة شركات توصيل (${sent.length} بدل 1): ${speech.list(sent.map(({ courier, order }) => `${order} ‏(${courier})`))}${asked}؛ ألغِ الطلب الزائد، أو أعِد ما حُصّل مرتين.`;
      },
      'order-at-two-couriers/cause': ({ couriers, count }, speech) =>
        `طلبات أُرسلت مع ${speech.list(couriers)}: ${count}`,
    },
  },
  guide: {
    compares:
      'An order of your own book is at one courier. One that was cancelled there, came back or is a return does not count.',
    remedy: 'Cancel the surplus one, or return what was collected twice.',
  },
  plant: {
    secondCourier: (books) => {
      books.place('X1', null).reference_id = 'ref-A1';
      books.place('X2', null).reference_id = 'ref-A3';
      // A cancelled order is no second one.
      books.orders.get('X2')!.delivery_state = 'CANCELLED';
    },
    // The files are imported as they are: the check needs their order book.
    merchantFiles: () => {},
  },
});

async function findingsOf(context: CheckContext, sent: readonly SentTwice[]): Promise<Finding[]> {
  const months = await recordedOrBilledMonths(context, sent);
  const references = sent.map(({ own }) => own.reference);
  const cods = groupBy(await readOwnCods(context.db, references), ({ key }) => key);
  return sent.flatMap(({ own: { reference }, order_id, orders }) => {
    const { ofFinding } = months.get(order_id)!;
    const about = { ...ofFinding, reference_id: reference, field: 'reference_id', ...counts(1, orders.length) };
    const atCouriers = orders.map(({ courier, order }) => ({ courier, order }));
    const sentence = { id: 'order-at-two-couriers', reference, sent: atCouriers } as const;
    const asked = (cods.get(reference) ?? []).filter(({ cod }) => cod !== '0');
    if (asked.length === 0) return [finding<Says>({ ...about, sentence: { ...sentence, money: null } })];
    return asked.map(({ currency, cod }) => {
      // A refund is negative COD.
      const amount = amountOfUnits(cod).abs();
      const money = { currency, cod: formatUnits(cod) };
      return finding<Says>({ ...about, currency, amount, sentence: { ...sentence, money } });
    });
  });
}
