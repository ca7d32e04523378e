import { dayIn, dayNumber } from '../../base/day.ts';
import type { Texts } from '../../base/sentence.ts';
import type { PLACES_WITH_LIMIT } from '../../base/states.ts';
import { formatAmount } from '../../money/decimal.ts';
import { amountOfUnits } from '../../money/units.ts';
import { arabicNoun } from '../../words/arabic-noun.ts';
import { defineCheck } from '../check.ts';
import { BalanceBook } from '../facts/balances/book.ts';
import { type CustodyLine, EVER, limitOf, readCustody } from '../facts/custody.ts';
import { recordedOrBilledMonths } from '../facts/order-months.ts';
import { settlements } from '../facts/remittances.ts';
import { readReturns } from '../facts/returns/convention.ts';
import { days, finding } from '../finding.ts';

type Place = (typeof PLACES_WITH_LIMIT)[number];
/** `where`: who has the COD; `amount`: the COD; `age` and `agreed`: in days. */
type Says =
  | {
      id: 'custody-overdue';
      order: string;
      reference: string;
      where: Place;
      currency: string;
      amount: string;
      since: string;
      age: number;
      agreed: number;
    }
  | { id: 'custody-overdue/cause'; where: Place; agreed: number; count: number };

export const custodyOverdue = defineCheck<Says>({
  code: 'custody-overdue',
  severity: 'warning',
  title: {
    en: 'The COD of a delivered order moves on within the agreed days.',
    ar: 'يُحوَّل محصَّل الطلب المسلَّم خلال الأيام المتفق عليها.',
  },
  finds: { en: 'COD is kept longer than agreed', ar: 'محصَّل محتجز فوق المدة المتفق عليها' },
  ages: true,
  async find(context) {
    const { db, settings, now } = context;
    const limits = settings.custodyDays;
    if (limits === undefined) return { findings: [], compared: 0 };
    const { timeZone } = settings;
    const { signs: returns } = await readReturns(db, settings.returns);
    const book = await BalanceBook.read(db, settings, { settlements: await settlements(context) });
    const lines: CustodyLine[] = [];
    for await (const order of readCustody(db, book, { month: EVER, returns, timeZone, withoutReceived: true }))
      lines.push(...order);
    const today = dayIn(now, timeZone);
    const months = await recordedOrBilledMonths(context, lines);
    const asked = lines.filter(({ order_id }) =>
      months.get(order_id)!.ofFinding.periods.some((month) => context.periods.includes(month)),
    );
    const findings = asked.flatMap(({ order_id, reference_id, currency, cod, since, where }) => {
      const agreed = limitOf(where, limits);
      const age = dayNumber(today) - dayNumber(since);
      // What the merchant pays on a return (`cod` is negative) is kept by nobody.
      if (agreed === undefined || age <= agreed || cod <= 0n) return [];
      const amount = amountOfUnits(cod);
      return finding<Says>({
        ...months.get(order_id)!.ofFinding,
        reference_id,
        currency,
        field: 'payment_state',
        ...days(agreed, age),
        amount,
        sentence: {
          id: 'custody-overdue',
          order: order_id,
          reference: reference_id,
          where: where as Place,
          currency,
          amount: formatAmount(amount),
          since,
          age,
          agreed,
        },
      });
    });
    return { findings, compared: asked.length };
  },
  cause: ({ sentence }) => {
    const { where, agreed } = JSON.parse(sentence) as Extract<Says, { id: 'custody-overdue' }>;
    return { id: 'custody-overdue/cause', where, agreed };
  },
  words: {
    en: {
      'custody-overdue': ({ order, reference, where, currency, amount, since, age, agreed }, speech) =>
        `The COD of ${speech.order(order, reference)}, ${speech.money(amount, currency)}, is ${PLACES[where].en} since ${since}, for ${age} days where ${agreed} are agreed: ask the delivery company when it will move on.`,
      'custody-overdue/cause': ({ where, agreed, count }, speech) =>
        `The COD of ${speech.count(count, { one: 'order', other: 'orders' })} is ${PLACES[where].en} for more than ${speech.count(agreed, { one: 'day', other: 'days' })}`,
    },
    ar: {
      'custody-overdue': ({ order, reference, where, currency, amount, since, age, agreed }, speech) =>
        `محصَّل ${speech.order(order, reference)}، وهو ${speech.money(amount, currency)}، ${PLACES[where].ar} منذ ${since}، أي منذ ${speech.count(age, AR_DAYS)} والمتفق عليه ${agreed}: اسأل شركة التوصيل متى يُحوَّل.`,
      'custody-overdue/cause': ({ where, agreed, count }, speech) =>
        `محصَّل ${speech.count(count, arabicNoun('طلب', 'طلبات', 'genitive'))} ${PLACES[where].ar} منذ أكثر من ${speech.count(agreed, AR_DAYS)}`,
    },
  },
  guide: {
    compares:
      'The COD of a delivered order is no longer with the driver, at the company or ready for you than `custody_days` says. Nothing is compared where that is not set.',
    remedy: 'Ask when it will move on.',
  },
  plant: {
    // Ten days before the check, where two are agreed.
    night(books) {
      books.place('D2', '2026-11-28').payment_state = 'PENDING_PAYMENT_BY_DRIVER';
    },
  },
});

const PLACES: Readonly<Record<Place, Texts>> = {
  driver: { en: 'with the driver', ar: 'لدى السائق' },
  company: { en: 'at the company', ar: 'لدى الشركة' },
  ready: { en: 'ready for you', ar: 'جاهز لك ولم يُدفع' },
};
const AR_DAYS = arabicNoun('يوم', 'أيام', 'genitive');
