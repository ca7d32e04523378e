import { explainer, wording } from './explain.ts';

/** Errors of SQLite on a ledger's file. */
export const DISKS_ERRORS = {
  'no-ledger-file': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file} is not a remit ledger, or it is damaged`,
      'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, restore a backup, or move the file away to start a new one.',
    ],
    ar: [
      `${text(file)} ليس دفتر remit، أو هو تالف`,
      `وجّه ${text('REMIT_LEDGER')} (أو \`ledger\` في remit.toml) إلى دفتر، أو استعد نسخة احتياطية، أو انقل الملف لتبدأ دفترًا جديدًا.`,
    ],
  })),
  damaged: wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file} is damaged`,
      'Restore a backup, or move the file away and sync again: the API still has the documents.',
    ],
    ar: [
      `${text(file)} تالف`,
      'استعد نسخة احتياطية، أو انقل الملف وزامن من جديد: ما زالت المستندات عند الواجهة البرمجية.',
    ],
  })),
  'disk-full': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `the disk that holds ${file} is full`,
      'Free some space and run the command again; the ledger keeps everything that was written before.',
    ],
    ar: [`القرص الذي عليه ${text(file)} ممتلئ`, 'أفرغ مساحة وأعد تشغيل الأمر؛ يحفظ الدفتر كل ما كُتب من قبل.'],
  })),
  'cannot-be-opened': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} cannot be opened or made`, 'Check that its folder exists and that you may write there.'],
    ar: [`لا يمكن فتح ${text(file)} ولا إنشاؤه`, 'تحقّق من أن مجلده موجود وأنه يحقّ لك أن تكتب فيه.'],
  })),
  'read-only': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file} or its folder is read-only`,
      'Give yourself write permission on the folder (SQLite keeps its journal there), or use another ledger with REMIT_LEDGER.',
    ],
    ar: [
      `${text(file)} أو مجلده للقراءة فقط`,
      `أعطِ نفسك حقّ الكتابة في المجلد (يحفظ SQLite سجلّه هناك)، أو استعمل دفترًا آخر مع ${text('REMIT_LEDGER')}.`,
    ],
  })),
  'not-accessible': wording<{ file: string }>(({ file }, { text }) => ({
    en: [`${file} may not be accessed`, 'Check the permissions of the file and its folder.'],
    ar: [`لا يُسمح بالوصول إلى ${text(file)}`, 'تحقّق من صلاحيات الملف ومجلده.'],
  })),
  busy: wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `${file} is busy: another program is writing to it`,
      'Close other programs that have it open, then run the command again.',
    ],
    ar: [`${text(file)} مشغول: برنامج آخر يكتب فيه`, 'أغلق البرامج الأخرى التي تفتحه، ثم أعد تشغيل الأمر.'],
  })),
  'disk-failed': wording<{ file: string }>(({ file }, { text }) => ({
    en: [
      `the disk failed while reading or writing ${file}`,
      'Check the disk (is it full, unplugged, or a network folder?) and run the command again.',
    ],
    ar: [
      `فشل القرص أثناء قراءة ${text(file)} أو كتابته`,
      'تحقّق من القرص (أهو ممتلئ، أو مفصول، أو مجلد على الشبكة؟) وأعد تشغيل الأمر.',
    ],
  })),
  'sqlite-says': wording<{ file: string; message: string }>(({ file, message }, { text }) => ({
    en: [`${file}: ${message}`, 'Run `remit doctor`; if it finds nothing, restore a backup.'],
    ar: [`${text(file)}: ${text(message)}`, 'شغّل `remit doctor`؛ فإن لم يجد شيئًا فاستعد نسخة احتياطية.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const disksError = explainer('disks', DISKS_ERRORS);
