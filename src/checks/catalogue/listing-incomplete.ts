import { type PartialWalk, readPartialWalks } from '../../ledger/queries/sync/walks.ts';
import { defineCheck, type Finding } from '../check.ts';
import { counts, finding } from '../finding.ts';

type Says =
  | {
      id: 'listing-incomplete';
      /** Null for the order book. */
      month: string | null;
      seen: number;
      stated: number;
      /** The reason that was recorded at the time. */
      why: string | null;
    }
  | { id: 'listing-incomplete/cause'; month: string | null; count: number };

export const listingIncomplete = defineCheck<Says>({
  code: 'listing-incomplete',
  severity: 'error',
  title: {
    en: 'The last look at a month’s list, or at the order book, brought all that it stated.',
    ar: 'أتت آخر قراءة لقائمة الشهر أو لسجلّ الطلبات بكل ما ذكرته.',
  },
  finds: { en: 'A list that came in part', ar: 'القائمة لم تأتِ كاملة' },
  async find({ db, periods, sources }) {
    const findings = (await readPartialWalks(db)).map(inPart);
    return { findings, compared: periods.length + (sources.book.syncs > 0 ? 1 : 0) };
  },
  cause: ({ sentence }) => ({ id: 'listing-incomplete/cause', month: (JSON.parse(sentence) as Says).month }),
  words: {
    en: {
      'listing-incomplete': ({ month, seen, stated, why }, { text }) =>
        `The last look at ${listInEnglish(month)} brought ${seen} of ${stated} stated${why === null ? '' : ` (${text(why)})`}: run \`${commandOf(month)}\` again, and if it stays so ask the delivery company.`,
      'listing-incomplete/cause': ({ month }, { capitalised }) => capitalised(`${listInEnglish(month)} came in part`),
    },
    ar: {
      'listing-incomplete': ({ month, seen, stated, why }, { text }) =>
        `أتت آخر قراءة ل${listInArabic(month)} بما عدده ${seen} من أصل ${stated}${why === null ? '' : ` (${text(why)})`}: شغّل \`${commandOf(month)}\` مجددًا، فإن بقي الأمر فاسأل شركة التوصيل.`,
      'listing-incomplete/cause': ({ month }) => `${listInArabic(month)} لم تأتِ قراءتها كاملة`,
    },
  },
  guide: { remedy: 'Sync again; if it stays so, ask.' },
  plant: { night: (books) => void books.overstated.add('2026-11') },
});

const listInEnglish = (month: string | null) => (month === null ? 'the order book' : `the list of ${month}`);
const listInArabic = (month: string | null) => (month === null ? 'سجلّ الطلبات' : `قائمة ${month}`);
const commandOf = (month: string | null) => (month === null ? 'remit sync --orders' : `remit sync ${month}`);

function inPart({ period, started_at, stated_count, seen_count, why }: PartialWalk): Finding {
  return finding<Says>({
    period: period ?? started_at.slice(0, 7),
    subject: period === null ? 'listing orders' : `listing ${period}`,
    field: 'count',
    ...counts(stated_count, seen_count),
    sentence: { id: 'listing-incomplete', month: period, seen: seen_count, stated: stated_count, why },
  });
}
