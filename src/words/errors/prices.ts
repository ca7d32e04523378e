import type { Texts } from '../../base/sentence.ts';
import { explainer, wording } from './explain.ts';

const END_OR_NARROW: Texts = {
  en: 'Give one of them an end, or name more of what it is for; to replace a card, take the old one back first with `remit import undo`.',
  ar: 'أعطِ أحدهما نهاية، أو حدّد أكثر لمَ هو؛ ولاستبدال لائحة تراجع عن القديمة أولًا بالأمر `remit import undo`.',
};

/** What is wrong with rate cards and tables of exchange rates. */
export const PRICES_ERRORS = {
  'no-rate': wording<{ rate: string }>(({ rate }, { quoted }) => ({
    en: [`${quoted(rate)} is not a rate`, 'A rate is a number above 0, without a currency beside it.'],
    ar: [`${quoted(rate)} ليس سعر صرف`, 'السعر عدد أكبر من 0، بلا عملة إلى جانبه.'],
  })),
  'rate-in-itself': wording<{ currency: string }>(({ currency }, { text }) => ({
    en: [`it rates ${currency} in itself`, 'Correct from or to.'],
    ar: [`السطر يسعّر ${text(currency)} بنفسها`, 'صحّح from أو to.'],
  })),
  'rate-twice': wording<{ from: string; to: string; on: string; line: number }>(({ from, to, on, line }, { text }) => ({
    en: [`a rate of ${from} in ${to} on ${on} stands on line ${line} already`, 'Keep one rate a day.'],
    ar: [`على السطر ${line} سعر ${text(from)} بعملة ${text(to)} ليوم ${text(on)} من قبل`, 'أبقِ سعرًا واحدًا لكل يوم.'],
  })),
  'no-rates': wording(() => ({
    en: ['it holds no rates', 'Fill in one row a rate.'],
    ar: ['ليس فيه أسعار صرف', 'املأ سطرًا لكل سعر.'],
  })),
  'fee-negative': wording(() => ({
    en: ['a fee is negative', 'A fee is 0 or more.'],
    ar: ['رسم سالب', 'الرسم 0 أو أكثر.'],
  })),
  'no-charge-kind': wording<{ charge: string }>(({ charge }, { quoted }) => ({
    en: [
      `${quoted(charge)} is no kind of charge`,
      'Name it as the settlement map does: in small letters, such as delivery or cod-fee.',
    ],
    ar: [`${quoted(charge)} ليس نوع رسم`, 'سمِّه كما تسميه خريطة كشف التسوية: بأحرف صغيرة، مثل delivery أو cod-fee.'],
  })),
  'range-is-empty': wording<{ from: string; to: string }>(({ from, to }, { text }) => ({
    en: [`nothing is from ${from} and below ${to}`, 'The second figure must be the larger one.'],
    ar: [`لا شيء من ${text(from)} ودون ${text(to)}`, 'يجب أن يكون الرقم الثاني هو الأكبر.'],
  })),
  'ends-before-it-begins': wording<{ from: string; to: string }>(({ from, to }, { text }) => ({
    en: [`it holds from ${from} to ${to}, which ends before it begins`, 'Correct from and to.'],
    ar: [`يسري من ${text(from)} إلى ${text(to)}، فينتهي قبل أن يبدأ`, 'صحّح from وto.'],
  })),
  'price-ends-before': wording<{ place: string; from: string; to: string }>(({ place, from, to }, { text }) => ({
    en: [`${place}: it holds from ${from} to ${to}, which is no time at all`, END_OR_NARROW.en],
    ar: [`${text(place)}: يسري من ${text(from)} إلى ${text(to)}، فلا مدة له`, END_OR_NARROW.ar],
  })),
  'prices-tie': wording<{ first: string; second: string; currency: string; from: string | null }>(
    ({ first, second, currency, from }, { text }) => ({
      en: [
        `${first} and ${second} cover the same orders in ${currency} from ${from ?? 'the first day'} on: neither is more specific`,
        END_OR_NARROW.en,
      ],
      ar: [
        `${text(first)} و${text(second)} لطلبات واحدة بعملة ${text(currency)} ابتداءً من ${from === null ? 'أول يوم' : text(from)}: ليس أحدهما أخصّ من الآخر`,
        END_OR_NARROW.ar,
      ],
    }),
  ),
  'rates-differ': wording<{ first: string; second: string; from: string; to: string; on: string }>(
    ({ first, second, from, to, on }, { text }) => ({
      en: [
        `${first} and ${second} give two rates of ${from} to ${to} for ${on}`,
        'Keep one rate a day; to correct one, take its import back first with `remit import undo`.',
      ],
      ar: [
        `${text(first)} و${text(second)} يعطيان سعرين لـ${text(from)} بعملة ${text(to)} ليوم ${text(on)}`,
        'أبقِ سعرًا واحدًا لكل يوم؛ ولتصحيح سعر تراجع عن استيراده أولًا بالأمر `remit import undo`.',
      ],
    }),
  ),
  'no-prices': wording(() => ({
    en: ['it holds no prices', 'Fill in one row a price.'],
    ar: ['ليس فيه أسعار', 'املأ سطرًا لكل سعر.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const pricesError = explainer('prices', PRICES_ERRORS);
