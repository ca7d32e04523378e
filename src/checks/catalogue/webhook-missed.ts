import { dayIn } from '../../base/day.ts';
import { parseInstant } from '../../base/instant.ts';
import { type NewsOfWalk, readWalkedNews, type WalkedNews } from '../../ledger/queries/webhooks.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { orderMonths } from '../facts/order-months.ts';
import { finding } from '../finding.ts';
import { twoOrderBooks } from '../requirement.ts';

type Says =
  | { id: 'webhook-missed'; order: string; reference: string; state: string; on: string }
  | { id: 'webhook-missed/new'; order: string; reference: string; on: string }
  | { id: 'webhook-missed/cause'; count: number };

export const webhookMissed = defineCheck<Says>({
  code: 'webhook-missed',
  severity: 'info',
  requires: [twoOrderBooks],
  needsWebhooks: true,
  title: {
    en: 'While webhooks are received, each order that has changed was announced by one.',
    ar: 'ما دامت الإشعارات تصل، فكل طلب تغيّر أعلن عنه إشعار.',
  },
  finds: { en: 'An order changed without a webhook', ar: 'طلب تغيّر دون إشعار' },
  async find(context) {
    const walked = await readWalkedNews(context.db);
    if (walked === null) return { findings: [], compared: 0 };
    const missed = walked.news.filter((order) => isMissed(order, walked));
    const months = await orderMonths(context, missed);
    const findings = missed.map(({ order_id: order, reference, from_delivery_state, to_delivery_state, seen_at }) => {
      const on = dayIn(seen_at, context.settings.timeZone);
      return finding<Says>({
        ...months.get(order)!.ofFinding,
        reference_id: reference,
        sentence:
          from_delivery_state === null
            ? { id: 'webhook-missed/new', order, reference, on }
            : { id: 'webhook-missed', order, reference, state: to_delivery_state, on },
      });
    });
    return { findings, compared: walked.news.length };
  },
  cause: () => ({ id: 'webhook-missed/cause' }),
  words: {
    en: {
      'webhook-missed': ({ order, reference, state, on }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} changed (it is ${speech.state(state)} now) and no webhook said so; the whole order book of ${on} did: look whether \`remit listen\` ran, and ask the delivery company whether its webhooks reach it.`,
      'webhook-missed/new': ({ order, reference, on }, speech) =>
        `${speech.capitalised(speech.order(order, reference))} is new and no webhook said so; the whole order book of ${on} did: look whether \`remit listen\` ran, and ask the delivery company whether its webhooks reach it.`,
      'webhook-missed/cause': ({ count }, speech) =>
        `${speech.count(count, { one: 'order', other: 'orders' })} changed without a webhook`,
    },
    ar: {
      'webhook-missed': ({ order, reference, state, on }, speech) =>
        `تغيّر ${speech.order(order, reference)} (حالته الآن ${speech.state(state)}) ولم يصل إشعار بذلك، بل ظهر في سجلّ الطلبات الكامل في ${on}: تحقّق من عمل \`remit listen\`، واسأل شركة التوصيل هل تصل إشعاراتها إليه.`,
      'webhook-missed/new': ({ order, reference, on }, speech) =>
        `${speech.order(order, reference)} جديد ولم يصل إشعار به، بل ظهر في سجلّ الطلبات الكامل في ${on}: تحقّق من عمل \`remit listen\`، واسأل شركة التوصيل هل تصل إشعاراتها إليه.`,
      'webhook-missed/cause': ({ count }, speech) =>
        `تغيّر ${speech.count(count, arabicNoun('طلب', 'طلبات'))} دون إشعار`,
    },
  },
  guide: {
    compares:
      "What the last whole walk over the order book found changed or new since the one before, while the courier's webhooks were received, with the webhooks of these orders. A webhook that comes later ends it, and so does the next whole walk.",
    remedy:
      'Look whether `remit listen` ran, and ask whether the webhooks reach it. Nothing is lost: the walk brought the order.',
  },
  plant: {
    // A message each night shows that webhooks come; none says that D1 changed.
    night: (books) => void books.messages.push('A1'),
    nextNight(books) {
      books.messages.push('A1');
      books.orders.get('D1')!.delivery_state = 'PICKED_UP_FOR_DELIVERY';
    },
  },
});

/** How far apart the company's clock may put a change and its webhook. */
const SAME_MS = 5_000;

/**
 * Whether webhooks were received when the order changed, and none announced it, not even late, after the walk. A late
 * one that states a later time than the change is about another change.
 *
 * @param since the time of the first webhook, if that is so new that the change may have come before it
 */
function isMissed({ announced, changed_at, announced_late_at: late }: WalkedNews, { since }: NewsOfWalk): boolean {
  if (Number(announced) === 1) return false;
  const changed = parseInstant(changed_at ?? '')?.getTime();
  // Nobody knows when it changed: it may be older than the first webhook, and a late one be about another change.
  if (changed === undefined) return since === null;
  const wereReceivedThen = since === null || changed >= instantOf(since);
  const cameLate = late !== null && instantOf(late) <= changed + SAME_MS;
  return wereReceivedThen && !cameLate;
}

function instantOf(updatedAt: string): number {
  return parseInstant(updatedAt)!.getTime();
}
