import type { Statement } from '../../../reports/statement/index.ts';
import { ExactDecimal, formatAmount } from '../../money/index.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import type { SheetCell, Style } from '../workbook/model.ts';
import {
  AMOUNT,
  BAD_FIGURE,
  GOOD_FIGURE,
  HEAD,
  HEAD_RIGHT,
  HINT,
  LINE,
  SECTION,
  SUBTOTAL,
  SUBTOTAL_AMOUNT,
  TOTAL,
  TOTAL_AMOUNT,
} from './looks.ts';
import type { Page } from './page.ts';

/** The proof, per currency: the courier's figure against ours, and how much of the difference the mismatches name. */
export function addProof(page: Page, statement: Statement, currencies: readonly string[]): void {
  page.band('Proof', SECTION, 20);
  page.add([
    { value: 'What is due, reckoned twice', style: HEAD },
    ...currencies.map((currency) => ({ value: currency, style: HEAD_RIGHT })),
  ]);
  const columns = currencies.map((currency) => proofCells(statement, currency));
  const line = (label: string, style: Style, cell: keyof ProofCells) =>
    page.add([{ value: label, style }, ...columns.map((cells) => cells[cell])]);
  line("Courier's figure: the net of its invoices", LINE, 'courier');
  line('Our figure: COD less fee, order by order', LINE, 'ours');
  line("Difference: courier's less ours", SUBTOTAL, 'difference');
  line('Explained by mismatches', LINE, 'explained');
  line('Unexplained', TOTAL, 'unexplained');
  if (currencies.length > 0) {
    page.condition(1, currencies.length, '<>0', BAD_FIGURE);
    page.condition(1, currencies.length, '=0', GOOD_FIGURE);
  }
  page.paragraph(
    [],
    "Our figure takes each order's own record where the order book was synced in full, and the invoice's row where it was not. About defines every figure.",
    HINT,
  );
  page.gap();
}

type ProofCells = Readonly<Record<'courier' | 'ours' | 'difference' | 'explained' | 'unexplained', SheetCell>>;

function proofCells({ proof }: Statement, currency: string): ProofCells {
  const zero = new ExactDecimal(0);
  const figures = proof.find((line) => line.currency === currency);
  const text = (figure: keyof ProofCells) => formatAmount(figures?.[figure] ?? zero);
  const name = (figure: keyof ProofCells) => `${currency}_${figure.toUpperCase()}`;
  const [courier, ours, explained] = [text('courier'), text('ours'), text('explained')];
  const difference = text('difference');
  // Without any record of ours there is nothing to prove, which is not the same as nothing left over.
  const none: SheetCell = { value: 'no own record', style: HEAD_RIGHT };
  if (figures?.ours === null) {
    return {
      courier: derivedCell(courier, [], `${currency}_NET_DUE`, AMOUNT),
      ours: none,
      difference: none,
      explained: amountCell(explained, AMOUNT),
      unexplained: none,
    };
  }
  const cells: ProofCells = {
    courier: derivedCell(courier, [], `${currency}_NET_DUE`, AMOUNT),
    ours: amountCell(ours, AMOUNT),
    difference: derivedCell(difference, [courier, ours], `${name('courier')}-${name('ours')}`, SUBTOTAL_AMOUNT),
    explained: amountCell(explained, AMOUNT),
    unexplained: derivedCell(
      text('unexplained'),
      [difference, explained],
      `${name('difference')}-${name('explained')}`,
      TOTAL_AMOUNT,
    ),
  };
  const named = Object.entries(cells).map(([figure, cell]) => [
    figure,
    { ...cell, name: name(figure as keyof ProofCells) },
  ]);
  return Object.fromEntries(named);
}
