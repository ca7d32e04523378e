import type { Explanation } from '../../base/errors.ts';
import { explainer, wording } from './explain.ts';

/** The state of a claim that is over. */
type OverClaim = 'mended' | 'settled' | 'written-off' | 'withdrawn';

const OVER_IN_ARABIC: Readonly<Record<OverClaim, string>> = {
  mended: 'صُحّحت',
  settled: 'سُوّيت',
  'written-off': 'شُطبت',
  withdrawn: 'سُحبت',
};

/** Why a decision on mismatches, claims, matches, settlements or proposals is refused. */
export const DECIDING_ERRORS = {
  'no-decision-waits': wording<{ decision: number }>(({ decision }) => ({
    en: [`no decision ${decision} waits`, '`remit approvals list` shows those that do.'],
    ar: [`لا قرار رقم ${decision} ينتظر`, 'الأمر `remit approvals list` يُظهر القرارات المنتظرة.'],
  })),
  'decided-already': wording<{ decision: number; status: 'approved' | 'refused'; by: string; at: string }>(
    ({ decision, status, by, at }, { text }) => ({
      en: [
        `decision ${decision} was ${status} already, by ${by} at ${at}`,
        '`remit approvals list` shows those that wait.',
      ],
      ar: [
        `القرار رقم ${decision} ${status === 'approved' ? 'ووفق عليه' : 'رُفض'} من قبل: ${text(by)}، في ${text(at)}`,
        'الأمر `remit approvals list` يُظهر القرارات المنتظرة.',
      ],
    }),
  ),
  /** `user`: the user of the database who approves; null if names alone tell people apart, as in a file. */
  'own-proposal': wording<{ by: string; proposer: string; user: string | null; decision: number }>(
    ({ by, proposer, user, decision }, { text }) => {
      // One person may have two names, such as a program's token and its maker's name.
      const hasOtherName = user === null && by !== proposer;
      return {
        en: [
          `${user === null ? by : `the database user ${user}`} proposed decision ${decision}${hasOtherName ? ` (as ${proposer})` : ''}, and cannot approve it`,
          user === null
            ? 'A second person approves it: --by NAME. `remit approvals refuse` takes it back.'
            : 'A second person approves it as another user of the database. `remit approvals refuse` takes it back.',
        ],
        ar: [
          `${user === null ? text(by) : `مستخدم قاعدة البيانات ${text(user)}`} هو من اقترح القرار رقم ${decision}${hasOtherName ? ` (باسم ${text(proposer)})` : ''}، فلا يحقّ له أن يوافق عليه`,
          user === null
            ? `يوافق عليه شخص ثانٍ: ${text('--by NAME')}. والأمر \`remit approvals refuse\` يسحبه.`
            : 'يوافق عليه شخص ثانٍ، مستخدمًا آخر لقاعدة البيانات. والأمر `remit approvals refuse` يسحبه.',
        ],
      };
    },
  ),
  /** `why`: what the books say against it now; null if they allow something, but not what was proposed. */
  'proposal-stale': wording<{ decision: number; why: Explanation | null }>(({ decision, why }, { say }) => ({
    en: [
      `decision ${decision} would no longer do what was proposed: ${why === null ? 'something that it rests on has changed since' : say(why)}`,
      '`remit approvals list` shows what was proposed. Refuse it with `remit approvals refuse`, and propose it again.',
    ],
    ar: [
      `القرار رقم ${decision} لم يعد يفعل ما اقتُرح: ${why === null ? 'تغيّر منذ ذلك الحين شيء يقوم عليه' : say(why)}`,
      'الأمر `remit approvals list` يُظهر ما اقتُرح. ارفضه بالأمر `remit approvals refuse` ثم اقترحه من جديد.',
    ],
  })),
  'finding-outdated': wording<{ mismatch: string; amount: string; open: string }>(
    ({ mismatch, amount, open }, { text }) => ({
      en: [
        `${mismatch} is about ${amount}, and ${open} of its invoice is open now`,
        'Check the books again (`remit check`), and look at what is left then.',
      ],
      ar: [
        `الفرق ${text(mismatch)} عن ${text(amount)}، والمفتوح من فاتورته الآن ${text(open)}`,
        'افحص الدفاتر من جديد (`remit check`)، ثم انظر فيما بقي.',
      ],
    }),
  ),
  'decision-stale': wording(() => ({
    en: [
      'this would no longer do what was shown: something that it touches has changed since; nothing was decided',
      'Look at it again, and decide then.',
    ],
    ar: ['لم يعد هذا يفعل ما عُرض: تغيّر منذ ذلك الحين شيء يمسّه؛ لم يُقرَّر شيء', 'انظر فيه من جديد، ثم قرّر.'],
  })),
  'changed-while-claimed': wording<{ mismatch: string; others: number }>(({ mismatch, others }, { text }) => ({
    en: [
      `${mismatch}${others > 0 ? ` and ${others} more` : ''} changed while the claim was made; nothing is claimed`,
      'Run the command again.',
    ],
    ar: [
      `تغيّر ${text(mismatch)}${others > 0 ? ` و${others} غيره` : ''} أثناء إعداد المطالبة؛ لم يُطالب بشيء`,
      'أعد تشغيل الأمر.',
    ],
  })),
  'never-claimed': wording<{ mismatch: string }>(({ mismatch }, { text }) => ({
    en: [`${mismatch} was never claimed`, `\`remit dispute ${mismatch}\` claims it.`],
    ar: [`لم يُطالب بـ${text(mismatch)} قط`, `الأمر \`remit dispute ${text(mismatch)}\` يطالب به.`],
  })),
  'no-claim-in-month': wording<{ month: string }>(({ month }, { text }) => ({
    en: [`no claim of ${month} waits for anything`, '`remit dispute list` shows claims and their states.'],
    ar: [`لا مطالبة قائمة عن ${text(month)}`, 'الأمر `remit dispute list` يُظهر المطالبات وحالاتها.'],
  })),
  'no-letter-kept': wording<{ what: string }>(({ what }, { text }) => ({
    en: [`no letter is kept for ${what}`, 'Letters are kept from 1.1.0 on; `remit dispute --again` makes one anew.'],
    ar: [
      `لا رسالة محفوظة عن ${text(what)}`,
      'تُحفظ الرسائل ابتداءً من 1.1.0؛ الأمر `remit dispute --again` يُعدّ رسالة جديدة.',
    ],
  })),
  'claim-is-over': wording<{ mismatch: string; verb: string; state: OverClaim; since: string }>(
    ({ mismatch, verb, state, since }, { text }) => ({
      en: [
        `the claim ${mismatch} cannot be ${verb}: it is ${state} since ${since}`,
        state === 'mended'
          ? 'It is due again when the data shows it again.'
          : state === 'withdrawn'
            ? `\`remit dispute ${mismatch}\` claims it again.`
            : `\`remit mismatch reopen ${mismatch}\` opens it again.`,
      ],
      ar: [
        `لا يمكن تغيير المطالبة ${text(mismatch)}: ${OVER_IN_ARABIC[state]} منذ ${text(since)}`,
        state === 'mended'
          ? 'تُستحق من جديد عندما تُظهرها البيانات من جديد.'
          : state === 'withdrawn'
            ? `الأمر \`remit dispute ${text(mismatch)}\` يطالب به من جديد.`
            : `الأمر \`remit mismatch reopen ${text(mismatch)}\` يفتحها من جديد.`,
      ],
    }),
  ),
  'no-claim-of-check': wording<{ check: string; claimable: readonly string[] }>(
    ({ check, claimable }, { list, text }) => ({
      en: [`what ${check} finds is no claim on the delivery company`, `Claims are made of: ${claimable.join(', ')}.`],
      ar: [`ما يجده الفحص ${text(check)} ليس مطالبة على شركة التوصيل`, `المطالبات تكون من: ${list(claimable)}.`],
    }),
  ),
  'part-and-difference': wording(() => ({
    en: ['a part payment leaves the rest open, and a difference takes it off', 'Give one of them.'],
    ar: ['الدفعة الجزئية تترك الباقي مفتوحًا، والفرق يخصمه', 'أعطِ أحدهما.'],
  })),
  'no-rate': wording<{ why: Explanation; to: string; from: string }>(({ why, to, from }, { say, text }) => ({
    en: [`the rate: ${say(why)}`, `Give the ${to} for one ${from}, such as 89500, or table.`],
    ar: [`السعر: ${say(why)}`, `أعطِ قيمة ${text(from)} واحد بعملة ${text(to)}، مثل 89500، أو table.`],
  })),
  'rate-not-imported': wording<{ from: string; to: string; on: string }>(({ from, to, on }, { text }) => ({
    en: [
      `no rate of ${from} to ${to} is imported for ${on} or before`,
      'Import one with `remit import rates`, or give it: --rate 89500.',
    ],
    ar: [
      `لم يُستورد سعر ${text(from)} بعملة ${text(to)} ليوم ${text(on)} ولا لما قبله`,
      `استورد سعرًا بالأمر \`remit import rates\`، أو أعطه: ${text('--rate 89500')}.`,
    ],
  })),
  'receipt-of-another': wording<{ receipt: number; courier: string }>(({ receipt, courier }, { text }) => ({
    en: [
      `receipt ${receipt} is matched to invoices of ${courier}`,
      `A receipt is one courier's: \`remit match remove ID --courier ${courier} --reason TEXT\` frees it.`,
    ],
    ar: [
      `المقبوض ${receipt} مطابق لفواتير ${text(courier)}`,
      `المقبوض لشركة واحدة: \`remit match remove ID --courier ${courier} --reason TEXT\` يحرّره.`,
    ],
  })),
  'receipt-of-their-payer': wording<{ receipt: number; courier: string }>(({ receipt, courier }, { text }) => ({
    en: [
      `receipt ${receipt} is of ${courier}: its payer, or an invoice that it names, is theirs`,
      `Match it there with --courier ${courier}; if it pays this invoice all the same, say why: --any-courier --note TEXT.`,
    ],
    ar: [
      `المقبوض ${receipt} لشركة ${text(courier)}: دافعه، أو فاتورة يذكرها، لها`,
      `طابقه هناك: ${text(`--courier ${courier}`)}؛ وإن كان يسدّد هذه الفاتورة مع ذلك فاذكر السبب: ${text('--any-courier --note TEXT')}.`,
    ],
  })),
  'any-courier-without-note': wording((_, { text }) => ({
    en: ['--any-courier needs a note', 'Say with --note TEXT why a receipt of another courier pays this invoice.'],
    ar: [
      `${text('--any-courier')} يحتاج إلى ملاحظة`,
      `اذكر في ${text('--note TEXT')} سبب سداد هذه الفاتورة بمقبوض لشركة أخرى.`,
    ],
  })),
  'no-receipt': wording<{ receipt: number }>(({ receipt }) => ({
    en: [`there is no receipt ${receipt}`, '`remit match list --unmatched` shows those that are left.'],
    ar: [`لا يوجد مقبوض رقم ${receipt}`, 'الأمر `remit match list --unmatched` يُظهر المقبوضات الباقية.'],
  })),
  'no-invoice': wording<{ number: number }>(({ number }, { text }) => ({
    en: [`there is no invoice ${number}`, '`remit report invoices` lists them.'],
    ar: [`لا توجد فاتورة رقم ${text(`${number}`)}`, 'الأمر `remit report invoices` يعرض الفواتير.'],
  })),
  'invoice-in-other-currency': wording<{ number: number; currency: string; receipt: number; other: string }>(
    ({ number, currency, receipt, other }, { text }) => ({
      en: [
        `invoice ${number} asks for no ${currency}, in which receipt ${receipt} is`,
        `Name another invoice, or say at which rate it pays: --rate table, or the ${currency} for one ${other}.`,
      ],
      ar: [
        `الفاتورة ${text(`${number}`)} لا تطلب ${text(currency)}، والمقبوض ${receipt} بهذه العملة`,
        `سمِّ فاتورة أخرى، أو حدّد بأي سعر يسدّدها: ${text('--rate table')}، أو قيمة ${text(other)} واحد بعملة ${text(currency)}.`,
      ],
    }),
  ),
  'invoice-in-their-currency': wording<{ number: number; currency: string }>(({ number, currency }, { text }) => ({
    en: [`invoice ${number} asks for ${currency} alone`, 'Leave --rate out.'],
    ar: [`الفاتورة ${text(`${number}`)} لا تطلب إلا ${text(currency)}`, `احذف ${text('--rate')}.`],
  })),
  'invoice-in-several-currencies': wording<{ number: number; currencies: readonly string[] }>(
    ({ number, currencies }, { list, text }) => ({
      en: [`invoice ${number} asks for ${currencies.join(' and ')}`, 'Match what came in for the others first.'],
      ar: [`الفاتورة ${text(`${number}`)} تطلب ${list(currencies)}`, 'طابق أولًا ما ورد عن العملات الأخرى.'],
    }),
  ),
  'no-match': wording<{ match: number }>(({ match }) => ({
    en: [`there is no match ${match}`, '`remit match list` shows them all.'],
    ar: [`لا توجد مطابقة رقم ${match}`, 'الأمر `remit match list` يُظهرها كلها.'],
  })),
  'settlement-no-match': wording<{ match: number }>(({ match }) => ({
    en: [`${match} is a settlement, without a receipt`, `\`remit settle undo ${match}\` undoes it.`],
    ar: [`${match} تسوية بلا مقبوض`, `الأمر \`remit settle undo ${match}\` يتراجع عنها.`],
  })),
  'match-removed': wording<{ match: number; at: string }>(({ match, at }, { text }) => ({
    en: [`match ${match} was removed already, at ${at}`, '`remit match list` shows those in force.'],
    ar: [`المطابقة رقم ${match} أُلغيت من قبل، في ${text(at)}`, 'الأمر `remit match list` يُظهر المطابقات السارية.'],
  })),
  'decision-without-reason': wording<{ what: 'resolve' | 'reopen' }>(({ what }, { text }) => ({
    en: [`to ${what} a mismatch needs a reason`, 'Give it with --note TEXT.'],
    ar: [`${what === 'resolve' ? 'حلّ الفرق' : 'إعادة فتح الفرق'} تحتاج إلى سبب`, `اكتبه: ${text('--note TEXT')}.`],
  })),
  'not-of-month': wording<{ mismatch: string; months: string }>(({ mismatch, months }, { text }) => ({
    en: [
      `mismatch ${mismatch} is not of ${months}, so a claim about ${months} cannot hold it`,
      'Claim it by itself, or choose among the mismatches of the month.',
    ],
    ar: [
      `الفرق ${text(mismatch)} ليس من ${text(months)}، فلا يمكن أن تشمله مطالبة عن ذلك الشهر`,
      'طالب به وحده، أو اختر من فروقات الشهر.',
    ],
  })),
  'ids-and-filter': wording(() => ({
    en: ['ids and a filter were given', 'Name the mismatches, or give a filter, not both.'],
    ar: ['أُعطيت معرّفات وتصفية معًا', 'سمِّ الفروقات، أو أعطِ تصفية، لا كليهما.'],
  })),
  'no-mismatch-named': wording<{ also: string }>(({ also }, { text }) => ({
    en: [
      'no mismatch is named',
      `Name ids (\`remit mismatch list\` shows them), or give ${also}--code, --invoice, or --max-effect with --currency.`,
    ],
    ar: [
      'لم يُسمَّ أي فرق',
      `سمِّ معرّفات (الأمر \`remit mismatch list\` يُظهرها)، أو أعطِ ${text(`${text(also)}--code`)} أو ${text('--invoice')} أو ${text('--max-effect')} مع ${text('--currency')}.`,
    ],
  })),
  'no-amount': wording<{ amount: string }>(({ amount }, { quoted, text }) => ({
    en: [`${quoted(amount)} is no amount`, 'Write it with a point, such as --max-effect 0.05.'],
    ar: [`${quoted(amount)} ليس مبلغًا`, `اكتبه بنقطة عشرية، مثل ${text('--max-effect 0.05')}.`],
  })),
  'amount-without-currency': wording((_, { text }) => ({
    en: ['--max-effect says an amount and no currency', 'Add --currency, such as --currency USD.'],
    ar: [`${text('--max-effect')} يعطي مبلغًا بلا عملة`, `أضف العملة، مثل ${text('--currency USD')}.`],
  })),
  'invoice-twice': wording<{ number: number }>(({ number }, { text }) => ({
    en: [`invoice ${number} is named twice`, 'Name it once.'],
    ar: [`الفاتورة ${text(`${number}`)} مذكورة مرتين`, 'اذكرها مرة واحدة.'],
  })),
  'invoice-not-in-currency': wording<{ number: number; currency: string; currencies: readonly string[] }>(
    ({ number, currency, currencies }, { list, text }) => ({
      en: [`invoice ${number} asks for no ${currency}`, `It asks for ${currencies.join(' and ')}.`],
      ar: [`الفاتورة ${text(`${number}`)} لا تطلب ${text(currency)}`, `عملاتها: ${list(currencies)}.`],
    }),
  ),
  'open-in-several-currencies': wording<{ number: number; currencies: readonly string[] }>(
    ({ number, currencies }, { list, text }) => ({
      en: [
        `invoice ${number} is open in ${currencies.join(' and ')}`,
        `Say which one you settle: --currency ${currencies[0]}.`,
      ],
      ar: [
        `الفاتورة ${text(`${number}`)} مفتوحة بأكثر من عملة: ${list(currencies)}`,
        `حدّد أيّها تُسوّي: ${text(`--currency ${currencies[0]}`)}.`,
      ],
    }),
  ),
  'no-settlement': wording<{ settlement: string }>(({ settlement }, { text }) => ({
    en: [
      `nothing was settled or given up under ${settlement} that could be undone`,
      '`remit settle list` shows them all.',
    ],
    ar: [`لا توجد تسوية رقم ${text(settlement)} يمكن التراجع عنها`, 'الأمر `remit settle list` يُظهرها كلها.'],
  })),
  'settlement-undone': wording<{ settlement: number; at: string }>(({ settlement, at }, { text }) => ({
    en: [`settlement ${settlement} was undone already, at ${at}`, '`remit settle list` shows those in force.'],
    ar: [
      `التسوية رقم ${settlement} تُراجع عنها من قبل، في ${text(at)}`,
      'الأمر `remit settle list` يُظهر التسويات السارية.',
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const decidingError = explainer('deciding', DECIDING_ERRORS);
