import type { Sentence } from '../../../src/base/sentence.ts';
import { settledAmounts } from '../../../src/checks/facts/receipts/settlements.ts';
import { type ExactDecimal, ZERO } from '../../../src/money/decimal.ts';
import { netBeyondCodLessFee } from '../../columns.ts';
import { basisNotes } from '../../notes.ts';
import { type GridRow, hint, type Live, note, type Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { figureGrid, outstandingLabel } from './figures.ts';

/**
 * The lines of the section, and the ending of each figure's name in a workbook. `otherwise` is what a header's net has
 * beyond its COD less its fee. What `outstanding` is called depends on the statement.
 */
const LINES: Readonly<Record<string, { label?: Sentence; name: string; look?: GridRow['look'] }>> = {
  cod: { label: { id: 'statement/cod' }, name: 'COD' },
  delivery_fee: { label: { id: 'statement/delivery-fees' }, name: 'DELIVERY_FEES' },
  otherwise: { label: { id: 'statement/net-otherwise' }, name: 'NET_OTHERWISE' },
  net_due_to_merchant: { label: { id: 'statement/net-due' }, name: 'NET_DUE', look: 'sum' },
  received: { label: { id: 'statement/of-which-received' }, name: 'RECEIVED', look: 'step' },
  differences: { label: { id: 'statement/of-which-differences' }, name: 'DIFFERENCES', look: 'step' },
  paid_on_word: { label: { id: 'statement/of-which-paid' }, name: 'PAID', look: 'step' },
  outstanding: { name: 'OUTSTANDING', look: 'step' },
};
/** Left out if no currency has them. */
const OPTIONAL: readonly string[] = ['otherwise', 'differences'];

/** What the courier's invoices of the month state, and how much of it was settled. */
export function dueSection(statement: Statement, currencies: readonly string[]): Section {
  const { totals, settled, movedSinceClose } = statement;
  const title = { id: movedSinceClose ? 'statement/due-at-close' : 'statement/due' };
  if (currencies.length === 0) return { title, parts: [note({ id: 'statement/no-invoice' })] };
  const figures = new Map(currencies.map((currency) => [currency, figuresOf({ totals, settled }, currency)]));
  const lines = Object.keys(LINES)
    .map((figure) => {
      const amounts = new Map([...figures].map(([currency, ofCurrency]) => [currency, ofCurrency[figure]!]));
      return { figure, count: null, amounts };
    })
    .filter(({ figure, amounts }) => !OPTIONAL.includes(figure) || hasAmount([...amounts.values()]));
  const grid = figureGrid({ id: 'statement/as-invoices-state' }, currencies, lines, ({ figure }) => {
    const { label = outstandingLabel(statement), name, look } = LINES[figure]!;
    const liveOf = (currency: string): Live => {
      if (figure !== 'otherwise') {
        return { of: 'invoices', sum: [figure], where: [{ column: 'currency', is: currency }] };
      }
      const { cod, delivery_fee, net_due_to_merchant } = figures.get(currency)!;
      const formula = `${currency}_NET_DUE-${currency}_COD+${currency}_DELIVERY_FEES`;
      return { formula, amounts: [cod!, delivery_fee!, net_due_to_merchant!] };
    };
    return {
      label,
      ...(look ? { look } : {}),
      cell: (currency) => ({ live: liveOf(currency), name: `${currency}_${name}` }),
    };
  });
  const bases = currencies.flatMap((currency) => settled.get(currency)?.basis ?? []);
  const { invoices, orders } = totals;
  return { title, parts: [grid, hint({ id: 'statement/counts', invoices, orders }), ...basisNotes(bases).map(hint)] };
}

const hasAmount = (amounts: readonly ExactDecimal[]) => amounts.some((amount) => !amount.isZero());

function figuresOf(
  { totals, settled }: Pick<Statement, 'totals' | 'settled'>,
  currency: string,
): Readonly<Record<string, ExactDecimal>> {
  const header = totals.currencies.find((line) => line.currency === currency);
  const { cod = ZERO, delivery_fee = ZERO, net_due_to_merchant = ZERO } = header ?? {};
  const stated = { cod, delivery_fee, net_due_to_merchant };
  return {
    ...stated,
    otherwise: netBeyondCodLessFee(stated),
    ...settledAmounts(settled.get(currency)),
  };
}
