import { groupBy } from '../../base/group.ts';
import { NO_AMOUNT } from './amount-text.ts';
import type { PdfPage, PdfText } from './pdf-text.ts';
import { asciiFigure, oneLine } from './text-forms.ts';

/** What a cell seems to hold, by its characters. */
export type CellKind = 'date' | 'figure' | 'words';

/** Texts of one line that belong together; places are in points from the page's left. */
export interface PdfCell extends Pick<PdfText, 'text' | 'left' | 'right' | 'isRightToLeft'> {
  readonly kind: CellKind;
  readonly texts: readonly PdfText[];
}

/** The cells on one base line, from left to right. */
export interface PdfLine {
  /** Counted over all pages, from 1. */
  readonly line: number;
  readonly page: number;
  /** The base line, in points from the page's top. */
  readonly y: number;
  /** The size of its largest letters, in points. */
  readonly size: number;
  readonly cells: readonly PdfCell[];
}

// The four below are multiples of the letters' size; a blank is a third of it.
/** Texts whose base lines are no further apart are on one line. */
const SAME_LINE = 0.2;
/** A wider gap parts two cells. */
const CELL_GAP = 0.42;
/** A narrower gap is none: the texts are one word. */
const NO_GAP = 0.12;
/** No gap within a word that is drawn in parts is wider. */
const LEAST_GAP = 0.05;

/** Puts the texts of all pages together as lines of cells, from top to bottom. */
export function linesOf(pages: readonly PdfPage[]): PdfLine[] {
  const lines: PdfLine[] = [];
  for (const { page, texts } of pages) {
    for (const row of onBaseLines(texts)) {
      const size = Math.max(...row.map((text) => text.size));
      const y = row.reduce((sum, text) => sum + text.y, 0) / row.length;
      const cells = grouped(row.flatMap(splitNumbers), CELL_GAP).map(cellOf);
      lines.push({ line: lines.length + 1, page, y, size, cells });
    }
  }
  return lines;
}

/** Groups a page's texts by their base line, from top to bottom. */
function onBaseLines(texts: readonly PdfText[]): PdfText[][] {
  const sorted = texts.toSorted((a, b) => a.y - b.y || a.left - b.left);
  const rows: PdfText[][] = [];
  for (const text of sorted) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (first && text.y - first.y <= SAME_LINE * Math.max(text.size, first.size)) {
      // A bold letter may be drawn twice, a hair apart.
      const isNear = ({ left }: PdfText) => Math.abs(left - text.left) < SAME_LINE * text.size;
      if (!row.some((drawn) => drawn.text === text.text && isNear(drawn))) row.push(text);
    } else rows.push([text]);
  }
  return rows;
}

/** Splits a right-to-left text of several numbers (`3 2 1`) into a text for each, from left to right. */
function splitNumbers(text: PdfText): PdfText[] {
  const numbers = text.isRightToLeft && /^\p{Nd}+(?: \p{Nd}+)+$/u.test(text.text) ? text.text.split(' ').reverse() : [];
  if (numbers.length === 0) return [text];
  const letterWidth = (text.right - text.left) / text.text.length;
  let left = text.left;
  return numbers.map((number) => {
    const placed = { ...text, text: number, left, right: left + number.length * letterWidth };
    left = placed.right + letterWidth;
    return placed;
  });
}

export function wordPlaces({ texts }: PdfCell): Pick<PdfText, 'left' | 'right'>[] {
  return grouped(texts, NO_GAP).map(placeOf);
}

function placeOf(texts: readonly PdfText[]) {
  return { left: Math.min(...texts.map(({ left }) => left)), right: Math.max(...texts.map(({ right }) => right)) };
}

/**
 * Groups texts from left to right. A gap of at least `gap` times their size parts two groups. So does a narrower gap
 * with one of `edges` in it: a text that fills its column comes close to the text in the next.
 */
function grouped(texts: readonly PdfText[], gap: number, edges: readonly number[] = []): PdfText[][] {
  const groups: PdfText[][] = [];
  let rightmost = Number.NEGATIVE_INFINITY;
  for (const text of texts.toSorted((a, b) => a.left - b.left)) {
    const last = groups.at(-1);
    // A whole day or amount is a separate cell, however near the next text is, unless there is no gap at all.
    const isNextToOne = isMoneyOrDay(text.text) || (last !== undefined && isMoneyOrDay(fromLeft(last)));
    const partingGap = isNextToOne ? Math.min(gap, NO_GAP) : gap;
    const distance = text.left - rightmost;
    const isAtEdge = distance > LEAST_GAP * text.size && edges.some((edge) => edge > rightmost && edge < text.left);
    if (last && distance < partingGap * text.size && !isAtEdge) last.push(text);
    else groups.push([text]);
    rightmost = Math.max(rightmost, text.right);
  }
  return groups;
}

/** Splits a cell that crosses an edge between two columns: makers of PDFs run near texts together. Words stay whole. */
export function splitAt(cell: PdfCell, edges: readonly number[]): PdfCell[] {
  const crossesEdge = edges.some((edge) => edge > cell.left + 1 && edge < cell.right - 1);
  const words = crossesEdge ? grouped(cell.texts.flatMap(partsOf), NO_GAP, edges) : [];
  if (words.length < 2) return [cell];
  const columnOf = (texts: readonly PdfText[]) => {
    const middle = (texts[0]!.left + Math.max(...texts.map(({ right }) => right))) / 2;
    return edges.filter((edge) => edge < middle).length;
  };
  return [...groupBy(words, columnOf).values()].map((ofColumn) => cellOf(ofColumn.flat()));
}

/**
 * Splits a text in which a PDF's maker joined a day or amount with its neighbours: `02/01/2026 Transfer 50.00`. Each
 * day or amount is a part, and the words between two of them are one.
 */
function partsOf(text: PdfText): PdfText[] {
  // Words and the blanks between them.
  const pieces = text.text.split(/( +)/);
  if (pieces.length < 3 || text.isRightToLeft) return [text];
  const letterWidth = (text.right - text.left) / text.text.length;
  const parts: PdfText[] = [];
  let at = 0;
  let wasAmountOrDay = false;
  for (const piece of pieces) {
    const left = text.left + at * letterWidth;
    at += piece.length;
    if (piece.trim() === '') continue;
    const isAmountOrDay = isMoneyOrDay(piece);
    const last = parts.at(-1);
    const right = left + piece.length * letterWidth;
    if (last === undefined || isAmountOrDay || wasAmountOrDay) parts.push({ ...text, text: piece, left, right });
    else parts[parts.length - 1] = { ...last, text: `${last.text} ${piece}`, right };
    wasAmountOrDay = isAmountOrDay;
  }
  // In `Paid on 02/01/2026 by transfer`, words before and after it, a day or amount belongs to the sentence.
  const [first, ...others] = parts;
  const isSentence = others.some((part) => !isMoneyOrDay(part.text)) && !isMoneyOrDay(first!.text);
  return isSentence ? [text] : parts;
}

/** A whole day, or a figure with decimals or thousands. */
function isMoneyOrDay(text: string): boolean {
  const plain = asciiFigure(text);
  return DAY.test(plain) || (FIGURE.test(plain) && /\d[.,'’٫٬]\d{2,}/.test(plain));
}

/** A letter of Hebrew, Arabic and their like; their digits are written from the left. */
const RIGHT_TO_LEFT = /[\u0590-\u065F\u066E-\u06EF\u06FA-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

function cellOf(pieces: readonly PdfText[]): PdfCell {
  const isRightToLeft = pieces.some(({ text }) => RIGHT_TO_LEFT.test(text));
  const text = oneLine(isRightToLeft ? fromRight(pieces) : fromLeft(pieces));
  return { text, kind: kindOf(text), ...placeOf(pieces), isRightToLeft, texts: pieces };
}

function fromLeft(pieces: readonly PdfText[]): string {
  let text = '';
  let right: number | null = null;
  for (const piece of pieces) {
    text += right !== null && piece.left - right > NO_GAP * piece.size ? ` ${piece.text}` : piece.text;
    right = piece.right;
  }
  return text.normalize('NFKC');
}

/** Joins Arabic texts from the right, as one reads them; numbers and Latin words among them keep their order. */
function fromRight(pieces: readonly PdfText[]): string {
  const runs: PdfText[][] = [];
  for (const piece of pieces.toReversed()) {
    const run = runs.at(-1);
    const isLeftToRight = ({ text }: PdfText) => !RIGHT_TO_LEFT.test(text) && /[\p{L}\p{N}]/u.test(text);
    if (run && isLeftToRight(piece) && isLeftToRight(run[0]!)) run.unshift(piece);
    else runs.push([piece]);
  }
  let text = '';
  let left: number | null = null;
  for (const run of runs) {
    const hasBlank = left !== null && left - run.at(-1)!.right > NO_GAP * run[0]!.size;
    text += `${hasBlank ? ' ' : ''}${fromLeft(run)}`;
    left = run[0]!.left;
  }
  return withLamAlef(text.normalize('NFKC'));
}

/** Some makers swap the letters of a lam-alef: mends the article (`ال`) before an alef, as no word begins like that. */
function withLamAlef(text: string): string {
  return text
    .replace(/(^|[\s(])ا([اأإآ])ل(?=\p{L})/gu, '$1ال$2')
    .replace(/(^|\s)([وفبك])ا([اأإآ])ل(?=\p{L})/gu, '$1$2ال$3');
}

/** `2026-01-31`, `31/01/26`, `31 Jan 2026`, `Jan 31, 2026`, each with a time or none. */
const DAY =
  /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[-/. ]?[A-Za-z]{3,9}\.?[-/., ]{0,2}\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4})(?:[T ,]+\d{1,2}:\d{2}(?::\d{2})?)?$/;
/** `1,234.50`, `-12.00 USD`, `(3.00)`, `$ 5`. */
const FIGURE =
  /^[^\dA-Za-z]{0,3}(?:[A-Za-z]{2,3}\.? ?)?[^\dA-Za-z]{0,3}\d[\d.,'’٫٬ ]*[^\dA-Za-z]{0,3}(?:[A-Za-z]{2,3}\.?)?[^\dA-Za-z]{0,2}$/;

function kindOf(text: string): CellKind {
  const plain = asciiFigure(text);
  if (DAY.test(plain)) return 'date';
  return FIGURE.test(plain) || NO_AMOUNT.test(text) ? 'figure' : 'words';
}
