import {
  type InvoiceLine,
  type LedgerReader,
  type Mismatch,
  type MonthTotals,
  readInvoices,
} from '../../src/ledger/read/index.ts';
import { type RowSums, readRowSums } from '../../src/ledger/read/statement.ts';
import { ExactDecimal, formatAmount } from '../../src/money/index.ts';
import { lastDayOf } from '../../src/period.ts';
import { daysUntil } from '../days.ts';
import type { Report, Row } from '../model.ts';
import { statusInWords } from '../status.ts';
import { CurrencySums } from '../sums.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './flags.ts';

const FIGURES = [
  'cod',
  'delivery_fee',
  'net_due_to_merchant',
  'paid',
  'outstanding',
  'rows_net',
  'difference',
] as const;
const ZERO = new ExactDecimal(0);

/**
 * The Invoices sheet: a row an invoice and currency, what its header states beside what its rows come to. A currency that
 * only the rows know has a row too, with a header of nothing.
 *
 * @throws LedgerError when the invoices do not come to the database's own sums
 */
export async function invoiceTable(
  db: LedgerReader,
  month: string,
  mismatches: readonly Mismatch[],
  control: MonthTotals,
): Promise<Report> {
  const flags = new Flags(mismatches);
  const sums = new CurrencySums(...FIGURES);
  const rows: Row[] = [];
  for (const { line, sum } of await linesWithSums(db, month)) {
    const net = line.net_due_to_merchant;
    const rowsNet = sum ? sum.cod.minus(sum.delivery_fee) : ZERO;
    const figures = {
      cod: line.cod,
      delivery_fee: line.delivery_fee,
      net_due_to_merchant: net,
      paid: line.status === 'PAID' ? net : ZERO,
      outstanding: line.status === 'PAID' ? ZERO : net,
      rows_net: rowsNet,
      difference: net.minus(rowsNet),
    };
    sums.add(line.currency, figures);
    rows.push({
      number: line.number,
      status: statusInWords(line.status),
      issued_at: line.issued_at,
      age: line.status === 'PAID' ? null : daysUntil(line.issued_at, lastDayOf(month)),
      orders: line.orders,
      currency: line.currency,
      ...Object.fromEntries(FIGURES.map((figure) => [figure, formatAmount(figures[figure])])),
      mismatches: flags.ofInvoice(line.number),
    });
  }
  assertControlTotal(
    month,
    ['cod', 'delivery_fee', 'net_due_to_merchant', 'paid', 'outstanding'],
    sums.rows(),
    control,
  );
  return {
    report: 'invoices',
    title: 'Invoices',
    period: month,
    columns: [
      { name: 'number', title: 'Invoice', type: 'number' },
      { name: 'status', title: 'Status', type: 'text' },
      { name: 'issued_at', title: 'Issued', type: 'datetime' },
      { name: 'age', title: 'Days unpaid', type: 'days' },
      { name: 'orders', title: 'Orders', type: 'count' },
      { name: 'currency', title: 'Currency', type: 'text' },
      { name: 'cod', title: 'COD', type: 'money' },
      { name: 'delivery_fee', title: 'Delivery fees', type: 'money' },
      { name: 'net_due_to_merchant', title: 'Net due', type: 'money' },
      { name: 'paid', title: 'Paid', type: 'money' },
      { name: 'outstanding', title: 'Outstanding', type: 'money' },
      { name: 'rows_net', title: 'Net of its orders', type: 'money' },
      { name: 'difference', title: 'Difference', type: 'money' },
      { name: 'mismatches', title: 'Mismatches', type: 'count' },
    ],
    rows,
    totals: () => sums.rows(),
    notes: () => [],
  };
}

type Line = Omit<InvoiceLine, 'period'>;

async function linesWithSums(db: LedgerReader, month: string): Promise<{ line: Line; sum: RowSums | undefined }[]> {
  const sums = new Map<number, Map<string, RowSums>>();
  for (const sum of await readRowSums(db, month)) {
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
  // Where the rows alone name a currency, the line without one says nothing more.
  const named = new Set(lines.filter(({ line }) => line.currency !== null).map(({ line }) => line.number));
  return lines
    .filter(({ line }) => line.currency !== null || !named.has(line.number))
    .sort((a, b) => a.line.number - b.line.number || ((a.line.currency ?? '') < (b.line.currency ?? '') ? -1 : 1));
}
