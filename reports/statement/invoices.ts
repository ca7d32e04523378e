import { ageOn, dayIn, inZone } from '../../src/base/day.ts';
import { lastDayOf } from '../../src/base/period.ts';
import { type Settlements, settledAmounts } from '../../src/checks/facts/receipts/settlements.ts';
import type { Returns } from '../../src/checks/facts/returns/convention.ts';
import type { Mismatch } from '../../src/ledger/queries/findings/mismatches.ts';
import { sqlMonthReceived } from '../../src/ledger/queries/invoices/control-totals.ts';
import { type InvoiceLine, readInvoices } from '../../src/ledger/queries/invoices/invoices.ts';
import type { MonthTotals, RowSums } from '../../src/ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../src/ledger/queries/snapshot.ts';
import { type ExactDecimal, formatAmount, parseAmount, ZERO } from '../../src/money/decimal.ts';
import { eachField, MONEY_FIELDS, SETTLED_FIGURES } from '../../src/money/fields.ts';
import { netUnits, STANDARD_SIGNS } from '../../src/money/returns.ts';
import { amountOfUnits } from '../../src/money/units.ts';
import { ColumnTotals, columnsOf, MONEY_COLUMNS, moneyColumns } from '../columns.ts';
import { isShown, keepCurrency, type OnlyCurrency } from '../filters.ts';
import { byNumberAndCurrency, NOTHING_STATED, readUnstatedLines } from '../invoices.ts';
import type { Report, Row } from '../model.ts';
import { assertControlTotal } from './control.ts';
import { Flags } from './mismatches.ts';

const FIGURES = [...MONEY_FIELDS, ...SETTLED_FIGURES, 'rows_net', 'difference'] as const;
/** The figures of the invoices' headers, which the database sums too. */
const STATED = [...MONEY_FIELDS, 'paid', 'unpaid'] as const;
/** The figures of receipts and agreed differences, which it sums too. */
const RECEIVED = ['received', 'differences'] as const;

/**
 * The Invoices sheet: one row per invoice and currency, with what its header states and the sums of its rows. A
 * currency that only rows or receipts have gets a row that states zeros, and so does a paid invoice that vanished.
 *
 * @throws LedgerError when the sums of the rows differ from the database's
 */
export async function invoiceTable(
  db: LedgerReader,
  month: string,
  request: {
    readonly mismatches: readonly Mismatch[];
    /** The database's sums, in the same currencies. */
    readonly control: MonthTotals;
    /** The sums of each live invoice's rows. */
    readonly rowSums: readonly RowSums[];
    readonly settlements: Settlements;
    readonly returns: Returns;
    readonly onlyCurrency?: OnlyCurrency;
  },
): Promise<Report> {
  const { mismatches, control, rowSums, settlements, returns, onlyCurrency = null } = request;
  const { timeZone } = settlements.books;
  const flags = new Flags(mismatches);
  const sums = new ColumnTotals(...FIGURES);
  const controlSums = new ColumnTotals(...STATED, ...RECEIVED, 'settled');
  const rows: Row[] = [];
  for (const { line, sum } of await linesWithSums(db, month, settlements, rowSums)) {
    if (!isShown(onlyCurrency, line.currency)) continue;
    const net = line.net_due_to_merchant;
    const settled = settledAmounts(settlements.of(line.number, line.currency));
    const codLessFee = sum ? sum.cod.minus(sum.delivery_fee) : ZERO;
    const rowsNet = codLessFee.plus(returnsBeyondCodLessFee(returns, line.number, line.currency));
    const figures = {
      ...eachField(MONEY_FIELDS, (field) => line[field]),
      ...settled,
      rows_net: rowsNet,
      difference: net.minus(rowsNet),
    };
    sums.add(line.currency, figures);
    controlSums.add(line.currency, {
      ...figures,
      paid: line.status === 'PAID' ? net : ZERO,
      unpaid: line.status === 'PAID' ? ZERO : net,
      // All parts of the net: received, agreed, paid and outstanding.
      settled: SETTLED_FIGURES.reduce((total, figure) => total.plus(settled[figure]), ZERO),
    });
    rows.push({
      number: line.number,
      status: line.status,
      issued_at: inZone(line.issued_at, timeZone),
      age: settled.outstanding.isZero() ? null : ageOn(dayIn(line.issued_at, timeZone), lastDayOf(month)),
      orders: line.orders,
      currency: line.currency,
      ...Object.fromEntries(FIGURES.map((figure) => [figure, formatAmount(figures[figure])])),
      mismatches: flags.ofInvoice(line.number),
    });
  }
  const hasDifferences = sums.rows().some(({ differences }) => !parseAmount(String(differences)).isZero());
  const nets = control.currencies.map((line) => ({ currency: line.currency, settled: line.net_due_to_merchant }));
  const monthReceived = keepCurrency(onlyCurrency, await sqlMonthReceived(db, month));
  assertControlTotal(month, STATED, controlSums.rows(), control);
  assertControlTotal(month, RECEIVED, controlSums.rows(), { currencies: monthReceived });
  // The parts must add up to the net due.
  assertControlTotal(month, ['settled'], controlSums.rows(), { currencies: nets });
  return {
    report: 'invoices',
    title: 'Invoices',
    period: month,
    columns: [
      ...columnsOf('number currency* status issued_at age orders'),
      ...MONEY_COLUMNS,
      ...moneyColumns(SETTLED_FIGURES.filter((name) => name !== 'differences' || hasDifferences)),
      ...columnsOf('rows_net difference mismatches'),
    ],
    rows: hasDifferences ? rows : rows.map(({ differences: _, ...row }) => row),
    totals: () => sums.rows(),
    notes: () => [],
  };
}

/** The invoices' lines by number and currency, each with the sums of its rows. */
async function linesWithSums(
  db: LedgerReader,
  month: string,
  settlements: Settlements,
  rowSums: readonly RowSums[],
): Promise<{ line: InvoiceLine; sum: RowSums | undefined }[]> {
  const keyOf = ({ number, currency }: Pick<InvoiceLine, 'number' | 'currency'>) => `${number} ${currency}`;
  const sums = new Map(rowSums.map((sum) => [keyOf(sum), sum]));
  const lines: { line: InvoiceLine; sum: RowSums | undefined }[] = [];
  // Any line of an invoice, for what all of its lines have.
  const anyLine = new Map<number, InvoiceLine>();
  for await (const line of readInvoices(db, [month])) {
    lines.push({ line, sum: sums.get(keyOf(line)) });
    sums.delete(keyOf(line));
    anyLine.set(line.number, line);
  }
  // The sums that are left are in currencies that no header states.
  for (const sum of sums.values()) {
    lines.push({ line: { ...anyLine.get(sum.number)!, currency: sum.currency, ...NOTHING_STATED }, sum });
  }
  const stated = lines.map(({ line }) => line);
  const unstated = await readUnstatedLines(db, [month], settlements, stated);
  lines.push(...unstated.map((line) => ({ line, sum: undefined })));
  // An invoice's line without a currency is left out if the invoice has one with a currency.
  const withCurrency = lines.filter(({ line }) => line.currency !== null);
  const numbersWithCurrency = new Set(withCurrency.map(({ line }) => line.number));
  return lines
    .filter(({ line }) => line.currency !== null || !numbersWithCurrency.has(line.number))
    .sort((a, b) => byNumberAndCurrency(a.line, b.line));
}

/**
 * What an invoice's RETURN rows are worth beyond their COD less fee; zero while nobody knows. If COD of 20 is deducted
 * and its fee of 3 does not count, a row is worth -20, where COD less fee is 17: -37.
 */
function returnsBeyondCodLessFee({ invoices, signs }: Returns, number: number, currency: string | null): ExactDecimal {
  const returned = invoices.get(number)?.lines.find((line) => line.currency === currency)?.returned;
  if (!returned || signs === null) return ZERO;
  return amountOfUnits(netUnits(returned, signs) - netUnits(returned, STANDARD_SIGNS));
}
