const INVISIBLE = /\p{Cf}/gu;
/** Words of printable ASCII with single blanks between: only their case can change. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The form of a text in which two spellings of one thing are equal: compatibility forms are one (NFKC, so that
 * full-width digits and the joined letters of Arabic PDFs become plain ones), invisible marks are gone, white space of
 * any kind is one blank and none at the ends, and all is in lower case. For comparing alone: never shown or stored.
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim().toLowerCase();
}
