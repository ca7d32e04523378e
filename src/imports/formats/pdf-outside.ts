import { pdfError } from '../../words/errors/pdf.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { headersOf } from '../maps/headers.ts';
import { FileFault } from './fault.ts';
import type { PdfCell, PdfLine } from './pdf-lines.ts';
import { asciiFigure, headerKey, oneLine } from './text-forms.ts';

/** A balance or total that a page states outside its table. */
export interface Stated {
  readonly kind: 'opening' | 'closing' | 'debits' | 'credits';
  readonly figure: string;
  readonly line: number;
  readonly page: number;
}

/** The first label that fits a text counts. */
const LABELS: Readonly<Record<Stated['kind'], RegExp>> = {
  debits:
    /\b(total|sum) (of )?(debits?|withdrawals?|paid out|money out|payments out)\b|(إجمالي|مجموع) (حركات )?(ال)?(مدينة?|سحوبات)/i,
  credits:
    /\b(total|sum) (of )?(credits?|deposits?|paid in|money in|payments in)\b|(إجمالي|مجموع) (حركات )?(ال)?(دائنة?|إيداعات)/i,
  opening:
    /\b(opening|beginning|starting|previous) balance\b|\bbalance (brought forward|b\/f)|(الرصيد|رصيد) (ال)?(افتتاحي|سابق|أول)/i,
  closing: /\b(closing|ending|final|new) balance\b|(الرصيد|رصيد) (ال)?(ختامي|نهائي|آخر)/i,
};
const KINDS = Object.keys(LABELS) as Stated['kind'][];

/** Finds balances and totals outside the table: a figure in its label's cell, in the next cell, or in the one below. */
export function statedOutside(lines: readonly PdfLine[]): Stated[] {
  const stated: Stated[] = [];
  for (const [at, line] of lines.entries()) {
    for (const [i, cell] of line.cells.entries()) {
      const kind = KINDS.find((one) => cell.kind === 'words' && LABELS[one].test(cell.text));
      if (kind === undefined) continue;
      const next = lines[at + 1]?.page === line.page ? lines[at + 1] : undefined;
      const figure = figureIn(cell) ?? figureAfter(line.cells, i) ?? figureBelow(cell, next);
      if (figure !== null) stated.push({ kind, figure, line: line.line, page: line.page });
    }
  }
  return stated;
}

const LAST_FIGURE =
  /[:\s]\s*([-(]?\s*(?:[A-Z]{3} ?)?[-(]?\s*\p{Nd}[\p{Nd}.,'٫٬]*[.,٫٬]\p{Nd}{2,}[-)]?(?: ?[A-Z]{3})?)$/u;

/** A figure with decimals or thousands at the end of a cell's words, and no dotted day such as `31.10.2026`. */
function figureIn({ text }: PdfCell): string | null {
  const figure = LAST_FIGURE.exec(text)?.[1] ?? null;
  return figure !== null && /^\d{1,4}\.\d{1,2}\.\d{1,4}$/.test(asciiFigure(figure)) ? null : figure;
}

/** The next cell of the line, in reading direction, if it is a figure. */
function figureAfter(cells: readonly PdfCell[], at: number): string | null {
  const next = cells[at]!.isRightToLeft ? cells[at - 1] : cells[at + 1];
  return next?.kind === 'figure' ? next.text : null;
}

function figureBelow({ left, right }: PdfCell, line: PdfLine | undefined): string | null {
  const found = line?.cells.find((cell) => cell.kind === 'figure' && cell.left < right && left < cell.right);
  return found?.text ?? null;
}

/** The fields that a courier may state once for a whole payout, outside its table. */
const PAYOUT_FIELDS = ['invoice', 'issued_on'];

/** A field that a page states outside its table, after its header: `Payout no.: 10009`. */
export interface Labelled {
  readonly field: string;
  readonly header: string;
  readonly value: string;
}

/**
 * Finds the payout's number and day outside the table: in the cell of the header that the map names, in the next cell,
 * or in the one below.
 *
 * @throws FileFault if a field is stated with two values
 */
export function labelledOutside(lines: readonly PdfLine[], { columns }: ColumnMap): Labelled[] {
  return PAYOUT_FIELDS.flatMap((field) => {
    for (const header of headersOf(columns[field] ?? [])) {
      const texts = lines.flatMap((line, at) => statedValues(header, line, lines[at + 1]));
      // A payout's number is one word; what follows it in the cell is of something else.
      const [value, other] = new Set(texts.map((text) => (field === 'invoice' ? text.split(' ')[0]! : text)));
      if (value === undefined) continue;
      if (other !== undefined) throw new FileFault(pdfError({ id: 'pdf-label-twice', header, values: [value, other] }));
      return { field, header, value };
    }
    return [];
  });
}

/** The values that a line states for a header: texts with a digit in their first word. */
function statedValues(header: string, { page, cells }: PdfLine, next: PdfLine | undefined): string[] {
  return cells.flatMap((cell, i) => {
    const after = afterLabel(cell.text, header);
    if (after === null) return [];
    const nextInLine = cells[cell.isRightToLeft ? i - 1 : i + 1]?.text;
    const isBelow = ({ left, right }: PdfCell) => left < cell.right && cell.left < right;
    const below = next?.page === page ? next.cells.find(isBelow)?.text : undefined;
    const candidates = after === '' ? [nextInLine, below] : [after];
    return candidates.find((text) => text !== undefined && /^\S*\p{Nd}/u.test(text)) ?? [];
  });
}

/** The text after a label, which may be empty; null for a text that does not begin with the label. */
function afterLabel(text: string, header: string): string | null {
  const key = (words: string) => headerKey(words.replace(/[\s:.#]+$/, ''));
  // A label ends at a blank, a colon or a number sign; what follows stays as it is written, as the time `10:15`.
  const ends = [...text.matchAll(/[:#]|\s+|$/g)].map(({ index }) => index);
  const end = ends.find((at) => key(text.slice(0, at)) === key(header));
  return end === undefined ? null : oneLine(text.slice(end).replace(/^[:#.\s]+/, ''));
}
