import { stringify } from 'csv-stringify/sync';
import { formatUnits } from '../../../money/units.ts';
import { camtText } from './camt.ts';
import { ofxText } from './ofx.ts';
import type { ShopBooks } from './shop-books.ts';
import { statementOf } from './statement.ts';

/** What the cash book calls itself: a file that does not say its account is refused beside the bank's. */
const CASH_ACCOUNT = 'Cash box';

/** One file of the merchant's own side. */
export interface BookFile {
  readonly kind: 'orders' | 'receipts' | 'tariff' | 'rates';
  readonly format: 'csv' | 'camt' | 'ofx';
  readonly name: string;
  readonly text: string;
}

/** The books as files: orders, prices and rates as CSV, the dollar account as CAMT.053, the pound account as OFX, the cash book as CSV. */
export function bookFiles(books: ShopBooks): BookFile[] {
  const isCash = ({ invoices }: { invoices: readonly number[] }) => invoices.some((number) => books.inCash.has(number));
  const bank = [...books.receipts.filter((receipt) => !isCash(receipt)), ...books.others];
  const [dollars, pounds] = [statementOf(bank, 'USD'), statementOf(bank, 'LBP')];
  const cash = books.receipts.filter(isCash);
  const files: BookFile[] = [
    {
      kind: 'orders',
      format: 'csv',
      name: 'orders.csv',
      text: csvText(
        ['reference', 'ordered_on', 'status', 'currency', 'cod', 'district', 'note'],
        books.orders.map((o) => [
          o.reference,
          o.orderedOn,
          o.status,
          o.currency,
          formatUnits(o.cod),
          o.district,
          o.note,
        ]),
      ),
    },
  ];
  if (dollars) files.push({ kind: 'receipts', format: 'camt', name: 'bank-usd.xml', text: camtText(dollars) });
  if (pounds) files.push({ kind: 'receipts', format: 'ofx', name: 'bank-lbp.ofx', text: ofxText(pounds) });
  if (cash.length > 0) {
    files.push({
      kind: 'receipts',
      format: 'csv',
      name: 'cash-book.csv',
      text: csvText(
        ['date', 'amount', 'currency', 'text', 'invoice', 'account'],
        cash.map((c) => [c.date, formatUnits(c.amount), c.currency, c.text, c.invoices.join(' '), CASH_ACCOUNT]),
      ),
    });
  }
  files.push(
    {
      kind: 'tariff',
      format: 'csv',
      name: 'tariff.csv',
      text: csvText(
        ['workflow', 'district', 'area', 'merchant_location', 'from', 'to', 'currency', 'fee', 'per_package'],
        books.prices.map((p) => [p.workflow, p.district, '', '', p.from, p.to, p.currency, p.fee, '']),
      ),
    },
    {
      kind: 'rates',
      format: 'csv',
      name: 'rates.csv',
      text: csvText(
        ['date', 'from', 'to', 'rate'],
        books.rates.map(({ date, from, to, rate }) => [date, from, to, rate]),
      ),
    },
  );
  return files;
}

/** A table as CSV (RFC 4180). */
function csvText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return stringify([head, ...rows], { record_delimiter: 'windows' });
}
