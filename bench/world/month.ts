import { openSqlite } from '../../src/ledger/dialect/sqlite/database.ts';
import { usingLedger } from '../../src/ledger/index.ts';

const PER_INVOICE = 500;
const AT = '2026-11-01T00:00:00.000Z';
/** 3.50, in ledger units. */
const FEE = 35_000;

const [file = '', month = '', rows = '0'] = process.argv.slice(2);
await fillMonth(file, month, Number(rows));

/**
 * Makes a ledger that holds a month with a number of invoice rows, in two currencies, without fetching them: for
 * readers that want nothing else. Amounts are spread so that no cache holds them.
 */
async function fillMonth(file: string, month: string, rows: number): Promise<void> {
  await usingLedger(file, { create: true }, async () => {});
  const { handle: db } = openSqlite(file, { create: false, readOnly: false, scratch: true });
  db.pragma('foreign_keys = OFF');
  db.prepare("insert into run values ('courier', 1, 'sync', ?, ?, 'complete', '0', ?, null)").run(AT, AT, month);
  db.prepare("insert into listing values ('courier', 1, 1, 'invoices', ?, ?, 1, ?, ?, 1, 0, 0, null)").run(
    month,
    AT,
    rows / PER_INVOICE,
    rows / PER_INVOICE,
  );
  const invoice = db.prepare(
    "insert into invoice values ('courier', ?, ?, 'PAID', ?, ?, 'none', 1, 1, '', null, null, null, null)",
  );
  const amount = db.prepare("insert into invoice_amount values ('courier', ?, ?, ?, ?, ?)");
  const order = db.prepare(
    "insert into invoice_order values ('courier', ?, ?, ?, ?, 'STANDARD', 'DELIVERED', 'PAID_TO_MERCHANT')",
  );
  const money = db.prepare("insert into invoice_order_amount values ('courier', ?, ?, ?, ?, ?)");
  db.transaction(() => {
    let serial = 0;
    for (let number = 1; serial < rows; number += 1) {
      invoice.run(number, month, `${month}-05T09:00:00+02:00`, PER_INVOICE);
      const sums = { USD: 0, LBP: 0 };
      for (let position = 0; position < PER_INVOICE; position += 1) {
        serial += 1;
        order.run(number, position, `ORD${String(serial).padStart(9, '0')}`, `SHOP-${serial}`);
        const cod = 100 * (500 + ((serial * 7_919_173) % 90_000_017));
        money.run(number, position, 'USD', cod, FEE);
        sums.USD += cod;
        if (serial % 2 === 0) continue;
        money.run(number, position, 'LBP', 10 * cod, 0);
        sums.LBP += 10 * cod;
      }
      amount.run(number, 'USD', sums.USD, FEE * PER_INVOICE, sums.USD - FEE * PER_INVOICE);
      amount.run(number, 'LBP', sums.LBP, 0, sums.LBP);
    }
  })();
  db.pragma('wal_checkpoint(truncate)');
  db.close();
}
