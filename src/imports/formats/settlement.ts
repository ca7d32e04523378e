import type { ReturnsConvention } from '../../base/returns.ts';
import { quoted } from '../../base/text.ts';
import { netOfRow, returnSigns } from '../../money/returns.ts';
import { MAX_UNITS, parseUnits, sizeOf, type Units } from '../../money/units.ts';
import { recordsError } from '../../words/errors/records.ts';
import type { ColumnMap, Format } from '../maps/column-map.ts';
import { dateColumns, dayAt, measureAt, requireValue } from './columns.ts';
import { FileFault } from './fault.ts';
import type { SkippedLine } from './receipts-file.ts';
import {
  amountReader,
  hasNoFigure,
  requireAmounts,
  type SettlementColumns,
  settlementColumnsOf,
  statusAt,
  wordsAt,
  workflowAt,
} from './settlement-columns.ts';
import type { SettledAmount, SettledRow, Settlement, SettlementFile, StatedAmounts } from './settlement-file.ts';
import { findTotalsLabel, type RowOfPayout, type TotalsRow, totalsOf } from './settlement-totals.ts';
import { notAMovement, type Table, type TableRow, tableNotes, textOf, totalOrRemark, wordsOnly } from './table.ts';

/** A row with its payout's number, and what it says of the payout. */
interface DatedRow extends RowOfPayout {
  readonly issued_on: string | null;
  readonly status: string | null;
}

/**
 * Reads a courier's settlement sheet by a map: each row is an order, or an order in one currency. Rows of one payout
 * number must agree on its date and status. Totals that the map does not name, and rows with neither an order nor an
 * amount, are skipped and counted.
 *
 * @throws FileFault naming row and column
 */
export function readSettlement(table: Table, map: ColumnMap<string>, format: Format): SettlementFile {
  const columns = settlementColumnsOf(table, map);
  const { rows, totals, skipped } = sortRows(table, columns, map.totals_row ?? null);
  if (rows.length === 0) throw new FileFault(recordsError({ id: 'no-order-rows' }));
  const readDate = dateColumns(rows, [columns.issued_on, columns.delivered_on], map);
  const readAmounts = amountReader([...rows, ...totals.map(({ row }) => row)], columns, map);
  const payoutRows = rows.map((row): DatedRow => {
    const order = wordsAt(row, columns.order);
    const reference = wordsAt(row, columns.reference);
    if (order === null && reference === null) requireValue(row, columns.order ?? columns.reference, 'order');
    requireValue(row, columns.invoice, 'payout number');
    requireAmounts(row, columns);
    const amounts = readAmounts(row).map(({ cod, ...amount }): SettledAmount => ({ ...amount, cod: cod ?? '0.00' }));
    return {
      invoice: wordsAt(row, columns.invoice)!,
      issued_on: dayAt(row, columns.issued_on, readDate),
      status: statusAt(row, columns.status),
      row: {
        line: row.line,
        order,
        reference,
        workflow: workflowAt(row, columns.workflow),
        delivered_on: dayAt(row, columns.delivered_on, readDate),
        weight: measureAt(row, columns.weight, 'kg'),
        amounts,
      },
    };
  });
  const totalsByPayout = totalsOf(
    payoutRows,
    totals.map(({ row, currency }): TotalsRow => {
      const fallbackCurrency = currency ?? onlyCurrency(payoutRows);
      const invoice = wordsAt(row, columns.invoice);
      // Any other words in that column, such as the label itself, name no payout.
      const isPayout = payoutRows.some((order) => order.invoice === invoice);
      const amounts = readAmounts(row, { fallbackCurrency });
      // The zeros that `readAmounts` leaves out may be totals here: `totalsOf` decides.
      const isLeftOut = (zero: StatedAmounts) => amounts.every((amount) => amount.currency !== zero.currency);
      const zeros = readAmounts(row, { fallbackCurrency, withZeros: true }).filter(isLeftOut);
      return { line: row.line, invoice: isPayout ? invoice : null, amounts, zeros };
    }),
  );
  const payouts = payoutsOf(payoutRows, columns);
  const settlements = payouts.map((payout) => ({ ...payout, totals: totalsByPayout.get(payout.invoice) ?? [] }));
  for (const settlement of settlements) requireSums(settlement);
  const { name, returns = 'as-stated' } = map;
  const notes = [...tableNotes(table), ...netNotes(settlements, returns)];
  return { format, map: name, returns, settlements, skipped, notes };
}

/** Sorts a sheet's rows into those of orders, the totals that the map names, and those that are skipped. */
function sortRows(table: Table, columns: SettlementColumns, totalsLabel: string | null) {
  const rows: TableRow[] = [];
  /** With the currency that the label names, such as `Total USD`. */
  const totals: { readonly row: TableRow; readonly currency: string | null }[] = [];
  const skipped: SkippedLine[] = [...table.skipped];
  const labelIn = (cells: readonly string[]) => (totalsLabel === null ? null : findTotalsLabel(cells, totalsLabel));
  for (const row of table.rows) {
    const cells = row.cells.map(textOf);
    if (cells.every((cell, i) => cell.trim() === table.headers[i])) {
      skipped.push({ line: row.line, why: 'no order: the header again' });
      continue;
    }
    const label = labelIn(cells);
    const remark = totalOrRemark(cells);
    // A remark or the label of totals may be in the column of orders.
    const namesOrder = [columns.order, columns.reference].some((column) => {
      const text = column === null ? '' : cells[column.index]!.trim();
      return text !== '' && text !== remark && labelIn([text]) === null;
    });
    const isBelowTotals = totals.length > 0 && !isOfPayout(row, rows, columns);
    const words = isBelowTotals ? wordsOnly(cells) : null;
    if (!namesOrder && label !== null) totals.push({ row, currency: label.currency });
    // Below the totals, a row without a digit is no order, even if the words are in the column of orders: a line to
    // sign on, or a greeting.
    else if (words !== null) skipped.push({ line: row.line, why: `no order: ${quoted(words)}` });
    else if (!namesOrder && remark !== null) skipped.push(notAMovement(row.line, remark));
    else if (!namesOrder && hasNoFigure(row, columns))
      skipped.push({ line: row.line, why: 'neither an order nor an amount' });
    // A row with an amount and no order is kept, so that reading it throws the fault.
    else rows.push(row);
  }
  return { rows, totals, skipped: skipped.sort((a, b) => a.line - b.line) };
}

function isOfPayout(row: TableRow, above: readonly TableRow[], { invoice }: SettlementColumns): boolean {
  const payout = wordsAt(row, invoice);
  return payout !== null && above.some((rowAbove) => wordsAt(rowAbove, invoice) === payout);
}

/** The currency of all rows; null if they have several. */
function onlyCurrency(rows: readonly RowOfPayout[]): string | null {
  const currencies = new Set(rows.flatMap(({ row }) => row.amounts.map(({ currency }) => currency)));
  const [only = null] = currencies;
  return currencies.size === 1 ? only : null;
}

/** Groups the rows by payout. @throws FileFault for a payout of two dates or statuses, or without a date */
function payoutsOf(rows: readonly DatedRow[], columns: SettlementColumns): Omit<Settlement, 'totals'>[] {
  const payouts = new Map<string, { issued_on: string | null; status: string | null; rows: SettledRow[] }>();
  for (const { invoice, issued_on, status, row } of rows) {
    const payout = payouts.get(invoice);
    if (payout === undefined) {
      payouts.set(invoice, { issued_on, status, rows: [row] });
      continue;
    }
    requireSame('date', payout.issued_on, issued_on, { line: row.line, column: columns.issued_on?.header });
    requireSame('status', payout.status, status, { line: row.line, column: columns.status?.header });
    payout.issued_on ??= issued_on;
    payout.status ??= status;
    payout.rows.push(row);
  }
  return [...payouts].map(([invoice, { issued_on, ...payout }]) => {
    if (issued_on !== null) return { invoice, issued_on, ...payout };
    const place = { line: payout.rows[0]!.line, column: columns.issued_on?.header };
    throw new FileFault(recordsError({ id: 'payout-without-date', payout: invoice }), place);
  });
}

function requireSame(
  what: 'date' | 'status',
  first: string | null,
  second: string | null,
  place: { readonly line: number; readonly column: string | undefined },
): void {
  if (first === null || second === null || first === second) return;
  throw new FileFault(recordsError({ id: 'payout-differs', what, second, first }), place);
}

/** @throws FileFault for a payout whose amounts, each without its sign, add up to more than the ledger's range */
function requireSums({ invoice, rows, totals }: Settlement): void {
  const sums = new Map<string, bigint>();
  const stated = totals.map((total) => ({ line: total.line, amounts: [total] }));
  for (const { line, amounts } of [...rows, ...stated]) {
    for (const { currency, cod, charges, taxes, net } of amounts) {
      const units = [cod ?? '0', net ?? '0', ...Object.values(charges), ...Object.values(taxes)].map(parseUnits);
      const sum = units.reduce((total, amount) => total + sizeOf(amount), sums.get(currency) ?? 0n);
      if (sum > MAX_UNITS) {
        throw new FileFault(recordsError({ id: 'payout-beyond-range', payout: invoice, currency }), { line });
      }
      sums.set(currency, sum);
    }
  }
}

/** Notes for a person: rows whose stated net is not the COD less charges and taxes. */
function netNotes(settlements: readonly Settlement[], returns: ReturnsConvention): string[] {
  const isWrong = ({ workflow, amounts }: SettledRow) =>
    amounts.some((amount) => amount.net !== null && netOf({ ...amount, workflow }, returns) !== parseUnits(amount.net));
  const lines = settlements.flatMap(({ rows }) => rows.filter(isWrong));
  if (lines.length === 0) return [];
  const firstLines = lines.slice(0, 10).map(({ line }) => line);
  const more = lines.length > firstLines.length ? ` and ${lines.length - firstLines.length} more` : '';
  return [`the net is not the COD less charges and taxes on line ${firstLines.join(', ')}${more}`];
}

/** The net of a row by the convention of returns: taxes are kept back as charges are. */
export function netOf(
  { workflow, cod, charges, taxes }: SettledAmount & Pick<SettledRow, 'workflow'>,
  returns: ReturnsConvention,
): Units | null {
  const kept = [...Object.values(charges), ...Object.values(taxes)];
  const delivery_fee = kept.reduce((sum, amount) => sum + parseUnits(amount), 0n);
  return netOfRow({ workflow, cod: parseUnits(cod), delivery_fee }, returnSigns(returns));
}
