import { compareText } from '../src/base/text.ts';
import {
  isAskedOrPaid,
  readSettlements,
  type SettledSums,
  type Settlements,
  settledAmounts,
} from '../src/checks/facts/receipts/settlements.ts';
import { type InvoiceLine, readInvoices, readVanishedLines } from '../src/ledger/queries/invoices/invoices.ts';
import { readNumberTexts } from '../src/ledger/queries/invoices/settlements.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { formatAmount, ZERO } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS } from '../src/money/fields.ts';
import { ColumnTotals, columnsOf, MONEY_COLUMNS, moneyCells } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { basisNotes, syncedMonths } from './notes.ts';

const COLUMNS = [
  ...columnsOf('number period status issued_at orders currency*'),
  ...MONEY_COLUMNS,
  ...columnsOf('received outstanding basis'),
];

/** The courier's number of a payout, such as `ES-902`; only shown if the ledger has one that is no integer. */
const NUMBER_TEXT: Column = { name: 'number_text', type: 'id' };

/**
 * One row per invoice and currency: what the invoice's document states, and how much of it came in. An invoice that
 * vanished after it was paid has a row too, which states zeros: what it has open is part of the balance.
 */
export async function invoices({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const settlements = await readSettlements(db, settings);
  const sums = new ColumnTotals(...MONEY_FIELDS, 'received', 'outstanding');
  const bases: SettledSums['basis'][] = [];
  const texts = await readNumberTexts(db);
  return {
    report: 'invoices',
    title: 'Invoices',
    period,
    timeZone: settings.timeZone,
    columns: texts.size === 0 ? COLUMNS : [COLUMNS[0]!, NUMBER_TEXT, ...COLUMNS.slice(1)],
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => [...basisNotes(bases), ...notes],
  };

  async function* rows(): AsyncGenerator<Row> {
    const lines: InvoiceLine[] = [];
    for await (const line of readInvoices(db, months)) lines.push(line);
    const unstated = await readUnstatedLines(db, months, settlements, lines);
    for (const line of unstated.length === 0 ? lines : [...lines, ...unstated].sort(byMonth)) {
      const settled = settlements.of(line.number, line.currency);
      const amounts = settled && settledAmounts(settled);
      const row = {
        ...line,
        ...(texts.size === 0 ? {} : { number_text: texts.get(line.number) ?? null }),
        ...moneyCells(line),
        received: amounts ? formatAmount(amounts.received) : null,
        outstanding: amounts ? formatAmount(amounts.outstanding) : null,
        basis: settled?.by ?? null,
      };
      if (!fits(row, filters)) continue;
      if (amounts) sums.add(line.currency, { ...line, ...amounts });
      if (settled) bases.push(settled.by);
      yield row;
    }
  }
}

function byMonth(a: InvoiceLine, b: InvoiceLine): number {
  return compareText(a.period, b.period) || byNumberAndCurrency(a, b);
}

/** Zeros, in the place of amounts that no document states. */
export const NOTHING_STATED = eachField(MONEY_FIELDS, () => ZERO);

/**
 * Lines for payments that the months' invoices do not account for: an invoice paid in a currency that it does not
 * state, or paid before it vanished. They state zeros, and what they have open is part of the balance.
 *
 * @param stated all lines that the months' invoices state
 */
export async function readUnstatedLines(
  db: LedgerReader,
  months: readonly string[],
  { invoices }: Settlements,
  stated: readonly InvoiceLine[],
): Promise<InvoiceLine[]> {
  // Live invoices, and those for which money moved before they vanished.
  const withMoney = invoices.filter(isAskedOrPaid);
  // Any line of an invoice, for what all of its lines have: its month, status and date.
  const byNumber = new Map(stated.map((line) => [line.number, line]));
  for (const period of months) {
    for (const { number, issued_at } of await readVanishedLines(db, period)) {
      const status = withMoney.find((invoice) => invoice.number === number)?.status;
      if (status === undefined) continue;
      byNumber.set(number, { number, period, status, issued_at, orders: 0, currency: null, ...NOTHING_STATED });
    }
  }
  const statedKeys = new Set(stated.map(({ number, currency }) => `${number} ${currency}`));
  return withMoney.flatMap(({ number, currency }) => {
    const line = byNumber.get(number);
    return !line || statedKeys.has(`${number} ${currency}`) ? [] : [{ ...line, currency, ...NOTHING_STATED }];
  });
}

export function byNumberAndCurrency(a: InvoiceLine, b: InvoiceLine): number {
  return a.number - b.number || ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1);
}
