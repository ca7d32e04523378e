import type { Statement } from '../../../reports/statement/index.ts';
import { type CurrencySince, type Since, STATED } from '../../../reports/statement/since.ts';
import { formatAmount } from '../../money/index.ts';
import type { Language, Phrase } from '../language/index.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import { columnLetters } from '../workbook/names.ts';
import type { Where } from '../workbook/table-ref.ts';
import { AMOUNT, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION, TEXT } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

/** What each figure is called, and the ending of its name in the workbook. */
const FIGURES: Readonly<Record<(typeof STATED)[number], { readonly label: Phrase; readonly name: string }>> = {
  net_due_to_merchant: { label: 'Net due to the merchant', name: 'NET_DUE' },
  outstanding: { label: 'of which outstanding', name: 'OUTSTANDING' },
  short: { label: 'Short (−) or ahead: steps and outside, unresolved', name: 'SHORT' },
};
const [BEFORE, NOW] = [columnLetters(2), columnLetters(3)];
const MOVED: Style = { bold: true, fill: 'FFF2CC' };
/** So many invoices are named one by one. */
const MOST_NAMED = 10;

/** What changed since the last statement of the month: its figures against those above, then what came, went and was found. */
export function addSince(
  page: Page,
  { since }: Statement,
  currencies: readonly string[],
  { mismatches }: StatementTables,
): void {
  const { say } = page;
  // The first page is full: what it says of the month is proven above.
  page.breakPage();
  page.band(say('What changed since the last statement'), SECTION, 20);
  if (since === null) {
    page.paragraph([], say('This is the first statement of the month: there is none before it.'), TEXT);
    page.gap();
    return;
  }
  page.add([
    { value: say('Against the statement before'), style: HEAD },
    { value: say('Currency'), style: HEAD },
    { value: say('Then'), style: HEAD_RIGHT },
    { value: say('Now'), style: HEAD_RIGHT },
    { value: say('Change'), style: HEAD_RIGHT },
  ]);
  const compared = since.currencies ?? [];
  for (const figure of STATED) {
    compared.forEach((currency, at) => {
      const label = at === 0 ? say(FIGURES[figure].label) : null;
      addFigure(page, label, figure, currency, currencies.includes(currency.currency));
    });
  }
  const counted = (label: string | null, currency: string, where: readonly Where[], before: number) =>
    addCounts(page, label, currency, before, mismatches.count([...where, unresolved(page)], COUNT));
  compared.forEach(({ currency, unresolvedBefore }, at) => {
    const where = [{ column: 'currency', is: currency }];
    counted(at === 0 ? say('Mismatches that are not resolved') : null, currency, where, unresolvedBefore);
  });
  const isFirst = compared.length === 0;
  counted(isFirst ? say('Mismatches that are not resolved') : null, say('all of them'), [], since.unresolvedBefore);
  if (since.currencies === null)
    page.paragraph([], say('The figures of that statement were not kept: none are set against these.'), TEXT);
  for (const sentence of sentencesOf(page.language, since)) page.paragraph([], sentence, TEXT);
  const time = since.at.slice(0, 16).replace('T', ' ');
  page.paragraph(
    [],
    say(
      'Compared with the statement that was written on {time} UTC (row {id} of the evidence), the last one before anything newer became known.',
      {
        time,
        id: since.evidenceId,
      },
    ),
    HINT,
  );
  page.gap();
}

function unresolved({ language }: Page): Where {
  return { column: 'status', not: language.statuses.resolved };
}

function addFigure(
  page: Page,
  label: string | null,
  figure: (typeof STATED)[number],
  { currency, before, now }: CurrencySince,
  isAbove: boolean,
): void {
  const [then, today] = [formatAmount(before[figure]), formatAmount(now[figure])];
  const live = derivedCell(today, [today], `${currency}_${FIGURES[figure].name}`, AMOUNT);
  const change = formatAmount(now[figure].minus(before[figure]));
  add(page, label, currency, [
    amountCell(then, AMOUNT),
    isAbove ? live : amountCell(today, AMOUNT),
    derivedCell(change, [then, today], changeOf(page), AMOUNT),
  ]);
}

function addCounts(page: Page, label: string | null, currency: string, before: number, now: SheetCell): void {
  const count = typeof now.value === 'object' && now.value && 'result' in now.value ? now.value.result : now.value;
  const change: SheetCell = {
    value: { formula: changeOf(page), result: Number(count) - before },
    style: { ...COUNT, format: '#,##0;-#,##0' },
  };
  add(page, label, currency, [{ value: before, style: COUNT }, now, change]);
}

/** What is now less what was, on the line that comes next. */
function changeOf({ row }: Page): string {
  return `${NOW}${row + 1}-${BEFORE}${row + 1}`;
}

function add(page: Page, label: string | null, currency: string, cells: readonly SheetCell[]): void {
  page.add([{ value: label, style: LINE }, { value: currency, style: LINE }, ...cells]);
  page.condition(4, 4, '<>0', MOVED);
}

function sentencesOf(language: Language, { found, resolved, invoices, orders }: Since): string[] {
  const { say } = language;
  const codes = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([code, count]) => `${code} × ${count}`).join(', ');
  const numbers = (list: readonly number[]) => {
    const named = list.slice(0, MOST_NAMED).join(', ');
    return list.length <= MOST_NAMED
      ? named
      : say('{named} and {more} more', { named, more: list.length - MOST_NAMED });
  };
  const sentences: string[] = [];
  if (found.size > 0) sentences.push(say('Mismatches that were found since: {codes}.', { codes: codes(found) }));
  if (resolved.size > 0)
    sentences.push(say('Mismatches that were resolved since: {codes}.', { codes: codes(resolved) }));
  for (const [which, phrase] of INVOICES) {
    if (invoices[which].length > 0) sentences.push(say(phrase, { numbers: numbers(invoices[which]) }));
  }
  if (orders > 0) {
    sentences.push(
      say('Orders on these invoices whose record was restated, or left or came back: {count}.', { count: orders }),
    );
  }
  return sentences.length > 0
    ? sentences
    : [say('No mismatch was found or resolved since, and no invoice or order is new, restated or gone.')];
}

const INVOICES = [
  ['added', 'Invoices that are new since: {numbers}.'],
  ['restated', 'Invoices that were restated since: {numbers}.'],
  ['vanished', 'Invoices that are no longer listed since: {numbers}.'],
  ['back', 'Invoices that are listed again since: {numbers}.'],
  ['status', 'Invoices that are marked otherwise since: {numbers}.'],
] as const satisfies readonly (readonly [keyof Since['invoices'], Phrase])[];
