import { type CurrencyTotals, type MonthTotals, readMonthTotals } from '../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount, MONEY_FIELDS, ROW_SUM_FIELDS } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

const FIGURES = [...MONEY_FIELDS, ...ROW_SUM_FIELDS, 'paid', 'outstanding'] as const;

const columns: Column[] = [
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'invoices', title: 'Invoices', type: 'count' },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'cod', title: 'COD', type: 'money' },
  { name: 'delivery_fee', title: 'Delivery fee', type: 'money' },
  { name: 'net_due_to_merchant', title: 'Net due', type: 'money' },
  { name: 'order_cod', title: 'COD of the rows', type: 'money' },
  { name: 'order_delivery_fee', title: 'Fee of the rows', type: 'money' },
  { name: 'paid', title: 'Paid', type: 'money' },
  { name: 'outstanding', title: 'Outstanding', type: 'money' },
];

/** One row a month and currency: what the invoices' headers state, what their rows come to, what is paid. */
export async function totals({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CurrencySums(...FIGURES);
  return {
    report: 'totals',
    title: 'Totals by month and currency',
    period,
    columns,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    for (const month of months) {
      const totals = await readMonthTotals(db, month);
      if (totals.invoices === 0) notes.push(`${month} was synced and holds no invoice.`);
      for (const currency of currenciesOf(totals)) {
        if (!fits({ currency: currency.currency }, filters)) continue;
        sums.add(currency.currency, currency);
        yield {
          period: month,
          currency: currency.currency,
          invoices: totals.invoices,
          orders: totals.orders,
          ...Object.fromEntries(FIGURES.map((figure) => [figure, formatAmount(currency[figure])])),
        };
      }
    }
  }
}

type Line = Omit<CurrencyTotals, 'currency'> & { currency: string | null };

/** The month's currencies; a month whose invoices name no currency at all still shows how many they are. */
function currenciesOf({ invoices, currencies }: MonthTotals): readonly Line[] {
  if (invoices === 0 || currencies.length > 0) return currencies;
  const nothing = new ExactDecimal(0);
  const figures = Object.fromEntries(FIGURES.map((figure) => [figure, nothing]));
  return [{ currency: null, ...(figures as Omit<CurrencyTotals, 'currency'>) }];
}
