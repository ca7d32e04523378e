import { basisNotes, NOTHING_SETTLED, settledAmounts } from '../../../reports/settlement-figures.ts';
import { statedOtherwise } from '../../../reports/sums.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { StatementSentence } from '../../words/sentences.ts';
import { type AmountLook, derivedCell } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, HEAD, HEAD_RIGHT, HINT, INDENTED, LINE, SECTION, SUBTOTAL, SUBTOTAL_AMOUNT, TEXT } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

type Figure =
  | 'cod'
  | 'delivery_fee'
  | 'otherwise'
  | 'net_due_to_merchant'
  | 'received'
  | 'differences'
  | 'paid_on_word'
  | 'outstanding';

/** The lines of the section, and the ending of each figure's name in the workbook. */
const LINES: readonly {
  figure: Figure;
  label: StatementSentence;
  name: string;
  style: Style;
  look: AmountLook;
  /** Shown only where some currency has it. */
  optional?: true;
}[] = [
  { figure: 'cod', label: { id: 'statement/cod' }, name: 'COD', style: LINE, look: AMOUNT },
  {
    figure: 'delivery_fee',
    label: { id: 'statement/delivery-fees' },
    name: 'DELIVERY_FEES',
    style: LINE,
    look: AMOUNT,
  },
  {
    figure: 'otherwise',
    label: { id: 'statement/net-otherwise' },
    name: 'NET_OTHERWISE',
    style: LINE,
    look: AMOUNT,
    optional: true,
  },
  {
    figure: 'net_due_to_merchant',
    label: { id: 'statement/net-due' },
    name: 'NET_DUE',
    style: SUBTOTAL,
    look: SUBTOTAL_AMOUNT,
  },
  {
    figure: 'received',
    label: { id: 'statement/of-which-received' },
    name: 'RECEIVED',
    style: INDENTED,
    look: AMOUNT,
    optional: true,
  },
  {
    figure: 'differences',
    label: { id: 'statement/of-which-differences' },
    name: 'DIFFERENCES',
    style: INDENTED,
    look: AMOUNT,
    optional: true,
  },
  { figure: 'paid_on_word', label: { id: 'statement/of-which-paid' }, name: 'PAID', style: INDENTED, look: AMOUNT },
  {
    figure: 'outstanding',
    label: { id: 'statement/of-which-outstanding' },
    name: 'OUTSTANDING',
    style: INDENTED,
    look: AMOUNT,
  },
];

/** What the courier's invoices state, per currency: live sums over the Invoices sheet. */
export function addDue(
  page: Page,
  { totals, settled, bridgeSince }: SaidStatement,
  currencies: readonly string[],
  { invoices }: StatementTables,
): void {
  page.band(page.say({ id: bridgeSince ? 'statement/due-at-close' : 'statement/due' }), SECTION, 20);
  if (currencies.length === 0) {
    page.paragraph([], page.say({ id: 'statement/no-invoice' }), TEXT);
    page.gap();
    return;
  }
  page.add([
    { value: page.say({ id: 'statement/as-invoices-state' }), style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
  ]);
  const figures = currencies.map((currency) => figuresOf({ totals, settled }, currency));
  for (const { figure, label, name, style, look, optional } of LINES) {
    if (optional && figures.every((each) => each[figure].isZero())) continue;
    const cells = currencies.map((currency, at): SheetCell => {
      const decimal = formatAmount(figures[at]![figure]);
      const cell =
        figure === 'otherwise'
          ? otherwiseCell(currency, figures[at]!, look)
          : invoices.sum(figure, [{ column: 'currency', is: currency }], decimal, look);
      return { ...cell, name: `${currency}_${name}` };
    });
    page.add([{ value: page.say(label), style }, ...cells]);
  }
  const { invoices: count, orders } = totals;
  page.paragraph([], page.say({ id: 'statement/counts', invoices: count, orders }), HINT);
  const bases = currencies.map((currency) => settled.get(currency)?.basis ?? NOTHING_SETTLED.basis);
  for (const sentence of basisNotes(bases)) page.paragraph([], page.language.say(sentence), HINT);
  page.gap();
}

const ZERO = new ExactDecimal(0);

function otherwiseCell(currency: string, figures: Record<Figure, ExactDecimal>, look: AmountLook): SheetCell {
  const text = (figure: Figure) => formatAmount(figures[figure]);
  const inputs = [text('cod'), text('delivery_fee'), text('net_due_to_merchant')];
  const formula = `${currency}_NET_DUE-${currency}_COD+${currency}_DELIVERY_FEES`;
  return derivedCell(text('otherwise'), inputs, formula, look);
}

function figuresOf(
  { totals, settled }: Pick<SaidStatement, 'totals' | 'settled'>,
  currency: string,
): Record<Figure, ExactDecimal> {
  const stated = totals.currencies.find((one) => one.currency === currency) ?? {
    cod: ZERO,
    delivery_fee: ZERO,
    net_due_to_merchant: ZERO,
  };
  const came = settledAmounts(settled.get(currency) ?? NOTHING_SETTLED);
  const { cod, delivery_fee, net_due_to_merchant } = stated;
  return { cod, delivery_fee, otherwise: statedOtherwise(stated), net_due_to_merchant, ...came };
}
