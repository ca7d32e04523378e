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
