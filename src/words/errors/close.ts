import type { Explanation } from '../../base/errors.ts';
import { explainer, wording } from './explain.ts';

/** Why a month is not closed, or not opened again. */
export const CLOSE_ERRORS = {
  'not-ended': wording<{ month: string; next: string; zone: string }>(({ month, next, zone }, { text }) => ({
    en: [
      `${month} has not ended`,
      `Close it from ${next}-01 (${zone}) on, once all its invoices or settlement sheets are in.`,
    ],
    ar: [
      `${text(month)} لم ينتهِ`,
      `أقفله ابتداءً من ${text(`${next}-01`)} (${text(zone)})، بعد أن تصل كل فواتيره أو كشوف تسويته.`,
    ],
  })),
  'already-closed': wording<{ month: string; by: string; on: string }>(({ month, by, on }, { text }) => ({
    en: [
      `${month} is closed already, by ${by} on ${on}`,
      `To close it anew, \`remit reopen ${month} --by NAME --reason TEXT\` first.`,
    ],
    ar: [
      `${text(month)} مقفل من قبل؛ أقفله ${text(by)} في ${text(on)}`,
      `لإقفاله من جديد ابدأ بالأمر \`remit reopen ${month} --by NAME --reason TEXT\`.`,
    ],
  })),
  'not-first': wording<{ month: string; closed: string }>(({ month, closed }, { text }) => ({
    en: [`${month} is not the first month: ${closed} is closed`, 'Leave --first out.'],
    ar: [`${text(month)} ليس الشهر الأول: ${text(closed)} مقفل`, `احذف ${text('--first')}.`],
  })),
  /** `mayBeFirst`: no month is closed yet. */
  'month-before-open': wording<{ month: string; before: string; mayBeFirst: boolean }>(
    ({ month, before, mayBeFirst }, { text }) => ({
      en: [
        `the month before it, ${before}, is open`,
        `Close it first (\`remit close ${before} --by NAME\`)${mayBeFirst ? `, or write --first if your books begin with ${month}` : ''}.`,
      ],
      ar: [
        `الشهر الذي قبله، ${text(before)}، مفتوح`,
        `أقفله أولًا (\`remit close ${before} --by NAME\`)${mayBeFirst ? `، أو اكتب ${text('--first')} إن كانت دفاترك تبدأ من ${text(month)}` : ''}.`,
      ],
    }),
  ),
  'later-month-closed': wording<{ month: string; later: string }>(({ month, later }, { text }) => ({
    en: [
      `${later}, which opens with what ${month} closes with, is closed`,
      `\`remit reopen ${later} --by NAME --reason TEXT\` first.`,
    ],
    ar: [
      `${text(later)} مقفل، وهو يبدأ بالرصيد الذي ينتهي به ${text(month)}`,
      `ابدأ بالأمر \`remit reopen ${later} --by NAME --reason TEXT\`.`,
    ],
  })),
  incomplete: wording<{ month: string; why: Explanation; commands: readonly string[] }>(
    ({ month, why, commands }, { say, text }) => ({
      en: [
        `${month} is not whole: ${say(why)}`,
        commands.length === 0 ? '' : `Run ${commands.map(asCode).join(', or ')}.`,
      ],
      ar: [
        `${text(month)} ليس كاملًا: ${say(why)}`,
        commands.length === 0 ? '' : `شغّل ${commands.map(asCode).join(' أو ')}.`,
      ],
    }),
  ),
  'not-checked': wording<{ checks: readonly string[]; why: Explanation; commands: readonly string[] }>(
    ({ checks, why, commands }, { list, say }) => ({
      en: [
        `${list(checks)} could not look: ${say(why)}`,
        commands.length === 0 ? '' : `Run ${commands.map(asCode).join(', or ')}.`,
      ],
      ar: [
        `تعذّر إجراء هذه الفحوص: ${list(checks)}؛ ${say(why)}`,
        commands.length === 0 ? '' : `شغّل ${commands.map(asCode).join(' أو ')}.`,
      ],
    }),
  ),
  'errors-open': wording<{ month: string; count: number; codes: readonly string[] }>(
    ({ month, count, codes }, { list }) => ({
      en: [
        `${count === 1 ? 'an error is' : `${count} errors are`} open: ${list(codes)}`,
        `Resolve or acknowledge them: \`remit mismatch list ${month}\`.`,
      ],
      ar: [`أخطاء مفتوحة (${count}): ${list(codes)}`, `حُلّها أو سجّل الاطلاع عليها: \`remit mismatch list ${month}\`.`],
    }),
  ),
  'not-closed': wording<{ month: string }>(({ month }, { text }) => ({
    en: [`${month} is not closed`, '`remit show close MONTH` shows the closes of a month.'],
    ar: [`${text(month)} غير مقفل`, 'الأمر `remit show close MONTH` يُظهر إقفالات شهر.'],
  })),
  /** A reason of another error, in spite of which a person may close. */
  acceptable: wording<{ reason: Explanation }>(({ reason }, { hint, say, text }) => ({
    en: [say(reason), `${hint(reason)} Or close with --with-open REASON, which goes on record with it.`.trim()],
    ar: [say(reason), `${hint(reason)} أو أقفل الشهر مع ${text('--with-open REASON')}، ويُحفظ السبب مع الإقفال.`.trim()],
  })),
  'of-courier': wording<{ courier: string; reason: Explanation }>(({ courier, reason }, { hint, say, text }) => ({
    en: [`${courier}: ${say(reason)}`, hint(reason)],
    ar: [`${text(courier)}: ${say(reason)}`, hint(reason)],
  })),
  refused: wording<{ month: string; what: 'close' | 'reopen'; reasons: readonly Explanation[] }>(
    ({ month, what, reasons }, { hint, say, text }) => ({
      en: [
        `${month} cannot be ${what === 'close' ? 'closed' : 'opened again'}: ${reasons.map(say).join('; ')}`,
        reasons.map(hint).join(' '),
      ],
      ar: [
        `لا يمكن ${what === 'close' ? 'إقفال' : 'إعادة فتح'} ${text(month)}: ${reasons.map(say).join('؛ ')}`,
        reasons.map(hint).join(' '),
      ],
    }),
  ),
  'changed-meanwhile': wording<{ ledger: string; month: string }>(({ ledger, month }, { text }) => ({
    en: [
      `${ledger} was changed each time that ${month} had been checked`,
      'Somebody else is deciding or matching: close the month when they are done.',
    ],
    ar: [
      `تغيّر ${text(ledger)} في كل مرة فُحص فيها ${text(month)}`,
      'شخص آخر يقرّر أو يطابق الآن: أقفل الشهر عندما ينتهي.',
    ],
  })),
  'reason-empty': wording(() => ({
    en: ['the reason is empty', 'Say why the month is opened again: it stays on record.'],
    ar: ['السبب فارغ', 'اكتب لمَ يُعاد فتح الشهر: يبقى محفوظًا في السجلّ.'],
  })),
};

function asCode(command: string): string {
  return `\`${command}\``;
}

/** Makes the explanation of one of these errors from its id and parameters. */
export const closeError = explainer('close', CLOSE_ERRORS);
