/** The money of a ledger's invoice rows as CSV. `node rows.js LEDGER FILE`. */
import { decimal, moneyOf, writeAll } from './money.ts';

function* lines(ledger: string): Iterable<string> {
  yield 'invoice_number,position,currency,cod,delivery_fee\n';
  for (const { number, position, currency, cod, fee } of moneyOf(ledger)) {
    yield `${number},${position},${currency},${decimal(cod)},${decimal(fee)}\n`;
  }
}

const [, , ledger, file] = process.argv;
writeAll(file!, lines(ledger!));
