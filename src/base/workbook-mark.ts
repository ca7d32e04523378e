/**
 * The mark in a statement's workbook that says what remit wrote, so that what people typed can be told from it: the
 * newest evidence behind it, and a digest of the cells. The renderer writes it; an import reads it back.
 */

export interface WorkbookMark {
  readonly month: string;
  readonly status: 'draft' | 'closed';
  /** The newest evidence behind it; 0 for none. */
  readonly evidence: number;
  /** The beginning of the ledger's chain at that evidence; empty for 0. */
  readonly chain: string;
  /** {@link CellDigest} of the workbook's fixed cells. */
  readonly cells: string;
}

const LEAD = 'remit statement ';
const CHAIN_LENGTH = 16;
/** `remit statement 2026-10 draft evidence 812 chain 4f1c09ab37de5520 cells 2e-90ab12cd34ef5678`. */
const MARK =
  /^remit statement (\d{4}-\d{2}) (draft|closed) evidence (\d{1,15})(?: chain ([0-9a-f]{16}))? cells ([0-9a-f-]{1,40})$/;

/** What a mark is made of: `head` is the newest evidence behind the workbook, with its whole chain value. */
export interface Marked extends Pick<WorkbookMark, 'month' | 'status' | 'cells'> {
  readonly head: { readonly id: number; readonly chain: string } | null;
}

export function formatMark({ month, status, head, cells }: Marked): string {
  const link = head === null ? 'evidence 0' : `evidence ${head.id} chain ${head.chain.slice(0, CHAIN_LENGTH)}`;
  return `remit statement ${month} ${status} ${link} cells ${cells}`;
}

/** Reads a cell as a mark; null where it is none. */
export function parseMark(text: string): WorkbookMark | null {
  const [, month, status, evidence, chain = '', cells] = MARK.exec(text.trim()) ?? [];
  if (month === undefined) return null;
  return { month, status: status as WorkbookMark['status'], evidence: Number(evidence), chain, cells: cells! };
}

/**
 * Numbers are compared in this many digits: Excel keeps 15, and programs write a time's fraction of a day differently
 * in the last ones.
 */
const MOST_DIGITS = 12;
// Constants of FNV-1a and MurmurHash. LOW_NUMBER and LOW_TEXT differ, so that the number 12 and the text "12" do.
const PRIME = 0x01000193;
const FACTOR = 0x85ebca6b;
const LOW_NUMBER = 0x811c9dc5;
const LOW_TEXT = 0x811c9dc6;
const HIGH = 0x9747b28c;

/**
 * A digest of a workbook's texts and numbers in any order: sorting is not typing. Formulas are left out, because their
 * results come and go with the program that saves them, and so are marks. It finds what people change, not what
 * somebody forges.
 */
export class CellDigest {
  #count = 0;
  #low = 0;
  #high = 0;

  add(text: string): void {
    const plain = plainCellText(text);
    if (plain !== '' && !(plain.startsWith(LEAD) && parseMark(plain))) this.#add(plain, LOW_TEXT);
  }

  /** @param text the number as text, if it is known already */
  addNumber(number: number, text = String(number)): void {
    this.#add(text.length <= MOST_DIGITS ? text : inMostDigits(number), LOW_NUMBER);
  }

  #add(text: string, begin: number): void {
    let low = begin;
    let high = HIGH;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, PRIME);
      high = Math.imul(high + code, FACTOR) ^ (high >>> 13);
    }
    this.#count += 1;
    this.#low = (this.#low + (low >>> 0)) >>> 0;
    this.#high = (this.#high + (high >>> 0)) >>> 0;
  }

  text(): string {
    const hex = (half: number) => half.toString(16).padStart(8, '0');
    return `${this.#count.toString(16)}-${hex(this.#high)}${hex(this.#low)}`;
  }
}

function inMostDigits(number: number): string {
  return String(Number.isFinite(number) ? Number(number.toPrecision(MOST_DIGITS)) : number);
}

/**
 * A cell's text as it is compared: `_x0041_` stands for a letter in some programs' files and for itself in others', and
 * is taken for the letter; blanks at the ends do not count. A letter may itself be part of such a code: `_x005F_x0041_`
 * becomes `_x0041_` and then `A`.
 */
export function plainCellText(text: string): string {
  let plainer = text;
  let before = null;
  while (plainer !== before && plainer.includes('_x')) {
    before = plainer;
    plainer = before.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return (plainer.includes('\r') ? plainer.replace(/\r\n?/g, '\n') : plainer).trim();
}

/**
 * The words by which an import finds its way in a statement's workbook. Each language has its own (`words/`); `remit
 * import resolutions` gets those of all languages.
 */
export interface WorkbookWords {
  /** The sheet that people work in. */
  readonly sheet: string;
  readonly columns: { readonly id: string; readonly status: string; readonly note: string };
  /** The statuses that they choose from. */
  readonly statuses: { readonly open: string; readonly acknowledged: string; readonly resolved: string };
}
