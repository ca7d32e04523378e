import { explainer, plain, wording } from './explain.ts';
import { NOTHING_TO_BOOK } from './remedies.ts';

/** What is wrong with the rows of orders, receipts, settlement sheets, prices and rates. */
export const RECORDS_ERRORS = {
  'no-order-status': wording<{ status: string; statuses: readonly string[] }>(
    ({ status, statuses }, { quoted, list }) => ({
      en: [`${quoted(status)} is no status`, `A status is one of ${statuses.join(', ')}.`],
      ar: [`${quoted(status)} ليس حالة`, `الحالة واحدة من: ${list(statuses)}.`],
    }),
  ),
  'order-twice': wording<{ reference: string; first: number; second: number; currency: string | null }>(
    ({ reference, first, second, currency }, { quoted, text }) => ({
      en: [
        `the order ${quoted(reference)} stands on lines ${first} and ${second}${currency === null ? '' : `, both in ${currency}`}`,
        'Keep one row an order and currency.',
      ],
      ar: [
        `الطلب ${quoted(reference)} على السطرين ${first} و${second}${currency === null ? '' : `، وكلاهما بعملة ${text(currency)}`}`,
        'أبقِ سطرًا واحدًا لكل طلب وعملة.',
      ],
    }),
  ),
  'order-differs': wording<{ reference: string; field: string; line: number }>(
    ({ reference, field, line }, { quoted, text }) => ({
      en: [
        `the order ${quoted(reference)} has another ${field} on line ${line}`,
        'The rows of one order differ in currency and COD only.',
      ],
      ar: [
        `للطلب ${quoted(reference)} قيمة أخرى للحقل ${text(field)} على السطر ${line}`,
        'لا تختلف أسطر الطلب الواحد إلا في العملة والمحصَّل.',
      ],
    }),
  ),
  'map-for-other-kind': wording<{ map: string; mapKind: string; kind: string }>(({ map, mapKind, kind }, { text }) => ({
    en: [`the map ${map} is for ${mapKind}, not for ${kind}`, 'Name another map.'],
    ar: [`الخريطة ${text(map)} هي لـ${text(mapKind)} لا لـ${text(kind)}`, 'سمِّ خريطة أخرى.'],
  })),
  'map-for-other-format': wording<{ format: string; map: string; mapFormat: string }>(
    ({ format, map, mapFormat }, { text }) => ({
      en: [`it is ${format}, and the map ${map} is for ${mapFormat}`, 'Name another map.'],
      ar: [`صيغته ${text(format)}، والخريطة ${text(map)} هي لـ${text(mapFormat)}`, 'سمِّ خريطة أخرى.'],
    }),
  ),
  'format-without-kind': wording<{ format: string; kind: string }>(({ format, kind }, { text }) => ({
    en: [`it is ${format}, which holds no ${kind}`, 'Import it as receipts.'],
    ar: [`صيغته ${text(format)}، وليس فيها ${text(kind)}`, `استورده مقبوضات: ${text('receipts')}.`],
  })),
  'no-orders': wording(() => ({
    en: ['it holds no orders', 'There is nothing to import: export it again.'],
    ar: ['ليس فيه طلبات', 'لا شيء فيه ليُستورد: صدّره من جديد.'],
  })),
  'no-receipts': plain('it holds no rows with a date and an amount', 'ليس فيه أسطر لها تاريخ ومبلغ', NOTHING_TO_BOOK),
  'minus-beside-sign': wording<{ amount: string; sign: string }>(({ amount, sign }, { quoted }) => ({
    en: [
      `${quoted(amount)} has a minus beside the sign ${quoted(sign)}`,
      'Leave sign out of the map, or correct the row.',
    ],
    ar: [`إلى جانب ${quoted(amount)} ذي الإشارة السالبة إشارة ${quoted(sign)}`, 'احذف sign من الخريطة، أو صحّح السطر.'],
  })),
  'debit-and-credit': wording(() => ({
    en: ['the row has both a debit and a credit', 'Correct the row: money moves one way on a line.'],
    ar: ['في السطر مدين ودائن معًا', 'صحّح السطر: المال يتحرّك في اتجاه واحد على السطر الواحد.'],
  })),
  'no-debit-no-credit': wording(() => ({
    en: ['the row has neither a debit nor a credit', 'Fill one in, or remove the row.'],
    ar: ['ليس في السطر مدين ولا دائن', 'املأ أحدهما، أو احذف السطر.'],
  })),
  'no-workbook': wording((_, { text }) => ({
    en: ['it is no workbook', 'Name the statement, an .xlsx.'],
    ar: ['ليس مصنّفًا', `سمِّ الكشف، وهو ملف ${text('.xlsx')}.`],
  })),
  'no-mismatches-sheet': wording(() => ({
    en: [
      'it has no sheet Mismatches with the columns Id, Status and Note',
      'Name a workbook that `remit statement` wrote.',
    ],
    ar: ['ليس فيه ورقة الفروقات بأعمدة المعرّف والحالة والملاحظة', 'سمِّ مصنّفًا كتبه `remit statement`.'],
  })),
  'no-status': wording<{ status: string; statuses: readonly string[] }>(({ status, statuses }, { quoted, list }) => ({
    en: [`${quoted(status)} is no status`, `Write one of ${statuses.join(', ')}.`],
    ar: [`${quoted(status)} ليس حالة`, `اكتب واحدة من: ${list(statuses)}.`],
  })),
  'mismatch-twice': wording<{ mismatch: string; line: number }>(({ mismatch, line }, { text }) => ({
    en: [`mismatch ${mismatch} stands on line ${line} too, with another status or note`, 'Leave one of the two lines.'],
    ar: [`الفرق ${text(mismatch)} على السطر ${line} أيضًا، بحالة أو ملاحظة أخرى`, 'احذف أحد السطرين.'],
  })),
  'row-without-amount': wording(() => ({
    en: ['the row has no amount', 'Fill in its COD, 0 where nothing was collected, or remove the row.'],
    ar: ['السطر بلا مبلغ', 'املأ المحصَّل فيه، وهو 0 حيث لم يُحصَّل شيء، أو احذف السطر.'],
  })),
  'second-total': wording<{ payout: string; currency: string; line: number }>(
    ({ payout, currency, line }, { quoted, text }) => ({
      en: [
        `a second total of ${quoted(payout)} in ${currency}; the first is on line ${line}`,
        'Keep one total a payout and currency.',
      ],
      ar: [
        `مجموع ثانٍ للدفعة ${quoted(payout)} بعملة ${text(currency)}؛ الأول على السطر ${line}`,
        'أبقِ مجموعًا واحدًا لكل دفعة وعملة.',
      ],
    }),
  ),
  'total-of-several': wording<{ currency: string; count: number; payouts: readonly string[] }>(
    ({ currency, count, payouts }, { quoted, text }) => ({
      en: [
        `the total in ${currency} is of ${count} payouts: ${payouts.map((one) => quoted(one)).join(', ')}`,
        'Give each payout a total of its own, or leave totals_row out of the map.',
      ],
      ar: [
        `المجموع بعملة ${text(currency)} لدفعات عددها ${count}: ${payouts.map((one) => quoted(one)).join('، ')}`,
        'أعطِ كل دفعة مجموعًا لها، أو احذف totals_row من الخريطة.',
      ],
    }),
  ),
  'total-without-rows': wording<{ currency: string; from: number }>(({ currency, from }, { text }) => ({
    en: [
      from > 0
        ? `a second total in ${currency}; there is no row between it and the one on line ${from}`
        : 'a total with no row above it',
      'Keep one total a payout and currency, below its rows.',
    ],
    ar: [
      from > 0 ? `مجموع ثانٍ بعملة ${text(currency)}؛ لا سطر بينه وبين الذي على السطر ${from}` : 'مجموع لا سطر فوقه',
      'أبقِ مجموعًا واحدًا لكل دفعة وعملة، تحت أسطرها.',
    ],
  })),
  'row-below-total': wording<{ payout: string; currency: string; line: number }>(
    ({ payout, currency, line }, { quoted, text }) => ({
      en: [
        `the row is below the total of ${quoted(payout)} in ${currency} on line ${line}`,
        'A total is of the rows above it: move the row, or leave totals_row out of the map.',
      ],
      ar: [
        `السطر تحت مجموع الدفعة ${quoted(payout)} بعملة ${text(currency)} الذي على السطر ${line}`,
        'المجموع للأسطر التي فوقه: انقل السطر، أو احذف totals_row من الخريطة.',
      ],
    }),
  ),
  'control-character': wording(() => ({
    en: ['the cell holds a control character, which is no text', 'Type the cell anew.'],
    ar: ['في الخلية رمز تحكّم، وهو ليس نصًا', 'اكتب الخلية من جديد.'],
  })),
  'cell-too-long': wording<{ most: number }>(({ most }) => ({
    en: [`the cell holds more than ${most} characters`, 'Name another column in the map.'],
    ar: [`في الخلية أكثر من ${most} حرف`, 'سمِّ عمودًا آخر في الخريطة.'],
  })),
  'neither-delivery-nor-return': wording<{ words: string }>(({ words }, { quoted }) => ({
    en: [
      `${quoted(words)} says neither that it is a delivery nor that it is a return`,
      'Write Delivery or Return, or leave workflow out of the map if the column says something else.',
    ],
    ar: [
      `لا يذكر ${quoted(words)} أنه تسليم ولا أنه مرتجع`,
      'اكتب Delivery أو Return، أو احذف workflow من الخريطة إن كان العمود يعني غير ذلك.',
    ],
  })),
  'no-order-rows': wording(() => ({
    en: ['it holds no rows of orders', 'There is nothing to import: export it again.'],
    ar: ['ليس فيه أسطر طلبات', 'لا شيء فيه ليُستورد: صدّره من جديد.'],
  })),
  'payout-without-date': wording<{ payout: string }>(({ payout }, { quoted }) => ({
    en: [`the payout ${quoted(payout)} has no date`, 'Fill in the day on which it was paid.'],
    ar: [`الدفعة ${quoted(payout)} بلا تاريخ`, 'املأ اليوم الذي دُفعت فيه.'],
  })),
  'payout-differs': wording<{ what: 'date' | 'status'; second: string; first: string }>(
    ({ what, second, first }, { quoted }) => ({
      en: [
        `the payout has another ${what} here (${quoted(second)}) than above (${quoted(first)})`,
        'The rows of one payout have one date and one status; where the column says it of each order, leave it out of the map.',
      ],
      ar: [
        `للدفعة هنا ${what === 'date' ? 'تاريخ' : 'حالة'} (${quoted(second)}) غير ${what === 'date' ? 'الذي' : 'التي'} فوق (${quoted(first)})`,
        'لأسطر الدفعة الواحدة تاريخ واحد وحالة واحدة؛ فإن كان العمود يذكر ذلك لكل طلب فاحذفه من الخريطة.',
      ],
    }),
  ),
  'payout-beyond-range': wording<{ payout: string; currency: string }>(({ payout, currency }, { quoted, text }) => ({
    en: [
      `the amounts of ${quoted(payout)} in ${currency} add up to more than the ledger holds`,
      'Look for an absurd amount, and correct it.',
    ],
    ar: [
      `مبالغ الدفعة ${quoted(payout)} بعملة ${text(currency)} مجموعها أكبر مما يحفظه الدفتر`,
      'ابحث عن مبلغ غير معقول وصحّحه.',
    ],
  })),
  'row-without-order': wording(() => ({
    en: ['the row has no order', 'Export the orders again.'],
    ar: ['السطر بلا طلب', 'صدّر الطلبات من جديد.'],
  })),
  'order-of-two': wording<{ reference: string; now: string; before: string; line: number }>(
    ({ reference, now, before, line }, { quoted }) => ({
      en: [
        `the order ${quoted(reference)} has ${quoted(now)} here and ${quoted(before)} on line ${line}`,
        'Two orders of one name cannot be told apart: rename one, or leave one out.',
      ],
      ar: [
        `للطلب ${quoted(reference)} هنا ${quoted(now)} وعلى السطر ${line} ${quoted(before)}`,
        'طلبان باسم واحد لا يُميَّز بينهما: غيّر اسم أحدهما، أو احذف واحدًا.',
      ],
    }),
  ),
  'paid-in-part': wording((_, { text }) => ({
    en: [
      'the order is paid in part, and the export does not say what is outstanding',
      'Export with the column "Outstanding Balance", or leave that order out.',
    ],
    ar: [
      'الطلب مدفوع جزئيًا، والتصدير لا يذكر الباقي',
      `صدّر مع العمود ${text('"Outstanding Balance"')}، أو احذف ذلك الطلب.`,
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const recordsError = explainer('records', RECORDS_ERRORS);
