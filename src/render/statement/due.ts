import { NOTHING_SETTLED, sayBasis, settledAmounts } from '../../../reports/settled.ts';
import type { Statement } from '../../../reports/statement/index.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { Phrase } from '../language/index.ts';
import type { AmountLook } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import { AMOUNT, HEAD, HEAD_RIGHT, HINT, INDENTED, LINE, SECTION, SUBTOTAL, SUBTOTAL_AMOUNT, TEXT } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

type Figure =
  | 'cod'
  | 'delivery_fee'
  | 'net_due_to_merchant'
  | 'received'
  | 'differences'
  | 'paid_on_word'
  | 'outstanding';

/** The lines of the section, and the ending of each figure's name in the workbook. */
const LINES: readonly {
  figure: Figure;
  label: Phrase;
  name: string;
  style: Style;
  look: AmountLook;
  /** Shown only where some currency has it. */
  optional?: true;
}[] = [
  { figure: 'cod', label: 'COD collected', name: 'COD', style: LINE, look: AMOUNT },
  { figure: 'delivery_fee', label: 'Delivery fees', name: 'DELIVERY_FEES', style: LINE, look: AMOUNT },
  {
    figure: 'net_due_to_merchant',
    label: 'Net due to the merchant',
    name: 'NET_DUE',
    style: SUBTOTAL,
    look: SUBTOTAL_AMOUNT,
  },
  {
    figure: 'received',
    label: 'of which received, by receipts',
    name: 'RECEIVED',
    style: INDENTED,
    look: AMOUNT,
    optional: true,
  },
  {
    figure: 'differences',
    label: 'of which differences that were named',
    name: 'DIFFERENCES',
    style: INDENTED,
    look: AMOUNT,
    optional: true,
  },
  { figure: 'paid_on_word', label: 'of which marked paid by the courier', name: 'PAID', style: INDENTED, look: AMOUNT },
  { figure: 'outstanding', label: 'of which outstanding', name: 'OUTSTANDING', style: INDENTED, look: AMOUNT },
];

/** What the courier's invoices state, per currency: live sums over the Invoices sheet. */
export function addDue(
  page: Page,
  { totals, settled, apart }: Statement,
  currencies: readonly string[],
  { invoices }: StatementTables,
): void {
  page.band(page.say('Due to the merchant'), SECTION, 20);
  if (currencies.length === 0) {
    page.paragraph(
      [],
      page.say('No invoice is listed for this month: nothing was collected, charged or is due.'),
      TEXT,
    );
    for (const sentence of apart) page.paragraph([], page.language.tell(sentence), HINT);
    page.gap();
    return;
  }
  page.add([
    { value: page.say("As the courier's invoices state it"), style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
  ]);
  const figures = currencies.map((currency) => figuresOf({ totals, settled }, currency));
  for (const { figure, label, name, style, look, optional } of LINES) {
    if (optional && figures.every((each) => each[figure].isZero())) continue;
    const cells = currencies.map((currency, at): SheetCell => {
      const decimal = formatAmount(figures[at]![figure]);
      const cell = invoices.sum(figure, [{ column: 'currency', is: currency }], decimal, look);
      return { ...cell, name: `${currency}_${name}` };
    });
    page.add([{ value: page.say(label), style }, ...cells]);
  }
  const [invoiceCount, orders] = [totals.invoices.toLocaleString('en'), totals.orders.toLocaleString('en')];
  const counts = { invoices: invoiceCount, orders };
  page.paragraph([], page.say('Invoices: {invoices}, orders: {orders}. Currencies are never added up.', counts), HINT);
  const bases = currencies.map((currency) => settled.get(currency)?.basis ?? NOTHING_SETTLED.basis);
  for (const sentence of [...sayBasis(bases), ...apart]) page.paragraph([], page.language.tell(sentence), HINT);
  page.gap();
}

const ZERO = new ExactDecimal(0);

function figuresOf(
  { totals, settled }: Pick<Statement, 'totals' | 'settled'>,
  currency: string,
): Record<Figure, ExactDecimal> {
  const { cod, delivery_fee, net_due_to_merchant } = totals.currencies.find((one) => one.currency === currency) ?? {
    cod: ZERO,
    delivery_fee: ZERO,
    net_due_to_merchant: ZERO,
  };
  return { cod, delivery_fee, net_due_to_merchant, ...settledAmounts(settled.get(currency) ?? NOTHING_SETTLED) };
}
