import { because } from '../../words/errors/pdf.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { headersOf } from '../maps/headers.ts';
import { headerKey } from './characters.ts';
import { FileFault } from './fault.ts';
import type { PdfCell, PdfLine } from './pdf-lines.ts';

/** A figure that a page states beside or above its table. */
export interface Stated {
  readonly what: 'opening' | 'closing' | 'debits' | 'credits';
  readonly figure: string;
  readonly line: number;
  readonly page: number;
}

const LABELS: readonly (readonly [Stated['what'], RegExp])[] = [
  [
    'debits',
    /\b(total|sum) (of )?(debits?|withdrawals?|paid out|money out|payments out)\b|(إجمالي|مجموع) (حركات )?(ال)?(مدينة?|سحوبات)/i,
  ],
  [
    'credits',
    /\b(total|sum) (of )?(credits?|deposits?|paid in|money in|payments in)\b|(إجمالي|مجموع) (حركات )?(ال)?(دائنة?|إيداعات)/i,
  ],
  [
    'opening',
    /\b(opening|beginning|starting|previous) balance\b|\bbalance (brought forward|b\/f)|(الرصيد|رصيد) (ال)?(افتتاحي|سابق|أول)/i,
  ],
  ['closing', /\b(closing|ending|final|new) balance\b|(الرصيد|رصيد) (ال)?(ختامي|نهائي|آخر)/i],
];

/**
 * The balances and totals that lines outside the table state: a figure at the end of its label, beside it, or below it.
 */
export function statedBeside(lines: readonly PdfLine[]): Stated[] {
  const stated: Stated[] = [];
  for (const [at, line] of lines.entries()) {
    for (const [i, cell] of line.cells.entries()) {
      const what = LABELS.find(([, label]) => cell.kind === 'words' && label.test(cell.text))?.[0];
      if (what === undefined) continue;
      const next = lines[at + 1]?.page === line.page ? lines[at + 1] : undefined;
      const figure = within(cell) ?? beside(line.cells, i) ?? below(cell, next);
      if (figure !== null) stated.push({ what, figure, line: line.line, page: line.page });
    }
  }
  return stated;
}

/** A figure with decimals or thousands at the end of the words. */
function within({ text }: PdfCell): string | null {
  return (
    /[:\s]\s*([-(]?\s*(?:[A-Z]{3} ?)?[-(]?\s*\p{Nd}[\p{Nd}.,'٫٬]*[.,٫٬]\p{Nd}{2,}[-)]?(?: ?[A-Z]{3})?)$/u.exec(
      text,
    )?.[1] ?? null
  );
}

/** The nearest figure of the line with no other words between. */
function beside(cells: readonly PdfCell[], at: number): string | null {
  const next = cells[at]!.isRightToLeft ? [cells[at - 1], cells[at + 1]] : [cells[at + 1], cells[at - 1]];
  return next[0]?.kind === 'figure' ? next[0].text : null;
}

function below({ left, right }: PdfCell, line: PdfLine | undefined): string | null {
  const found = line?.cells.find((cell) => cell.kind === 'figure' && cell.left < right && left < cell.right);
  return found?.text ?? null;
}

/** What a courier may say once of a whole payout, outside its table. */
const OF_PAYOUT = ['invoice', 'issued_on'];

/** A field of a settlement's map that a page states beside its header, which is a label there. */
export interface Labelled {
  readonly field: string;
  readonly header: string;
  readonly value: string;
}

/**
 * The payout's number and day where lines state them after the header that the map names, beside it, or below it.
 *
 * @throws FileFault where one is stated in two ways
 */
export function labelledBeside(lines: readonly PdfLine[], { columns }: ColumnMap): Labelled[] {
  return OF_PAYOUT.flatMap((field) => {
    for (const header of headersOf(columns[field] ?? [])) {
      const values = new Set(lines.flatMap((line, at) => valuesOf(header, line, lines[at + 1])));
      const [value, other] = [...values].map((text) => (field === 'invoice' ? text.split(' ')[0]! : text));
      if (value === undefined) continue;
      if (other !== undefined && other !== value)
        throw new FileFault(because({ id: 'pdf-label-twice', header, values: [value, other] }));
      return { field, header, value };
    }
    return [];
  });
}

/** What a line states of a header: words of which the first has a digit. */
function valuesOf(header: string, { page, cells }: PdfLine, next: PdfLine | undefined): string[] {
  return cells.flatMap((cell, i) => {
    const after = afterLabel(cell.text, header);
    if (after === null) return [];
    const follower = cells[cell.isRightToLeft ? i - 1 : i + 1]?.text;
    const under = next?.page === page ? next.cells.find((one) => one.left < cell.right && cell.left < one.right) : null;
    const said = after === '' ? [follower, under?.text] : [after];
    return said.find((text) => text !== undefined && /^\S*\p{Nd}/u.test(text)) ?? [];
  });
}

/** What follows a label, empty where nothing does; null for a text that does not begin with it. */
function afterLabel(text: string, header: string): string | null {
  const key = (words: string) => headerKey(words.replace(/[\s:.#]+$/, ''));
  const words = text.replaceAll(/[:#]/g, '$& ').trim().split(/\s+/);
  const count = words.findIndex((_, i) => key(words.slice(0, i + 1).join(' ')) === key(header)) + 1;
  return count === 0
    ? null
    : words
        .slice(count)
        .join(' ')
        .replace(/^[:#.\s]+/, '');
}
