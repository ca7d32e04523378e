import { explainer, wording } from './explain.ts';

/** What the amounts belong to that were added, as far as it is known. */
export type Summed = { readonly currency?: string | null; readonly month?: string; readonly ledger?: string };

/** Errors about amounts, currencies and rates. */
export const MONEY_ERRORS = {
  'currencies-differ': wording<{ first: string; second: string }>(({ first, second }, { text }) => ({
    en: [
      `${first} and ${second} cannot be combined`,
      'Amounts of different currencies are never added or subtracted; keep one total per currency.',
    ],
    ar: [
      `لا يمكن جمع ${text(first)} و${text(second)}`,
      'لا تُجمع مبالغ عملات مختلفة ولا تُطرح أبدًا؛ أبقِ مجموعًا لكل عملة.',
    ],
  })),
  'no-currency': wording<{ code: string }>(({ code }, { quoted }) => ({
    en: [
      `${JSON.stringify(code)} is not a currency code`,
      'A currency code is two to ten letters or digits, such as USD or LBP.',
    ],
    ar: [`${quoted(code)} ليس رمز عملة`, 'رمز العملة حرفان إلى عشرة من الحروف اللاتينية أو الأرقام، مثل USD أو LBP.'],
  })),
  'no-decimal': wording<{ amount: string }>(({ amount }, { quoted, text }) => ({
    en: [
      `${JSON.stringify(amount)} is not a decimal amount`,
      'An amount is written as digits with an optional minus and an optional decimal point, such as -12.50.',
    ],
    ar: [
      `${quoted(amount, 80)} ليس مبلغًا عشريًا`,
      `يُكتب المبلغ أرقامًا، مع علامة ناقص ونقطة عشرية عند الحاجة، مثل ${text('-12.50')}.`,
    ],
  })),
  'beyond-range': wording<{ amount: string; most: string }>(({ amount, most }, { quoted, text }) => ({
    en: [
      `${JSON.stringify(amount)} is beyond what the ledger can hold exactly`,
      `The ledger holds amounts of up to ${most} with at most four decimals; ask the delivery company to correct this one.`,
    ],
    ar: [
      `${quoted(amount, 80)} أكبر مما يحفظه الدفتر بدقة`,
      `يحفظ الدفتر مبالغ حتى ${text(most)} بأربع منازل عشرية على الأكثر؛ اطلب من شركة التوصيل تصحيح هذا المبلغ.`,
    ],
  })),
  'no-rate': wording<{ rate: string }>(({ rate }, { quoted, text }) => ({
    en: [`${JSON.stringify(rate)} is not a rate`, 'A rate is a plain decimal, such as 89500 or 0.0000112.'],
    ar: [`${quoted(rate)} ليس سعر صرف`, `السعر عدد عشري، مثل 89500 أو ${text('0.0000112')}.`],
  })),
  'rate-of-zero': wording(() => ({
    en: ['a rate of 0 turns money into nothing', 'Correct the line; a rate is above zero, such as 89500.'],
    ar: ['سعر 0 يجعل المال لا شيء', 'صحّح السطر؛ السعر أكبر من صفر، مثل 89500.'],
  })),
  'sum-beyond-range': wording<Summed & { command: string; most: string }>(
    ({ currency, month, ledger, command, most }, { text }) => ({
      en: [
        `${month === undefined ? 'amounts' : `the amounts of ${month}`}${currency || ledger ? ` in ${currency || ledger}` : ''} add up to more than the ledger can hold exactly`,
        `The ledger holds sums of up to ${most}. Look for an absurd amount with \`${command}\`, and ask the delivery company to correct it.`,
      ],
      ar: [
        `مجموع المبالغ${month === undefined ? '' : ` في ${text(month)}`}${currency ? ` بعملة ${text(currency)}` : ''}${ledger ? ` في ${text(ledger)}` : ''} أكبر مما يحفظه الدفتر بدقة`,
        `يحفظ الدفتر مجاميع حتى ${text(most)}. ابحث عن مبلغ غير معقول بالأمر \`${command}\`، واطلب من شركة التوصيل تصحيحه.`,
      ],
    }),
  ),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const moneyError = explainer('money', MONEY_ERRORS);
