import type { Settlements } from '../../src/checks/receipts/settlements.ts';
import {
  type InvoiceLine,
  type LedgerReader,
  type Mismatch,
  type MonthTotals,
  readInvoices,
  sqlMonthReceived,
} from '../../src/ledger/read/index.ts';
import type { RowSums } from '../../src/ledger/read/statement.ts';
import { ExactDecimal, formatAmount, parseAmount } from '../../src/money/index.ts';
import { lastDayOf } from '../../src/period.ts';
import { daysUntil } from '../days.ts';
import type { Column, Report, Row } from '../model.ts';
import { NOTHING_SETTLED, SETTLED_FIGURES, SETTLED_TITLES, settledAmounts } from '../settled.ts';
import { statusInWords } from '../status.ts';
import { CurrencySums } from '../sums.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './flags.ts';
import { keeps, kept, type Only } from './only.ts';

const FIGURES = ['cod', 'delivery_fee', 'net_due_to_merchant', ...SETTLED_FIGURES, 'rows_net', 'difference'] as const;
/** What the database sums too. */
const STATED = ['cod', 'delivery_fee', 'net_due_to_merchant', 'paid', 'unpaid'] as const;
const RECEIVED = ['received', 'differences'] as const;
const ZERO = new ExactDecimal(0);

/**
 * The Invoices sheet: a row an invoice and currency, what its header states beside what its rows come to. A currency that
 * only the rows know, or in which alone money came in, has a row too, with a header of nothing.
 *
 * @throws LedgerError when the invoices do not come to the database's own sums
 */
export async function invoiceTable(
  db: LedgerReader,
  month: string,
  {
    mismatches,
    control,
    rowSums,
    settlements,
    only = null,
  }: {
    readonly mismatches: readonly Mismatch[];
    /** The database's own sums, of the same currencies. */
    readonly control: MonthTotals;
    /** What each invoice's rows come to. */
    readonly rowSums: readonly RowSums[];
    readonly settlements: Settlements;
    readonly only?: Only;
  },
): Promise<Report> {
  const flags = new Flags(mismatches);
  const sums = new CurrencySums(...FIGURES);
  const checked = new CurrencySums(...STATED, ...RECEIVED, 'settled');
  const rows: Row[] = [];
  for (const { line, sum } of await linesWithSums(db, month, settlements, rowSums)) {
    if (!keeps(only, line.currency)) continue;
    const net = line.net_due_to_merchant;
    const own = settlements.of(line.number, line.currency);
    const settled = settledAmounts(own ?? NOTHING_SETTLED);
    const rowsNet = sum ? sum.cod.minus(sum.delivery_fee) : ZERO;
    const figures = {
      cod: line.cod,
      delivery_fee: line.delivery_fee,
      net_due_to_merchant: net,
      ...settled,
      rows_net: rowsNet,
      difference: net.minus(rowsNet),
    };
    sums.add(line.currency, figures);
    checked.add(line.currency, {
      ...figures,
      paid: line.status === 'PAID' ? net : ZERO,
      unpaid: line.status === 'PAID' ? ZERO : net,
      settled: SETTLED_FIGURES.reduce((total, figure) => total.plus(settled[figure]), ZERO),
    });
    rows.push({
      number: line.number,
      status: statusInWords(line.status),
      issued_at: line.issued_at,
      age: settled.outstanding.isZero() ? null : daysUntil(line.issued_at, lastDayOf(month)),
      orders: line.orders,
      currency: line.currency,
      ...Object.fromEntries(FIGURES.map((figure) => [figure, formatAmount(figures[figure])])),
      mismatches: flags.ofInvoice(line.number),
    });
  }
  const named = sums.rows().some(({ differences }) => !parseAmount(String(differences)).isZero());
  const net = control.currencies.map((one) => ({ currency: one.currency, settled: one.net_due_to_merchant }));
  assertControlTotal(month, STATED, checked.rows(), control);
  assertControlTotal(month, RECEIVED, checked.rows(), { currencies: kept(only, await sqlMonthReceived(db, month)) });
  assertControlTotal(month, ['settled'], checked.rows(), { currencies: net });
  return {
    report: 'invoices',
    title: 'Invoices',
    period: month,
    columns: [
      { name: 'number', title: 'Invoice', type: 'number' },
      { name: 'currency', title: 'Currency', type: 'text', key: true },
      { name: 'status', title: 'Status', type: 'text' },
      { name: 'issued_at', title: 'Issued', type: 'datetime' },
      { name: 'age', title: 'Days unpaid', type: 'days' },
      { name: 'orders', title: 'Orders', type: 'count' },
      { name: 'cod', title: 'COD', type: 'money' },
      { name: 'delivery_fee', title: 'Delivery fees', type: 'money' },
      { name: 'net_due_to_merchant', title: 'Net due', type: 'money' },
      ...SETTLED_FIGURES.filter((name) => name !== 'differences' || named).map(
        (name): Column => ({ name, title: SETTLED_TITLES[name], type: 'money' }),
      ),
      { name: 'rows_net', title: 'Net of its orders', type: 'money' },
      { name: 'difference', title: 'Difference', type: 'money' },
      { name: 'mismatches', title: 'Mismatches', type: 'count' },
    ],
    rows: named ? rows : rows.map(({ differences: _, ...row }) => row),
    totals: () => sums.rows(),
    notes: () => [],
  };
}

type Line = Omit<InvoiceLine, 'period'>;

async function linesWithSums(
  db: LedgerReader,
  month: string,
  { invoices }: Settlements,
  rowSums: readonly RowSums[],
): Promise<{ line: Line; sum: RowSums | undefined }[]> {
  const sums = new Map<number, Map<string, RowSums>>();
  for (const sum of rowSums) {
    const ofInvoice = sums.get(sum.invoice_number) ?? new Map<string, RowSums>();
    sums.set(sum.invoice_number, ofInvoice.set(sum.currency, sum));
  }
  const lines: { line: Line; sum: RowSums | undefined }[] = [];
  const left = new Map<number, Line>();
  for await (const line of readInvoices(db, [month])) {
    const ofInvoice = sums.get(line.number);
    const sum = line.currency === null ? undefined : ofInvoice?.get(line.currency);
    if (line.currency !== null) ofInvoice?.delete(line.currency);
    lines.push({ line, sum });
    left.set(line.number, line);
  }
  for (const [number, ofInvoice] of sums) {
    for (const [currency, sum] of ofInvoice) {
      const line = left.get(number)!;
      lines.push({ line: { ...line, currency, cod: ZERO, delivery_fee: ZERO, net_due_to_merchant: ZERO }, sum });
    }
  }
  const shown = new Set(lines.map(({ line }) => `${line.number} ${line.currency}`));
  for (const { number, currency } of invoices) {
    const line = left.get(number);
    if (!line || shown.has(`${number} ${currency}`)) continue;
    lines.push({
      line: { ...line, currency, cod: ZERO, delivery_fee: ZERO, net_due_to_merchant: ZERO },
      sum: undefined,
    });
  }
  // Where the rows alone name a currency, the line without one says nothing more.
  const named = new Set(lines.filter(({ line }) => line.currency !== null).map(({ line }) => line.number));
  return lines
    .filter(({ line }) => line.currency !== null || !named.has(line.number))
    .sort((a, b) => a.line.number - b.line.number || ((a.line.currency ?? '') < (b.line.currency ?? '') ? -1 : 1));
}
