import type { Texts } from '../../base/sentence.ts';
import { explainer, wording } from './explain.ts';

/** How a person says where a file goes: by naming a file or a folder, with a flag or as an argument (null). */
export type NamedTarget = { readonly noun: 'file' | 'folder'; readonly flag: string | null };

/** Why a file cannot be written. */
export type Unwritable =
  | { readonly id: 'disk-full' | 'too-large' | 'open-elsewhere' | 'open-or-read-only' | 'read-only' | 'name-too-long' }
  | { readonly id: 'no-folder'; readonly folder: string }
  | { readonly id: 'other'; readonly says: string };

/** The part of the books that a new file would overwrite. */
export type PartOfBooks = 'ledger' | 'ledger-part' | 'settings' | 'key';

const byFlag = (flag: string | null) => (flag === null ? '' : ` with ${flag}`);

function unwritableInEnglish(why: Unwritable, { noun, flag }: NamedTarget): readonly [what: string, hint: string] {
  const by = byFlag(flag);
  switch (why.id) {
    case 'disk-full':
      return ['the disk is full', `Free some space, or name a ${noun} on another disk${by}.`];
    case 'too-large':
      return ['it grew beyond the size that is allowed', 'Raise the limit (ulimit -f), or choose another disk.'];
    case 'open-elsewhere':
      return ['it is open in another program', 'Close it there and run the command again.'];
    case 'open-or-read-only':
      return ['it is open in another program, or read-only', 'Close it there and run the command again.'];
    case 'read-only':
      return ['it or its folder is read-only', `Ask for the right to write there, or name another ${noun}${by}.`];
    case 'name-too-long':
      return ['its name is too long', `Name a shorter ${noun}${by}.`];
    case 'no-folder':
      return [`there is no folder ${why.folder}`, `Make the folder, or name another ${noun}${by}.`];
    case 'other':
      return [why.says, `Look at the disk, or name another ${noun}${by}.`];
  }
}

function unwritableInArabic(
  why: Unwritable,
  { noun, flag }: NamedTarget,
  text: (text: string) => string,
): readonly [what: string, hint: string] {
  const another = noun === 'file' ? 'ملفًا آخر' : 'مجلدًا آخر';
  const named = `${another}${flag === null ? '' : `: ${text(flag)}`}`;
  switch (why.id) {
    case 'disk-full':
      return ['القرص ممتلئ', `أفرغ مساحة، أو سمِّ على قرص آخر ${named}.`];
    case 'too-large':
      return ['زاد حجمه على المسموح', `ارفع الحد (${text('ulimit -f')})، أو اختر قرصًا آخر.`];
    case 'open-elsewhere':
      return ['هو مفتوح في برنامج آخر', 'أغلقه هناك وأعد تشغيل الأمر.'];
    case 'open-or-read-only':
      return ['هو مفتوح في برنامج آخر، أو للقراءة فقط', 'أغلقه هناك وأعد تشغيل الأمر.'];
    case 'read-only':
      return ['هو أو مجلده للقراءة فقط', `اطلب حقّ الكتابة هناك، أو سمِّ ${named}.`];
    case 'name-too-long':
      return ['اسمه أطول من المسموح', `سمِّ ${named}، باسم أقصر.`];
    case 'no-folder':
      return [`لا يوجد مجلد ${text(why.folder)}`, `أنشئ المجلد، أو سمِّ ${named}.`];
    case 'other':
      return [text(why.says), `انظر القرص، أو سمِّ ${named}.`];
  }
}

const PARTS: Readonly<Record<PartOfBooks, Texts>> = {
  ledger: { en: 'the ledger itself', ar: 'الدفتر نفسه' },
  'ledger-part': { en: 'a part of the ledger', ar: 'جزء من الدفتر' },
  settings: { en: 'the settings file', ar: 'ملف الإعدادات' },
  key: { en: 'the file of the API key', ar: 'ملف مفتاح الواجهة البرمجية' },
};

export const FILES_ERRORS = {
  'cannot-be-written': wording<{ file: string; why: Unwritable; choice: NamedTarget }>(
    ({ file, why, choice }, { text }) => {
      const [whatInEnglish, hintInEnglish] = unwritableInEnglish(why, choice);
      const [whatInArabic, hintInArabic] = unwritableInArabic(why, choice, text);
      return {
        en: [`${file} cannot be written: ${whatInEnglish}`, hintInEnglish],
        ar: [`لا يمكن كتابة ${text(file)}: ${whatInArabic}`, hintInArabic],
      };
    },
  ),
  'no-file': wording<{ file: string; is: 'folder' | 'not-regular'; choice: NamedTarget }>(
    ({ file, is, choice: { noun, flag } }, { text }) => ({
      en: [
        `${file} is ${is === 'folder' ? 'a folder' : 'not a regular file'}`,
        noun === 'file' ? `Name a file${byFlag(flag)}.` : `Move it away, or name another folder${byFlag(flag)}.`,
      ],
      ar: [
        `${text(file)} ${is === 'folder' ? 'مجلد' : 'ليس ملفًا عاديًا'}`,
        `${noun === 'file' ? 'سمِّ ملفًا' : 'انقله من هناك، أو سمِّ مجلدًا آخر'}${flag === null ? '' : `: ${text(flag)}`}.`,
      ],
    }),
  ),
  'open-in': wording<{ file: string; program: string; owner: string }>(({ file, program, owner }, { text }) => ({
    en: [
      `${file} is open in ${program}`,
      `Close it there and run the command again; if it is not open anywhere, delete ${owner}.`,
    ],
    ar: [
      `${text(file)} مفتوح في ${text(program)}`,
      `أغلقه هناك وأعد تشغيل الأمر؛ وإن لم يكن مفتوحًا في أي مكان فاحذف ${text(owner)}.`,
    ],
  })),
  'own-file': wording<{ file: string; is: PartOfBooks }>(({ file, is }, { text }) => ({
    en: [`${file} is ${PARTS[is].en}, which would be lost`, 'Name another file.'],
    ar: [`${text(file)} هو ${PARTS[is].ar}، وكان سيضيع`, 'سمِّ ملفًا آخر.'],
  })),
};

/** Makes the explanation of one of these errors from its id and parameters. */
export const filesError = explainer('files', FILES_ERRORS);
