import type { Statement } from '../../../reports/statement/index.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { AmountLook } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import { AMOUNT, HEAD, HEAD_RIGHT, HINT, INDENTED, LINE, SECTION, SUBTOTAL, SUBTOTAL_AMOUNT, TEXT } from './looks.ts';
import type { Page } from './page.ts';
import type { StatementTables } from './tables.ts';

type Figure = 'cod' | 'delivery_fee' | 'net_due_to_merchant' | 'paid' | 'outstanding';

/** The lines of the section, and the ending of each figure's name in the workbook. */
const LINES: readonly { figure: Figure; label: string; name: string; style: Style; look: AmountLook }[] = [
  { figure: 'cod', label: 'COD collected', name: 'COD', style: LINE, look: AMOUNT },
  { figure: 'delivery_fee', label: 'Delivery fees', name: 'DELIVERY_FEES', style: LINE, look: AMOUNT },
  {
    figure: 'net_due_to_merchant',
    label: 'Net due to the merchant',
    name: 'NET_DUE',
    style: SUBTOTAL,
    look: SUBTOTAL_AMOUNT,
  },
  { figure: 'paid', label: 'of which marked paid by the courier', name: 'PAID', style: INDENTED, look: AMOUNT },
  { figure: 'outstanding', label: 'of which outstanding', name: 'OUTSTANDING', style: INDENTED, look: AMOUNT },
];

/** What the courier's invoices state, per currency: live sums over the Invoices sheet. */
export function addDue(
  page: Page,
  { totals }: Statement,
  currencies: readonly string[],
  { invoices }: StatementTables,
): void {
  page.band('Due to the merchant', SECTION, 20);
  if (currencies.length === 0) {
    page.paragraph([], 'No invoice is listed for this month: nothing was collected, charged or is due.', TEXT);
    page.gap();
    return;
  }
  page.add([
    { value: "As the courier's invoices state it", style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
  ]);
  for (const { figure, label, name, style, look } of LINES) {
    const cells = currencies.map((currency): SheetCell => {
      const sums = totals.currencies.find((one) => one.currency === currency);
      const decimal = formatAmount(sums?.[figure] ?? new ExactDecimal(0));
      const cell = invoices.sum(figure, [{ column: 'currency', is: currency }], decimal, look);
      return { ...cell, name: `${currency}_${name}` };
    });
    page.add([{ value: label, style }, ...cells]);
  }
  const counts = `${totals.invoices.toLocaleString('en')} ${totals.invoices === 1 ? 'invoice' : 'invoices'} with ${totals.orders.toLocaleString('en')} ${totals.orders === 1 ? 'order' : 'orders'}. Currencies are never added up.`;
  page.paragraph([], counts, HINT);
  page.gap();
}
