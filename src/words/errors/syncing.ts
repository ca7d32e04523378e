import { explainer, wording } from './explain.ts';

/** A courier of the settings whose account is in the ledger already, under another courier (`holder`). */
type HeldAccount = {
  readonly courier: string;
  readonly holder: string;
  readonly address: string;
  /** An invoice that both have; `same-key` names none, and has 0. */
  readonly invoice: number;
};

const remedyOf = ({ courier, holder }: Pick<HeldAccount, 'courier' | 'holder'>) =>
  `If ${courier} is another name for ${holder}, take the table of ${holder} out of remit.toml and run \`remit courier rename ${holder} ${courier}\`; else give ${courier} its own key.`;

const remedyInArabic = ({ courier, holder }: Pick<HeldAccount, 'courier' | 'holder'>, text: (of: string) => string) =>
  `إن كان ${text(courier)} اسمًا آخر لـ${text(holder)} فاحذف جدول ${text(holder)} من ${text('remit.toml')} وشغّل \`remit courier rename ${holder} ${courier}\`؛ وإلا فأعطِ ${text(courier)} مفتاحه.`;

/** Why a sync stops, for good or until the next one. */
export const SYNCING_ERRORS = {
  'another-merchant': wording<{ name: string; ledger: string; held: string }>(
    ({ name, ledger, held }, { quoted, text }) => ({
      en: [
        `the key belongs to ${quoted(name)}, but ${ledger} holds ${quoted(held)}`,
        'Use another books folder (or REMIT_LEDGER) for each merchant; if only the name changed, run the sync once with --accept-account.',
      ],
      ar: [
        `المفتاح لـ${quoted(name)}، لكنّ ${text(ledger)} يحفظ ما لـ${quoted(held)}`,
        `استعمل لكل تاجر مجلد دفاتر آخر (أو REMIT_LEDGER)؛ وإن تغيّر الاسم وحده فشغّل المزامنة مرة مع ${text('--accept-account')}.`,
      ],
    }),
  ),
  'another-service': wording<{ address: string; ledger: string; held: string }>(
    ({ address, ledger, held }, { text }) => ({
      en: [
        `the API address is ${address}, but ${ledger} was filled from ${held}`,
        'Use another books folder (or REMIT_LEDGER) for another service; if the company moved its API, run the sync once with --accept-account.',
      ],
      ar: [
        `عنوان الواجهة البرمجية ${text(address)}، لكنّ ${text(ledger)} مُلئ من ${text(held)}`,
        `استعمل لخدمة أخرى مجلد دفاتر آخر (أو REMIT_LEDGER)؛ وإن نقلت الشركة واجهتها فشغّل المزامنة مرة مع ${text('--accept-account')}.`,
      ],
    }),
  ),
  'same-key': wording<HeldAccount>(({ courier, holder, address }, { text }) => ({
    en: [
      `${courier} and ${holder} are one account: both have the same key at ${address}`,
      remedyOf({ courier, holder }),
    ],
    ar: [
      `${text(courier)} و${text(holder)} حساب واحد: لهما المفتاح نفسه عند ${text(address)}`,
      remedyInArabic({ courier, holder }, text),
    ],
  })),
  'same-invoice': wording<HeldAccount>(({ courier, holder, address, invoice }, { text }) => ({
    en: [
      `${courier} and ${holder} are one account at ${address}: invoice ${invoice} of ${courier} is one that ${holder} holds`,
      remedyOf({ courier, holder }),
    ],
    ar: [
      `${text(courier)} و${text(holder)} حساب واحد عند ${text(address)}: الفاتورة ${invoice} لدى ${text(courier)} محفوظة لدى ${text(holder)}`,
      remedyInArabic({ courier, holder }, text),
    ],
  })),
  'budget-spent': wording<{ limit: number; used: number; resetsOn: string }>(({ limit, used, resetsOn }, { text }) => ({
    en: [
      `the budget of ${limit} requests a month is spent (${used} used); it begins again on ${resetsOn}`,
      'Run the sync again then, or raise requests_per_month in remit.toml if your plan allows more; what was brought is kept.',
    ],
    ar: [
      `نفد حدّ الشهر من استدعاءات الواجهة وهو ${limit} (استُعمل منه ${used})؛ ويبدأ من جديد في ${text(resetsOn)}`,
      `أعد المزامنة عندئذ، أو ارفع ${text('requests_per_month')} في ${text('remit.toml')} إن كانت خطتك تسمح؛ وما جُلب محفوظ.`,
    ],
  })),
  'order-book-in-parts': wording<{ left: number }>(({ left }, { text }) => ({
    en: [
      `the order book takes more requests than the budget leaves for it now (${left}), so it is read in parts`,
      'The next sync goes on; with a larger orders_full_every in remit.toml it is read whole less often.',
    ],
    ar: [
      `يحتاج سجلّ الطلبات إلى استدعاءات للواجهة أكثر مما يتركه له حدّ الشهر الآن (${left})، فيُقرأ على أجزاء`,
      `تكمل المزامنة التالية؛ وبقيمة أكبر لـ${text('orders_full_every')} في ${text('remit.toml')} يُقرأ كاملًا مرات أقل.`,
    ],
  })),
  'failed-in-a-row': wording<{ count: number; invoice: number }>(({ count, invoice }) => ({
    en: [
      `the API failed for ${count} invoices in a row; the last was invoice ${invoice}`,
      'Run the sync again when the API answers again; what was fetched is kept.',
    ],
    ar: [
      `تعذّر جلب فواتير متتالية من الواجهة البرمجية وعددها ${count}؛ آخرها الفاتورة ${invoice}`,
      'أعد المزامنة حين تجيب الواجهة من جديد؛ وما جُلب محفوظ.',
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const syncingError = explainer('syncing', SYNCING_ERRORS);
