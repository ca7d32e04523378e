import { explainer, wording } from './explain.ts';

/** Why receipts are not matched with invoices, or an invoice not settled. */
export const MATCHING_ERRORS = {
  'receipt-in-their-currency': wording<{ receipt: string; currency: string }>(({ receipt, currency }, { text }) => ({
    en: [`receipt ${receipt} is in ${currency} as the invoices are`, 'Leave --rate out.'],
    ar: [`المقبوض ${text(receipt)} بعملة الفواتير نفسها، ${text(currency)}`, `احذف ${text('--rate')}.`],
  })),
  'nothing-stays-open': wording<{ paid: string; due: string; rate: string }>(({ paid, due, rate }, { text }) => ({
    en: [
      `the receipt is worth ${paid} at ${rate} and the invoices ask for ${due}: nothing stays open`,
      'Leave --part out.',
    ],
    ar: [
      `قيمة المقبوض ${text(paid)} بسعر ${text(rate)} والفواتير تطلب ${text(due)}: لا يبقى شيء مفتوحًا`,
      `احذف ${text('--part')}.`,
    ],
  })),
  'worth-nothing': wording<{ receipt: string; paid: string; rate: string }>(({ receipt, paid, rate }, { text }) => ({
    en: [
      `receipt ${receipt} is worth ${paid} at ${rate}: it would pay nothing`,
      'See that the rate is right: units of the receipt’s currency for one of the invoice’s.',
    ],
    ar: [
      `قيمة المقبوض ${text(receipt)} هي ${text(paid)} بسعر ${text(rate)}: لا يدفع شيئًا`,
      'تأكّد من صحة السعر: وحدات عملة المقبوض لوحدة واحدة من عملة الفاتورة.',
    ],
  })),
  'more-than-exchange-difference': wording<{ paid: string; due: string; rate: string; rest: string }>(
    ({ paid, due, rate, rest }, { text }) => ({
      en: [
        `the receipt is worth ${paid} at ${rate} and the invoices ask for ${due}: ${rest} is more than an exchange difference`,
        'See that the rate is right (units of the receipt’s currency for one of the invoice’s); --part leaves the rest open, and --difference fx|bank-charge|rounding|other says what it is.',
      ],
      ar: [
        `قيمة المقبوض ${text(paid)} بسعر ${text(rate)} والفواتير تطلب ${text(due)}: ${text(rest)} أكثر من فرق صرف`,
        `تأكّد من صحة السعر (وحدات عملة المقبوض لوحدة واحدة من عملة الفاتورة)؛ ${text('--part')} يترك الباقي مفتوحًا، و${text('--difference fx|bank-charge|rounding|other')} يسمّيه.`,
      ],
    }),
  ),
  'receipt-used-up': wording<{ receipt: string }>(({ receipt }, { text }) => ({
    en: [
      `receipt ${receipt} is matched already, to the last digit`,
      'Leave it out, or take its match away first with `remit match remove`.',
    ],
    ar: [
      `المقبوض ${text(receipt)} مطابَق من قبل بكامل مبلغه`,
      'اتركه، أو ألغِ مطابقته أولًا بالأمر `remit match remove`.',
    ],
  })),
  'currencies-cannot-match': wording<{ currencies: readonly string[] }>(({ currencies }, { list }) => ({
    en: [
      `${currencies.join(' and ')} cannot be matched with each other`,
      'Match the receipts and invoices of each currency on their own.',
    ],
    ar: [`لا تُطابَق ${list(currencies)} بعضها مع بعض`, 'طابق مقبوضات كل عملة وفواتيرها على حدة.'],
  })),
  'match-needs-both': wording(() => ({
    en: [
      'a match needs a receipt and an invoice',
      'Name one receipt and at least one invoice: `remit match add 41 10009`.',
    ],
    ar: ['المطابقة تحتاج إلى مقبوض وفاتورة', 'سمِّ مقبوضًا واحدًا وفاتورة واحدة على الأقل: `remit match add 41 10009`.'],
  })),
  'named-twice': wording<{ what: 'receipt' | 'invoice'; name: string | number }>(({ what, name }, { text }) => ({
    en: [`${what} ${name} is named twice`, 'Name it once.'],
    ar: [
      what === 'receipt' ? `المقبوض ${text(`${name}`)} مذكور مرتين` : `الفاتورة ${text(`${name}`)} مذكورة مرتين`,
      'يكفي ذكر واحد.',
    ],
  })),
  'no-difference-to-name': wording<{ amount: string }>(({ amount }, { text }) => ({
    en: [
      `the receipts and the invoices both come to ${amount}: there is no difference to name`,
      'Leave --difference out.',
    ],
    ar: [`مجموع المقبوضات ومجموع الفواتير واحد، ${text(amount)}: لا فرق ليُسمّى`, `احذف ${text('--difference')}.`],
  })),
  'match-does-not-add-up': wording<{ paid: string; due: string; difference: string; kinds: readonly string[] }>(
    ({ paid, due, difference, kinds }, { text }) => ({
      en: [
        `the receipts come to ${paid} and the invoices ask for ${due}, ${difference} apart`,
        `Name the right ones, say what the rest is with --difference ${kinds.join('|')}, or leave it open with --part.`,
      ],
      ar: [
        `المقبوضات ${text(paid)} والفواتير تطلب ${text(due)}، والفرق بينهما ${text(difference)}`,
        `سمِّ الصحيح منها، أو بيّن طبيعة الباقي: ${text(`--difference ${kinds.join('|')}`)}، أو اتركه مفتوحًا: ${text('--part')}.`,
      ],
    }),
  ),
  'nothing-to-pay': wording<{ receipt: string }>(({ receipt }, { text }) => ({
    en: [
      `receipt ${receipt} pays nothing of these invoices: they ask for nothing that it could pay`,
      'Name invoices that are open: `remit report open-items` lists them.',
    ],
    ar: [
      `المقبوض ${text(receipt)} لا يسدّد شيئًا من هذه الفواتير: لا تطلب ما يمكنه سداده`,
      'سمِّ فواتير مفتوحة: الأمر `remit report open-items` يسردها.',
    ],
  })),
  'exchange-needs-two-currencies': wording((_, { text }) => ({
    en: ['an exchange difference needs two currencies', 'Name it otherwise, or say --rate.'],
    ar: ['فرق الصرف يحتاج إلى عملتين', `سمِّه غير ذلك، أو أعطِ ${text('--rate')}.`],
  })),
  'other-without-note': wording<{ amount: string }>(({ amount }, { text }) => ({
    en: [`the difference of ${amount} is called "other" without a word why`, 'Say what it is with --note.'],
    ar: [`الفرق ${text(amount)} سُمّي ${text('other')} دون ذكر سببه`, `اكتب ما هو: ${text('--note')}.`],
  })),
  'nothing-open': wording<{ number: number; currency: string }>(({ number, currency }, { text }) => ({
    en: [
      `nothing is open of invoice ${number} in ${currency}`,
      `\`remit show invoice ${number}\` shows how it was settled.`,
    ],
    ar: [
      `لا شيء مفتوح من الفاتورة ${text(`${number}`)} بعملة ${text(currency)}`,
      `الأمر \`remit show invoice ${number}\` يُظهر كيف سُوّيت.`,
    ],
  })),
  'more-than-open': wording<{ open: string; number: number; amount: string }>(({ open, number, amount }, { text }) => ({
    en: [
      `${open} is open of invoice ${number}: ${amount} cannot be settled`,
      'Give an amount of at most what is open, or leave --amount out to settle all of it.',
    ],
    ar: [
      `المفتوح من الفاتورة ${text(`${number}`)} هو ${text(open)}: لا يمكن تسوية ${text(amount)}`,
      `أعطِ مبلغًا لا يزيد على المفتوح، أو احذف ${text('--amount')} لتسويته كله.`,
    ],
  })),
  'more-than-rounding': wording<{ amount: string; number: number; limit: string; setting: string }>(
    ({ amount, number, limit, setting }, { text }) => ({
      en: [
        `${amount} of invoice ${number} is more than rounding, whose limit is ${limit}`,
        `Settle it as what it is, or raise \`rounding_limit\` in remit.toml: ${setting}`,
      ],
      ar: [
        `${text(amount)} من الفاتورة ${text(`${number}`)} أكثر من فرق تقريب، وحدّه ${text(limit)}`,
        `سوِّه بنوعه الصحيح، أو ارفع \`rounding_limit\` في remit.toml: ${text(setting)}`,
      ],
    }),
  ),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const matchingError = explainer('matching', MATCHING_ERRORS);
