import type { PageLine } from '../../../reports/statement/bridge.ts';
import type { SigningPage } from '../../../reports/statement/page.ts';
import { lastDayOf } from '../../base/period.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { Language } from '../../words/index.ts';
import { derivedCell } from '../workbook/amounts.ts';
import type { SheetCell } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, CODE, COUNT, HEAD, HEAD_RIGHT, HINT, LINE, SECTION, TOTAL, TOTAL_AMOUNT } from './looks.ts';
import type { Page } from './page.ts';
import { lineInWords } from './step.ts';
import type { StatementTables } from './tables.ts';

/** Room between an amount and what stands to its right. */
const APART = { ...LINE, indent: 1 };
const ZERO = new ExactDecimal(0);

/** The columns of the Roll-forward sheet that a line of the balance is the sum of. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  opening: ['opening'],
  invoiced: ['invoiced'],
  restated: ['restated', 'vanished'],
  received: ['received', 'unallocated'],
  marked_paid: ['already_paid', 'seen_paid'],
  differences: ['differences'],
};
/** The column of the Ageing sheet that a line below the closing is the sum of. */
const SINCE: Readonly<Record<string, string>> = {
  receivedSince: 'received_since',
  settledSince: 'settled_since',
  restatedSince: 'restated_since',
  openToday: 'open_today',
};

/** What a line of the balance is called; the closing names its day. */
export function balanceLabel(line: PageLine, { month }: SaidStatement, language: Language): string {
  if (line.figure !== 'closing') return lineInWords(line, language);
  return language.say({ id: 'statement/closing-at', dayInWords: language.day(lastDayOf(month)) });
}

/** What was owed before the month, what moved it, and what is owed at its end; below, what came of that since: sums over the sheets. */
export function addBalance(
  page: Page,
  statement: SaidStatement,
  { rollForward, ageing }: StatementTables,
  { currencies, balance, later }: SigningPage,
): void {
  if (balance.length === 0) return;
  page.band(page.say({ id: 'statement/balance' }), SECTION, 20);
  page.add([{ value: null, style: HEAD }, ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT }))]);
  const label = (line: PageLine) => balanceLabel(line, statement, page.language);
  const textOf = ({ amounts }: PageLine, currency: string) => formatAmount(amounts.get(currency) ?? ZERO);
  const first = page.row;
  for (const line of [...balance, ...later]) {
    const isClosing = line.figure === 'closing';
    const end = page.row;
    const cells = currencies.map((currency, at): SheetCell => {
      const where = [{ column: 'currency', is: currency }];
      const flows = FLOWS[line.figure];
      if (flows) return rollForward.sum(flows, where, textOf(line, currency), AMOUNT);
      if (!isClosing) return ageing.sum(SINCE[line.figure] ?? [], where, textOf(line, currency), AMOUNT);
      const inputs = balance.filter((one) => one !== line).map((one) => textOf(one, currency));
      const formula = `SUM(${page.cells(at + 1, first, end)})`;
      return { ...derivedCell(textOf(line, currency), inputs, formula, TOTAL_AMOUNT), name: `${currency}_CLOSING` };
    });
    page.add([{ value: label(line), style: isClosing ? TOTAL : LINE }, ...cells]);
  }
  page.paragraph([], page.say({ id: 'statement/balance-hint' }), HINT);
  page.gap();
}

/** The open findings by cause, with their code in a column of its own; amounts and counts are sums over the Mismatches sheet. */
export function addCauses(
  page: Page,
  { tables }: SaidStatement,
  { mismatches }: StatementTables,
  { causes, otherCauses }: SigningPage,
): void {
  const { say, statuses } = page.language;
  page.band(say({ id: 'statement/causes' }), SECTION, 20);
  if (causes.length === 0) {
    page.paragraph([], say({ id: 'statement/no-open-finding' }), HINT);
    page.gap();
    return;
  }
  const code = tables.mismatches.columns.find(({ name }) => name === 'code')?.title ?? '';
  page.add([
    { value: say({ id: 'statement/cause' }), style: HEAD },
    { value: say({ id: 'statement/amount' }), style: HEAD_RIGHT },
    { value: say({ id: 'statement/currency' }), style: { ...HEAD, align: 'left', indent: 1 } },
    { value: say({ id: 'statement/found' }), style: HEAD_RIGHT },
    { value: code, style: HEAD, span: 2 },
  ]);
  for (const cause of causes) {
    const { code: is, currency } = cause;
    const said = page.language.say(cause.cause);
    const where = [
      { column: 'cause', is: said, at: `$A$${page.row + 1}` },
      { column: 'code', is },
      { column: 'currency', is: currency ?? '' },
      { column: 'status', not: statuses.resolved },
    ];
    const amount = cause.amount && mismatches.sum('amount', where, formatAmount(cause.amount), AMOUNT);
    page.addWrapped([
      { value: said, style: LINE },
      amount ?? { value: null, style: LINE },
      { value: amount === null ? null : cause.currency, style: APART },
      mismatches.countOf(cause.count, COUNT, where),
      { value: is, style: CODE, span: 2 },
    ]);
  }
  if (otherCauses > 0) page.paragraph([], say({ id: 'statement/other-causes', count: otherCauses }), HINT);
  page.gap();
}
