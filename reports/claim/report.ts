import { formatAmount, parseAmount } from '../../src/money/decimal.ts';
import { eachField } from '../../src/money/fields.ts';
import { columnsOf } from '../columns.ts';
import type { Column, Report, Row } from '../model.ts';
import type { Names } from '../names.ts';
import { type ClaimLine, claimedCurrencies, claimTotals, sumOf } from './line.ts';
import { type ClaimNote, type ClaimSentence, claimReturns, type ReturnsStanding } from './sentences.ts';

const COLUMNS = columnsOf(
  'line part invoice_number order_id reference_id day currency*',
  'due received difference charged agreed to_confirm what:wide',
);

/** Left out of the sheet if no line has them. */
const OPTIONAL: ReadonlySet<string> = new Set(['charged', 'agreed', 'to_confirm']);
const SUMMED = ['due', 'received', 'difference', 'charged', 'agreed'] as const;

const DATA_MONEY: ReadonlySet<string> = new Set(['due', 'received', 'claimed', 'charged', 'agreed']);
/** What programs read: a row per point of the claim. `claimed` is what the sheet calls `difference`. */
const DATA_COLUMNS: readonly Column[] = [
  ...['section', 'id', 'code', 'invoice_number', 'order_id', 'reference_id', 'day', 'what', 'currency'],
  ...['due', 'received', 'claimed', 'charged', 'agreed', 'line', 'claimed_on'],
].map((name) => ({ name, type: DATA_MONEY.has(name) ? 'money' : 'text' }));

interface ClaimHead {
  /** The months that it is about, or empty. */
  readonly period: string;
  /** Who claims, and of whom. */
  readonly names: Names;
  /** The day on which it is sent. */
  readonly on: string;
  /** How the courier counts RETURN orders; absent if no invoice has one, and while nobody knows. */
  readonly returns?: ReturnsStanding | null;
}

/** The sheet that goes to the courier: its totals are on the first page, and it has no id or code of remit. */
export function claimReport(lines: readonly ClaimLine[], { period, names, on, returns = null }: ClaimHead): Report {
  const rows = lines.map(sheetRow);
  const isFilled = (name: string) => rows.some((row) => (row[name] ?? null) !== null);
  const columns = COLUMNS.filter(({ name }) => !OPTIONAL.has(name) || isFilled(name));
  const returnsNote = returns && claimReturns(returns);
  return {
    report: 'claim',
    title: 'Claim',
    period,
    columns,
    rows,
    totals: () => claimedCurrencies(lines).map((currency) => columnTotals(rows, currency, columns)),
    notes: () => [
      { id: 'claim-of', by: names.merchant.name, to: names.courier.name, on } satisfies ClaimNote,
      ...claimTotals(lines).map(({ count: _, ...total }) => ({ id: 'claim-total', ...total }) satisfies ClaimNote),
      { id: 'claim-parts' } satisfies ClaimNote,
      ...(returnsNote === null ? [] : [returnsNote]),
    ],
  };
}

function sheetRow(line: ClaimLine): Row {
  const { id: _, code: __, section, claimed, due, received, charged, agreed, invoice_number_text, ...facts } = line;
  const part: ClaimSentence = { id: 'claim-section', section };
  const cells = { ...facts, invoice_number: invoice_number_text ?? facts.invoice_number, part };
  // Of a point to confirm only `to_confirm` is filled in, what is open of it: all other columns are added up.
  if (section === 'confirm') {
    const open = due === null || received === null ? null : formatAmount(parseAmount(due).minus(parseAmount(received)));
    const noFigures = { due: null, received: null, difference: null, charged: null, agreed: null };
    return { ...cells, ...noFigures, to_confirm: open };
  }
  // What we owe is negative here, so that the column adds up to the net.
  const signed = section === 'owed-by-us' ? formatAmount(parseAmount(claimed).negated()) : claimed;
  // A point without a due amount is not about money.
  const difference = due === null ? null : signed;
  return { ...cells, due, received, difference, charged, agreed, to_confirm: null };
}

function columnTotals(rows: readonly Row[], currency: string, columns: readonly Column[]) {
  const inCurrency = rows.filter((row) => row.currency === currency);
  const summed = SUMMED.filter((name) => columns.some((column) => column.name === name));
  const total = (name: string) => formatAmount(sumOf(inCurrency, (row) => row[name] as string | null));
  return { currency, ...eachField(summed, total) };
}

/** A claim for programs. CSV has a payout's number as a text (`ES-902`); JSON has the ledger's integer and the text. */
export function claimData(
  lines: readonly ClaimLine[],
  { period }: Pick<ClaimHead, 'period'>,
  format: 'csv' | 'json',
): Report {
  const isCsv = format === 'csv';
  return {
    report: 'claim',
    title: 'Claim',
    period,
    columns: isCsv ? DATA_COLUMNS : [...DATA_COLUMNS, { name: 'invoice_number_text', type: 'text' }],
    rows: lines.map((line): Row => {
      const { invoice_number: number, invoice_number_text: text } = line;
      return { ...line, invoice_number: isCsv ? (text ?? number) : number };
    }),
    totals: () => [],
    notes: () => [],
  };
}
