import type { Explanation } from '../../base/errors.ts';
import { explainer, wording } from './explain.ts';
import { EXPORT_IN_PARTS } from './remedies.ts';

/** Why a file is not read, and where in it the fault is. */
export const READING_ERRORS = {
  'at-place': wording<{
    file: string;
    line: number | null;
    column: string | null;
    fault: Explanation;
    /** The map with which it could be read, as text for remit.toml. */
    map: string | null;
  }>(({ file, line, column, fault, map }, { hint, say, text }) => ({
    en: [
      `${[file, ...(line === null ? [] : [`line ${line}`]), ...(column === null ? [] : [column])].join(', ')}: ${say(fault)}`,
      map === null ? hint(fault) : `${hint(fault)} In remit.toml, for --map:\n\n${map}\n`,
    ],
    ar: [
      `${[text(file), ...(line === null ? [] : [`السطر ${line}`]), ...(column === null ? [] : [text(column)])].join('، ')}: ${say(fault)}`,
      map === null
        ? hint(fault)
        : `${hint(fault)} في remit.toml، مع ${text('--map')}:\n\n${map.split('\n').map(text).join('\n')}\n`,
    ],
  })),
  'too-large': wording<{ file: string; megabytes: number }>(({ file, megabytes }, { text }) => ({
    en: [`${file}: it is larger than ${megabytes} MB`, EXPORT_IN_PARTS.en],
    ar: [`${text(file)}: أكبر من ${megabytes} ميغابايت`, EXPORT_IN_PARTS.ar],
  })),
  'is-folder': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} is a folder`, 'Name the file in it.'],
    ar: [`${text(file)} مجلد`, 'سمِّ الملف الذي فيه.'],
  })),
  'cannot-be-read': wording<{ file: string; code: string }>(({ file, code }, { text }) => ({
    en: [
      `${file} cannot be read (${code === 'ENOENT' ? 'there is no such file' : code})`,
      'Check the name and the permissions.',
    ],
    ar: [
      `لا يمكن قراءة ${text(file)} (${code === 'ENOENT' ? 'لا يوجد ملف كهذا' : text(code)})`,
      'تحقّق من الاسم ومن الصلاحيات.',
    ],
  })),
  'takes-too-long': wording<{ file: string; seconds: number }>(({ file, seconds }, { text }) => ({
    en: [`${file}: it takes longer than ${seconds} s of processor time to read`, EXPORT_IN_PARTS.en],
    ar: [`${text(file)}: تستغرق قراءته أكثر من ${seconds} ثانية من وقت المعالج`, EXPORT_IN_PARTS.ar],
  })),
  'takes-too-much-memory': wording<{ file: string; megabytes: number }>(({ file, megabytes }, { text }) => ({
    en: [
      `${file}: it cannot be read within ${megabytes} MB`,
      `It needs more memory than a statement of its size does. ${EXPORT_IN_PARTS.en}`,
    ],
    ar: [
      `${text(file)}: لا يمكن قراءته في ${megabytes} ميغابايت`,
      `يحتاج إلى ذاكرة أكثر مما يحتاج إليه كشف بحجمه. ${EXPORT_IN_PARTS.ar}`,
    ],
  })),
  'reader-ended': wording<{ file: string; code: number | null }>(({ file, code }, { text }) => ({
    en: [
      `${file}: the process that reads it ${code === null ? 'could not be started' : `ended with ${code} and no answer`}`,
      'Run the command again; if it comes again, install remit anew.',
    ],
    ar: [
      `${text(file)}: العملية التي تقرؤه ${code === null ? 'تعذّر تشغيلها' : `انتهت بالرمز ${code} دون جواب`}`,
      'أعد تشغيل الأمر؛ فإن تكرّر فأعد تثبيت remit.',
    ],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const readingError = explainer('reading', READING_ERRORS);
