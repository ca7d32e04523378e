import unhomoglyph from 'unhomoglyph';

/** Lower-case letters, digits and hyphens, at most 40, a letter first. */
export function isCourierName(text: string): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(text);
}

/** Scripts that one word of a name may mix: Chinese, Japanese and Korean are written so. */
const WRITTEN_TOGETHER: readonly (readonly string[])[] = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Arabic', 'Hebrew', ...new Set(WRITTEN_TOGETHER.flat())].map(
  (script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const,
);
/** A letter of one script; several share ー, ʼ and the stroke that lengthens an Arabic word. */
const LETTER_OF_ONE_SCRIPT = /(?!\p{Script=Common}|\p{Script=Inherited})\p{L}/u;
/** Characters that nobody sees, and the stroke that lengthens an Arabic word: with and without it, it is one name. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;

/** Whether two names look the same: case, invisible characters and look-alike letters make no other person. */
export function isSamePerson(a: string, b: string): boolean {
  // As written, a capital I looks like an l, so `AI` is `Al`; in lower case it does not, and `IRIS` is `iris`.
  return skeletonOf(a) === skeletonOf(b) || skeletonOf(lowerCase(a)) === skeletonOf(lowerCase(b));
}

/** The first word of a name that mixes alphabets, such as a Cyrillic `а` among Latin letters; else undefined. */
export function mixedWord(name: string): string | undefined {
  return name.split(/\s+/).find((word) => !isOfOneAlphabet(word));
}

function isOfOneAlphabet(word: string): boolean {
  const scriptsOfWord = new Set<string>();
  for (const letter of word.normalize('NFKC')) {
    if (!LETTER_OF_ONE_SCRIPT.test(letter)) continue;
    scriptsOfWord.add(SCRIPTS.find(([, letters]) => letters.test(letter))?.[0] ?? 'other');
  }
  const mayMix = (scripts: readonly string[]) => [...scriptsOfWord].every((script) => scripts.includes(script));
  return scriptsOfWord.size < 2 || WRITTEN_TOGETHER.some(mayMix);
}

function lowerCase(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

/** The skeleton of UTS 39: the name with one letter for all that look alike. Equal skeletons look alike. */
function skeletonOf(name: string): string {
  const visible = name.normalize('NFKC').replaceAll(IGNORED, '').trim().replaceAll(/\s+/g, ' ');
  // Letters and their accents apart, as in the table of look-alikes.
  return unhomoglyph(visible.normalize('NFD')).normalize('NFD').toLowerCase();
}
