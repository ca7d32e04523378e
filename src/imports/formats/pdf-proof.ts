/**
 * Proves that a PDF's table was read rightly, by the balances and sums that the file states. `movements` are the line
 * numbers of the rows that move money: a bank's lines, or a courier's orders.
 */
import { RETURNS_CONVENTIONS } from '../../base/returns.ts';
import { type ExactDecimal, formatGrouped, formatMoney, parseAmount, ZERO } from '../../money/decimal.ts';
import { amountOfUnits, parseUnits, type Units } from '../../money/units.ts';
import { pdfError } from '../../words/errors/pdf.ts';
import { amountKey } from '../maps/settlement-map.ts';
import { isBlankAmount } from './amount-text.ts';
import { amountColumns, type FileColumn, findColumn, textValue, valueAt } from './columns.ts';
import { FileFault } from './fault.ts';
import type { PdfReading } from './pdf-table.ts';
import type { ReceiptsFile, StatementOfAccount } from './receipts-file.ts';
import { netOf } from './settlement.ts';
import type { SettlementFile, StatedAmounts } from './settlement-file.ts';
import { type TableRow, textOf } from './table.ts';
import { asciiFigure } from './text-forms.ts';

/** A balance, total or net does not prove what was read. */
export class UnprovenFault extends FileFault {}

/**
 * Proves that the lines of a bank's PDF were read rightly: by a running balance, by an opening and a closing balance,
 * or by totals. Whatever of these the file states must hold.
 *
 * @throws UnprovenFault that names the balance or total that does not hold, and by how much
 */
export function proveReceipts(reading: PdfReading, file: ReceiptsFile): void {
  const { statements } = file;
  const movements = new Set(statements.flatMap(({ lines }) => lines.map(({ line }) => line)));
  const totals = proveTotals(reading, movements);
  // A row that only states a balance names no account: it counts for the only statement.
  const chained = statements.map((statement) => {
    return proveChain(statement, statements.length === 1 ? balanceRowsOf(reading, movements) : [], reading);
  });
  if (chained.every((isProven) => isProven)) return;
  // Without enough balances, each column that has amounts needs a total.
  const { debit, credit, amount } = reading.map.columns;
  const needed = debit !== undefined && credit !== undefined ? [debit, credit] : [amount!];
  const isTotalled = needed.every((header) => totals.has(header) || !hasAmount(reading, movements, header));
  if (statements.length === 1 && isTotalled) return;
  throw new UnprovenFault(pdfError({ id: 'pdf-unproven' }));
}

/** A row of the running balance: a movement, or a row that only states a balance, whose amount is zero. */
interface Step {
  readonly line: number;
  readonly amount: ExactDecimal;
  readonly balance: ExactDecimal | null;
}

/** The rows that state a balance and are no movements. */
function balanceRowsOf({ table, map }: PdfReading, movements: ReadonlySet<number>): Step[] {
  const header =
    map.columns.balance ??
    table.headers.find((text) => /^((running|account|book) )?balance$|^(ال)?رصيد$|^(solde|saldo)$/i.test(text.trim()));
  if (header === undefined) return [];
  const column = findColumn(table.headers, header)!;
  const rows = table.rows.filter((row) => !isBlankAmount(valueAt(row, column).text));
  const read = amountColumns(rows, [column], map);
  return rows
    .filter(({ line }) => !movements.has(line))
    .map((row) => ({ line: row.line, amount: ZERO, balance: parseAmount(read(valueAt(row, column)).amount) }));
}

/**
 * Follows the balances from line to line, in whichever order the bank lists them.
 *
 * @returns true if they prove every line, false if too few are stated
 * @throws UnprovenFault at the first line whose balance does not follow
 */
function proveChain({ lines, currency }: StatementOfAccount, balanceRows: readonly Step[], reading: PdfReading) {
  const movements = lines.map(({ line, amount, balance }): Step => {
    return { line, amount: parseAmount(amount), balance: balance == null ? null : parseAmount(balance) };
  });
  const steps = [...movements, ...balanceRows].sort((a, b) => a.line - b.line);
  const balanceCount = steps.filter(({ balance }) => balance !== null).length;
  if (balanceCount < 2) return false;
  const days = lines.map(({ date }) => date);
  const isNewestFirst = days[0]! > days.at(-1)!;
  const oldestFirst = isNewestFirst ? steps.toReversed() : steps;
  // A file of a single day does not show its direction by its days: the other direction is tried too.
  const expected = firstBreak(oldestFirst);
  const reversed = expected && firstBreak(oldestFirst.toReversed());
  if (expected && reversed) {
    // The bank meant the direction in which more balances hold.
    throw breakFault(reversed.heldBefore > expected.heldBefore ? reversed : expected, currency, reading);
  }
  const chain = expected ? oldestFirst.toReversed() : oldestFirst;
  // The first balance proves no movement up to it, because no balance comes before: one is taken on trust.
  const firstBalance = chain.findIndex(({ balance }) => balance !== null);
  const onTrust = chain.slice(0, firstBalance + 1).filter(({ amount }) => !amount.isZero());
  return onTrust.length <= 1 && chain.at(-1)!.balance !== null;
}

/** The first row whose balance is not the one before it plus the amounts since. */
interface Break {
  readonly step: Step;
  /** The balance that it would have to state. */
  readonly due: ExactDecimal;
  /** How many balances held before it. */
  readonly heldBefore: number;
}

function firstBreak(steps: readonly Step[]): Break | null {
  let balance = null as ExactDecimal | null;
  let heldBefore = 0;
  for (const step of steps) {
    const due: ExactDecimal | null = balance?.plus(step.amount) ?? null;
    if (due !== null && step.balance !== null && !due.equals(step.balance)) return { step, due, heldBefore };
    if (step.balance !== null) heldBefore += 1;
    balance = step.balance ?? due;
  }
  return null;
}

function breakFault({ step: { line, balance }, due }: Break, currency: string, reading: PdfReading): UnprovenFault {
  const figures = sayFigures(currency, due, balance!);
  return new UnprovenFault(pdfError({ id: 'pdf-balance-breaks', ...placeOf(reading, line), ...figures }), { line });
}

/** For a message: what a page would have to state, what it states, and how far apart the two are. */
function sayFigures(currency: string, due: ExactDecimal, stated: ExactDecimal) {
  const say = (amount: ExactDecimal) => formatMoney({ currency, amount });
  return { due: say(due), stated: say(stated), apart: say(stated.minus(due).abs()) };
}

/** The page of a row, and its text as one reads it. */
function placeOf({ table, pageOf }: PdfReading, line: number): { page: number; row: string } {
  const row = table.rows.find((candidate) => candidate.line === line);
  const texts = (row?.cells ?? []).map(textOf).filter((cell) => cell !== '');
  // Arabic tables have their first column at the right.
  const isRightToLeft = texts.some((cell) => /\p{Script=Arabic}{2}/u.test(cell.replace(/\p{N}/gu, '')));
  return { page: pageOf.get(line) ?? 1, row: (isRightToLeft ? texts.toReversed() : texts).join(' ') };
}

/** The headers of the columns in which rows move money. */
function amountHeaders({ map }: PdfReading): string[] {
  const fields = Object.keys(map.columns).filter((field) => {
    return map.kind === 'settlement' ? amountKey(field) !== null : ['amount', 'debit', 'credit'].includes(field);
  });
  return fields.map((field) => map.columns[field]!);
}

/** A movement has an amount other than zero in the column. */
function hasAmount({ table }: PdfReading, movements: ReadonlySet<number>, header: string): boolean {
  const column = findColumn(table.headers, header);
  return table.rows.some((row) => movements.has(row.line) && /[1-9]/.test(asciiFigure(valueAt(row, column).text)));
}

const TOTAL = /total|مجموع|[إا]جمالي|forward|منقول|ما بعده|ما قبله/i;

/**
 * Proves the totals of all columns. A total may add up all rows above it, those of its page, those since the total
 * before, or those of the pages before.
 *
 * @returns the headers of the columns that have a total of all rows
 * @throws UnprovenFault for a total that is none of these sums
 */
function proveTotals(reading: PdfReading, movements: ReadonlySet<number>): Set<string> {
  const { table, pageTotals } = reading;
  const isTotal = ({ cells }: TableRow) => cells.map(textOf).some((cell) => TOTAL.test(cell));
  const inTable = table.rows.filter((row) => !movements.has(row.line) && isTotal(row));
  const totals = [...inTable, ...pageTotals].sort((a, b) => a.line - b.line);
  if (totals.length === 0) return new Set();
  const rows = table.rows.filter(({ line }) => movements.has(line));
  return new Set(amountHeaders(reading).filter((header) => proveColumn(reading, header, rows, totals)));
}

/**
 * Compares each total of one column with the rows above it.
 *
 * @returns true if it has a total of all rows, or one of all debits and one of all credits
 */
function proveColumn(reading: PdfReading, header: string, rows: readonly TableRow[], totals: readonly TableRow[]) {
  const { table, map, pageOf } = reading;
  const column = findColumn(table.headers, header);
  if (column === null) return false;
  const read = amountColumns([...rows, ...totals], [column], map);
  const figure = (row: TableRow): ExactDecimal | null => {
    const value = valueAt(row, column);
    return isBlankAmount(value.text) ? null : parseAmount(read(value).amount);
  };
  /** The line of the last total, by currency. */
  const lastTotal = new Map<string, number>();
  const provenSides = new Set<'debits' | 'credits' | 'both'>();
  for (const total of totals) {
    const stated = figure(total);
    if (stated === null) continue;
    const label = total.cells.map(textOf).find((cell) => /\p{L}{3,}/u.test(cell)) ?? '';
    const currency = currencyOfTotal(total, reading, label);
    const rowsAbove = rowsIn(rows, currency, reading).filter(({ line }) => line < total.line);
    // One column of signed amounts may have a total of its debits, and one of its credits.
    const side = map.columns.amount === undefined ? null : sideOf(label);
    const isOnSide = (amount: ExactDecimal) => side === null || (side === 'debits') === amount.isNegative();
    const sumOfRows = (addends: readonly TableRow[]) => {
      const figures = addends.map(figure).filter((amount) => amount !== null);
      return figures.filter(isOnSide).reduce((sum, amount) => sum.plus(amount), ZERO);
    };
    // A bank may state debits without their minus.
    const isStated = (sum: ExactDecimal) => sum.equals(stated) || sum.negated().equals(stated);
    const sumAbove = sumOfRows(rowsAbove);
    const lineBefore = lastTotal.get(currency ?? '') ?? 0;
    const onPage = rowsAbove.filter(({ line }) => pageOf.get(line) === pageOf.get(total.line));
    const sinceTotalBefore = rowsAbove.filter(({ line }) => line > lineBefore);
    // A page brings forward the sum of the pages before it, above its rows.
    const onPagesBefore = rowsAbove.filter(({ line }) => (pageOf.get(line) ?? 0) < (pageOf.get(total.line) ?? 0));
    const sums = [sumAbove, ...[onPage, sinceTotalBefore, onPagesBefore].map(sumOfRows)];
    if (!sums.some(isStated)) throw totalFault(reading, total, column, stated, sumAbove);
    lastTotal.set(currency ?? '', total.line);
    if (rowsAbove.length === rows.length && isStated(sumAbove)) provenSides.add(side ?? 'both');
  }
  return provenSides.has('both') || (provenSides.has('debits') && provenSides.has('credits'));
}

function currencyColumn({ table, map }: PdfReading): FileColumn | null {
  return map.columns.currency === undefined ? null : findColumn(table.headers, map.columns.currency);
}

/** The currency that a total names; null if it names none, or all rows have the same. */
function currencyOfTotal(total: TableRow, reading: PdfReading, label: string): string | null {
  const column = currencyColumn(reading);
  if (column === null) return null;
  return textValue(total, column) ?? /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/.exec(label)?.[0] ?? null;
}

function rowsIn(rows: readonly TableRow[], currency: string | null, reading: PdfReading): readonly TableRow[] {
  return currency === null ? rows : rows.filter((row) => textValue(row, currencyColumn(reading)) === currency);
}

/** The movements that a total's label names; null if it names neither. */
function sideOf(label: string): 'debits' | 'credits' | null {
  if (/debit|withdraw|paid out|money out|مدين|سحب/i.test(label)) return 'debits';
  return /credit|deposit|paid in|money in|دائن|[إا]يداع/i.test(label) ? 'credits' : null;
}

function totalFault(reading: PdfReading, total: TableRow, column: FileColumn, stated: ExactDecimal, sum: ExactDecimal) {
  const pageTotal = reading.pageTotals.find(({ line }) => line === total.line);
  const row = pageTotal ? pageTotal.cells.filter((cell) => cell !== '').join(' ') : placeOf(reading, total.line).row;
  const page = reading.pageOf.get(total.line) ?? 1;
  const apart = formatGrouped(stated.minus(sum).abs());
  const figures = { stated: formatGrouped(stated), sum: formatGrouped(sum), apart };
  const place = { line: total.line, column: column.header };
  return new UnprovenFault(pdfError({ id: 'pdf-total-differs', page, row, ...figures }), place);
}

/**
 * Proves that the payouts of a courier's PDF were read rightly: by the sheet's totals, and each row by its net, if it
 * has one.
 *
 * @throws UnprovenFault that names the total or net that does not hold, and by how much
 */
export function proveSettlement(reading: PdfReading, file: SettlementFile): void {
  const allRows = file.settlements.flatMap(({ rows }) => rows);
  proveTotals(reading, new Set(allRows.map(({ line }) => line)));
  const hasNets = proveNets(reading, file);
  for (const { invoice: payout, rows, totals } of file.settlements) {
    const currencies = new Set(rows.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)));
    for (const currency of currencies) {
      const amounts = rows.flatMap((row) => row.amounts.filter((amount) => amount.currency === currency));
      const total = totals.find((candidate) => candidate.currency === currency);
      if (total === undefined) throw new UnprovenFault(pdfError({ id: 'pdf-payout-unproven', payout, currency }));
      const { line } = total;
      const totalFigures = figuresOf(total);
      const rowFigures = amounts.map(figuresOf);
      for (const [field, stated] of totalFigures) {
        const sum = rowFigures.reduce((all, figures) => all + (figures.get(field) ?? 0n), 0n);
        if (sum !== stated) throw payoutFault(reading, line, { payout, currency, field: nameOf(field) }, stated, sum);
      }
      const filled = rowFigures.flatMap((figures) => [...figures].filter(([, units]) => units !== 0n));
      const fields = new Set(filled.map(([field]) => field));
      const unproven = [...fields].filter((field) => !totalFigures.has(field));
      // If each row's net holds, one column may lack a total: it follows from the others.
      if (unproven.length > (hasNets ? 1 : 0)) {
        const columns = unproven.map(nameOf);
        throw new UnprovenFault(pdfError({ id: 'pdf-columns-unproven', payout, currency, fields: columns }), { line });
      }
    }
  }
}

/** The figures of a row or a total, by field: `cod`, `net`, `charges.handling`, `taxes.vat`. */
function figuresOf({ cod, net, charges, taxes }: StatedAmounts): Map<string, Units> {
  const kindsOf = (table: string, amounts: Readonly<Record<string, string>>) =>
    Object.entries(amounts).map(([kind, amount]) => [`${table}.${kind}`, amount] as const);
  const amounts = [['cod', cod], ['net', net], ...kindsOf('charges', charges), ...kindsOf('taxes', taxes)] as const;
  return new Map(amounts.flatMap(([field, amount]) => (amount === null ? [] : [[field, parseUnits(amount)]])));
}

/** A field of {@link figuresOf} as an error names it: `handling`. */
function nameOf(field: string): string {
  return field.replace(/^(charges|taxes)\./, '');
}

function payoutFault(
  reading: PdfReading,
  line: number,
  place: Readonly<Record<'payout' | 'currency' | 'field', string>>,
  stated: Units,
  sum: Units,
): UnprovenFault {
  const { due, ...figures } = sayFigures(place.currency, amountOfUnits(sum), amountOfUnits(stated));
  const page = reading.pageOf.get(line) ?? 1;
  return new UnprovenFault(pdfError({ id: 'pdf-payout-differs', ...place, page, sum: due, ...figures }), { line });
}

/** @returns true if every row has a net. @throws UnprovenFault if no convention of returns gives all stated nets */
function proveNets(reading: PdfReading, { settlements, returns }: SettlementFile): boolean {
  const rows = settlements.flatMap((settlement) => settlement.rows);
  const all = rows.flatMap(({ line, workflow, amounts }) => amounts.map((amount) => ({ ...amount, line, workflow })));
  const withNet = all.filter(({ net }) => net !== null);
  if (withNet.length === 0) return false;
  const firstWrong = (convention: SettlementFile['returns']) =>
    withNet.find((amount) => netOf(amount, convention) !== parseUnits(amount.net!));
  // The map's convention is tried first, and it is the one whose wrong net is reported.
  const wrong = firstWrong(returns);
  if (!wrong || RETURNS_CONVENTIONS.some((convention) => !firstWrong(convention))) return withNet.length === all.length;
  const { line, currency, net } = wrong;
  const figures = sayFigures(currency, amountOfUnits(netOf(wrong, returns) ?? 0n), parseAmount(net!));
  throw new UnprovenFault(pdfError({ id: 'pdf-net-differs', ...placeOf(reading, line), ...figures }), { line });
}
