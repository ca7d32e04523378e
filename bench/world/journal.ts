/** The invoice rows of a ledger as a journal of plain text accounting. `node journal.js LEDGER FILE`. */
import { decimal, moneyOf, writeAll } from './money.ts';

/** A transaction a row, whose postings balance in each currency. */
function* transactions(ledger: string): Iterable<string> {
  let row = '';
  for (const { number, day, order_id, position, currency, cod, fee } of moneyOf(ledger)) {
    const key = `${number} ${position}`;
    if (key !== row) yield `\n${day} ${order_id}\n`;
    row = key;
    const post = (account: string, units: bigint) => `    ${account}  ${currency} ${decimal(units)}\n`;
    yield post(`assets:courier:${number}`, cod - fee) + post('expenses:delivery', fee) + post('income:cod', -cod);
  }
}

const [, , ledger, file] = process.argv;
writeAll(file!, transactions(ledger!));
