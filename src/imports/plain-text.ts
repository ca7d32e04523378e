const UNSEEN = /\p{Cf}/gu;
/** Plain letters with single blanks between: nothing of it but the case could be written otherwise. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * A text by which two spellings of one thing are compared: compatibility forms are one (NFKC, so that full-width digits
 * and the joined letters that Arabic PDFs hold are their plain letters), marks that nobody sees are gone, white space
 * of any kind is one blank and none at the ends, and case does not count. For comparing alone: never shown or stored.
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').replace(UNSEEN, '').replace(/\s+/g, ' ').trim().toLowerCase();
}
