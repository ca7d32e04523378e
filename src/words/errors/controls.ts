import type { Texts } from '../../base/sentence.ts';
import { explainer, wording } from './explain.ts';

/** What to do where a control fails. */
const NOTHING_WRITTEN: Texts = {
  en: 'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
  ar: 'لم يُكتب شيء. شغّل `remit verify`؛ وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
};

/** The figures that are summed twice, by column; `order_`: over the rows of the invoices. */
const FIGURES: Readonly<Record<string, Texts>> = {
  cod: { en: 'COD of the invoices', ar: 'المحصَّل في الفواتير' },
  delivery_fee: { en: 'delivery fee of the invoices', ar: 'رسم التوصيل في الفواتير' },
  net_due_to_merchant: { en: 'net due of the invoices', ar: 'الصافي المستحق في الفواتير' },
  order_cod: { en: 'COD of the rows', ar: 'المحصَّل في الأسطر' },
  order_delivery_fee: { en: 'delivery fee of the rows', ar: 'رسم التوصيل في الأسطر' },
  paid: { en: 'net due of the paid invoices', ar: 'الصافي المستحق للفواتير المدفوعة' },
  unpaid: { en: 'net due of the unpaid invoices', ar: 'الصافي المستحق للفواتير غير المدفوعة' },
  received: { en: 'amounts received', ar: 'المبالغ المقبوضة' },
  differences: { en: 'agreed differences', ar: 'الفروق المتفق عليها' },
  settled: {
    en: 'amounts received, agreed, paid and outstanding',
    ar: 'المبالغ المقبوضة والمتفق عليها والمدفوعة وغير المسدَّدة',
  },
  paid_on_word: { en: 'net due that is only marked paid', ar: 'الصافي المستحق المذكور مدفوعًا فقط' },
  outstanding: { en: 'outstanding net due', ar: 'الصافي المستحق غير المسدَّد' },
  invoices: { en: 'number of invoices', ar: 'عدد الفواتير' },
  orders: { en: 'number of invoice rows', ar: 'عدد أسطر الفواتير' },
};

/** @param currency null for a count */
function withCurrency(figure: string, currency: string | null): string {
  return currency === null ? figure : `${figure} ${currency}`;
}

/** A figure that the control of the balance computes in several ways. */
export type Balanced =
  | { readonly what: 'closing'; readonly month: string }
  | { readonly what: 'stated' | 'received' | 'differences'; readonly month: string }
  | { readonly what: 'in-dispute' };

/** A way of computing such a figure. */
export type Way = 'roll-forward' | 'open-items' | 'journal' | 'movements' | 'database' | 'bookings' | 'mismatches';

function nameOf(of: Balanced): Texts {
  switch (of.what) {
    case 'closing':
      return { en: `the balance at the end of ${of.month}`, ar: `الرصيد في آخر ${of.month}` };
    case 'stated':
      return {
        en: `the net due of all listed invoices as known with ${of.month}`,
        ar: `الصافي المستحق لكل الفواتير المدرجة كما عُرف مع ${of.month}`,
      };
    case 'received':
      return {
        en: `all money of the courier as known with ${of.month}`,
        ar: `كل ما ورد من شركة التوصيل كما عُرف مع ${of.month}`,
      };
    case 'differences':
      return {
        en: `all agreed differences as known with ${of.month}`,
        ar: `كل الفروق المتفق عليها كما عُرفت مع ${of.month}`,
      };
    case 'in-dispute':
      return { en: 'what is in dispute', ar: 'ما هو قيد النزاع' };
  }
}

const WAYS: Readonly<Record<Way, Texts>> = {
  'roll-forward': { en: 'the roll-forward', ar: 'حركة الرصيد' },
  'open-items': { en: 'its open items', ar: 'بنوده المفتوحة' },
  journal: { en: 'the journal', ar: 'اليومية' },
  movements: { en: 'their movements', ar: 'حركاتها' },
  database: { en: 'the database', ar: 'قاعدة البيانات' },
  bookings: { en: 'its bookings', ar: 'قيوده' },
  mismatches: { en: 'the mismatches that are not resolved', ar: 'الفروقات التي لم تُحل' },
};

/** Errors about figures that differ although two ways of computing them must agree: nothing is written of them. */
export const CONTROLS_ERRORS = {
  'total-fails': wording<{ month: string; figure: string; currency: string; rows: string; database: string }>(
    ({ month, figure, currency, rows, database }, { text }) => ({
      en: [
        `the control total of ${month} fails for the ${FIGURES[figure]?.en ?? figure}: ${rows} ${currency} row by row, ${database} ${currency} in the database`,
        NOTHING_WRITTEN.en,
      ],
      ar: [
        `المجموع الرقابي لشهر ${text(month)} لا يستقيم: ${FIGURES[figure]?.ar ?? text(figure)} ${text(`${rows} ${currency}`)} سطرًا سطرًا و${text(`${database} ${currency}`)} في قاعدة البيانات`,
        NOTHING_WRITTEN.ar,
      ],
    }),
  ),
  'own-figure-fails': wording<{ month: string; currency: string; rows: string; database: string }>(
    ({ month, currency, rows, database }, { text }) => ({
      en: [
        `the control total of ${month} fails: our figure comes to ${rows} ${currency} row by row and to ${database} ${currency} in the database`,
        'Nothing was written. Run the command again, in case a sync came between; then `remit verify`. If it finds nothing, keep a copy of the ledger and report this.',
      ],
      ar: [
        `المجموع الرقابي لشهر ${text(month)} لا يستقيم: رقمنا ${text(`${rows} ${currency}`)} سطرًا سطرًا و${text(`${database} ${currency}`)} في قاعدة البيانات`,
        'لم يُكتب شيء. أعد الأمر، فقد تكون مزامنة حدثت بينهما؛ ثم شغّل `remit verify`. وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
      ],
    }),
  ),
  'closed-figure-fails': wording<{
    month: string;
    figure: string;
    /** Null for a count. */
    currency: string | null;
    closed: string;
    rebuilt: string;
  }>(({ month, figure, currency, closed, rebuilt }, { text }) => ({
    en: [
      `the control of the closed month ${month} fails: the close froze the ${FIGURES[figure]?.en ?? figure} at ${withCurrency(closed, currency)}, and the evidence from before it comes to ${withCurrency(rebuilt, currency)}`,
      NOTHING_WRITTEN.en,
    ],
    ar: [
      `المجموع الرقابي للشهر المقفل ${text(month)} لا يستقيم: ثبّت الإقفال ${FIGURES[figure]?.ar ?? text(figure)} على ${text(withCurrency(closed, currency))}، والأدلة التي سبقته تعطي ${text(withCurrency(rebuilt, currency))}`,
      NOTHING_WRITTEN.ar,
    ],
  })),
  'balance-fails': wording<{
    of: Balanced;
    currency: string;
    first: { way: Way; amount: string };
    other: { way: Way; amount: string };
  }>(({ of, currency, first, other }, { text }) => ({
    en: [
      `the control of the balance fails: ${nameOf(of).en} is ${first.amount} ${currency} by ${WAYS[first.way].en} and ${other.amount} ${currency} by ${WAYS[other.way].en}`,
      NOTHING_WRITTEN.en,
    ],
    ar: [
      `التحقّق من الرصيد لا يستقيم: ${nameOf(of).ar} هو ${text(`${first.amount} ${currency}`)} بحسب ${WAYS[first.way].ar} و${text(`${other.amount} ${currency}`)} بحسب ${WAYS[other.way].ar}`,
      NOTHING_WRITTEN.ar,
    ],
  })),
  'transaction-twice': wording<{ transaction: string }>(({ transaction }, { text }) => ({
    en: [`two transactions are called ${transaction}`, 'Run `remit verify`: one event is booked twice.'],
    ar: [`قيدان يحملان الاسم ${text(transaction)}`, 'شغّل `remit verify`: حدث واحد مقيَّد مرتين.'],
  })),
  'transaction-unbalanced': wording<{ transaction: string; amount: string; currency: string | null }>(
    ({ transaction, amount, currency }, { text }) => ({
      en: [
        `transaction ${transaction} does not balance: ${amount} ${currency ?? 'of the base currency'} too much on its debit side`,
        'Run `remit verify`; if it finds nothing, this is a fault of remit.',
      ],
      ar: [
        `القيد ${text(transaction)} غير متوازن: جانبه المدين يزيد ${currency === null ? `${text(amount)} بعملة الدفاتر` : text(`${amount} ${currency}`)}`,
        'شغّل `remit verify`؛ وإن لم يجد شيئًا فهذا خلل في remit.',
      ],
    }),
  ),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const controlsError = explainer('controls', CONTROLS_ERRORS);
