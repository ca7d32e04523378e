import { groupBy } from '../../base/group.ts';
import { asciiFigure, oneLine } from './characters.ts';
import type { PdfPage, PdfText } from './pdf-text.ts';

/** What a cell holds, as far as its characters say. */
export type CellKind = 'date' | 'figure' | 'words';

/** Texts of one line that belong together. */
export interface PdfCell {
  readonly text: string;
  readonly kind: CellKind;
  readonly left: number;
  readonly right: number;
  readonly isRightToLeft: boolean;
  readonly texts: readonly PdfText[];
}

/** The cells on one base line, from left to right. */
export interface PdfLine {
  /** Counted over all pages, from 1. */
  readonly line: number;
  readonly page: number;
  readonly y: number;
  readonly size: number;
  readonly cells: readonly PdfCell[];
}

/** Of the letters' size: texts this near are on one line. */
const SAME_LINE = 0.2;
/** Of the letters' size: a wider gap parts two cells. A space is a third. */
const CELL_GAP = 0.42;
/** A narrower gap is none. */
const NO_GAP = 0.12;

/** The lines of all pages, from top to bottom. */
export function linesOf(pages: readonly PdfPage[]): PdfLine[] {
  const lines: PdfLine[] = [];
  for (const { page, texts } of pages) {
    for (const row of rowsOf(texts)) {
      const size = Math.max(...row.map((text) => text.size));
      const y = row.reduce((sum, text) => sum + text.y, 0) / row.length;
      lines.push({ line: lines.length + 1, page, y, size, cells: cellsOf(row) });
    }
  }
  return lines;
}

function rowsOf(texts: readonly PdfText[]): PdfText[][] {
  const sorted = texts.toSorted((a, b) => a.y - b.y || a.left - b.left);
  const rows: PdfText[][] = [];
  for (const text of sorted) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (first && text.y - first.y <= SAME_LINE * Math.max(text.size, first.size)) {
      // A bold letter may be drawn twice, a hair apart.
      const isTwice = row.some(
        (one) => one.text === text.text && Math.abs(one.left - text.left) < SAME_LINE * text.size,
      );
      if (!isTwice) row.push(text);
    } else rows.push([text]);
  }
  return rows;
}

function cellsOf(row: readonly PdfText[]): PdfCell[] {
  return grouped(row.flatMap(untangled), CELL_GAP).map(cellOf);
}

/** Numbers of one text that other texts part: the maker's order is from the right, that of figures from the left. */
function untangled(text: PdfText): PdfText[] {
  const numbers = text.isRightToLeft && /^\p{Nd}+(?: \p{Nd}+)+$/u.test(text.text) ? text.text.split(' ').reverse() : [];
  if (numbers.length === 0) return [text];
  const width = (text.right - text.left) / text.text.length;
  let left = text.left;
  return numbers.map((number) => {
    const one = { ...text, text: number, left, right: left + number.length * width };
    left = one.right + width;
    return one;
  });
}

/** Where the words of a cell begin and end. */
export function wordsOf({ texts }: PdfCell): { readonly left: number; readonly right: number }[] {
  return grouped(texts, NO_GAP).map((own) => ({
    left: Math.min(...own.map(({ left }) => left)),
    right: Math.max(...own.map(({ right }) => right)),
  }));
}

/** Texts in groups that are further apart than some part of their size, from left to right. */
function grouped(texts: readonly PdfText[], gap: number): PdfText[][] {
  const groups: PdfText[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const text of texts.toSorted((a, b) => a.left - b.left)) {
    const last = groups.at(-1);
    // A whole day or amount is a cell of its own.
    const isApart = isMoneyOrDay(text.text) || (last !== undefined && isMoneyOrDay(fromLeft(last)));
    if (last && text.left - right < (isApart ? Math.min(gap, NO_GAP) : gap) * text.size) last.push(text);
    else groups.push([text]);
    right = Math.max(right, text.right);
  }
  return groups;
}

/** A cell in parts, where it goes over an edge between two columns: makers run together what is near. Words stay whole. */
export function splitAt(cell: PdfCell, edges: readonly number[]): PdfCell[] {
  const crossed = edges.some((edge) => edge > cell.left + 1 && edge < cell.right - 1);
  const words = crossed ? grouped(cell.texts.flatMap(partsOf), NO_GAP) : [];
  if (words.length < 2) return [cell];
  const columnOf = (texts: readonly PdfText[]) => {
    const middle = (texts[0]!.left + Math.max(...texts.map(({ right }) => right))) / 2;
    return edges.filter((edge) => edge < middle).length;
  };
  return [...groupBy(words, columnOf).values()].map((own) => cellOf(own.flat()));
}

/** A text that the maker ran together of a day or a figure and what is beside it, in its parts. */
function partsOf(text: PdfText): PdfText[] {
  const words = text.text.split(/( +)/);
  if (words.length < 3 || text.isRightToLeft) return [text];
  const width = (text.right - text.left) / text.text.length;
  const parts: PdfText[] = [];
  let at = 0;
  let wasApart = true;
  for (const word of words) {
    const left = text.left + at * width;
    at += word.length;
    if (word.trim() === '') continue;
    const isApart = isMoneyOrDay(word);
    const last = parts.at(-1);
    if (last === undefined || isApart || wasApart)
      parts.push({ ...text, text: word, left, right: left + word.length * width });
    else parts[parts.length - 1] = { ...last, text: `${last.text} ${word}`, right: left + word.length * width };
    wasApart = isApart;
  }
  // A day or amount within a sentence is a part of it.
  const isSentence = parts.some(({ text: part }, i) => i > 0 && !isMoneyOrDay(part));
  return isSentence && !isMoneyOrDay(parts[0]!.text) ? [text] : parts;
}

/** A whole day, or a figure with decimals or thousands: what stands in a cell of its own. */
function isMoneyOrDay(text: string): boolean {
  const plain = asciiFigure(text);
  return DAY.test(plain) || (FIGURE.test(plain) && /\d[.,'’٫٬]\d{2,}/.test(plain));
}

const RIGHT_TO_LEFT = /[\u0590-\u065F\u066E-\u06EF\u06FA-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;

function cellOf(pieces: readonly PdfText[]): PdfCell {
  const isRightToLeft = pieces.some(({ text }) => RIGHT_TO_LEFT.test(text));
  const text = oneLine(isRightToLeft ? fromRight(pieces) : fromLeft(pieces));
  const left = Math.min(...pieces.map((piece) => piece.left));
  const right = Math.max(...pieces.map((piece) => piece.right));
  return { text, kind: kindOf(text), left, right, isRightToLeft, texts: pieces };
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

/** Pages hold Arabic as it is seen, from left to right: read from the right, while numbers and Latin words keep their order. */
function fromRight(pieces: readonly PdfText[]): string {
  const runs: PdfText[][] = [];
  for (const piece of pieces.toReversed()) {
    const run = runs.at(-1);
    const isLeftToRight = (one: PdfText) => !RIGHT_TO_LEFT.test(one.text) && /[\p{L}\p{N}]/u.test(one.text);
    if (run && isLeftToRight(piece) && isLeftToRight(run[0]!)) run.unshift(piece);
    else runs.push([piece]);
  }
  let text = '';
  let left: number | null = null;
  for (const run of runs) {
    const isApart = left !== null && left - run.at(-1)!.right > NO_GAP * run[0]!.size;
    text += `${isApart ? ' ' : ''}${fromLeft(run)}`;
    left = run[0]!.left;
  }
  return withLamAlef(text.normalize('NFKC'));
}

/** Some makers turn around the two letters of a lam-alef; no Arabic word begins with what comes of the article. */
function withLamAlef(text: string): string {
  return text
    .replace(/(^|[\s(])ا([اأإآ])ل(?=\p{L})/gu, '$1ال$2')
    .replace(/(^|\s)([وفبك])ا([اأإآ])ل(?=\p{L})/gu, '$1$2ال$3');
}

const DAY =
  /^(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[-/. ]?[A-Za-z]{3,9}\.?[-/., ]{0,2}\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4})(?:[T ,]+\d{1,2}:\d{2}(?::\d{2})?)?$/;
const FIGURE =
  /^[^\dA-Za-z]{0,3}(?:[A-Za-z]{2,3}\.? ?)?[^\dA-Za-z]{0,3}\d[\d.,'’٫٬ ]*[^\dA-Za-z]{0,3}(?:[A-Za-z]{2,3}\.?)?[^\dA-Za-z]{0,2}$/;
/** What stands for no amount. */
export const NO_AMOUNT = /^[-–—]+$/;

function kindOf(text: string): CellKind {
  const plain = asciiFigure(text);
  if (DAY.test(plain)) return 'date';
  return FIGURE.test(plain) || NO_AMOUNT.test(text) ? 'figure' : 'words';
}
