import { explainer, wording } from './explain.ts';

/** The figures that are summed twice, by column; `order_`: over the rows of the invoices. */
const FIGURES_EN: Readonly<Record<string, string>> = {
  cod: 'COD of the invoices',
  delivery_fee: 'delivery fee of the invoices',
  net_due_to_merchant: 'net due of the invoices',
  order_cod: 'COD of the rows',
  order_delivery_fee: 'delivery fee of the rows',
  paid: 'net due of the paid invoices',
  unpaid: 'net due of the unpaid invoices',
  received: 'amounts received',
  differences: 'agreed differences',
  settled: 'amounts received, agreed, paid and outstanding',
  paid_on_word: 'net due that is only marked paid',
  outstanding: 'outstanding net due',
  invoices: 'number of invoices',
  orders: 'number of invoice rows',
};

const FIGURES_AR: Readonly<Record<string, string>> = {
  cod: 'المحصَّل في الفواتير',
  delivery_fee: 'رسم التوصيل في الفواتير',
  net_due_to_merchant: 'الصافي المستحق في الفواتير',
  order_cod: 'المحصَّل في الأسطر',
  order_delivery_fee: 'رسم التوصيل في الأسطر',
  paid: 'الصافي المستحق للفواتير المدفوعة',
  unpaid: 'الصافي المستحق للفواتير غير المدفوعة',
  received: 'المبالغ المقبوضة',
  differences: 'الفروق المتفق عليها',
  settled: 'المبالغ المقبوضة والمتفق عليها والمدفوعة وغير المسدَّدة',
  paid_on_word: 'الصافي المستحق المذكور مدفوعًا فقط',
  outstanding: 'الصافي المستحق غير المسدَّد',
  invoices: 'عدد الفواتير',
  orders: 'عدد أسطر الفواتير',
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

function balancedInEnglish(of: Balanced): string {
  switch (of.what) {
    case 'closing':
      return `the balance at the end of ${of.month}`;
    case 'stated':
      return `the net due of all listed invoices as known with ${of.month}`;
    case 'received':
      return `all money of the courier as known with ${of.month}`;
    case 'differences':
      return `all agreed differences as known with ${of.month}`;
    case 'in-dispute':
      return 'what is in dispute';
  }
}

function balancedInArabic(of: Balanced): string {
  switch (of.what) {
    case 'closing':
      return `الرصيد في آخر ${of.month}`;
    case 'stated':
      return `الصافي المستحق لكل الفواتير المدرجة كما عُرف مع ${of.month}`;
    case 'received':
      return `كل ما ورد من شركة التوصيل كما عُرف مع ${of.month}`;
    case 'differences':
      return `كل الفروق المتفق عليها كما عُرفت مع ${of.month}`;
    case 'in-dispute':
      return 'ما هو قيد النزاع';
  }
}

const WAYS_EN: Readonly<Record<Way, string>> = {
  'roll-forward': 'the roll-forward',
  'open-items': 'its open items',
  journal: 'the journal',
  movements: 'their movements',
  database: 'the database',
  bookings: 'its bookings',
  mismatches: 'the mismatches that are not resolved',
};

const WAYS_AR: Readonly<Record<Way, string>> = {
  'roll-forward': 'حركة الرصيد',
  'open-items': 'بنوده المفتوحة',
  journal: 'اليومية',
  movements: 'حركاتها',
  database: 'قاعدة البيانات',
  bookings: 'قيوده',
  mismatches: 'الفروقات التي لم تُحل',
};

/** Errors about figures that differ although two ways of computing them must agree: nothing is written of them. */
export const CONTROLS_ERRORS = {
  'total-fails': wording<{ month: string; figure: string; currency: string; rows: string; database: string }>({
    en: ({ month, figure, currency, rows, database }) => [
      `the control total of ${month} fails for the ${FIGURES_EN[figure] ?? figure}: ${rows} ${currency} row by row, ${database} ${currency} in the database`,
      'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
    ],
    ar: ({ month, figure, currency, rows, database }, { text }) => [
      `المجموع الرقابي لشهر ${text(month)} لا يستقيم: ${FIGURES_AR[figure] ?? text(figure)} ${text(`${rows} ${currency}`)} سطرًا سطرًا و${text(`${database} ${currency}`)} في قاعدة البيانات`,
      'لم يُكتب شيء. شغّل `remit verify`؛ وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
    ],
  }),
  'own-figure-fails': wording<{ month: string; currency: string; rows: string; database: string }>({
    en: ({ month, currency, rows, database }) => [
      `the control total of ${month} fails: our figure comes to ${rows} ${currency} row by row and to ${database} ${currency} in the database`,
      'Nothing was written. Run the command again, in case a sync came between; then `remit verify`. If it finds nothing, keep a copy of the ledger and report this.',
    ],
    ar: ({ month, currency, rows, database }, { text }) => [
      `المجموع الرقابي لشهر ${text(month)} لا يستقيم: رقمنا ${text(`${rows} ${currency}`)} سطرًا سطرًا و${text(`${database} ${currency}`)} في قاعدة البيانات`,
      'لم يُكتب شيء. أعد الأمر، فقد تكون مزامنة حدثت بينهما؛ ثم شغّل `remit verify`. وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
    ],
  }),
  'closed-figure-fails': wording<{
    month: string;
    figure: string;
    /** Null for a count. */
    currency: string | null;
    closed: string;
    rebuilt: string;
  }>({
    en: ({ month, figure, currency, closed, rebuilt }) => [
      `the control of the closed month ${month} fails: the close froze the ${FIGURES_EN[figure] ?? figure} at ${withCurrency(closed, currency)}, and the evidence from before it comes to ${withCurrency(rebuilt, currency)}`,
      'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
    ],
    ar: ({ month, figure, currency, closed, rebuilt }, { text }) => [
      `المجموع الرقابي للشهر المقفل ${text(month)} لا يستقيم: ثبّت الإقفال ${FIGURES_AR[figure] ?? text(figure)} على ${text(withCurrency(closed, currency))}، والأدلة التي سبقته تعطي ${text(withCurrency(rebuilt, currency))}`,
      'لم يُكتب شيء. شغّل `remit verify`؛ وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
    ],
  }),
  'balance-fails': wording<{
    of: Balanced;
    currency: string;
    first: { way: Way; amount: string };
    other: { way: Way; amount: string };
  }>({
    en: ({ of, currency, first, other }) => [
      `the control of the balance fails: ${balancedInEnglish(of)} is ${first.amount} ${currency} by ${WAYS_EN[first.way]} and ${other.amount} ${currency} by ${WAYS_EN[other.way]}`,
      'Nothing was written. Run `remit verify`; if it finds nothing, keep a copy of the ledger and report this.',
    ],
    ar: ({ of, currency, first, other }, { text }) => [
      `التحقّق من الرصيد لا يستقيم: ${balancedInArabic(of)} هو ${text(`${first.amount} ${currency}`)} بحسب ${WAYS_AR[first.way]} و${text(`${other.amount} ${currency}`)} بحسب ${WAYS_AR[other.way]}`,
      'لم يُكتب شيء. شغّل `remit verify`؛ وإن لم يجد شيئًا فاحفظ نسخة من الدفتر وأبلغ عن هذا.',
    ],
  }),
  'transaction-twice': wording<{ transaction: string }>({
    en: ({ transaction }) => [
      `two transactions are called ${transaction}`,
      'Run `remit verify`: one event is booked twice.',
    ],
    ar: ({ transaction }, { text }) => [
      `قيدان يحملان الاسم ${text(transaction)}`,
      'شغّل `remit verify`: حدث واحد مقيَّد مرتين.',
    ],
  }),
  'transaction-unbalanced': wording<{ transaction: string; amount: string; currency: string | null }>({
    en: ({ transaction, amount, currency }) => [
      `transaction ${transaction} does not balance: ${amount} ${currency ?? 'of the base currency'} too much on its debit side`,
      'Run `remit verify`; if it finds nothing, this is a fault of remit.',
    ],
    ar: ({ transaction, amount, currency }, { text }) => [
      `القيد ${text(transaction)} غير متوازن: جانبه المدين يزيد ${currency === null ? `${text(amount)} بعملة الدفاتر` : text(`${amount} ${currency}`)}`,
      'شغّل `remit verify`؛ وإن لم يجد شيئًا فهذا خلل في remit.',
    ],
  }),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const because = explainer('controls', CONTROLS_ERRORS);
