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
  const pieces = row.flatMap(partsOf).sort((a, b) => a.left - b.left);
  const groups: PdfText[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    const gap = piece.left - right;
    const isApart = isMoneyOrDay(piece.text) || isMoneyOrDay(groups.at(-1)?.map(({ text }) => text).join('') ?? '');
    if (gap < (isApart ? NO_GAP : CELL_GAP) * piece.size && groups.length > 0) groups.at(-1)!.push(piece);
    else groups.push([piece]);
    right = Math.max(right, piece.right);
  }
  return groups.map(cellOf);
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
  return { text, kind: kindOf(text), left, right, isRightToLeft };
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
  return text.replace(/(^|[\s(])ا([اأإآ])ل(?=\p{L})/gu, '$1ال$2').replace(/(^|\s)([وفبك])ا([اأإآ])ل(?=\p{L})/gu, '$1$2ال$3');
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
