/** The least that an exact sum of a month's rows costs: every amount read as a bigint and added, per currency. */
import { openDatabase } from '../../src/base/sqlite.ts';

const [file = '', month = ''] = process.argv.slice(2);
const db = openDatabase(file, { fileMustExist: true });
const sums = new Map<string, [bigint, bigint]>();
const rows = db
  .prepare(
    `select a.currency, a.cod, a.delivery_fee from invoice i join invoice_order_amount a on a.invoice_number = i.number
     where i.period = ? and i.vanished_at is null`,
  )
  .safeIntegers()
  .iterate(month) as Iterable<{ currency: string; cod: bigint; delivery_fee: bigint }>;
for (const { currency, cod, delivery_fee } of rows) {
  const [before, fees] = sums.get(currency) ?? [0n, 0n];
  sums.set(currency, [before + cod, fees + delivery_fee]);
}
db.close();
for (const [currency, [cod, fee]] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
  process.stdout.write(`${currency} ${cod} ${fee}\n`);
