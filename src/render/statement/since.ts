import { type CurrencySince, type Since, STATED } from '../../../reports/statement/since.ts';
import { formatAmount } from '../../money/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import { columnLetters } from '../workbook/formulas.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import type { Where } from '../workbook/table-ref.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION, TEXT } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

/** What each figure is called. */
export const SINCE_LABELS: Readonly<Record<(typeof STATED)[number], StatementSentence>> = {
  net_due_to_merchant: { id: 'statement/net-due' },
  outstanding: { id: 'statement/of-which-outstanding' },
  short: { id: 'statement/short-or-ahead-unresolved' },
};
/** The endings of their names in the workbook. */
const NAMES: Readonly<Record<(typeof STATED)[number], string>> = {
  net_due_to_merchant: 'NET_DUE',
  outstanding: 'OUTSTANDING',
  short: 'SHORT',
};
const [BEFORE, NOW] = [columnLetters(2), columnLetters(3)];
const MOVED: Style = { bold: true, fill: 'FFF2CC' };

/** What changed since the last statement of the month: its figures against those above, then what came, went and was found. */
export function addSince(
  page: Page,
  { since }: SaidStatement,
  currencies: readonly string[],
  { mismatches }: StatementTables,
): void {
  const { say } = page;
  page.band(say({ id: 'statement/since' }), SECTION, 20);
  if (since === null) {
    page.paragraph([], say({ id: 'statement/first-statement' }), TEXT);
    page.gap();
    return;
  }
  page.add([
    { value: say({ id: 'statement/against-last' }), style: HEAD },
    { value: say({ id: 'statement/currency' }), style: HEAD },
    { value: say({ id: 'statement/then' }), style: HEAD_RIGHT },
    { value: say({ id: 'statement/now' }), style: HEAD_RIGHT },
    { value: say({ id: 'statement/change' }), style: HEAD_RIGHT },
  ]);
  const compared = since.currencies ?? [];
  for (const figure of STATED) {
    compared.forEach((currency, at) => {
      const label = at === 0 ? say(SINCE_LABELS[figure]) : null;
      addFigure(page, label, figure, currency, currencies.includes(currency.currency));
    });
  }
  const counted = (label: string | null, currency: string, where: readonly Where[], before: number) =>
    addCounts(page, label, currency, before, mismatches.count([...where, unresolved(page)], COUNT));
  compared.forEach(({ currency, unresolvedBefore }, at) => {
    const where = [{ column: 'currency', is: currency }];
    counted(at === 0 ? say({ id: 'statement/mismatches-unresolved' }) : null, currency, where, unresolvedBefore);
  });
  const isFirst = compared.length === 0;
  counted(
    isFirst ? say({ id: 'statement/mismatches-unresolved' }) : null,
    say({ id: 'statement/all-of-them' }),
    [],
    since.unresolvedBefore,
  );
  if (since.currencies === null) page.paragraph([], say({ id: 'statement/last-figures-not-kept' }), TEXT);
  for (const sentence of sinceSentences(since)) page.paragraph([], say(sentence), TEXT);
  const time = since.at.slice(0, 16).replace('T', ' ');
  page.paragraph([], say({ id: 'statement/compared-with', time, evidence: since.evidenceId }), HINT);
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
  const live = derivedCell(today, [today], `${currency}_${NAMES[figure]}`, AMOUNT);
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

/** What became known since: mismatches that came and went, invoices and orders that changed. */
export function sinceSentences({ found, resolved, invoices, orders }: Since): StatementSentence[] {
  const codes = (counts: ReadonlyMap<string, number>) => [...counts].map(([code, count]) => ({ code, count }));
  const sentences: StatementSentence[] = [];
  if (found.size > 0) sentences.push({ id: 'statement/found-since', codes: codes(found) });
  if (resolved.size > 0) sentences.push({ id: 'statement/resolved-since', codes: codes(resolved) });
  for (const what of INVOICES) {
    const numbers = invoices[what];
    if (numbers.length > 0) sentences.push({ id: 'statement/invoices-since', what, numbers });
  }
  if (orders > 0) sentences.push({ id: 'statement/orders-since', count: orders });
  return sentences.length > 0 ? sentences : [{ id: 'statement/nothing-since' }];
}

const INVOICES = [
  'added',
  'restated',
  'vanished',
  'back',
  'status',
] as const satisfies readonly (keyof Since['invoices'])[];
