import { dayIn, inZone } from '../../src/base/day.ts';
import { lastDayOf } from '../../src/base/period.ts';
import type { Settlements } from '../../src/checks/facts/receipts/settlements.ts';
import type { Returns } from '../../src/checks/facts/returns/standing.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import { sqlMonthReceived } from '../../src/ledger/queries/invoices/control-totals.ts';
import { type InvoiceLine, readInvoices } from '../../src/ledger/queries/invoices/invoices.ts';
import type { MonthTotals, RowSums } from '../../src/ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { ExactDecimal, parseAmount } from '../../src/money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../../src/money/fields.ts';
import { formatAmount } from '../../src/money/format.ts';
import { STANDARD_WORTH, worthOf } from '../../src/money/returns.ts';
import { amountOfUnits } from '../../src/money/units.ts';
import { ageAt } from '../days.ts';
import { byNumberAndCurrency, NOTHING_STATED, readUnstatedLines } from '../invoices.ts';
import type { Column, Report, Row } from '../model.ts';
import { NOTHING_SETTLED, SETTLED_FIGURES, settledAmounts } from '../settlement-figures.ts';
import { ColumnTotals, MONEY_COLUMNS } from '../sums.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './flags.ts';
import { keeps, kept, type Only } from './only.ts';

const FIGURES = [...MONEY_FIELDS, ...SETTLED_FIGURES, 'rows_net', 'difference'] as const;
/** What the database sums too. */
const STATED = [...MONEY_FIELDS, 'paid', 'unpaid'] as const;
const RECEIVED = ['received', 'differences'] as const;
const ZERO = new ExactDecimal(0);

/**
 * The Invoices sheet: a row an invoice and currency, what its header states beside what its rows come to. A currency that
 * only the rows know, or in which alone money came in, has a row too, with a header of nothing; so has one that was paid and vanished.
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
    returns,
    only = null,
  }: {
    readonly mismatches: readonly Mismatch[];
    /** The database's own sums, of the same currencies. */
    readonly control: MonthTotals;
    /** What each invoice's rows come to. */
    readonly rowSums: readonly RowSums[];
    readonly settlements: Settlements;
    readonly returns: Returns;
    readonly only?: Only;
  },
): Promise<Report> {
  const ofReturns = returnsNet(returns);
  const flags = new Flags(mismatches);
  const sums = new ColumnTotals(...FIGURES);
  const checked = new ColumnTotals(...STATED, ...RECEIVED, 'settled');
  const rows: Row[] = [];
  for (const { line, sum } of await linesWithSums(db, month, settlements, rowSums)) {
    if (!keeps(only, line.currency)) continue;
    const net = line.net_due_to_merchant;
    const settled = settledAmounts(settlements.of(line.number, line.currency) ?? NOTHING_SETTLED);
    const codLessFee = sum ? sum.cod.minus(sum.delivery_fee) : ZERO;
    const rowsNet = codLessFee.plus(ofReturns(line.number, line.currency));
    const figures = {
      ...eachField(MONEY_FIELDS, (field) => line[field]),
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
      status: line.status,
      issued_at: inZone(line.issued_at, settlements.books.timeZone),
      age: settled.outstanding.isZero()
        ? null
        : ageAt(lastDayOf(month), dayIn(line.issued_at, settlements.books.timeZone)),
      orders: line.orders,
      currency: line.currency,
      ...Object.fromEntries(FIGURES.map((figure) => [figure, formatAmount(figures[figure])])),
      mismatches: flags.ofInvoice(line.number),
    });
  }
  const hasDifferences = sums.rows().some(({ differences }) => !parseAmount(String(differences)).isZero());
  const net = control.currencies.map((one) => ({ currency: one.currency, settled: one.net_due_to_merchant }));
  assertControlTotal(month, STATED, checked.rows(), control);
  assertControlTotal(month, RECEIVED, checked.rows(), { currencies: kept(only, await sqlMonthReceived(db, month)) });
  assertControlTotal(month, ['settled'], checked.rows(), { currencies: net });
  return {
    report: 'invoices',
    title: 'Invoices',
    period: month,
    columns: [
      { name: 'number', type: 'number' },
      { name: 'currency', type: 'text', key: true },
      { name: 'status', type: 'text' },
      { name: 'issued_at', type: 'datetime' },
      { name: 'age', type: 'days' },
      { name: 'orders', type: 'count' },
      ...MONEY_COLUMNS,
      ...SETTLED_FIGURES.filter((name) => name !== 'differences' || hasDifferences).map(
        (name): Column => ({ name, type: 'money' }),
      ),
      { name: 'rows_net', type: 'money' },
      { name: 'difference', type: 'money' },
      { name: 'mismatches', type: 'count' },
    ],
    rows: hasDifferences ? rows : rows.map(({ differences: _, ...row }) => row),
    totals: () => sums.rows(),
    notes: () => [],
  };
}

/** The invoices' lines, a currency each, each with what its rows come to; by number and currency. */
async function linesWithSums(
  db: LedgerReader,
  month: string,
  settlements: Settlements,
  rowSums: readonly RowSums[],
): Promise<{ line: InvoiceLine; sum: RowSums | undefined }[]> {
  const sums = new Map<number, Map<string, RowSums>>();
  for (const sum of rowSums) {
    const ofInvoice = sums.get(sum.number) ?? new Map<string, RowSums>();
    sums.set(sum.number, ofInvoice.set(sum.currency, sum));
  }
  const lines: { line: InvoiceLine; sum: RowSums | undefined }[] = [];
  const lineOf = new Map<number, InvoiceLine>();
  for await (const line of readInvoices(db, [month])) {
    const ofInvoice = sums.get(line.number);
    const sum = line.currency === null ? undefined : ofInvoice?.get(line.currency);
    if (line.currency !== null) ofInvoice?.delete(line.currency);
    lines.push({ line, sum });
    lineOf.set(line.number, line);
  }
  // What is left are the currencies that no header states.
  for (const [number, ofInvoice] of sums) {
    for (const [currency, sum] of ofInvoice) {
      const line = lineOf.get(number)!;
      lines.push({ line: { ...line, currency, ...NOTHING_STATED }, sum });
    }
  }
  const shownLines = lines.map(({ line }) => line);
  const unstated = await readUnstatedLines(db, [month], settlements, shownLines);
  lines.push(...unstated.map((line) => ({ line, sum: undefined })));
  // Where the rows alone name a currency, the line without one says nothing more.
  const named = new Set(lines.filter(({ line }) => line.currency !== null).map(({ line }) => line.number));
  return lines
    .filter(({ line }) => line.currency !== null || !named.has(line.number))
    .sort((a, b) => byNumberAndCurrency(a.line, b.line));
}

/** Gives a function that tells what an invoice's RETURN rows are worth beside their COD less fee, in one currency; nothing where nobody knows. */
function returnsNet({ invoices, worth }: Returns): (number: number, currency: string | null) => ExactDecimal {
  return (number, currency) => {
    const returned = invoices.get(number)?.lines.find((line) => line.currency === currency)?.returned;
    if (!returned || worth === null) return ZERO;
    return amountOfUnits(worthOf(returned, worth) - worthOf(returned, STANDARD_WORTH));
  };
}
