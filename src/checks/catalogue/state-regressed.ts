import { dayIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { deliverySequence, isBackward, paymentSequence, type StateSequence } from '../../base/states.ts';
import { readChangesOfRegressed, type StateChange } from '../../ledger/queries/orders/restatements.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { population } from '../facts/population.ts';
import { finding } from '../finding.ts';
import { twoOrderBooks } from '../requirement.ts';

type Move = { order: string; reference: string; field: StateSequence['field']; from: string; to: string; on: string };
type Says =
  | ({ id: 'state-regressed' } & Move)
  | { id: 'state-regressed/cause'; from: string; to: string; count: number };

export const stateRegressed = defineCheck<Says>({
  code: 'state-regressed',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: {
    en: 'An order’s delivery and payment states move forwards only.',
    ar: 'حالتا التسليم والدفع للطلب تتقدمان ولا تعودان.',
  },
  finds: { en: 'A state moved backwards', ar: 'حالة طلب عادت إلى الوراء' },
  async find(context) {
    const { timeZone } = context.settings;
    const changes = groupBy(await readChangesOfRegressed(context.db), ({ order_id }) => order_id);
    const moves = [...changes.values()].flatMap((ofOrder) =>
      [deliverySequence, paymentSequence].flatMap((states) => stillBehind(ofOrder, states, timeZone) ?? []),
    );
    const orders = moves.map(({ order: order_id }) => ({ order_id }));
    const months = await orderMonths(context, orders);
    const findings = moves.map((move) =>
      finding<Says>({
        ...months.get(move.order)!.ofFinding,
        reference_id: move.reference,
        field: move.field,
        sentence: { id: 'state-regressed', ...move },
      }),
    );
    return { findings, compared: (await population(context)).orders };
  },
  cause: ({ sentence }) => {
    const { from, to } = JSON.parse(sentence) as Move;
    return { id: 'state-regressed/cause', from, to };
  },
  words: {
    en: {
      'state-regressed': ({ order, reference, field, from, to, on }, speech) =>
        `The ${field === 'delivery_state' ? 'delivery' : 'payment'} state of ${speech.order(order, reference)} moved back from ${speech.state(from)} to ${speech.state(to)}, as seen on ${on}: ask the delivery company why, and whether its amounts still hold.`,
      'state-regressed/cause': ({ from, to, count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} moved back from ${speech.state(from)} to ${speech.state(to)}`,
    },
    ar: {
      'state-regressed': ({ order, reference, field, from, to, on }, speech) =>
        `عادت ${field === 'delivery_state' ? 'حالة التسليم' : 'حالة الدفع'} في ${speech.order(order, reference)} من ${speech.state(from)} إلى ${speech.state(to)}، كما شوهد في ${on}: اسأل شركة التوصيل عن السبب، وهل ما زالت مبالغه صحيحة.`,
      'state-regressed/cause': ({ from, to, count }, speech) =>
        `عادت حالة ${speech.count(count, arabicNoun('طلب', 'طلبات', 'genitive'))} من ${speech.state(from)} إلى ${speech.state(to)}`,
    },
  },
  guide: {
    compares:
      'Delivery and payment states move forwards between two syncs. A failed attempt, and a move that was made good since, do not count.',
    remedy: 'Ask why, and whether the amounts still hold.',
  },
  plant: {
    night(books) {
      books.orders.get('D1')!.delivery_state = 'CREATED';
    },
  },
});

/** The first move backwards of an order, if it has not come as far again since; null if there is none. */
function stillBehind(changes: readonly StateChange[], { field, reaches }: StateSequence, zone: string) {
  let behind: Move | null = null;
  for (const change of changes) {
    const { order_id: order, reference, at } = change;
    const [from, to] = [change[`from_${field}`], change[`to_${field}`]];
    if (behind && reaches(to, behind.from)) behind = null;
    if (behind || !isBackward(from, to)) continue;
    behind = { order, reference, field, from, to, on: dayIn(at, zone) };
  }
  return behind;
}
