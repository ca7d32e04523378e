import { explainer, nearestOr, wording } from './explain.ts';

/** Errors about an id or name that nothing in the books has, or several; and about the desk's people and programs. */
export const SHOWING_ERRORS = {
  'no-person-name': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`${quoted(name)} is no name of a person`, 'Write another name.'],
    ar: [`${quoted(name)} لا يصلح اسمًا لشخص`, 'اكتب اسمًا آخر.'],
  })),
  'no-program-name': wording<{ name: string }>(({ name }, { quoted, text }) => ({
    en: [`${quoted(name)} is no name for a program`, 'Give it one of at most 80 letters: --name BI'],
    ar: [`${quoted(name)} لا يصلح اسمًا لبرنامج`, `أعطه اسمًا من 80 حرفًا على الأكثر: ${text('--name BI')}`],
  })),
  'token-taken': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [
      `there is a token ${quoted(name)} already`,
      'Choose another name, or revoke that one with `remit serve token revoke`.',
    ],
    ar: [`يوجد رمز دخول اسمه ${quoted(name)}`, 'اختر اسمًا آخر، أو ألغِ ذاك بالأمر `remit serve token revoke`.'],
  })),
  'token-of-person': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [
      `${quoted(name)} is the name of a person of these books: a program would decide in that name`,
      'Choose another name, such as that of the program.',
    ],
    ar: [`${quoted(name)} اسم شخص في هذه الدفاتر: لو حمله برنامج لقرّر باسمه`, 'اختر اسمًا آخر، كاسم البرنامج.'],
  })),
  'no-token': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`no token ${quoted(name)} is in force`, '`remit serve token list` shows them.'],
    ar: [`لا رمز دخول ساريًا اسمه ${quoted(name)}`, 'الأمر `remit serve token list` يُظهر الرموز.'],
  })),
  'no-view-name': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`${quoted(name)} is no name for a view`, 'Give it one of at most 80 letters.'],
    ar: [`${quoted(name)} لا يصلح اسمًا لعرض محفوظ`, 'أعطه اسمًا من 80 حرفًا على الأكثر.'],
  })),
  'no-view-address': wording<{ address: string }>(({ address }, { quoted }) => ({
    en: [`${quoted(address)} is no page of the desk`, 'Save the view on the page that it shows.'],
    ar: [`${quoted(address)} ليس صفحة من صفحات المكتب`, 'احفظ العرض من الصفحة التي يُظهرها.'],
  })),
  'no-view': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`there is no view ${quoted(name)}`, 'The list of views shows those that there are.'],
    ar: [`لا يوجد عرض محفوظ اسمه ${quoted(name)}`, 'قائمة العروض المحفوظة تُظهر الموجود منها.'],
  })),
  'document-not-held': wording<{ sha256: string }>(({ sha256 }, { quoted, text }) => ({
    en: [
      `the ledger holds no document ${quoted(sha256, 70)}`,
      'Name one by its SHA-256: `remit evidence 10009` lists those behind an invoice.',
    ],
    ar: [
      `ليس في الدفتر مستند ${quoted(sha256, 70)}`,
      `سمِّ مستندًا ببصمته ${text('SHA-256')}: الأمر \`remit evidence 10009\` يعرض مستندات فاتورة.`,
    ],
  })),
  'nothing-held': wording<{ name: string }>(({ name }, { quoted, text }) => ({
    en: [
      `the ledger knows no invoice, order, receipt or document ${quoted(name, 70)}`,
      'Name an invoice by its number, an order by its id, a receipt as `receipt 41`, a document by its SHA-256; `remit report orders` and `remit report receipts` list the first three.',
    ],
    ar: [
      `لا يعرف الدفتر فاتورة ولا طلبًا ولا مقبوضًا ولا مستندًا ${quoted(name, 70)}`,
      `سمِّ الفاتورة برقمها، والطلب بمعرّفه، والمقبوض هكذا: \`receipt 41\`، والمستند ببصمته ${text('SHA-256')}؛ والأمران \`remit report orders\` و\`remit report receipts\` يعرضان الثلاثة الأولى.`,
    ],
  })),
  'no-report': wording<{ name: string; names: readonly string[]; nearest: readonly string[] }>(
    ({ name, names, nearest }, { list, quoted, text }) => {
      const all = { en: `The reports are ${list(names)}.`, ar: `التقارير هي: ${list(names)}.` };
      const hint = nearestOr(nearest, text, all);
      return { en: [`there is no report ${quoted(name)}`, hint.en], ar: [`لا يوجد تقرير ${quoted(name)}`, hint.ar] };
    },
  ),
  'report-without-period': wording<{ report: string }>(({ report }, { text }) => ({
    en: [`the report ${report} is about the whole ledger and has no period`, 'Leave the period out.'],
    ar: [`التقرير ${text(report)} عن الدفتر كله ولا فترة له`, 'احذف الفترة.'],
  })),
  'report-without-since': wording<{ report: string }>(({ report }, { text }) => ({
    en: [`the report ${report} is not of what happened since a day`, 'Leave --since out.'],
    ar: [`التقرير ${text(report)} ليس عمّا حدث منذ يوم`, `احذف ${text('--since')}.`],
  })),
  'no-day': wording<{ day: string }>(({ day }, { quoted, text }) => ({
    en: [`${quoted(day)} is not a day`, 'Write a day as 2026-11-05.'],
    ar: [`${quoted(day)} ليس يومًا`, `اكتب يومًا مثل ${text('2026-11-05')}.`],
  })),
  'no-such-filter': wording<{ report: string; filter: string; known: readonly string[] }>(
    ({ report, filter, known }, { list, text }) => ({
      en: [
        `the report ${report} cannot be narrowed by ${filter}`,
        known.length === 0 ? 'Leave it out.' : `It takes ${list(known)}.`,
      ],
      ar: [
        `لا يُصفّى التقرير ${text(report)} بحسب ${text(filter)}`,
        known.length === 0 ? 'احذفه.' : `يقبل: ${list(known)}.`,
      ],
    }),
  ),
  'explain-one': wording((_, { text }) => ({
    en: ['more than one thing is named', 'Name one: remit match explain 41, or remit match explain invoice 10009'],
    ar: [
      'ذُكر أكثر من شيء',
      `سمِّ واحدًا: ${text('remit match explain 41')} أو ${text('remit match explain invoice 10009')}`,
    ],
  })),
  'explain-nothing': wording<{ name: string }>(({ name }, { quoted, text }) => ({
    en: [`the ledger knows no receipt and no invoice ${quoted(name)}`, 'See them with: remit match list'],
    ar: [`ليس في الدفاتر مقبوض ولا فاتورة ${quoted(name)}`, `اعرضها بـ: ${text('remit match list')}`],
  })),
  'several-things': wording<{ name: string; commands: readonly string[] }>(({ name, commands }, { quoted, text }) => ({
    en: [`${quoted(name)} names several things`, `Say which: ${commands.join(', or ')}`],
    ar: [`${quoted(name)} اسم لأكثر من شيء`, `حدّد أيّها: ${commands.map(text).join(' أو ')}`],
  })),
  'nothing-known': wording<{ name: string; nearest: readonly string[] }>(({ name, nearest }, { quoted, text }) => {
    const hint = nearestOr(nearest, text, {
      en: '`remit report invoices` and `remit report orders` list what it holds.',
      ar: 'الأمران `remit report invoices` و`remit report orders` يعرضان ما فيه.',
    });
    return {
      en: [`the ledger knows no invoice, order, receipt or mismatch ${quoted(name)}`, hint.en],
      ar: [`لا يعرف الدفتر فاتورة ولا طلبًا ولا مقبوضًا ولا فرقًا ${quoted(name)}`, hint.ar],
    };
  }),
  'no-invoice': wording<{ name: string; nearest: readonly string[] }>(({ name, nearest }, { quoted, text }) => {
    const hint = nearestOr(nearest, text, {
      en: '`remit report invoices` lists them.',
      ar: 'الأمر `remit report invoices` يعرض الفواتير.',
    });
    return {
      en: [`the ledger knows no invoice ${quoted(name)}`, hint.en],
      ar: [`لا يعرف الدفتر فاتورة ${quoted(name)}`, hint.ar],
    };
  }),
  'no-run': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`there is no run ${quoted(name)}`, '`remit report runs` lists them.'],
    ar: [`لا توجد مزامنة ${quoted(name)}`, 'الأمر `remit report runs` يعرض المزامنات.'],
  })),
  'no-order': wording<{ name: string; nearest: readonly string[] }>(({ name, nearest }, { quoted, text }) => {
    const hint = nearestOr(nearest, text, {
      en: '`remit report orders` lists them.',
      ar: 'الأمر `remit report orders` يعرض الطلبات.',
    });
    return {
      en: [`the ledger knows no order ${quoted(name)}`, hint.en],
      ar: [`لا يعرف الدفتر طلبًا ${quoted(name)}`, hint.ar],
    };
  }),
  'reference-of-several': wording<{ reference: string; orders: readonly string[] }>(
    ({ reference, orders }, { quoted }) => ({
      en: [
        `${quoted(reference)} is the reference of several orders: ${orders.map((order) => quoted(order)).join(', ')}`,
        'Name the order by its id.',
      ],
      ar: [
        `${quoted(reference)} مرجع لأكثر من طلب: ${orders.map((order) => quoted(order)).join('، ')}`,
        'سمِّ الطلب بمعرّفه.',
      ],
    }),
  ),
  'never-closed': wording<{ month: string }>(({ month }, { quoted }) => ({
    en: [`${quoted(month)} was never closed`, '`remit close MONTH --by NAME` closes a month.'],
    ar: [`${quoted(month)} لم يُقفل قط`, 'الأمر `remit close MONTH --by NAME` يقفل شهرًا.'],
  })),
  'no-mismatch': wording<{ mismatch: string }>(({ mismatch }, { quoted }) => ({
    en: [`there is no mismatch ${quoted(mismatch)}`, '`remit mismatch list` lists them with their ids.'],
    ar: [`لا يوجد فرق ${quoted(mismatch)}`, 'الأمر `remit mismatch list` يعرض الفروقات بمعرّفاتها.'],
  })),
  'several-mismatches': wording<{ mismatch: string; ids: readonly string[] }>(
    ({ mismatch, ids }, { list, quoted }) => ({
      en: [
        `${quoted(mismatch)} names ${ids.length < 10 ? ids.length : 'ten or more'} mismatches: ${list(ids)}`,
        'Give more characters of the id.',
      ],
      ar: [`${quoted(mismatch)} اسم لأكثر من فرق: ${list(ids)}`, 'أعطِ حروفًا أكثر من المعرّف.'],
    }),
  ),
  'no-receipt': wording<{ name: string }>(({ name }, { quoted }) => ({
    en: [`the ledger knows no receipt ${quoted(name)}`, '`remit report receipts` lists them.'],
    ar: [`لا يعرف الدفتر مقبوضًا ${quoted(name)}`, 'الأمر `remit report receipts` يعرض المقبوضات.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const showingError = explainer('showing', SHOWING_ERRORS);
